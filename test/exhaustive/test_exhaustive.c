/* The templates where everything can be tried: a field of 163 elements, its quadratic extension
 * over 31, and the 139 points of y^2 = x^3 + 2 over the former, a group of prime order. */
#include <string.h>

#include "curve/recode.h"
#include "support/test.h"

#define SMALL_P     163
#define FIELD       small
#define FIELD_LIMBS 1
#define FIELD_MODULUS                                                                              \
    {                                                                                              \
        SMALL_P                                                                                    \
    }
#define FIELD_N0 0xe096c5e3bae54cf5 /* -1/p mod 2^64 */
#define FIELD_ONE                                                                                  \
    {                                                                                              \
        57                                                                                         \
    } /* 2^64 mod p */
#define FIELD_R2                                                                                   \
    {                                                                                              \
        152                                                                                        \
    } /* 2^128 mod p */
#include "field/field_tmpl.h"

#define POINT       toy
#define POINT_COORD small
#define POINT_B                                                                                    \
    {                                                                                              \
        {                                                                                          \
            114                                                                                    \
        }                                                                                          \
    } /* 2 * 2^64 mod p */
#include "curve/point_tmpl.h"
#define TOY_B     2
#define TOY_ORDER 139

#define BASE_P      31
#define FIELD       ground
#define FIELD_LIMBS 1
#define FIELD_MODULUS                                                                              \
    {                                                                                              \
        BASE_P                                                                                     \
    }
#define FIELD_N0 0x1084210842108421 /* -1/p mod 2^64 */
#define FIELD_ONE                                                                                  \
    {                                                                                              \
        16                                                                                         \
    } /* 2^64 mod p */
#define FIELD_R2                                                                                   \
    {                                                                                              \
        8                                                                                          \
    } /* 2^128 mod p */
#include "field/field_tmpl.h"

#define FP2      quadratic
#define FP2_BASE ground
#define FP2_XI   9
#include "curve/fp2_tmpl.h"

static uint64_t small_value(const small *a)
{
    small_canon c;
    small_to_canon(&c, a);
    return c.l[0];
}

static void field_pairs(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < SMALL_P; x++) {
        small a, b, r;
        small_from_u64(&a, x);
        assert_int_equal(small_value(&a), x);
        for (uint64_t y = 0; y < SMALL_P; y++) {
            small_from_u64(&b, y);
            small_add(&r, &a, &b);
            assert_int_equal(small_value(&r), (x + y) % SMALL_P);
            small_sub(&r, &a, &b);
            assert_int_equal(small_value(&r), (x + SMALL_P - y) % SMALL_P);
            small_mul(&r, &a, &b);
            assert_int_equal(small_value(&r), x * y % SMALL_P);
            assert_int_equal(small_equal(&a, &b), x == y);
        }
    }
}

static void field_elements(void **state)
{
    (void)state;
    bool is_square[SMALL_P] = {false};
    for (uint64_t x = 0; x < SMALL_P; x++)
        is_square[x * x % SMALL_P] = true;
    for (uint64_t x = 0; x < SMALL_P; x++) {
        small a, r;
        uint64_t power = 1;
        small_from_u64(&a, x);
        small_neg(&r, &a);
        assert_int_equal(small_value(&r), (SMALL_P - x) % SMALL_P);
        small_dbl(&r, &a);
        assert_int_equal(small_value(&r), 2 * x % SMALL_P);
        small_sqr(&r, &a);
        assert_int_equal(small_value(&r), x * x % SMALL_P);
        small_inv_var(&r, &a);
        assert_int_equal(small_value(&r) * x % SMALL_P, x != 0);
        assert_int_equal(small_is_larger(&a), x > SMALL_P / 2);
        assert_int_equal(small_is_zero(&a), x == 0);
        r = a;
        assert_int_equal(small_sqrt_var(&r, &a), is_square[x]);
        assert_int_equal(
            is_square[x] ? small_value(&r) * small_value(&r) % SMALL_P : small_value(&r), x);
        for (uint64_t e = 0; e < 2 * SMALL_P; e++) {
            small_pow_var(&r, &a, &e, 1);
            assert_int_equal(small_value(&r), power);
            power = power * x % SMALL_P;
        }
    }
    for (uint64_t x = 0; x < 3 * SMALL_P; x++)
        assert_int_equal(small_limbs_valid(&x), x < SMALL_P);
}

static unsigned quadratic_index(const quadratic *a)
{
    ground_canon c0, c1;
    ground_to_canon(&c0, &a->c0);
    ground_to_canon(&c1, &a->c1);
    return (unsigned)(c0.l[0] + BASE_P * c1.l[0]);
}

static void quadratic_at(quadratic *r, unsigned index)
{
    ground_from_u64(&r->c0, index % BASE_P);
    ground_from_u64(&r->c1, index / BASE_P);
}

