/* Field and point arithmetic on the device against the host's, with edge values. */
#include "cuda_support.h"

#include <stdlib.h>
#include <string.h>

#include "compute/cuda/field_ops.h"
#include "curve/bls12_381.h"
#include "curve/bn254.h"

enum { MAX_WORDS = 36 }; /* of one Jacobian point of G2 */

static bool below(const uint64_t *a, const uint64_t *p, unsigned words)
{
    for (unsigned i = words; i-- > 0;)
        if (a[i] != p[i])
            return a[i] < p[i];
    return false;
}

/* A coordinate: 0, 1, p - 1, p - 2, limbs of ones, long runs of bits; below p. */
static void fill_element(uint64_t *x, const uint64_t *p, unsigned words, test_rng *rng)
{
    uint64_t kind = test_rng_below(rng, 10);
    do {
        test_rng_bytes(rng, x, words * sizeof *x);
        if (kind < 2)
            memset(x, 0, words * sizeof *x), x[0] = kind;
        if (kind == 2 || kind == 3)
            memcpy(x, p, words * sizeof *x), x[0] -= kind - 1;
        if (kind == 4)
            memset(x, 0xff, (words - 1) * sizeof *x), x[words - 1] = p[words - 1] - 1;
        if (x[words - 1] > p[words - 1])
            x[words - 1] %= p[words - 1];
    } while (!below(x, p, words));
}

typedef void (*host_op)(uint64_t *r, const uint64_t *a, const uint64_t *b);

#define HOST_OP2(type, op)                                                                         \
    static void type##_##op##_host(uint64_t *r, const uint64_t *a, const uint64_t *b)              \
    {                                                                                              \
        type x, y;                                                                                 \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        type##_##op(&x, &x, &y);                                                                   \
        memcpy(r, &x, sizeof x);                                                                   \
    }
#define HOST_OP1(type, op)                                                                         \
    static void type##_##op##_host(uint64_t *r, const uint64_t *a, const uint64_t *b)              \
    {                                                                                              \
        type x;                                                                                    \
        (void)b;                                                                                   \
        memcpy(&x, a, sizeof x);                                                                   \
        type##_##op(&x, &x);                                                                       \
        memcpy(r, &x, sizeof x);                                                                   \
    }
/* In the order of cuzk_cuda_field_op. */
#define HOST_FIELD(type)                                                                           \
    HOST_OP2(type, mul)                                                                            \
    HOST_OP1(type, sqr)                                                                            \
    HOST_OP1(type, neg)                                                                            \
    HOST_OP1(type, inv_var)                                                                        \
    HOST_OP2(type, add)                                                                            \
    HOST_OP2(type, sub)                                                                            \
    static const host_op type##_host[CUZK_CUDA_FIELD_OP_COUNT] = {                                 \
        type##_mul_host,     type##_sqr_host, type##_neg_host,                                     \
        type##_inv_var_host, type##_add_host, type##_sub_host};
HOST_FIELD(bls12_381_fp)
HOST_FIELD(bls12_381_fr)
HOST_FIELD(bls12_381_fp2)
HOST_FIELD(bn254_fp)
HOST_FIELD(bn254_fr)
HOST_FIELD(bn254_fp2)

#define HOST_POINT(type)                                                                           \
    HOST_OP2(type, add)                                                                            \
    HOST_OP1(type, dbl)                                                                            \
    static void type##_add_mixed_host(uint64_t *r, const uint64_t *a, const uint64_t *b)           \
    {                                                                                              \
        type x;                                                                                    \
        type##_affine y;                                                                           \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        type##_add_mixed(&x, &x, &y);                                                              \
        memcpy(r, &x, sizeof x);                                                                   \
    }                                                                                              \
    static const host_op type##_host[CUZK_CUDA_POINT_OP_COUNT] = {                                 \
        type##_add_host, type##_add_mixed_host, type##_dbl_host};
HOST_POINT(bls12_381_g1)
HOST_POINT(bls12_381_g2)
HOST_POINT(bn254_g1)
HOST_POINT(bn254_g2)

