/* Gadgets alone: the row counts that the original tests assert (Filecoin circuits, section 15.2),
 * values against the hashes themselves, and each row holds. */
#include "base/digest.h"
#include "circuit/direct.h"
#include "circuit/filecoin/circuit_update.h"
#include "circuit/filecoin/label_gadget.h"
#include "circuit/filecoin/update_challenges.h"
#include "circuit/gadget/insert.h"
#include "circuit/gadget/number.h"
#include "circuit/gadget/por.h"
#include "circuit/gadget/poseidon_gadget.h"
#include "circuit/gadget/sha256.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"
#include "support/small_circuits.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static cuzk_direct *open_direct(const cuzk_circuit_inputs *inputs)
{
    cuzk_direct *d;
    assert_int_equal(cuzk_direct_new(&d, &(cuzk_direct_options){.inputs = inputs}, NULL), CUZK_OK);
    return d;
}

static size_t rows(const cuzk_direct *d)
{
    return cuzk_direct_counts(d)->rows;
}

/* No error and no row that does not hold; then frees. */
static void close_direct(cuzk_direct *d)
{
    cuzk_error err;
    if (cuzk_cs_status(cuzk_direct_cs(d), &err) != CUZK_OK)
        fail_msg("%s", err.message);
    assert_null(cuzk_direct_violation(d));
    cuzk_direct_free(d);
}

/* Booleans that are the bits of words of the request, which are random bytes. */
static void take_bytes(cuzk_cs *cs, cuzk_bit *bits, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += 8)
        cuzk_bits_take(cs, bits + 8 * i, 64);
}

static void sha256_block_rows(void **state)
{
    (void)state;
    cuzk_bit ports[CUZK_SHA256_BLOCK_BITS + CUZK_SHA256_STATE_BITS], out[CUZK_SHA256_STATE_BITS];
    static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    cuzk_direct *d = open_direct(NULL);
    take_bytes(cuzk_direct_cs(d), ports, 64);
    for (size_t i = 0; i < CUZK_SHA256_STATE_BITS; i++)
        ports[CUZK_SHA256_BLOCK_BITS + i] = cuzk_bit_constant(iv[i / 32] >> (i % 32) & 1);
    const size_t before = rows(d);
    cuzk_cs_call(cuzk_direct_cs(d), &cuzk_sha256_block, ports, out);
    assert_int_equal(rows(d) - before, 25840);
    close_direct(d);
}

/* Messages of some lengths around a block's, bytes that are constant among them. */
static void sha256_values(void **state)
{
    (void)state;
    static const size_t lengths[] = {8, 48, 56, 64, 120, 192};
    test_rng rng = test_rng_seeded(1);
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        uint64_t words[24];
        cuzk_bit bits[24 * 64], digest[CUZK_SHA256_DIGEST_BITS];
        uint8_t bytes[CUZK_SHA256_BYTES], expected[CUZK_SHA256_BYTES];
        cuzk_digest *sha;
        const cuzk_circuit_inputs inputs = {.word = words, .n_word = lengths[l] / 8};
        test_rng_bytes(&rng, words, sizeof words);
        cuzk_direct *d = open_direct(&inputs);
        take_bytes(cuzk_direct_cs(d), bits, lengths[l]);
        for (size_t i = 0; i < 16; i++) /* two bytes of the first word */
            bits[i] = cuzk_bit_constant(words[0] >> i & 1);
        const size_t before = rows(d);
        cuzk_sha256_bits(cuzk_direct_cs(d), digest, bits, lengths[l]);
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = 0;
            for (size_t j = 0; j < 8; j++)
                bytes[i] |= (uint8_t)(cuzk_direct_bit(d, digest[8 * i + j]) << j);
        }
        assert_int_equal(cuzk_digest_new(&sha, CUZK_SHA256, NULL), CUZK_OK);
        assert_int_equal(cuzk_digest_update(sha, words, lengths[l], NULL), CUZK_OK);
        assert_int_equal(cuzk_digest_finish(sha, expected, NULL), CUZK_OK);
        cuzk_digest_free(sha);
        assert_memory_equal(bytes, expected, sizeof bytes);
        assert_true(rows(d) > before);
        close_direct(d);
    }
}

static void sha256_rows(void **state)
{
    (void)state;
    cuzk_bit bits[512], digest[CUZK_SHA256_DIGEST_BITS];
    cuzk_direct *d = open_direct(NULL);
    take_bytes(cuzk_direct_cs(d), bits, 64);
    cuzk_sha256_bits(cuzk_direct_cs(d), digest, bits, 64);
    assert_int_equal(rows(d) - 512, 44874);
    (void)cuzk_bits_pack(cuzk_direct_cs(d), digest, CUZK_PACKED_BITS);
    assert_int_equal(rows(d), 45387);
    close_direct(d);
}

