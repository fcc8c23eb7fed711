/* What is let in at the door, field by field. */
#include "server/submit_request.h"
#include "server/grpc_fixture.h"
#include "server/wire.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static cuzk_error err;

static cuzk_status read_packed(cuzk_submit_request *read, const Cuzk__V1__SubmitProofRequest *r)
{
    size_t size = cuzk__v1__submit_proof_request__get_packed_size(r);
    uint8_t *packed = malloc(size + 1);
    cuzk__v1__submit_proof_request__pack(r, packed);
    memset(read, 0xee, sizeof *read);
    cuzk_status status = cuzk_submit_request_read(read, packed, size, &err);
    free(packed);
    return status;
}

static void expect(const Cuzk__V1__SubmitProofRequest *request, cuzk_status status,
                   const char *text)
{
    cuzk_submit_request read;
    strcpy(err.message, "");
    cuzk_status got = read_packed(&read, request);
    if (got != status || strstr(err.message, text) == NULL)
        fail_msg("%d instead of %d: \"%s\", expected \"%s\"", (int)got, (int)status, err.message,
                 text);
}

static uint8_t bytes[64];

/* A request of a kind with all that it needs. */
static Cuzk__V1__SubmitProofRequest good(int kind)
{
    static ProtobufCBinaryData proofs[2] = {{5, bytes}, {6, bytes}};
    Cuzk__V1__SubmitProofRequest r = grpc_circuit_request("id");
    r.proof_kind = (Cuzk__V1__ProofKind)kind;
    if (kind != CUZK_KIND_CIRCUIT) {
        r.circuit_key = (char *)(uintptr_t) "";
        r.witness.len = 0;
        r.vanilla_proof = (ProtobufCBinaryData){9, bytes};
        r.n_vanilla_proofs = 2;
        r.vanilla_proofs = proofs;
    }
    r.randomness = r.comm_r_old = r.comm_r_new = r.comm_d_new = (ProtobufCBinaryData){32, bytes};
    return r;
}

static void all_kinds_are_read(void **state)
{
    (void)state;
    for (int kind = 1; kind <= 5; kind++) {
        Cuzk__V1__SubmitProofRequest r = good(kind);
        r.deadline_ms = 99;
        cuzk_submit_request read;
        assert_int_equal(read_packed(&read, &r), CUZK_OK);
        assert_int_equal(read.kind, kind);
        assert_int_equal(read.deadline_ms, 99);
        assert_string_equal(read.request_id, "id");
        assert_string_equal(read.circuit_key, kind == 5 ? "some/circuit" : "");
        assert_int_equal(read.witness_size, kind == 5 ? 9 : 0);
    }
    const int bad[] = {0, 6, 77, -1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Cuzk__V1__SubmitProofRequest r = good(1);
        r.proof_kind = (Cuzk__V1__ProofKind)bad[i];
        expect(&r, CUZK_ERR_ARGUMENT, "invalid proof_kind");
    }
}

