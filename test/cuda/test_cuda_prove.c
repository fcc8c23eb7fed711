/* Sums of whole proofs on the device against those of the processor, for keys of all kinds; and the
 * original prover's proofs, byte for byte, made of them. */
#include "cuda_support.h"

#include "base/memory.h"
#include "circuit/product_shared.h"
#include "groth16/cuda/gpu_prove.h"
#include "support/circuit.h"
#include "support/fil_keys.h"
#include "support/model_key.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

/* A key on the device, and one proof's place beside it. */
typedef struct device_key {
    cuzk_gpu_key key;
    cuzk_gpu_slot slot;
    cuzk_pk *pk;
} device_key;

static void begin(device_key *d)
{
    *d = (device_key){.pk = NULL};
    cuda_test_stream();
    TEST_EXPECT(cuzk_gpu_key_init(&d->key, &err), CUZK_OK, &err);
}

static void complete(device_key *d, cuzk_pk *pk, const cuzk_shared_rows *rows)
{
    cuzk_cuda_info info;
    d->pk = pk;
    TEST_EXPECT(cuzk_gpu_key_complete(&d->key, pk, rows, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_cuda_info_get(&info, 0, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_gpu_slot_init(&d->slot, &d->key, &info, 0, &err), CUZK_OK, &err);
}

static void release(device_key *d)
{
    cuzk_gpu_slot_release(&d->slot);
    cuzk_gpu_key_release(&d->key);
    cuzk_pk_free(d->pk);
}

static cuzk_sums on_device(device_key *d, const cuzk_assignment *assignment)
{
    cuzk_sums sums;
    TEST_EXPECT(cuzk_gpu_prove_start(&d->slot, assignment, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_gpu_prove_collect(&d->slot, &sums, &err), CUZK_OK, &err);
    return sums;
}

static cuzk_sums on_processor(const cuzk_pk *pk, const cuzk_assignment *assignment)
{
    cuzk_sums sums = {0};
    void *scratch = aligned_alloc(64, cuzk_align_up(cuzk_prove_scratch(pk, 1)));
    assert_non_null(scratch);
    TEST_EXPECT(cuzk_prove_start(pk, assignment, &sums, scratch, NULL, &err), CUZK_OK, &err);
    free(scratch);
    return sums;
}

static void assert_same(const cuzk_sums *a, const cuzk_sums *b)
{
    assert_memory_equal(&a->h, &b->h, sizeof a->h);
    assert_memory_equal(&a->l, &b->l, sizeof a->l);
    assert_memory_equal(&a->a, &b->a, sizeof a->a);
    assert_memory_equal(&a->b1, &b->b1, sizeof a->b1);
    assert_memory_equal(&a->b2, &b->b2, sizeof a->b2);
}

/* Keys with matrices: snarkjs' kind, whose quotient is by its values. */
static void check_matrices(cuzk_curve_id id, size_t rows, bool with_c, test_rng *rng)
{
    const cuzk_curve *curve = cuzk_curve_get(id);
    test_circuit circuit;
    cuzk_setup setup;
    cuzk_pk *pk;
    device_key d;
    test_circuit_random(&circuit, curve, rows, 3, rng);
    const cuzk_toxic toxic = test_toxic(curve, CUZK_SETUP_SNARKJS, rng);
    TEST_EXPECT(cuzk_setup_make(&setup, &circuit.cs, &toxic, CUZK_SETUP_SNARKJS, NULL, &err),
                CUZK_OK, &err);
    cuzk_pk *host = test_pk_new(&setup, &circuit.cs, with_c, CUZK_PK_SKIP_CHECK, NULL);
    cuzk_pk_source source = test_pk_source(&setup, &circuit.cs, with_c);
    begin(&d);
    TEST_EXPECT(cuzk_pk_new(&pk, &source, CUZK_PK_SKIP_CHECK, &d.key.sink, NULL, &err), CUZK_OK,
                &err);
    complete(&d, pk, NULL);
    const cuzk_assignment assignment = {.z = circuit.z, .n = circuit.cs.vars, .name = "test"};
    const cuzk_sums expected = on_processor(host, &assignment);
    for (int i = 0; i < 2; i++) { /* nothing of the first proof is left for the second */
        const cuzk_sums sums = on_device(&d, &assignment);
        assert_same(&sums, &expected);
    }
    release(&d);
    cuzk_pk_free(host);
    cuzk_setup_release(&setup);
    test_circuit_release(&circuit);
}

static void keys_with_matrices(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int id = 0; id < CUZK_CURVES; id++) {
        check_matrices((cuzk_curve_id)id, 1, true, &rng);
        check_matrices((cuzk_curve_id)id, 60, false, &rng);
        check_matrices((cuzk_curve_id)id, cuda_test_size(200, 20000), true, &rng);
    }
}

/* Keys without: the rows of compiled circuits, packed witnesses, and a quotient by coefficients. */
static void check_original(model_kind kind, const char *expected_file)
{
    const cuzk_scalar r = test_secret("r"), s = test_secret("s");
    test_model_key model;
    cuzk_shared_rows rows;
    device_key d;
    cuzk_pool *pool = cuzk_pool_new((unsigned)cuda_test_size(2, 16));
    assert_non_null(pool);
    test_model_key_make(&model, kind, true, pool);
    begin(&d);
    cuzk_pk *pk = test_model_key_open(&model, &d.key.sink, pool);
    cuzk_pool_free(pool);
    TEST_EXPECT(cuzk_compiled_shared_rows(model.compiled, &rows, &err), CUZK_OK, &err);
    complete(&d, pk, &rows);
    cuzk_shared_rows_release(&rows);
    cuzk_circuit_witness *witness = test_model_key_witness(&model);
    const cuzk_assignment assignment = cuzk_circuit_witness_assign(witness, "model");
    const cuzk_sums sums = on_device(&d, &assignment);
    cuzk_proof proof;
    uint8_t bytes[CUZK_PROOF_BYTES];
    cuzk_prove_finish(pk, &sums, &r, &s, &proof, NULL);
    cuzk_proof_encode(bytes, &proof);
    size_t size;
    uint8_t *expected = test_read_data(expected_file, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    free(expected);
    cuzk_circuit_witness_free(witness);
    release(&d);
    test_model_key_release(&model);
}

static void proofs_are_the_originals(void **state)
{
    (void)state;
    check_original(MODEL_POR, "vectors/rust-por.proof");
    if (cuda_test_size(0, 1) == 0)
        return;
    check_original(MODEL_WINNING, "filecoin/rust-winning2k.proof");
    check_original(MODEL_SNAP, "filecoin/rust-snap2k.proof");
    check_original(MODEL_POREP, "filecoin/rust-porep2k.proof");
}

CUDA_TESTS(prove, cmocka_unit_test(keys_with_matrices), cmocka_unit_test(proofs_are_the_originals))
