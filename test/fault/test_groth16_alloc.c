/* Each allocation of each operation fails in turn: a clean error, outputs untouched, nothing
 * leaked. */
#include "support/circuit.h"
#include "support/fault_alloc.h"

#include "groth16/params.h"
#include "groth16/prove.h"
#include "groth16/verify.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* N_PUBLIC is large enough for the verifier to use an MSM. */
enum { ROWS = 20, N_PUBLIC = 10 };

/* What the operations below need, made once. */
typedef struct bench {
    test_circuit circuit;
    cuzk_setup bellperson, snarkjs;
    cuzk_pk *pk;
    cuzk_assignment assignment;
    cuzk_proof proofs[2];
    cuzk_scalar *inputs; /* of both proofs */
    char *path;          /* a parameter file for circuit */
    cuzk_map *map;       /* of path */
} bench;

static bench b;
static cuzk_error err;
static cuzk_pool *pool;

/* Runs once with the n-th allocation failing, and frees what it made. Returns the status and, in
 * *used, the number of allocations; fails the test if a failure changed an output. */
typedef cuzk_status operation(size_t n, size_t *used);

static void disarm(size_t *used)
{
    *used = test_fault_count();
    test_fault_arm(0);
}

static cuzk_status make_setup(size_t n, size_t *used)
{
    test_rng rng = test_rng_seeded(2);
    cuzk_toxic toxic = test_toxic(b.circuit.cs.curve, CUZK_SETUP_BELLPERSON, &rng);
    cuzk_setup setup = {0};
    test_fault_arm(n);
    cuzk_status status =
        cuzk_setup_make(&setup, &b.circuit.cs, &toxic, CUZK_SETUP_BELLPERSON, pool, &err);
    disarm(used);
    assert_true((setup.a != NULL) == (status == CUZK_OK));
    cuzk_setup_release(&setup);
    return status;
}

static cuzk_status make_params(size_t n, size_t *used)
{
    test_rng rng = test_rng_seeded(2);
    cuzk_toxic toxic = test_toxic(b.circuit.cs.curve, CUZK_SETUP_BELLPERSON, &rng);
    cuzk_setup setup = {0};
    cuzk_group_host host;
    cuzk_r1cs_columns columns;
    cuzk_group_host_init(&host, pool);
    cuzk_r1cs_columns_init(&columns, &b.circuit.cs);
    test_fault_arm(n);
    cuzk_status status =
        cuzk_params_make(b.path, &setup, &columns.columns, &toxic, &host.ops, pool, &err);
    disarm(used);
    assert_true((setup.vk.ic != NULL) == (status == CUZK_OK));
    cuzk_setup_release(&setup);
    return status;
}

static cuzk_status write_params(size_t n, size_t *used)
{
    test_fault_arm(n);
    cuzk_status status = cuzk_params_write(b.path, &b.bellperson, &err);
    disarm(used);
    return status;
}

static cuzk_status make_key(size_t n, size_t *used)
{
    cuzk_pk_source source = test_pk_source(&b.snarkjs, &b.circuit.cs, true);
    cuzk_pk *pk = NULL;
    test_fault_arm(n);
    cuzk_status status = cuzk_pk_new(&pk, &source, 0, NULL, pool, &err);
    disarm(used);
    assert_true((pk != NULL) == (status == CUZK_OK));
    assert_true((source.vk.ic == NULL) == (status == CUZK_OK));
    cuzk_pk_source_release(&source);
    cuzk_pk_free(pk);
    return status;
}

static cuzk_status open_params(size_t n, size_t *used)
{
    cuzk_r1cs cs = test_r1cs_copy(&b.circuit.cs);
    cuzk_pk *pk = NULL;
    test_fault_arm(n);
    cuzk_status status = cuzk_params_open(&pk, b.map, &cs, 0, NULL, pool, &err);
    disarm(used);
    assert_true((pk != NULL) == (status == CUZK_OK));
    assert_true((cs.a.col == NULL) == (status == CUZK_OK));
    cuzk_r1cs_release(&cs);
    cuzk_pk_free(pk);
    return status;
}

