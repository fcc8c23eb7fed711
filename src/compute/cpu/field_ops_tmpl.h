/* The table of compute/field_ops.h over one vector field. Parameters: VF (vfp or vfr), VF_N (its
 * words), TABLE (the name of the table). Arrays are walked in whole vectors; a rest is padded by a
 * copy on the stack. */
#define OPS_CAT_(a, b) a##b
#define OPS_CAT(a, b)  OPS_CAT_(a, b)
#define V(name)        OPS_CAT(VF, _##name)
#define T(name)        OPS_CAT(TABLE, _##name)

typedef void T(vector_fn)(VF *r, const VF *a, const VF *b);

static void T(load)(VF *r, const uint64_t *src, size_t n)
{
    uint64_t padded[VF_WIDTH * VF_N] = {0};
    memcpy(padded, src, n * VF_N * sizeof *padded);
    V(load_seq)(r, padded, VF_N);
}

static void T(store)(uint64_t *dst, const VF *a, size_t n)
{
    uint64_t padded[VF_WIDTH * VF_N];
    V(store_seq)(padded, VF_N, a);
    memcpy(dst, padded, n * VF_N * sizeof *padded);
}

/* Applies fn to memory-form arrays; b may be NULL. */
static void T(each)(T(vector_fn) * fn, uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    const unsigned saved = V(begin)();
    for (size_t i = 0; i < n; i += VF_WIDTH) {
        const size_t m = n - i < VF_WIDTH ? n - i : VF_WIDTH;
        VF x, y;
        T(load)(&x, a + i * VF_N, m);
        T(load)(&y, (b ? b : a) + i * VF_N, m);
        V(from_mem)(&x, &x);
        V(from_mem)(&y, &y);
        fn(&x, &x, &y);
        V(to_mem)(&x, &x);
        T(store)(r + i * VF_N, &x, m);
    }
    V(end)(saved);
}

static void T(lazy_step)(VF *r, const VF *a, const VF *b)
{
    VF d, e;
    V(sub_lazy)(&d, a, b);   /* below 4p */
    V(add_lazy)(&e, &d, &d); /* below 8p */
    V(mul)(r, &d, &e);       /* 32 p^2 */
    V(reduce)(&e, &e);
    V(add_lazy)(r, r, r);
    V(add_lazy)(r, r, &e);
    V(reduce)(r, r);
}

/* Values as they grow in sums of up to 2^12 points. */
static void T(loose_step)(VF *r, const VF *a, const VF *b)
{
    VF s, x, y, d;
    V(sub)(&d, a, b);
    const unsigned equal = V(is_zero)(&d);
    V(sqr)(&s, a);
    V(loose_sub_signed)(&x, &s, b, equal);
    V(loose_sub_signed)(&y, b, &s, ~equal);
    for (unsigned level = 0; level < 12; level++) {
        V(loose_diff)(&d, &y, &x);
        V(loose_chord_x)(&x, &s, &x, &d);
        V(loose_sub)(&y, &s, &y);
        V(mul)(&s, &d, &s);
    }
    V(sub_signed_lazy)(&d, &s, equal, a, equal);
    V(mul)(&s, &s, &d);
    V(tighten)(&x, &x);
    V(tighten)(&y, &y);
    V(mul)(r, &x, &y);
    V(sub)(r, r, &s);
}

static void T(unless_equal_step)(VF *r, const VF *a, const VF *b)
{
    VF d, zero;
    V(sub)(&d, a, b);
    V(zero)(&zero);
    V(select)(r, V(is_zero)(&d), &zero, a);
}

static void T(sqr_step)(VF *r, const VF *a, const VF *b)
{
    (void)b;
    V(sqr)(r, a);
}

static void T(neg_step)(VF *r, const VF *a, const VF *b)
{
    (void)b;
    V(neg)(r, a);
}

static void T(inv_step)(VF *r, const VF *a, const VF *b)
{
    (void)b;
    V(inv)(r, a);
}

static void T(mul)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(V(mul), r, a, b, n);
}

static void T(sqr)(uint64_t *r, const uint64_t *a, size_t n)
{
    T(each)(T(sqr_step), r, a, NULL, n);
}

static void T(add)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(V(add), r, a, b, n);
}

static void T(sub)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(V(sub), r, a, b, n);
}

