/* The vector fields of every level against the portable scalar field, with edge values. */
#include "support/test.h"

#include "compute/field_ops.h"

#include <string.h>

enum {
    COUNT = 1024, /* a multiple of every lanes^2 */
    MAX_WORDS = 6
};

typedef struct arrays {
    uint64_t a[COUNT * MAX_WORDS], b[COUNT * MAX_WORDS];
    uint64_t want[COUNT * MAX_WORDS], got[COUNT * MAX_WORDS];
} arrays;

static const uint64_t *modulus(const cuzk_curve *curve, cuzk_field_id field)
{
    return field == CUZK_FIELD_FP ? curve->p : curve->r.l;
}

static bool below(const uint64_t *a, const uint64_t *p, unsigned words)
{
    for (unsigned i = words; i-- > 0;)
        if (a[i] != p[i])
            return a[i] < p[i];
    return false;
}

/* One element: 0, 1, small, p - small, all-ones limbs, runs of bits, or random; always below p. */
static void fill_element(uint64_t *x, const uint64_t *p, unsigned words, test_rng *rng)
{
    const uint64_t kind = test_rng_next(rng) % 8;
    const uint64_t small = test_rng_next(rng) % 3;
    do {
        test_rng_bytes(rng, x, words * sizeof *x);
        if (kind == 0)
            memset(x, 0, words * sizeof *x), x[0] = small;
        if (kind == 1)
            memcpy(x, p, words * sizeof *x), x[0] -= 1 + small;
        if (kind >= 5)
            for (unsigned i = 0; i < words; i++)
                x[i] = test_rng_next(rng);
        if (!below(x, p, words))
            x[words - 1] %= p[words - 1];
    } while (!below(x, p, words));
}

static void fill(arrays *s, const uint64_t *p, unsigned words, test_rng *rng)
{
    for (size_t i = 0; i < COUNT; i++) {
        fill_element(s->a + i * words, p, words, rng);
        fill_element(s->b + i * words, p, words, rng);
        if (test_rng_next(rng) % 8 == 0)
            memcpy(s->b + i * words, s->a + i * words, words * sizeof *s->b);
    }
}

static void expect_same(const arrays *s, unsigned words, size_t n, const char *op,
                        cuzk_cpu_level level)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(s->want + i * words, s->got + i * words, words * sizeof *s->want) != 0)
            fail_msg("%s at level %s: element %zu differs", op, cuzk_cpu_name(level), i);
}

#define COMPARE2(op)                                                                               \
    do {                                                                                           \
        reference->op(s->want, s->a, s->b, n);                                                     \
        tested->op(s->got, s->a, s->b, n);                                                         \
        expect_same(s, tested->words, n, #op, level);                                              \
    } while (0)
#define COMPARE1(op)                                                                               \
    do {                                                                                           \
        reference->op(s->want, s->a, n);                                                           \
        tested->op(s->got, s->a, n);                                                               \
        expect_same(s, tested->words, n, #op, level);                                              \
    } while (0)

static void compare(arrays *s, const cuzk_field_ops *reference, const cuzk_field_ops *tested,
                    cuzk_cpu_level level, size_t n)
{
    COMPARE2(mul);
    COMPARE2(add);
    COMPARE2(sub);
    COMPARE2(lazy);
    COMPARE2(loose);
    COMPARE2(unless_equal);
    COMPARE1(sqr);
    COMPARE1(neg);
    COMPARE1(inv);
    COMPARE1(to_int);
    COMPARE1(from_int);
}

static void transpose_plain(uint64_t *r, const uint64_t *a, unsigned words, unsigned lanes,
                            size_t n)
{
    const size_t block = (size_t)lanes * lanes;
    for (size_t at = 0; at + block <= n; at += block)
        for (size_t i = 0; i < lanes; i++)
            for (size_t j = 0; j < lanes; j++)
                memcpy(r + (at + j * lanes + i) * words, a + (at + i * lanes + j) * words,
                       words * sizeof *r);
}

static void test_levels_agree(void **state)
{
    (void)state;
    static arrays s;
    test_rng rng = test_rng_seeded(1);
    for (unsigned c = 0; c < CUZK_CURVES; c++)
        for (unsigned f = 0; f < 2; f++)
            for (unsigned l = CUZK_CPU_PORTABLE + 1; l <= (unsigned)cuzk_cpu_best(); l++) {
                const cuzk_curve_id id = (cuzk_curve_id)c;
                const cuzk_field_id field = (cuzk_field_id)f;
                const cuzk_cpu_level level = (cuzk_cpu_level)l;
                const cuzk_field_ops *reference = cuzk_field_ops_get(id, field, CUZK_CPU_PORTABLE);
                const cuzk_field_ops *tested = cuzk_field_ops_get(id, field, level);
                assert_non_null(tested);
                for (unsigned round = 0; round < 8; round++) {
                    fill(&s, modulus(cuzk_curve_get(id), field), tested->words, &rng);
                    compare(&s, reference, tested, level, COUNT - round);
                    transpose_plain(s.want, s.a, tested->words, tested->lanes, COUNT);
                    tested->transpose(s.got, s.a, COUNT);
                    expect_same(&s, tested->words, COUNT, "transpose", level);
                }
            }
}

/* The timing loops compute what they say. */
static void test_rounds_multiply(void **state)
{
    (void)state;
    static arrays s;
    test_rng rng = test_rng_seeded(2);
    for (unsigned l = 0; l <= (unsigned)cuzk_cpu_best(); l++) {
        const cuzk_field_ops *ops =
            cuzk_field_ops_get(CUZK_BLS12_381, CUZK_FIELD_FP, (cuzk_cpu_level)l);
        const size_t n = (size_t)CUZK_FIELD_ROUND_VECTORS * ops->lanes;
        fill(&s, cuzk_curve_get(CUZK_BLS12_381)->p, ops->words, &rng);
        memcpy(s.want, s.a, sizeof s.a);
        memcpy(s.got, s.a, sizeof s.a);
        for (unsigned round = 0; round < 3; round++)
            ops->mul(s.want, s.want, s.b, n);
        ops->mul_rounds(s.got, s.b, 3);
        expect_same(&s, ops->words, n, "mul_rounds", (cuzk_cpu_level)l);
        for (unsigned round = 0; round < 3; round++)
            ops->add(s.want, s.want, s.b, n);
        ops->add_rounds(s.got, s.b, 3);
        expect_same(&s, ops->words, n, "add_rounds", (cuzk_cpu_level)l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_agree),
        cmocka_unit_test(test_rounds_multiply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