static cuzk_status prove(size_t n, size_t *used)
{
    cuzk_proof proof, before;
    memset(&proof, 0x5a, sizeof proof);
    before = proof;
    test_fault_arm(n);
    cuzk_status status = cuzk_prove(b.pk, &b.assignment, &proof, pool, &err);
    disarm(used);
    assert_true((memcmp(&proof, &before, sizeof proof) != 0) == (status == CUZK_OK));
    return status;
}

static cuzk_status verify(size_t n, size_t *used)
{
    test_fault_arm(n);
    cuzk_status status =
        cuzk_verify_proof(b.pk->verifier, b.inputs, N_PUBLIC, b.proofs, pool, &err);
    disarm(used);
    return status;
}

static cuzk_status verify_batch(size_t n, size_t *used)
{
    test_fault_arm(n);
    cuzk_status status =
        cuzk_verify_batch(b.pk->verifier, b.inputs, N_PUBLIC, b.proofs, 2, NULL, pool, &err);
    disarm(used);
    return status;
}

static void fail_each(operation *run, size_t at_least)
{
    for (size_t n = 1;; n++) {
        size_t live = test_fault_live(), used;
        memset(&err, 0, sizeof err);
        cuzk_status status = run(n, &used);
        assert_int_equal(test_fault_live(), live);
        if (used < n) {
            TEST_EXPECT(status, CUZK_OK, &err);
            assert_true(n > at_least);
            return;
        }
        TEST_EXPECT(status, CUZK_ERR_MEMORY, &err);
        assert_true(err.message[0] != '\0');
    }
}

static void each_operation(void **state)
{
    (void)state;
    fail_each(make_setup, 8);
    fail_each(make_params, 8);
    fail_each(write_params, 2);
    fail_each(make_key, 10);
    fail_each(open_params, 15);
    fail_each(prove, 3);
    fail_each(verify, 2);
    fail_each(verify_batch, 5);
}

static cuzk_setup setup_of(cuzk_setup_kind kind, test_rng *rng)
{
    cuzk_setup setup;
    cuzk_toxic toxic = test_toxic(b.circuit.cs.curve, kind, rng);
    TEST_EXPECT(cuzk_setup_make(&setup, &b.circuit.cs, &toxic, kind, pool, &err), CUZK_OK, &err);
    return setup;
}

static int make_bench(void **state)
{
    (void)state;
    setenv("CUZK_NO_CACHE", "1", 1);
    test_rng rng = test_rng_seeded(1);
    pool = cuzk_pool_new(2);
    assert_non_null(pool);
    test_circuit_random(&b.circuit, cuzk_curve_get(CUZK_BLS12_381), ROWS, N_PUBLIC, &rng);
    b.bellperson = setup_of(CUZK_SETUP_BELLPERSON, &rng);
    b.snarkjs = setup_of(CUZK_SETUP_SNARKJS, &rng);
    b.pk = test_pk_new(&b.snarkjs, &b.circuit.cs, true, 0, pool);
    b.assignment =
        (cuzk_assignment){.z = b.circuit.z, .n = b.circuit.cs.vars, .name = "test witness"};
    b.inputs = calloc(2 * N_PUBLIC, sizeof *b.inputs);
    assert_non_null(b.inputs);
    for (size_t i = 0; i < 2; i++) {
        memcpy(b.inputs + i * N_PUBLIC, b.circuit.z + 1, N_PUBLIC * sizeof *b.inputs);
        TEST_EXPECT(cuzk_prove(b.pk, &b.assignment, &b.proofs[i], pool, &err), CUZK_OK, &err);
    }
    b.path = test_write_temp("", 0);
    TEST_EXPECT(cuzk_params_write(b.path, &b.bellperson, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_map_open(&b.map, b.path, &err), CUZK_OK, &err);
    return 0;
}

static int free_bench(void **state)
{
    (void)state;
    cuzk_map_close(b.map);
    unlink(b.path);
    free(b.path);
    free(b.inputs);
    cuzk_pk_free(b.pk);
    cuzk_setup_release(&b.bellperson);
    cuzk_setup_release(&b.snarkjs);
    test_circuit_release(&b.circuit);
    cuzk_pool_free(pool);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_operation)};
    return cmocka_run_group_tests(tests, make_bench, free_bench);
}