static void label_rows(void **state)
{
    (void)state;
    static cuzk_bit id[CUZK_LABEL_WORD_BITS], parent[CUZK_LABEL_PARENTS][CUZK_LABEL_WORD_BITS];
    const cuzk_bit *parents[CUZK_LABEL_PARENTS];
    cuzk_bit node[64];
    cuzk_direct *d = open_direct(NULL);
    cuzk_cs *cs = cuzk_direct_cs(d);
    take_bytes(cs, id, 32);
    for (size_t i = 0; i < CUZK_LABEL_PARENTS; i++) {
        take_bytes(cs, parent[i], 32);
        parents[i] = parent[i];
    }
    for (size_t i = 0; i < 64; i++)
        node[i] = cuzk_bit_constant(UINT64_C(22) >> i & 1);
    (void)cuzk_label_create(cs, id, 3, node, parents);
    assert_int_equal(rows(d), 532025);
    close_direct(d);
}

typedef struct poseidon_case {
    uint32_t arity;
    size_t rows, nnz_a, nnz_b, nnz_c; /* nnz 0: not known */
} poseidon_case;

static const poseidon_case poseidon_cases[] = {
    {2, 311, 2119, 313, 386},  {4, 377, 2573, 381, 467}, {8, 505, 3598, 513, 624},
    {11, 598, 4462, 609, 738}, {16, 761, 0, 0, 0},       {24, 1009, 0, 0, 0},
    {36, 1385, 0, 0, 0},
};

static void random_scalar(test_rng *rng, cuzk_scalar *s)
{
    test_rng_bytes(rng, s, sizeof *s);
    s->l[3] &= UINT64_MAX >> 2;
}

static void poseidon(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    for (size_t i = 0; i < sizeof poseidon_cases / sizeof poseidon_cases[0]; i++) {
        const poseidon_case *c = &poseidon_cases[i];
        cuzk_scalar values[CUZK_POSEIDON_MAX_ARITY];
        cuzk_fr preimage[CUZK_POSEIDON_MAX_ARITY], expected;
        cuzk_var vars[CUZK_POSEIDON_MAX_ARITY];
        const cuzk_circuit_inputs inputs = {.field = values, .n_field = c->arity};
        for (size_t j = 0; j < c->arity; j++) {
            random_scalar(&rng, &values[j]);
            bls12_381_fr_from_canon(&preimage[j], &values[j]);
        }
        cuzk_direct *d = open_direct(&inputs);
        cuzk_number_take_many(cuzk_direct_cs(d), vars, c->arity);
        const cuzk_var hash = cuzk_poseidon_node(cuzk_direct_cs(d), c->arity, vars);
        cuzk_poseidon_hash(&expected, cuzk_poseidon_get(c->arity),
                           cuzk_poseidon_tag_merkle(c->arity), preimage);
        assert_memory_equal(cuzk_direct_value(d, hash), &expected, sizeof expected);
        const cuzk_circuit_counts *counts = cuzk_direct_counts(d);
        assert_int_equal(counts->rows, c->rows);
        assert_int_equal(counts->aux, c->rows + c->arity);
        if (c->nnz_a != 0) {
            assert_int_equal(counts->nnz_a, c->nnz_a);
            assert_int_equal(counts->nnz_b, c->nnz_b);
            assert_int_equal(counts->nnz_c, c->nnz_c);
        }
        close_direct(d);
    }
}

/* Inserts 100 among 1, 2, .. at a place. */
static void try_insert(uint32_t n, uint64_t place, size_t expected_rows)
{
    cuzk_scalar values[CUZK_INSERT_MAX] = {{{100}}};
    cuzk_var vars[CUZK_INSERT_MAX], out[CUZK_INSERT_MAX];
    cuzk_bit bits[6];
    const cuzk_circuit_inputs inputs = {values, n, &place, 1};
    for (uint32_t i = 1; i < n; i++)
        values[i].l[0] = i;
    cuzk_direct *d = open_direct(&inputs);
    cuzk_cs *cs = cuzk_direct_cs(d);
    cuzk_number_take_many(cs, vars, n);
    cuzk_bits_take(cs, bits, cuzk_arity_bits(n));
    const size_t before = rows(d);
    cuzk_insert(cs, out, n, vars[0], bits, vars + 1);
    assert_int_equal(rows(d) - before, expected_rows);
    for (uint32_t i = 0; i < n; i++) {
        cuzk_scalar v;
        bls12_381_fr_to_canon(&v, cuzk_direct_value(d, out[i]));
        assert_int_equal(v.l[0], i == place ? 100 : i < place ? i + 1 : i);
    }
    close_direct(d);
}