/* (a0 + a1 u)(b0 + b1 u) by definition. */
static unsigned quadratic_product(unsigned a, unsigned b)
{
    unsigned a0 = a % BASE_P, a1 = a / BASE_P, b0 = b % BASE_P, b1 = b / BASE_P;
    unsigned c0 = (a0 * b0 + (BASE_P - 1) * (a1 * b1)) % BASE_P;
    return c0 + BASE_P * ((a0 * b1 + a1 * b0) % BASE_P);
}

static void quadratic_pairs(void **state)
{
    (void)state;
    for (unsigned x = 0; x < BASE_P * BASE_P; x++) {
        quadratic a, b, r;
        quadratic_at(&a, x);
        for (unsigned y = 0; y < BASE_P * BASE_P; y++) {
            quadratic_at(&b, y);
            quadratic_mul(&r, &a, &b);
            assert_int_equal(quadratic_index(&r), quadratic_product(x, y));
            quadratic_add(&r, &a, &b);
            quadratic_sub(&r, &r, &a);
            assert_int_equal(quadratic_index(&r), y);
        }
    }
}

static void quadratic_elements(void **state)
{
    (void)state;
    bool is_square[BASE_P * BASE_P] = {false};
    for (unsigned x = 0; x < BASE_P * BASE_P; x++)
        is_square[quadratic_product(x, x)] = true;
    for (unsigned x = 0; x < BASE_P * BASE_P; x++) {
        quadratic a, r, minus;
        quadratic_at(&a, x);
        quadratic_sqr(&r, &a);
        assert_int_equal(quadratic_index(&r), quadratic_product(x, x));
        quadratic_mul_xi(&r, &a);
        assert_int_equal(quadratic_index(&r), quadratic_product(x, 9 + BASE_P));
        quadratic_conj(&r, &a);
        quadratic_add(&r, &r, &a);
        assert_int_equal(quadratic_index(&r), 2 * (x % BASE_P) % BASE_P);
        quadratic_inv_var(&r, &a);
        assert_int_equal(quadratic_product(x, quadratic_index(&r)), x != 0);
        quadratic_neg(&minus, &a);
        assert_int_equal(quadratic_is_larger(&a) + quadratic_is_larger(&minus), x != 0);
        r = a;
        assert_int_equal(quadratic_sqrt_var(&r, &a), is_square[x]);
        unsigned root = quadratic_index(&r);
        assert_int_equal(is_square[x] ? quadratic_product(root, root) : root, x);
    }
}

/* The group by the chord and tangent rule on plain numbers: multiples of a generator, index 0 is
 * infinity. */
static struct {
    uint64_t x, y;
} multiples[TOY_ORDER];

static uint64_t small_power(uint64_t x, unsigned e)
{
    uint64_t r = 1;
    for (unsigned i = 0; i < e; i++)
        r = r * x % SMALL_P;
    return r;
}

static int find_multiples(void **state)
{
    (void)state;
    uint64_t x = 0, y = 0;
    while (y * y % SMALL_P != (x * x * x + TOY_B) % SMALL_P) {
        y = (y + 1) % SMALL_P;
        x += y == 0;
    }
    multiples[1].x = x;
    multiples[1].y = y;
    for (unsigned i = 2; i < TOY_ORDER; i++) {
        uint64_t px = multiples[i - 1].x, py = multiples[i - 1].y;
        uint64_t top = i == 2 ? 3 * x * x : y + SMALL_P - py;
        uint64_t bottom = i == 2 ? 2 * y : x + SMALL_P - px;
        uint64_t slope = top % SMALL_P * small_power(bottom % SMALL_P, SMALL_P - 2) % SMALL_P;
        multiples[i].x = (slope * slope + 2 * SMALL_P - x - px) % SMALL_P;
        multiples[i].y = (slope * (px + SMALL_P - multiples[i].x) + SMALL_P - py) % SMALL_P;
    }
    return multiples[TOY_ORDER - 1].x == x && multiples[TOY_ORDER - 1].y == SMALL_P - y ? 0 : -1;
}

static void toy_at(toy_affine *r, unsigned i)
{
    toy_affine_set_infinity(r);
    if (i % TOY_ORDER != 0) {
        small_from_u64(&r->x, multiples[i % TOY_ORDER].x);
        small_from_u64(&r->y, multiples[i % TOY_ORDER].y);
    }
}

/* The i-th multiple with a z of its own. */
static void toy_jacobian_at(toy *r, unsigned i, uint64_t z)
{
    toy_affine a;
    small z1, z2;
    toy_at(&a, i);
    toy_from_affine(r, &a);
    if (toy_is_infinity(r))
        return;
    small_from_u64(&z1, z);
    small_sqr(&z2, &z1);
    small_mul(&r->x, &r->x, &z2);
    small_mul(&z2, &z2, &z1);
    small_mul(&r->y, &r->y, &z2);
    r->z = z1;
}

static void toy_expect(const toy *found, unsigned i)
{
    toy_affine a, expected;
    toy_to_affine_var(&a, found);
    toy_at(&expected, i);
    assert_true(small_equal(&a.x, &expected.x) && small_equal(&a.y, &expected.y));
}

