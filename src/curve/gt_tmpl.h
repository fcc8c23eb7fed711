/* Part of curve_tmpl.h: pairings and the target group. */

#define FP12(name) CUZK_NAME(CUZK_NAME(CURVE, fp12), name)
#define FP12_TYPE  CUZK_NAME(CURVE, fp12)

static void gt_load(FP12_TYPE *r, const cuzk_gt *a)
{
    memcpy(r, a, sizeof *r);
}

/* Words beyond the curve's own are zero. */
static void gt_store(cuzk_gt *r, const FP12_TYPE *a)
{
    memset(r, 0, sizeof *r);
    memcpy(r, a, sizeof *a);
}

static void g2_prepare(void *prepared, const uint64_t *q)
{
    CUZK_NAME(CURVE, g2_affine) t;
    CUZK_NAME(CUZK_NAME(CURVE, g2), load)(&t, q);
    CUZK_NAME(CURVE, prepare)(prepared, &t);
}

static void miller(cuzk_gt *f, const uint64_t *const *points, const void *const *prepared, size_t n)
{
    FP12_TYPE t;
    CUZK_NAME(CURVE, miller)(&t, points, prepared, n);
    gt_store(f, &t);
}

static void final_exp(cuzk_gt *r, const cuzk_gt *f)
{
    FP12_TYPE t;
    gt_load(&t, f);
    CUZK_NAME(CURVE, final_exp)(&t, &t);
    gt_store(r, &t);
}

static void gt_one(cuzk_gt *r)
{
    FP12_TYPE t;
    FP12(set_one)(&t);
    gt_store(r, &t);
}

static void gt_mul(cuzk_gt *r, const cuzk_gt *a, const cuzk_gt *b)
{
    FP12_TYPE ta, tb;
    gt_load(&ta, a);
    gt_load(&tb, b);
    FP12(mul)(&ta, &ta, &tb);
    gt_store(r, &ta);
}

static void gt_conjugate(cuzk_gt *r, const cuzk_gt *a)
{
    FP12_TYPE t;
    gt_load(&t, a);
    FP12(conj)(&t, &t);
    gt_store(r, &t);
}

static void gt_pow(cuzk_gt *r, const cuzk_gt *a, const cuzk_scalar *k)
{
    FP12_TYPE t;
    gt_load(&t, a);
    FP12(pow_var)(&t, &t, k->l, 4);
    gt_store(r, &t);
}

static bool gt_equal(const cuzk_gt *a, const cuzk_gt *b)
{
    FP12_TYPE ta, tb;
    gt_load(&ta, a);
    gt_load(&tb, b);
    return FP12(equal)(&ta, &tb);
}

#undef FP12
#undef FP12_TYPE