static void T(neg)(uint64_t *r, const uint64_t *a, size_t n)
{
    T(each)(T(neg_step), r, a, NULL, n);
}

static void T(inv)(uint64_t *r, const uint64_t *a, size_t n)
{
    T(each)(T(inv_step), r, a, NULL, n);
}

static void T(lazy)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(T(lazy_step), r, a, b, n);
}

static void T(loose)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(T(loose_step), r, a, b, n);
}

static void T(unless_equal)(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n)
{
    T(each)(T(unless_equal_step), r, a, b, n);
}

static void T(transpose)(uint64_t *r, const uint64_t *a, size_t n)
{
    VF x[VF_WIDTH];
    for (size_t at = 0; at + VF_WIDTH * VF_WIDTH <= n; at += VF_WIDTH * VF_WIDTH) {
        for (size_t i = 0; i < VF_WIDTH; i++)
            T(load)(&x[i], a + (at + i * VF_WIDTH) * VF_N, VF_WIDTH);
        V(transpose)(x);
        for (size_t i = 0; i < VF_WIDTH; i++)
            T(store)(r + (at + i * VF_WIDTH) * VF_N, &x[i], VF_WIDTH);
    }
}

typedef void T(convert_fn)(VF *r, const VF *a);

/* Applies first, then second, without the change of radix that `each` makes. */
static void T(convert)(T(convert_fn) * first, T(convert_fn) * second, uint64_t *r,
                       const uint64_t *a, size_t n)
{
    const unsigned saved = V(begin)();
    for (size_t i = 0; i < n; i += VF_WIDTH) {
        const size_t m = n - i < VF_WIDTH ? n - i : VF_WIDTH;
        VF x;
        T(load)(&x, a + i * VF_N, m);
        first(&x, &x);
        second(&x, &x);
        T(store)(r + i * VF_N, &x, m);
    }
    V(end)(saved);
}

static void T(to_int)(uint64_t *r, const uint64_t *a, size_t n)
{
    T(convert)(V(from_mem), V(to_int), r, a, n);
}

static void T(from_int)(uint64_t *r, const uint64_t *a, size_t n)
{
    T(convert)(V(from_int), V(to_mem), r, a, n);
}

static void T(load_rounds)(VF *v, const uint64_t *x)
{
    for (size_t i = 0; i < CUZK_FIELD_ROUND_VECTORS; i++) {
        T(load)(&v[i], x + i * VF_WIDTH * VF_N, VF_WIDTH);
        V(from_mem)(&v[i], &v[i]);
    }
}

static void T(store_rounds)(uint64_t *x, const VF *v)
{
    for (size_t i = 0; i < CUZK_FIELD_ROUND_VECTORS; i++) {
        VF t;
        V(to_mem)(&t, &v[i]);
        T(store)(x + i * VF_WIDTH * VF_N, &t, VF_WIDTH);
    }
}

/* op is a constant where this is inlined, so what is timed is the operation and no call through it.
 */
static inline __attribute__((always_inline)) void T(rounds)(T(vector_fn) * op, uint64_t *x,
                                                            const uint64_t *y, size_t rounds)
{
    VF a[CUZK_FIELD_ROUND_VECTORS], b[CUZK_FIELD_ROUND_VECTORS];
    const unsigned saved = V(begin)();
    T(load_rounds)(a, x);
    T(load_rounds)(b, y);
    for (size_t k = 0; k < rounds; k++)
        for (size_t i = 0; i < CUZK_FIELD_ROUND_VECTORS; i++)
            op(&a[i], &a[i], &b[i]);
    T(store_rounds)(x, a);
    V(end)(saved);
}

static void T(mul_rounds)(uint64_t *x, const uint64_t *y, size_t rounds)
{
    T(rounds)(V(mul), x, y, rounds);
}

static void T(add_rounds)(uint64_t *x, const uint64_t *y, size_t rounds)
{
    T(rounds)(V(add), x, y, rounds);
}

const cuzk_field_ops TABLE = {
    VF_N,      VF_WIDTH,    T(mul),        T(sqr),        T(add),          T(sub),
    T(neg),    T(inv),      T(lazy),       T(loose),      T(unless_equal), T(transpose),
    T(to_int), T(from_int), T(mul_rounds), T(add_rounds),
};

#undef OPS_CAT_
#undef OPS_CAT
#undef V
#undef T
#undef VF
#undef VF_N
#undef TABLE
