/* The functions of cuzk_curve that concern one group: text that is compiled once per group and
 * level.
 *
 * Before including, define
 *     GROUP             prefix of the static functions, g1 or g2
 *     GROUP_POINT       the point type, say bn254_g1
 *     GROUP_COORD       the field of its coordinates
 *     GROUP_B           initializer of the curve's b
 *     GROUP_FLAGS       the bits of a big-endian coordinate's first byte that no value below p has
 */

#define G(name) CUZK_NAME(GROUP, name)
#define P(name) CUZK_NAME(GROUP_POINT, name)
#define C(name) CUZK_NAME(GROUP_COORD, name)

static void G(to_words)(uint64_t *r, const GROUP_POINT *a)
{
    P(affine) t;
    P(to_affine_var)(&t, a);
    P(store)(r, &t);
}

static void G(neg)(uint64_t *r, const uint64_t *a)
{
    P(affine) t;
    P(load)(&t, a);
    P(affine_neg)(&t, &t);
    P(store)(r, &t);
}

static void G(add)(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    P(affine) ta, tb;
    GROUP_POINT sum;
    P(load)(&ta, a);
    P(load)(&tb, b);
    P(from_affine)(&sum, &ta);
    P(add_mixed)(&sum, &sum, &tb);
    G(to_words)(r, &sum);
}

static void G(mul)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k)
{
    P(affine) t;
    GROUP_POINT product;
    P(load)(&t, a);
    P(mul_var)(&product, &t, k->l);
    G(to_words)(r, &product);
}

static void G(mul_any)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k)
{
    P(affine) t;
    GROUP_POINT product;
    P(load)(&t, a);
    P(mul_any_var)(&product, &t, k->l);
    G(to_words)(r, &product);
}

static void G(mul_secret)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k)
{
    P(affine) t;
    GROUP_POINT product;
    P(load)(&t, a);
    P(mul_secret)(&product, &t, k->l);
    G(to_words)(r, &product);
}

static cuzk_point_status G(check_affine)(const P(affine) * a, bool subgroup)
{
    if (P(affine_is_infinity)(a))
        return CUZK_POINT_OK;
    if (!P(on_curve)(a))
        return CUZK_POINT_NOT_ON_CURVE;
    if (subgroup && !P(in_subgroup_var)(a))
        return CUZK_POINT_NOT_IN_SUBGROUP;
    return CUZK_POINT_OK;
}

static cuzk_point_status G(check)(const uint64_t *a, bool subgroup)
{
    P(affine) t;
    if (!C(limbs_valid)(a) || !C(limbs_valid)(a + sizeof(GROUP_COORD) / 8))
        return CUZK_POINT_NOT_CANONICAL;
    P(load)(&t, a);
    return G(check_affine)(&t, subgroup);
}

#include "curve/encoding_tmpl.h"

#undef G
#undef P
#undef C
#undef GROUP
#undef GROUP_POINT
#undef GROUP_COORD
#undef GROUP_B
#undef GROUP_FLAGS
