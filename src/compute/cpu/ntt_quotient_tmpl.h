/* Part of ntt_tmpl.h: the entries of compute/ntt.h that take a plan. */

static void forward(const cuzk_ntt_plan *base, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                    cuzk_pool *pool)
{
    task t = {.plan = (const plan *)base,
              .coset = coset,
              .source = data,
              .target = data,
              .scratch = scratch,
              .pool = pool};
    FR(set_one)(&t.factor);
    transform(&t);
}

static void inverse(const cuzk_ntt_plan *base, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                    cuzk_pool *pool)
{
    const plan *p = (const plan *)base;
    const task t = {.plan = p,
                    .inverse = true,
                    .coset = coset,
                    .source = data,
                    .target = data,
                    .factor = p->m_inv,
                    .scratch = scratch,
                    .pool = pool};
    transform(&t);
}

/* 1/(g^m - 1): Z is constant on the coset. */
static void vanishing_inverse(cuzk_fr *r, const cuzk_fr *g, size_t m)
{
    cuzk_fr one;
    FR(set_one)(&one);
    power(r, g, m);
    FR(sub)(r, r, &one);
    FR(inv_var)(r, r);
}

/* c, a and b go to the coset one after the other. c's values wait in h, in the form that the
 * outcome will have; b's join them as they appear: h := a * b - h. The scalar 1/Z and the change to
 * canonical form cost nothing, as each transform multiplies by some factor anyway. */
static void quotient(const cuzk_ntt_plan *base, cuzk_h_kind kind, const cuzk_fr *coset,
                     cuzk_scalar *h, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, void *scratch,
                     cuzk_pool *pool)
{
    const plan *p = (const plan *)base;
    const bool monomial = kind == CUZK_H_COSET_MONOMIAL;
    cuzk_fr *values = (cuzk_fr *)h; /* the same 32 bytes, in Montgomery form for a while */
    cuzk_fr one, factor;
    FR(set_one)(&one);
    factor = one;
    if (monomial)
        vanishing_inverse(&factor, coset, p->m);

    task in = {.plan = p, .inverse = true, .factor = p->m_inv, .scratch = scratch, .pool = pool};
    task out = {.plan = p, .coset = coset, .factor = factor, .scratch = scratch, .pool = pool};
    in.source = c != NULL ? c : a, in.times_source = c != NULL ? NULL : b, in.target = values;
    transform(&in);
    out.source = values, out.target = values, out.canonical = !monomial;
    transform(&out);

    in.source = a, in.times_source = NULL, in.target = a;
    transform(&in);
    out.source = a, out.target = a, out.canonical = false, out.factor = one;
    transform(&out);

    in.source = b, in.target = b;
    transform(&in);
    out.source = b, out.target = values, out.canonical = !monomial, out.factor = factor;
    out.times_target = a;
    transform(&out);

    if (monomial) {
        in.coset = coset, in.source = values, in.target = values, in.canonical = true;
        transform(&in);
    }
}
