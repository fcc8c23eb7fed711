/* Building matrices while one allocation after the other fails: an error each time, and nothing
 * leaks. */
#include "compute/sparse.h"
#include "support/fault_alloc.h"

#include <stdlib.h>

#define ROWS 300u
#define MOST 1000u

/* Rows with new coefficients and unsorted columns, so that every array grows. */
static cuzk_status build(cuzk_matrix_builder *builder, const cuzk_curve *curve, cuzk_error *err)
{
    cuzk_fr value = curve->coset_zcash;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = i % 40 + 1; j-- > 0;) {
            CUZK_TRY(cuzk_matrix_builder_add(builder, j, &value, err));
            curve->fr_mul(&value, &value, &curve->coset_zcash);
        }
        CUZK_TRY(cuzk_matrix_builder_end_row(builder, err));
    }
    return CUZK_OK;
}

static cuzk_status build_all(cuzk_error *err)
{
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder = NULL;
    CUZK_TRY(cuzk_coef_table_new(&table, curve, err));
    cuzk_status status = cuzk_matrix_builder_new(&builder, table, 2, 2, err);
    if (status == CUZK_OK)
        status = build(builder, curve, err);
    if (status == CUZK_OK) {
        cuzk_matrix matrix;
        cuzk_coefs coefs;
        cuzk_matrix_builder_take(builder, &matrix);
        cuzk_coef_table_take(table, &coefs);
        assert_int_equal(matrix.rows, ROWS);
        assert_int_equal(matrix.row_start[1], 1);
        cuzk_matrix_release(&matrix);
        free(coefs.value);
    }
    cuzk_matrix_builder_free(builder);
    cuzk_coef_table_free(table);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const size_t live = test_fault_live();
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        cuzk_error err = {.status = CUZK_OK};
        assert_true(n < MOST);
        test_fault_arm(n);
        const cuzk_status status = build_all(&err);
        const size_t count = test_fault_count();
        test_fault_arm(0);
        assert_int_equal(test_fault_live(), live);
        if (status == CUZK_OK && count < n)
            break;               /* beyond the last one */
        if (status != CUZK_OK) { /* shrinking may fail without harm */
            assert_int_equal(status, CUZK_ERR_MEMORY);
            assert_int_equal(err.status, CUZK_ERR_MEMORY);
            assert_true(err.message[0] != '\0');
            failures++;
        }
    }
    assert_in_range(failures, 10, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
