/* Requests of Filecoin's kinds as payloads: what was put together comes apart again, and nothing
 * else does. */
#include "api/filecoin_key.h"
#include "engine/filecoin_job.h"
#include "support/circuit.h"
#include "support/fil_request.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

static cuzk_status parse(const void *payload, size_t size)
{
    cuzk_fil_request *request = NULL;
    const cuzk_status status = cuzk_filecoin_job_parse(&request, payload, size, NULL, &err);
    if (status == CUZK_OK)
        cuzk_fil_request_free(request);
    return status;
}

static void all_kinds_come_apart_again(void **state)
{
    (void)state;
    for (int kind = CUZK_FIL_POREP; kind <= CUZK_FIL_WINNING; kind++) {
        test_request r;
        void *payload;
        size_t size;
        test_request_init(&r, (cuzk_fil_kind)kind);
        TEST_EXPECT(cuzk_filecoin_job_make(&payload, &size, &r.fields, &err), CUZK_OK, &err);
        TEST_EXPECT(parse(payload, size), CUZK_OK, &err);
        test_request_release(&r);
        free(payload);
    }
}

/* Cut off anywhere, with more behind, or with a count or length that is wrong. */
static void others_are_malformed(void **state)
{
    (void)state;
    test_request r;
    void *payload;
    size_t size;
    test_request_init(&r, CUZK_FIL_WINDOW);
    TEST_EXPECT(cuzk_filecoin_job_make(&payload, &size, &r.fields, &err), CUZK_OK, &err);
    uint8_t *longer = calloc(size + 1, 1);
    assert_non_null(longer);
    memcpy(longer, payload, size);
    TEST_EXPECT(parse(longer, size + 1), CUZK_ERR_FORMAT, &err);
    for (size_t cut = 0; cut < size; cut += cut < 100 || size - cut < 100 ? 1 : 97) {
        uint8_t *exact = malloc(cut + 1); /* so that reads beyond it are seen */
        memcpy(exact, payload, cut);
        TEST_EXPECT(parse(exact, cut), CUZK_ERR_FORMAT, &err);
        free(exact);
    }
    static const size_t heads[] = {0, 34, 37, 38, 41}; /* version, count, length of randomness */
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        longer[heads[i]] ^= 0x80;
        TEST_EXPECT(parse(longer, size), CUZK_ERR_FORMAT, &err);
        longer[heads[i]] ^= 0x80;
    }
    TEST_EXPECT(parse(longer, size), CUZK_OK, &err);
    longer[1] = 77;
    TEST_EXPECT(parse(longer, size), CUZK_ERR_ARGUMENT, &err);
    free(longer);
    free(payload);
    test_request_release(&r);
}

/* What is granted from the head of the parameters is enough for the witness, whatever circuit: the
 * smallest of each kind, and the largest that compile in a moment. */
static void witnesses_take_what_was_granted(void **state)
{
    (void)state;
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        cuzk_fil_proof proof;
        cuzk_compiled *compiled;
        cuzk_fil_circuit_at(&proof, i);
        const cuzk_fil_counts counts = cuzk_fil_counts_get(&proof);
        TEST_EXPECT(cuzk_fil_circuit_compile(&compiled, &proof, &err), CUZK_OK, &err);
        const uint64_t granted = cuzk_fil_key_witness_bound(&proof);
        const uint64_t needed = cuzk_filecoin_job_witness_bytes(&proof, compiled);
        if (needed > granted)
            fail_msg("%s: %llu bytes granted, %llu needed", proof.circuit,
                     (unsigned long long)granted, (unsigned long long)needed);
        assert_in_range(cuzk_compiled_packed_map(compiled)->wide, 1,
                        cuzk_fil_key_wide_bound(&proof));
        /* And no more than four times as much. */
        if (counts.aux > 100000)
            assert_true(granted / 4 < needed);
        cuzk_compiled_free(compiled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_come_apart_again),
        cmocka_unit_test(others_are_malformed),
        cmocka_unit_test(witnesses_take_what_was_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
