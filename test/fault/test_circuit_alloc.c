/* The direct system and the gadgets while one allocation after the other fails: the run says so,
 * nothing crashes, nothing leaks. */
#include "circuit/direct.h"
#include "hash/poseidon.h"
#include "support/fault_alloc.h"
#include "support/small_circuits.h"

#include <string.h>

static const test_por_params sha = {CUZK_TREE_SHA256, {2, 0, 0, 1}, false};
static const test_por_params poseidon = {CUZK_TREE_POSEIDON, {8, 0, 0, 1}, false};

/* Allocations of a run until its matrices are taken, which then only shrinks arrays: that may fail
 * and does no harm. */
static size_t allocations;

/* Counts, hashes, evaluates and makes matrices. */
static cuzk_status run(const test_por_params *params, const cuzk_circuit_counts *counts,
                       cuzk_error *err)
{
    static const cuzk_scalar fields[9];
    static const uint64_t word;
    const cuzk_circuit circuit = {"por", test_por_build, params};
    const cuzk_circuit_inputs inputs = {fields, params->tree.base + 1, &word, 1};
    const cuzk_direct_options options = {.inputs = &inputs, .hash_of = counts, .r1cs = true};
    uint8_t hash[CUZK_CIRCUIT_HASH_BYTES];
    cuzk_r1cs r1cs;
    cuzk_direct *d;
    CUZK_TRY(cuzk_direct_new(&d, &options, err));
    cuzk_status status = cuzk_direct_run(d, &circuit, err);
    if (status == CUZK_OK)
        status = cuzk_direct_hash(d, hash, err);
    allocations = test_fault_count();
    if (status == CUZK_OK)
        status = cuzk_direct_take_r1cs(d, &r1cs, err);
    if (status == CUZK_OK)
        cuzk_r1cs_release(&r1cs);
    cuzk_direct_free(d);
    return status;
}

static void fail_each(const test_por_params *params)
{
    const cuzk_circuit circuit = {"por", test_por_build, params};
    cuzk_circuit_counts counts;
    cuzk_error err;
    assert_int_equal(cuzk_circuit_count(&circuit, &counts, &err), CUZK_OK);
    const size_t live = test_fault_live();
    test_fault_arm(0);
    assert_int_equal(run(params, &counts, &err), CUZK_OK);
    const size_t n = allocations;
    assert_true(n > 20);
    for (size_t i = 1; i <= n; i++) {
        test_fault_arm(i);
        err = (cuzk_error){0};
        assert_int_equal(run(params, &counts, &err), CUZK_ERR_MEMORY);
        test_fault_arm(0);
        assert_int_equal(err.status, CUZK_ERR_MEMORY);
        assert_non_null(strstr(err.message, "no memory"));
        assert_int_equal(test_fault_live(), live);
    }
}

static void failing_allocations(void **state)
{
    (void)state;
    assert_non_null(cuzk_poseidon_get(8)); /* its constants stay */
    fail_each(&sha);
    fail_each(&poseidon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