/* Arrays of n elements; the result of b is words_b wide. */
typedef struct arrays {
    size_t n;
    unsigned words, words_b;
    uint64_t *a, *b, *want, *got;
} arrays;

static void arrays_init(arrays *s, size_t n, unsigned words, unsigned words_b)
{
    *s = (arrays){.n = n, .words = words, .words_b = words_b};
    s->a = calloc(n * words, 8);
    s->b = calloc(n * words_b, 8);
    s->want = calloc(n * words, 8);
    s->got = calloc(n * words, 8);
    assert_true(s->a != NULL && s->b != NULL && s->want != NULL && s->got != NULL);
}

static void arrays_release(arrays *s)
{
    free(s->a);
    free(s->b);
    free(s->want);
    free(s->got);
}

/* What the host computes, op taken rounds times, against what `run` leaves in device memory. */
static void compare(arrays *s, host_op op, unsigned rounds, const uint64_t *device,
                    const char *name, int number)
{
    for (size_t i = 0; i < s->n; i++) {
        uint64_t *x = s->want + i * s->words;
        memcpy(x, s->a + i * s->words, s->words * sizeof *x);
        for (unsigned round = 0; round < rounds; round++)
            op(x, x, s->b + i * s->words_b);
    }
    cuda_test_read(s->got, device, s->n * s->words * 8);
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(s->want + i * s->words, s->got + i * s->words, s->words * 8) != 0)
            fail_msg("%s, operation %d, %u rounds: element %zu of %zu differs", name, number,
                     rounds, i, s->n);
}

static void check_field(const cuzk_curve *curve, cuzk_cuda_field field, const host_op *host,
                        const char *name)
{
    const unsigned words = cuzk_cuda_field_words(curve, field);
    const unsigned half = field == CUZK_CUDA_FP2 ? words / 2 : words;
    const uint64_t *p = field == CUZK_CUDA_FR ? curve->r.l : curve->p;
    test_rng rng = test_rng_seeded(1 + (uint64_t)field);
    arrays s;
    arrays_init(&s, cuda_test_size(1000, 200000) + 7, words, words);
    for (size_t i = 0; i < s.n * words; i += half) {
        fill_element(s.a + i, p, half, &rng);
        fill_element(s.b + i, p, half, &rng);
        if (test_rng_below(&rng, 8) == 0)
            memcpy(s.b + i, s.a + i, half * 8);
    }
    const size_t bytes = s.n * words * 8;
    uint64_t *a = cuda_test_new_from(s.a, bytes), *b = cuda_test_new_from(s.b, bytes);
    for (int op = 0; op < CUZK_CUDA_FIELD_OP_COUNT; op++) {
        bool repeated = op == CUZK_CUDA_MUL || op == CUZK_CUDA_SQR || op == CUZK_CUDA_ADD;
        for (unsigned rounds = 1; rounds <= (repeated ? 3 : 1); rounds += 2) {
            uint64_t *r = cuda_test_new(bytes);
            CUDA_OK(cuzk_cuda_field_run(curve, field, (cuzk_cuda_field_op)op, r, a, b, s.n, rounds,
                                        cuda_test_stream(), &error));
            compare(&s, host[op], rounds, r, name, op);
            cuda_test_free(r);
        }
    }
    cuda_test_free(a);
    cuda_test_free(b);
    arrays_release(&s);
}

static void test_fields(void **state)
{
    (void)state;
    const cuzk_curve *bls = cuzk_curve_get(CUZK_BLS12_381), *bn = cuzk_curve_get(CUZK_BN254);
    check_field(bls, CUZK_CUDA_FP, bls12_381_fp_host, "Fp of BLS12-381");
    check_field(bls, CUZK_CUDA_FR, bls12_381_fr_host, "Fr of BLS12-381");
    check_field(bls, CUZK_CUDA_FP2, bls12_381_fp2_host, "Fp2 of BLS12-381");
    check_field(bn, CUZK_CUDA_FP, bn254_fp_host, "Fp of BN254");
    check_field(bn, CUZK_CUDA_FR, bn254_fr_host, "Fr of BN254");
    check_field(bn, CUZK_CUDA_FP2, bn254_fp2_host, "Fp2 of BN254");
}

