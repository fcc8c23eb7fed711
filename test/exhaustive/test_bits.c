/* Every operation on booleans for all kinds of operands, constants, negations and the same variable
 * twice or thrice among them, and for all values: against truth tables, and each row holds. */
#include "circuit/direct.h"
#include "circuit/gadget/bit.h"
#include "circuit/gadget/word.h"
#include "support/test.h"

#include <string.h>

/* Two constants, and three variables plain and negated. */
#define OPERANDS 8u
#define VARS     3u

typedef struct bit_world {
    cuzk_direct *direct;
    cuzk_cs *cs;
    cuzk_bit operand[OPERANDS];
} bit_world;

static void open_world(bit_world *w, const cuzk_circuit_inputs *inputs)
{
    cuzk_bit bits[VARS];
    assert_int_equal(cuzk_direct_new(&w->direct, &(cuzk_direct_options){.inputs = inputs}, NULL),
                     CUZK_OK);
    w->cs = cuzk_direct_cs(w->direct);
    cuzk_bits_take(w->cs, bits, VARS);
    w->operand[0] = cuzk_bit_constant(false);
    w->operand[1] = cuzk_bit_constant(true);
    for (size_t i = 0; i < VARS; i++) {
        w->operand[2 + 2 * i] = bits[i];
        w->operand[3 + 2 * i] = cuzk_bit_not(bits[i]);
    }
}

static bool value(const bit_world *w, size_t operand)
{
    return cuzk_direct_bit(w->direct, w->operand[operand]);
}

static void expect(const bit_world *w, cuzk_bit result, bool expected)
{
    assert_int_equal(cuzk_direct_bit(w->direct, result), expected);
}

static void try_pairs(bit_world *w)
{
    for (size_t i = 0; i < OPERANDS; i++) {
        for (size_t j = 0; j < OPERANDS; j++) {
            const bool a = value(w, i), b = value(w, j);
            expect(w, cuzk_bit_xor(w->cs, w->operand[i], w->operand[j]), a != b);
            expect(w, cuzk_bit_and(w->cs, w->operand[i], w->operand[j]), a && b);
        }
    }
}

static void try_triples(bit_world *w)
{
    for (size_t n = 0; n < OPERANDS * OPERANDS * OPERANDS; n++) {
        const size_t i = n % OPERANDS, j = n / OPERANDS % OPERANDS, k = n / OPERANDS / OPERANDS;
        const bool a = value(w, i), b = value(w, j), c = value(w, k);
        const cuzk_bit *x = &w->operand[i], *y = &w->operand[j], *z = &w->operand[k];
        expect(w, cuzk_bit_choose(w->cs, *x, *y, *z), a ? b : c);
        expect(w, cuzk_bit_majority(w->cs, *x, *y, *z), a + b + c >= 2);
    }
}

static void operations(void **state)
{
    (void)state;
    for (uint64_t values = 0; values < UINT64_C(1) << VARS; values++) {
        const cuzk_circuit_inputs inputs = {.word = &values, .n_word = 1};
        bit_world w;
        open_world(&w, &inputs);
        try_pairs(&w);
        try_triples(&w);
        assert_int_equal(cuzk_cs_status(w.cs, NULL), CUZK_OK);
        assert_null(cuzk_direct_violation(w.direct));
        cuzk_direct_free(w.direct);
    }
}

/* Only pairs of variables, plain or negated, make rows: one each. */
static void rows_of_pairs(void **state)
{
    (void)state;
    bit_world w;
    open_world(&w, NULL);
    for (size_t i = 0; i < OPERANDS; i++) {
        for (size_t j = 0; j < OPERANDS; j++) {
            const size_t before = cuzk_direct_counts(w.direct)->rows;
            (void)cuzk_bit_xor(w.cs, w.operand[i], w.operand[j]);
            (void)cuzk_bit_and(w.cs, w.operand[i], w.operand[j]);
            assert_int_equal(cuzk_direct_counts(w.direct)->rows - before, i >= 2 && j >= 2 ? 2 : 0);
        }
    }
    cuzk_direct_free(w.direct);
}

static uint32_t word_value(const cuzk_direct *d, const cuzk_word *w)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < CUZK_WORD_BITS; i++)
        v |= (uint32_t)cuzk_direct_bit(d, w->bit[i]) << i;
    return v;
}

/* Sums of 2 to 10 words, some constant, all ones or random; several share a row. */
static void sums(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(0x42);
    uint64_t values[CUZK_WORD_ADDENDS];
    for (size_t i = 0; i < CUZK_WORD_ADDENDS; i++)
        values[i] = i < 3 ? 0xffffffff : test_rng_next(&rng) & 0xffffffff;
    const cuzk_circuit_inputs inputs = {.word = values, .n_word = CUZK_WORD_ADDENDS};
    cuzk_direct *d;
    cuzk_packed_rows rows = {0};
    cuzk_word word[CUZK_WORD_ADDENDS];
    const cuzk_word *addends[CUZK_WORD_ADDENDS];
    assert_int_equal(cuzk_direct_new(&d, &(cuzk_direct_options){.inputs = &inputs}, NULL), CUZK_OK);
    cuzk_cs *cs = cuzk_direct_cs(d);
    for (size_t i = 0; i < CUZK_WORD_ADDENDS; i++) {
        cuzk_bits_take(cs, word[i].bit, CUZK_WORD_BITS);
        if (i % 4 == 3)
            word[i] = cuzk_word_constant((uint32_t)values[i]);
        addends[i] = &word[i];
    }
    uint32_t expected = (uint32_t)values[0];
    for (size_t n = 2; n <= CUZK_WORD_ADDENDS; n++) {
        expected += (uint32_t)values[n - 1];
        const cuzk_word sum = cuzk_word_add(cs, &rows, addends, n);
        assert_int_equal(word_value(d, &sum), expected);
    }
    cuzk_packed_end(cs, &rows);
    assert_null(cuzk_direct_violation(d));
    cuzk_direct_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),
        cmocka_unit_test(rows_of_pairs),
        cmocka_unit_test(sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
