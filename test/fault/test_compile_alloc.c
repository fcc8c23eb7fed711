/* Compiling, saving, opening, witnesses and products while one allocation after the other fails: an
 * error each time, and nothing leaks. */
#include "circuit/product.h"
#include "support/fault_alloc.h"
#include "support/random_circuit.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST 5000u

static cuzk_scalar field[2000];
static uint64_t word[2000];
static char *path;

static cuzk_status use(const cuzk_compiled *c, cuzk_error *err)
{
    cuzk_compiled_info info;
    cuzk_witness w;
    cuzk_r1cs r1cs;
    cuzk_fr a[8];
    uint64_t set[3][1000];
    uint8_t hash[32];
    cuzk_lc lc[3] = {{0}};
    cuzk_compiled_describe(c, &info);
    assert_in_range(info.rows, 8, 60000);
    assert_in_range(info.aux, 8, 60000);
    assert_true(info.field <= 2000 && info.word <= 2000);
    const cuzk_circuit_inputs in = {field, info.field, word, info.word};
    CUZK_TRY(cuzk_compiled_hash(c, hash, err));
    CUZK_TRY(cuzk_compiled_densities(c, set[0], set[1], set[2], err));
    CUZK_TRY(cuzk_compiled_expand(c, &r1cs, err));
    cuzk_r1cs_release(&r1cs);
    cuzk_status status = cuzk_compiled_row(c, info.rows - 1, &lc[0], &lc[1], &lc[2], err);
    for (int i = 0; i < 3; i++)
        cuzk_lc_release(&lc[i]);
    CUZK_TRY(status);
    CUZK_TRY(cuzk_witness_make(&w, c, &in, NULL, err));
    status = cuzk_compiled_check(c, &w, NULL, NULL, err);
    if (status == CUZK_OK)
        status = cuzk_compiled_products(c, &w, 0, 8, a, NULL, NULL, NULL, err);
    cuzk_witness_release(&w);
    return status;
}

static cuzk_status run(cuzk_error *err)
{
    static const uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    const test_random_circuit params = {.seed = 5, .calls = 20, .steps = 3, .honest = true};
    const cuzk_circuit circuit = {"random", test_random_build, &params};
    cuzk_compiled *c, *opened;
    CUZK_TRY(cuzk_compile(&c, &circuit, err));
    cuzk_status status = cuzk_compiled_save(c, id, path, err);
    cuzk_compiled_free(c);
    CUZK_TRY(status);
    CUZK_TRY(cuzk_compiled_open(&opened, path, NULL, NULL, err));
    status = use(opened, err);
    cuzk_compiled_free(opened);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t failures = 0;
    path = test_write_temp("", 0);
    const size_t live = test_fault_live();
    for (size_t n = 1;; n++) {
        cuzk_error err = {.status = CUZK_OK};
        assert_true(n < MOST);
        test_fault_arm(n);
        const cuzk_status status = run(&err);
        const size_t count = test_fault_count();
        test_fault_arm(0);
        assert_int_equal(test_fault_live(), live);
        if (status == CUZK_OK && count < n)
            break;               /* beyond the last one */
        if (status != CUZK_OK) { /* shrinking may fail without harm */
            if (status != CUZK_ERR_MEMORY)
                fail_msg("allocation %zu: status %d: %s", n, (int)status, err.message);
            assert_int_equal(err.status, CUZK_ERR_MEMORY);
            assert_true(err.message[0] != '\0');
            failures++;
        }
    }
    unlink(path);
    free(path);
    assert_in_range(failures, 100, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
