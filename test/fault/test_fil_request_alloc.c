/* Requests while one allocation after the other fails: each failure is reported as what it is,
 * nothing crashes, nothing leaks. */
#include "support/fault_alloc.h"
#include "support/fil_request.h"

#include "hash/poseidon.h"

#include <string.h>

static cuzk_status read_and_check(const cuzk_fil_fields *fields, cuzk_error *err)
{
    cuzk_fil_request *request = NULL;
    CUZK_TRY(cuzk_fil_request_read(&request, fields, err));
    cuzk_status status = cuzk_fil_request_check(request, NULL, err);
    cuzk_fil_request_free(request);
    return status;
}

static void test_kind(cuzk_fil_kind kind)
{
    test_request source;
    cuzk_error err;
    test_request_init(&source, kind);
    const size_t live = test_fault_live();
    for (size_t n = 1;; n++) {
        memset(&err, 0, sizeof err);
        test_fault_arm(n);
        cuzk_status status = read_and_check(&source.fields, &err);
        const size_t count = test_fault_count();
        test_fault_arm(0);
        assert_int_equal(test_fault_live(), live);
        if (count < n) {
            assert_int_equal(status, CUZK_OK);
            assert_true(n > 2);
            break;
        }
        if (status != CUZK_ERR_MEMORY || err.message[0] == 0)
            fail_msg("kind %d, allocation %zu: status %s, \"%s\"", (int)kind, n,
                     cuzk_status_name(status), err.message);
    }
    test_request_release(&source);
}

static void test_kinds(void **state)
{
    (void)state;
    /* Constants are computed once, and kept. */
    cuzk_poseidon_get(2);
    cuzk_poseidon_get(8);
    for (int kind = CUZK_FIL_POREP; kind <= CUZK_FIL_WINNING; kind++)
        test_kind((cuzk_fil_kind)kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