static void priorities(void **state)
{
    (void)state;
    const struct {
        int kind, priority;
        cuzk_class class_;
    } cases[] = {
        {1, 0, CUZK_CLASS_NORMAL},   {2, 0, CUZK_CLASS_NORMAL},  {3, 0, CUZK_CLASS_HIGH},
        {4, 0, CUZK_CLASS_CRITICAL}, {5, 0, CUZK_CLASS_NORMAL},  {4, 1, CUZK_CLASS_LOW},
        {4, 2, CUZK_CLASS_NORMAL},   {1, 3, CUZK_CLASS_HIGH},    {1, 4, CUZK_CLASS_CRITICAL},
        {4, 5, CUZK_CLASS_NORMAL},   {4, -7, CUZK_CLASS_NORMAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Cuzk__V1__SubmitProofRequest r = good(cases[i].kind);
        r.priority = (Cuzk__V1__Priority)cases[i].priority;
        cuzk_submit_request read;
        assert_int_equal(read_packed(&read, &r), CUZK_OK);
        assert_int_equal(read.class_, cases[i].class_);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    for (int kind = 1; kind <= 5; kind++) {
        for (int field = 0; field < 4; field++) {
            static const char *const names[] = {"randomness", "comm_r_old", "comm_r_new",
                                                "comm_d_new"};
            Cuzk__V1__SubmitProofRequest r = good(kind);
            ProtobufCBinaryData *fields[] = {&r.randomness, &r.comm_r_old, &r.comm_r_new,
                                             &r.comm_d_new};
            fields[field]->len = 31;
            expect(&r, CUZK_ERR_ARGUMENT, names[field]);
            fields[field]->len = 33;
            expect(&r, CUZK_ERR_ARGUMENT, "33 bytes; expected 32");
            fields[field]->len = 0;
            bool needed = field == 0 ? kind == 3 || kind == 4 : kind == 2;
            expect(&r, needed ? CUZK_ERR_ARGUMENT : CUZK_OK, needed ? names[field] : "");
        }
    }
    Cuzk__V1__SubmitProofRequest r = good(1);
    r.vanilla_proof.len = 0;
    expect(&r, CUZK_ERR_ARGUMENT, "vanilla_proof: it is missing");
    for (int kind = 2; kind <= 4; kind++) {
        r = good(kind);
        r.n_vanilla_proofs = 0;
        expect(&r, CUZK_ERR_ARGUMENT, "vanilla_proofs: they are missing");
    }
    r = good(3);
    ProtobufCBinaryData some[2] = {{5, bytes}, {0, bytes}};
    r.vanilla_proofs = some;
    expect(&r, CUZK_ERR_ARGUMENT, "vanilla_proofs: number 1 is empty");
    r = good(5);
    r.witness.len = 0;
    expect(&r, CUZK_ERR_ARGUMENT, "witness");
    r = good(5);
    r.circuit_key = (char *)(uintptr_t) "";
    expect(&r, CUZK_ERR_ARGUMENT, "circuit_key");
}

static void names_are_checked(void **state)
{
    (void)state;
    char longest[CUZK_REQUEST_ID_MAX + 2];
    memset(longest, 'x', sizeof longest);
    longest[CUZK_REQUEST_ID_MAX] = '\0';
    Cuzk__V1__SubmitProofRequest r = good(5);
    r.request_id = longest;
    expect(&r, CUZK_OK, "");
    longest[CUZK_REQUEST_ID_MAX] = 'x';
    longest[CUZK_REQUEST_ID_MAX + 1] = '\0';
    expect(&r, CUZK_ERR_ARGUMENT, "at most 512");
    longest[CUZK_KEY_NAME_MAX] = '\0';
    r = good(5);
    r.circuit_key = longest;
    expect(&r, CUZK_ERR_ARGUMENT, "circuit_key");
    const char *const bad[] = {"a\nb",    "\x1b[31m", "\x7f",         "a\tb",
                               "\xff",    "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                               "\xe2\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        r = good(5);
        r.request_id = (char *)(uintptr_t)bad[i];
        expect(&r, CUZK_ERR_ARGUMENT, "request_id");
    }
    r = good(5);
    r.request_id = (char *)(uintptr_t) "wdpost-1-0-[1 2] \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";
    expect(&r, CUZK_OK, "");
    /* A NUL in a text does not end it. */
    cuzk_submit_request read;
    const uint8_t nul[] = "\x10\x05\x0a\x03\x61\x00\x62";
    assert_int_equal(cuzk_submit_request_read(&read, nul, sizeof nul - 1, &err), CUZK_ERR_ARGUMENT);
}

static void malformed_messages(void **state)
{
    (void)state;
    Cuzk__V1__SubmitProofRequest r = good(5); /* the witness, which it needs, is last */
    size_t size = cuzk__v1__submit_proof_request__get_packed_size(&r);
    uint8_t *packed = malloc(size);
    cuzk__v1__submit_proof_request__pack(&r, packed);
    cuzk_submit_request read;
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *exact = malloc(cut + 1);
        memcpy(exact, packed, cut);
        assert_int_not_equal(cuzk_submit_request_read(&read, exact, cut, &err), CUZK_OK);
        free(exact);
    }
    free(packed);
    const struct {
        const char *data;
        size_t size;
    } cases[] = {
        {"\x10", 1},                                          /* no value */
        {"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11}, /* a varint above 64 bits */
        {"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12},
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, /* a length above everything */
        {"\x13", 1},                                          /* a group */
        {"\x02\x00", 2},                                      /* field 0 */
        {"\x12\x00", 2},                                      /* proof_kind as bytes */
        {"\x08\x01", 2},                                      /* request_id as a number */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cuzk_submit_request_read(&read, cases[i].data, cases[i].size, &err),
                         CUZK_ERR_FORMAT);
}

static void the_last_value_counts_and_unknown_fields_pass(void **state)
{
    (void)state;
    static const char data[] = "\x10\x01\x10\x05"         /* proof_kind 1, then 5 */
                               "\xc2\x02\x01k"            /* circuit_key */
                               "\xca\x02\x01w"            /* witness */
                               "\xc0\x3e\x07"             /* field 1000: a number */
                               "\xc2\x3e\x02zz"           /* field 1000: bytes */
                               "\xc5\x3e\x01\x02\x03\x04" /* field 1000: 32 bits */
                               "\xc1\x3e\x01\x02\x03\x04\x05\x06\x07\x08";
    cuzk_submit_request read;
    assert_int_equal(cuzk_submit_request_read(&read, data, sizeof data - 1, &err), CUZK_OK);
    assert_int_equal(read.kind, CUZK_KIND_CIRCUIT);
    assert_string_equal(read.circuit_key, "k");
    assert_int_equal(read.witness_size, 1);
}

static void proving_requests_are_unwrapped(void **state)
{
    (void)state;
    /* Two parts of `submit` around something unknown. */
    char message[] = "\x0a\x03"
                     "abc\x10\x07\x0a\x02"
                     "de";
    size_t size = sizeof message - 1;
    assert_int_equal(cuzk_prove_request_unwrap(message, &size, &err), CUZK_OK);
    assert_int_equal(size, 5);
    assert_memory_equal(message, "abcde", 5);
    char none[] = "\x10\x07";
    size = 2;
    assert_int_equal(cuzk_prove_request_unwrap(none, &size, &err), CUZK_ERR_ARGUMENT);
    size = 0;
    assert_int_equal(cuzk_prove_request_unwrap(none, &size, &err), CUZK_ERR_ARGUMENT);
    char cut[] = "\x0a\x04"
                 "abc";
    size = sizeof cut - 1;
    assert_int_equal(cuzk_prove_request_unwrap(cut, &size, &err), CUZK_ERR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read),
        cmocka_unit_test(priorities),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(malformed_messages),
        cmocka_unit_test(the_last_value_counts_and_unknown_fields_pass),
        cmocka_unit_test(proving_requests_are_unwrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