static void insertion(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        size_t rows;
    } cases[] = {{2, 2}, {4, 8}, {8, 22}, {16, 240}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint64_t place = 0; place < cases[i].n; place++)
            try_insert(cases[i].n, place, cases[i].rows);
    }
}

static void private_por_rows(void **state)
{
    (void)state;
    static const struct {
        test_por_params params;
        size_t rows;
    } cases[] = {
        {{CUZK_TREE_POSEIDON, {2, 0, 0, 6}, true}, 1886},
        {{CUZK_TREE_POSEIDON, {4, 0, 0, 3}, true}, 1163},
        {{CUZK_TREE_POSEIDON, {8, 0, 0, 2}, true}, 1062},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cuzk_circuit circuit = {"por", test_por_build, &cases[i].params};
        cuzk_circuit_counts counts;
        assert_int_equal(cuzk_circuit_count(&circuit, &counts, NULL), CUZK_OK);
        assert_int_equal(counts.rows, cases[i].rows);
        assert_int_equal(counts.inputs, 2);
    }
}

/* Challenges of an update alone: node bits, partition bits, challenges. */
static void update_challenge_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t node_bits, partition_bits, challenges;
        size_t rows;
    } cases[] = {{5, 0, 10, 568},   {6, 0, 10, 568},   {7, 0, 10, 568},  {8, 0, 10, 568},
                 {9, 1, 10, 568},   {10, 1, 10, 568},  {18, 2, 10, 568}, {19, 2, 10, 568},
                 {24, 4, 86, 4544}, {30, 4, 86, 5680}, {31, 4, 86, 5680}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cuzk_update_params p = {.node_bits = cases[i].node_bits,
                                      .partition_bits = cases[i].partition_bits,
                                      .challenges = cases[i].challenges};
        cuzk_bit k_bits[8];
        cuzk_bit *bits = calloc((size_t)p.node_bits * p.challenges, sizeof *bits);
        cuzk_direct *d = open_direct(NULL);
        cuzk_cs *cs = cuzk_direct_cs(d);
        assert_non_null(bits);
        const cuzk_var comm_r_new = cuzk_number_take(cs), partition = cuzk_number_take(cs);
        cuzk_bits_take(cs, k_bits, 8);
        const size_t before = rows(d);
        cuzk_update_challenges(cs, &p, bits, comm_r_new, partition, k_bits);
        assert_int_equal(rows(d) - before, cases[i].rows);
        free(bits);
        close_direct(d);
    }
}

/* Step 7 of an update alone: apex leaves to their root, that up the partition's path. */
static void update_apex_rows(void **state)
{
    (void)state;
    static const struct {
        size_t apex;
        uint32_t partition_bits;
        size_t rows;
    } cases[] = {{8, 0, 317654}, {128, 1, 5808515}, {16, 2, 771448}, {8, 3, 453797}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cuzk_var row[128], path[3];
        cuzk_bit bits[3];
        const cuzk_tree_shape above = {.base = 2, .base_levels = cases[i].partition_bits};
        cuzk_direct *d = open_direct(NULL);
        cuzk_cs *cs = cuzk_direct_cs(d);
        cuzk_number_take_many(cs, row, cases[i].apex);
        cuzk_number_take_many(cs, path, 3);
        cuzk_bits_take(cs, bits, 3);
        const size_t before = rows(d);
        for (size_t n = cases[i].apex; n > 1; n /= 2) {
            for (size_t j = 0; j < n / 2; j++)
                row[j] = cuzk_sha256_numbers(cs, row + 2 * j, 2);
        }
        cuzk_por_given(cs, CUZK_TREE_SHA256, &above, row[0], bits, path, row[0]);
        assert_int_equal(rows(d) - before, cases[i].rows);
        close_direct(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_block_rows), cmocka_unit_test(sha256_values),
        cmocka_unit_test(sha256_rows),       cmocka_unit_test(label_rows),
        cmocka_unit_test(poseidon),          cmocka_unit_test(insertion),
        cmocka_unit_test(private_por_rows),  cmocka_unit_test(update_challenge_rows),
        cmocka_unit_test(update_apex_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
