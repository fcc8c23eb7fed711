/* One cuzk_curve: text that is compiled once per curve and CPU level, in files of their own.
 *
 * Before including, define
 *     CURVE          the prefix of its types, say bn254
 *     CURVE_G1_B, CURVE_G2_B, CURVE_FLAGS   see group_tmpl.h
 * It leaves static functions, and CURVE_FUNCTIONS, which puts them into a table. */

#include "base/status.h"
#include "curve/curve.h"

#define FP(name) CUZK_NAME(CUZK_NAME(CURVE, fp), name)
#define FR(name) CUZK_NAME(CUZK_NAME(CURVE, fr), name)

#define GROUP       g1
#define GROUP_POINT CUZK_NAME(CURVE, g1)
#define GROUP_COORD CUZK_NAME(CURVE, fp)
#define GROUP_B     CURVE_G1_B
#define GROUP_FLAGS CURVE_FLAGS
#include "curve/group_tmpl.h"

#define GROUP       g2
#define GROUP_POINT CUZK_NAME(CURVE, g2)
#define GROUP_COORD CUZK_NAME(CURVE, fp2)
#define GROUP_B     CURVE_G2_B
#define GROUP_FLAGS CURVE_FLAGS
#include "curve/group_tmpl.h"

static bool scalar_is_canonical(const cuzk_scalar *a)
{
    return FR(limbs_valid)(a->l);
}

static void fr_from_scalar(cuzk_fr *r, const cuzk_scalar *a)
{
    FR(from_canon)(r, a);
}

static void fr_to_scalar(cuzk_scalar *r, const cuzk_fr *a)
{
    FR(to_canon)(r, a);
}

static void fr_add(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b)
{
    FR(add)(r, a, b);
}

static void fr_sub(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b)
{
    FR(sub)(r, a, b);
}

static void fr_neg(cuzk_fr *r, const cuzk_fr *a)
{
    FR(neg)(r, a);
}

static void fr_mul(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b)
{
    FR(mul)(r, a, b);
}

static void fr_inv(cuzk_fr *r, const cuzk_fr *a)
{
    FR(inv_var)(r, a);
}

static void fr_pow(cuzk_fr *r, const cuzk_fr *a, uint64_t exponent)
{
    FR(pow_var)(r, a, &exponent, 1);
}

/* low + 2^256 high: products take the halves, which may exceed r, as their second factor. R is
 * 2^256, so a product with R^2 mod r is the Montgomery form of a half, and another one shifts it by
 * 2^256. */
static void scalar_from_wide(cuzk_scalar *r, const uint8_t wide[64])
{
    cuzk_scalar unit = {{1, 0, 0, 0}}, power;
    cuzk_fr shift, low, high;
    g1_words_from_bytes(low.l, wide, 4);
    g1_words_from_bytes(high.l, wide + 32, 4);
    FR(from_canon)(&shift, &unit); /* R mod r */
    memcpy(&power, &shift, sizeof power);
    FR(from_canon)(&shift, &power); /* R^2 mod r */
    FR(mul)(&low, &shift, &low);
    FR(mul)(&high, &shift, &high);
    FR(mul)(&high, &shift, &high);
    FR(add)(&low, &low, &high);
    FR(to_canon)(r, &low);
}

static void fp_to_le(uint8_t *out, const uint64_t *fp)
{
    CUZK_NAME(CURVE, fp) t;
    memcpy(&t, fp, sizeof t);
    FP(to_le)(out, &t);
}

static bool fp_from_le(uint64_t *fp, const uint8_t *in)
{
    CUZK_NAME(CURVE, fp) t;
    bool valid = FP(from_le)(&t, in);
    memcpy(fp, &t, sizeof t);
    return valid;
}

#include "curve/gt_tmpl.h"

#define CURVE_FUNCTIONS                                                                            \
    .scalar_is_canonical = scalar_is_canonical, .fr_from_scalar = fr_from_scalar,                  \
    .fr_to_scalar = fr_to_scalar, .fr_add = fr_add, .fr_sub = fr_sub, .fr_neg = fr_neg,            \
    .fr_mul = fr_mul, .fr_inv = fr_inv, .fr_pow = fr_pow, .scalar_from_wide = scalar_from_wide,    \
    .fp_to_le = fp_to_le, .fp_from_le = fp_from_le, .g1_neg = g1_neg, .g1_add = g1_add,            \
    .g1_mul = g1_mul, .g1_mul_any = g1_mul_any, .g1_mul_secret = g1_mul_secret, .g2_neg = g2_neg,  \
    .g2_add = g2_add, .g2_mul = g2_mul, .g2_mul_any = g2_mul_any, .g2_mul_secret = g2_mul_secret,  \
    .g1_check = g1_check, .g2_check = g2_check, .g1_encode = g1_encode, .g2_encode = g2_encode,    \
    .g1_decode = g1_decode, .g2_decode = g2_decode,                                                \
    .g2_prepared_bytes = sizeof(CUZK_NAME(CURVE, prepared)), .g2_prepare = g2_prepare,             \
    .miller = miller, .final_exp = final_exp, .gt_one = gt_one, .gt_mul = gt_mul,                  \
    .gt_conjugate = gt_conjugate, .gt_pow = gt_pow, .gt_equal = gt_equal

#undef FP
#undef FR