static void points_pairs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TOY_ORDER; i++) {
        for (unsigned j = 0; j < TOY_ORDER; j++) {
            toy a, b, r;
            toy_affine affine;
            toy_jacobian_at(&a, i, 1 + (3 * i + j) % (SMALL_P - 1));
            toy_jacobian_at(&b, j, 1 + (5 * j + i) % (SMALL_P - 1));
            toy_at(&affine, j);
            toy_add(&r, &a, &b);
            toy_expect(&r, i + j);
            toy_add_mixed(&r, &a, &affine);
            toy_expect(&r, i + j);
            assert_int_equal(toy_equal(&a, &b), i == j);
            toy_add(&b, &a, &b); /* the output may be an input */
            toy_expect(&b, i + j);
            toy_add_mixed(&a, &a, &affine);
            toy_expect(&a, i + j);
        }
    }
}

static void points_one_by_one(void **state)
{
    (void)state;
    toy all[TOY_ORDER], r;
    toy_affine affine[TOY_ORDER], a;
    for (unsigned i = 0; i < TOY_ORDER; i++) {
        toy_jacobian_at(&all[i], i, 1 + 7 * i % (SMALL_P - 1));
        toy_dbl(&r, &all[i]);
        toy_expect(&r, 2 * i);
        toy_neg(&r, &all[i]);
        toy_expect(&r, TOY_ORDER - i);
        toy_at(&a, i);
        assert_true(toy_on_curve(&a));
        assert_int_equal(toy_affine_is_infinity(&a), i == 0);
        small_add(&a.x, &a.x, &a.x);
        if (i != 0 && small_value(&a.x) != 0) {
            uint64_t x = small_value(&a.x), y = small_value(&a.y);
            assert_int_equal(toy_on_curve(&a), y * y % SMALL_P == (x * x * x + TOY_B) % SMALL_P);
        }
    }
    toy_to_affine_many_var(affine, all, TOY_ORDER);
    for (unsigned i = 0; i < TOY_ORDER; i++) {
        toy_from_affine(&r, &affine[i]);
        toy_expect(&r, i);
    }
}

static unsigned residue(const uint64_t *k)
{
    cuzk_u128 r = 0;
    for (int i = 3; i >= 0; i--)
        r = (r << 64 | k[i]) % TOY_ORDER;
    return (unsigned)r;
}

static void check_multiples(const uint64_t *k)
{
    for (unsigned i = 0; i < TOY_ORDER; i++) {
        toy r, base;
        toy_affine a;
        toy_at(&a, i);
        toy_mul_any_var(&r, &a, k);
        toy_expect(&r, i * residue(k));
        toy_mul_secret(&r, &a, k);
        toy_expect(&r, i * residue(k));
        if (k[0] != 0) {
            const uint64_t low[4] = {k[0], 0, 0, 0};
            toy_from_affine(&base, &a);
            toy_mul_u64_var(&r, &base, k[0]);
            toy_expect(&r, i * residue(low));
        }
    }
}

/* All scalars up to beyond the order, and large ones of every shape. */
static void points_scalars(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (uint64_t i = 0; i < TOY_ORDER + 3; i++) {
        uint64_t k[4] = {i, 0, 0, 0};
        check_multiples(k);
        if (i % 4 != 0)
            continue;
        for (int limb = 0; limb < 4; limb++)
            k[limb] = 0 - (limb == 0 ? i + 1 : 1); /* 2^256 - 1 - i */
        check_multiples(k);
        test_rng_bytes(&rng, k, sizeof k);
        check_multiples(k);
    }
}

/* Every pair of scalars in every combination of signs. */
static void points_terms(void **state)
{
    (void)state;
    toy_term terms[2];
    toy_affine a, b;
    toy_at(&a, 1);
    toy_at(&b, 57);
    toy_odd_multiples_var(terms[0].table, &a);
    toy_odd_multiples_var(terms[1].table, &b);
    for (uint64_t k = 0; k < TOY_ORDER; k++) {
        for (uint64_t m = 0; m < TOY_ORDER; m++) {
            toy r;
            bool minus_k = (k ^ m) & 1, minus_m = k & 1;
            toy_term_set_scalar(&terms[0], &k, 1, minus_k);
            toy_term_set_scalar(&terms[1], &m, 1, minus_m);
            toy_mul_terms_var(&r, terms, 2);
            toy_expect(
                &r, (unsigned)((minus_k ? TOY_ORDER - k : k) + 57 * (minus_m ? TOY_ORDER - m : m)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field_pairs),     cmocka_unit_test(field_elements),
        cmocka_unit_test(quadratic_pairs), cmocka_unit_test(quadratic_elements),
        cmocka_unit_test(points_pairs),    cmocka_unit_test(points_one_by_one),
        cmocka_unit_test(points_scalars),  cmocka_unit_test(points_terms),
    };
    return cmocka_run_group_tests(tests, find_multiples, NULL);
}