/* Multiples of the generator up to 4 and their opposites, and infinity: so that sums meet equal,
 * opposite and infinite points often. From them, by doublings, points with other z. */
static void fill_points(arrays *s, const cuzk_curve *curve, cuzk_group group, const host_op *host,
                        bool mixed, test_rng *rng)
{
    const unsigned affine = cuzk_point_words(curve, group);
    const uint64_t *generator = group == CUZK_G1 ? curve->g1_generator : curve->g2_generator;
    for (size_t i = 0; i < s->n; i++) {
        for (int side = 0; side < 2; side++) {
            cuzk_scalar k = {{test_rng_below(rng, 5), 0, 0, 0}};
            uint64_t point[MAX_WORDS], lifted[MAX_WORDS] = {0}, *out;
            out = side == 0 ? s->a + i * s->words : s->b + i * s->words_b;
            (group == CUZK_G1 ? curve->g1_mul : curve->g2_mul)(point, generator, &k);
            if (test_rng_below(rng, 2) == 0)
                (group == CUZK_G1 ? curve->g1_neg : curve->g2_neg)(point, point);
            if (side == 1 && mixed) {
                memcpy(out, point, affine * 8);
                continue;
            }
            host[CUZK_CUDA_POINT_ADD_MIXED](out, lifted, point); /* lifted has z = 0 */
            if (test_rng_below(rng, 2) == 0)
                host[CUZK_CUDA_POINT_DBL](out, out, NULL);
        }
    }
}

static void check_group(const cuzk_curve *curve, cuzk_group group, const host_op *host,
                        const char *name)
{
    const unsigned affine = cuzk_point_words(curve, group), words = affine / 2 * 3;
    test_rng rng = test_rng_seeded(20 + (uint64_t)group);
    for (int op = 0; op < CUZK_CUDA_POINT_OP_COUNT; op++) {
        bool mixed = op == CUZK_CUDA_POINT_ADD_MIXED;
        arrays s;
        arrays_init(&s, cuda_test_size(300, 5000), words, mixed ? affine : words);
        fill_points(&s, curve, group, host, mixed, &rng);
        uint64_t *a = cuda_test_new_from(s.a, s.n * words * 8);
        uint64_t *b = cuda_test_new_from(s.b, s.n * s.words_b * 8);
        for (unsigned rounds = 1; rounds <= 3; rounds += 2) {
            uint64_t *r = cuda_test_new(s.n * words * 8);
            CUDA_OK(cuzk_cuda_point_run(curve, group, (cuzk_cuda_point_op)op, r, a, b, s.n, rounds,
                                        cuda_test_stream(), &error));
            compare(&s, host[op], rounds, r, name, op);
            cuda_test_free(r);
        }
        cuda_test_free(a);
        cuda_test_free(b);
        arrays_release(&s);
    }
}

static void test_points(void **state)
{
    (void)state;
    const cuzk_curve *bls = cuzk_curve_get(CUZK_BLS12_381), *bn = cuzk_curve_get(CUZK_BN254);
    check_group(bls, CUZK_G1, bls12_381_g1_host, "G1 of BLS12-381");
    check_group(bls, CUZK_G2, bls12_381_g2_host, "G2 of BLS12-381");
    check_group(bn, CUZK_G1, bn254_g1_host, "G1 of BN254");
    check_group(bn, CUZK_G2, bn254_g2_host, "G2 of BN254");
}

static void test_field_arguments(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    cuzk_stream stream = cuda_test_stream();
    assert_int_equal(cuzk_cuda_field_run(curve, CUZK_CUDA_FP, CUZK_CUDA_INV, NULL, NULL, NULL, 1, 2,
                                         stream, NULL),
                     CUZK_ERR_ARGUMENT);
    CUDA_OK(cuzk_cuda_field_run(curve, CUZK_CUDA_FP, CUZK_CUDA_MUL, NULL, NULL, NULL, 0, 1, stream,
                                &error));
}

CUDA_TESTS(field, cmocka_unit_test(test_fields), cmocka_unit_test(test_points),
           cmocka_unit_test(test_field_arguments))
