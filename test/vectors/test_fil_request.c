/* Requests of all kinds, as a client sends them: read, checked and flattened; what is wrong is
 * refused with its place, whatever byte of the vanilla proofs is changed. */
#include "support/fil_request.h"
#include "support/filecoin.h"
#include "support/fixtures.h"

#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/checks.h"

static cuzk_error err;

static const cuzk_fil_kind kinds[] = {CUZK_FIL_POREP, CUZK_FIL_SNAP, CUZK_FIL_WINDOW,
                                      CUZK_FIL_WINNING};

/* Reads and checks. */
static cuzk_status try_request(const test_request *source, cuzk_fil_request **request)
{
    *request = NULL;
    CUZK_TRY(cuzk_fil_request_read(request, &source->fields, &err));
    return cuzk_fil_request_check(*request, NULL, &err);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *circuit;
        size_t statement;
    } expected[] = {{"porep-2k", 39}, {"update-2k", 4}, {"window-2k", 22}, {"winning-2k", 132}};
    for (size_t i = 0; i < 4; i++) {
        test_request source;
        cuzk_fil_request *request;
        test_request_init(&source, kinds[i]);
        assert_ok(try_request(&source, &request));
        const cuzk_fil_proof *proof = cuzk_fil_request_proof(request);
        assert_string_equal(proof->circuit, expected[i].circuit);
        assert_int_equal(cuzk_fil_sizes_get(proof).statement, expected[i].statement);
        assert_int_equal(cuzk_fil_request_partitions(request), 1);
        assert_memory_equal(cuzk_fil_request_params(request)->name, "v28-", 4);
        assert_true(cuzk_fil_request_bytes(request) > 4000);
        cuzk_fil_request_free(request);
        test_request_release(&source);
    }
}

/* The statement that a Window partition proves is the same whatever partition it is. */
static void test_partition_index(void **state)
{
    (void)state;
    cuzk_scalar statement[2][22];
    for (size_t i = 0; i < 2; i++) {
        test_request source;
        cuzk_fil_request *request;
        test_request_init(&source, CUZK_FIL_WINDOW);
        source.fields.partition_index = i * 17;
        assert_ok(try_request(&source, &request));
        cuzk_fil_sizes sizes = cuzk_fil_sizes_get(cuzk_fil_request_proof(request));
        cuzk_fil_inputs inputs = {
            .field = malloc(sizes.field * sizeof(cuzk_scalar)),
            .word = malloc(sizes.word * sizeof(uint64_t)),
            .statement = statement[i],
        };
        cuzk_fil_request_inputs(request, 0, &inputs);
        free(inputs.field);
        free(inputs.word);
        cuzk_fil_request_free(request);
        test_request_release(&source);
    }
    assert_memory_equal(statement[0], statement[1], sizeof statement[0]);
}

/* Window ids 5 to 9 may count challenges from the first sector of the whole proof. */
static void test_index_base(void **state)
{
    (void)state;
    test_request source;
    cuzk_fil_request *request;
    test_request_init(&source, CUZK_FIL_WINDOW);
    const cuzk_fil_blob twice[2] = {source.blob, source.blob};
    source.fields.vanilla = twice;
    source.fields.n_vanilla = 2;
    /* The second sector's challenges would be 10 to 19. */
    assert_refused(try_request(&source, &request), CUZK_ERR_MISMATCH,
                   "proof 1 (sector 7): inclusion_proofs[0]: its indices lead to leaf 33, "
                   "expected ");
    cuzk_fil_request_free(request);
    /* Under V1_2 all sectors have challenges 0 to 9. */
    source.fields.registered_proof = 10;
    assert_ok(try_request(&source, &request));
    cuzk_fil_request_free(request);
    test_request_release(&source);
}

static cuzk_status try_fields(test_request *source)
{
    cuzk_fil_request *request;
    cuzk_status status = try_request(source, &request);
    cuzk_fil_request_free(request);
    return status;
}

static void test_window_fields(void **state)
{
    (void)state;
    test_request source;
    test_request_init(&source, CUZK_FIL_WINDOW);
    source.fields.registered_proof = 4;
    assert_refused(try_fields(&source), CUZK_ERR_ARGUMENT, "expected 5 to 14");
    source.fields.registered_proof = 6;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT,
                   "vanilla_proofs[0]: vanilla_proof[0].inclusion_proofs[0].path (byte 124): found "
                   "2 elements, expected 6");
    source.fields.registered_proof = 5;
    source.fields.n_vanilla = 0;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "found 0 blobs, expected 1 to 2");
    source.fields.n_vanilla = 1;
    source.fields.randomness.size = 31;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "randomness: found 31 bytes");
    source.fields.randomness.size = 32;
    source.randomness[31] = 0xff;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "randomness is not below r");
    source.randomness[31] = 0x1e;
    assert_refused(try_fields(&source), CUZK_ERR_MISMATCH,
                   "inclusion_proofs[0]: its indices lead to leaf 33, expected");
    test_request_release(&source);
}

static void test_winning_fields(void **state)
{
    (void)state;
    test_request source;
    test_request_init(&source, CUZK_FIL_WINNING);
    const cuzk_fil_blob twice[2] = {source.blob, source.blob};
    source.fields.vanilla = twice;
    source.fields.n_vanilla = 2;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "found 2 blobs, expected 1");
    test_request_release(&source);
}

static void test_snap_fields(void **state)
{
    (void)state;
    test_request source;
    test_request_init(&source, CUZK_FIL_SNAP);
    source.comm_r_old[3] ^= 1;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT,
                   "partition 0: the hash of comm_c and the root of proof_r_old (comm_r_old) is "
                   "39453b52");
    source.comm_r_old[3] ^= 1;
    source.comm_r_new[31] = 0x74;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "comm_r_new: the value is not below r");
    source.comm_r_new[31] = 0x18;
    source.comm_d_new[0] ^= 1;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "proof_d_new: its root is 4b53fdf2");
    source.fields.comm_d_new.size = 0;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "comm_d_new: found 0 bytes, expected 32");
    source.fields.registered_proof = 3;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "found 1 blobs, expected 16");
    test_request_release(&source);
}

static void test_porep_fields(void **state)
{
    (void)state;
    test_request source;
    test_request_init(&source, CUZK_FIL_POREP);
    source.fields.sector_number = 8;
    assert_refused(try_fields(&source), CUZK_ERR_MISMATCH,
                   "this is not sector 8 of miner 1000: replica_id is ebf3e094");
    source.fields.sector_number = 7;
    source.fields.miner_id = 1001;
    assert_refused(try_fields(&source), CUZK_ERR_MISMATCH, "sector 7 of miner 1001");
    source.fields.miner_id = 1000;
    source.fields.registered_proof = 99; /* the C1 output's is taken */
    assert_ok(try_fields(&source));
    source.fields.n_vanilla = 0;
    assert_refused(try_fields(&source), CUZK_ERR_FORMAT, "found 0 blobs, expected 1");
    test_request_release(&source);
}

/* --- changed bytes --- */

/* Everything in bincode matters: any changed byte is refused. */
static void flip_blob(cuzk_fil_kind kind, size_t rounds)
{
    test_rng rng = test_rng_seeded((uint64_t)kind);
    test_request source;
    test_request_init(&source, kind);
    for (size_t i = 0; i < rounds; i++) {
        size_t at = test_rng_below(&rng, source.blob.size);
        uint8_t flip = (uint8_t)(1 + test_rng_below(&rng, 255));
        source.bytes[at] ^= flip;
        memset(&err, 0, sizeof err);
        cuzk_status status = try_fields(&source);
        if ((status != CUZK_ERR_FORMAT && status != CUZK_ERR_MISMATCH) ||
            strchr(err.message, ':') == NULL)
            fail_msg("byte %zu ^ 0x%02x: status %d, \"%s\"", at, flip, status, err.message);
        source.bytes[at] ^= flip;
    }
    test_request_release(&source);
}

static void test_flip_post(void **state)
{
    (void)state;
    flip_blob(CUZK_FIL_WINDOW, 1000);
    flip_blob(CUZK_FIL_WINNING, 1000);
}

static void test_flip_snap(void **state)
{
    (void)state;
    flip_blob(CUZK_FIL_SNAP, 1000);
}

/* What a C1 output brings to the circuit. */
static void flatten_c1(cuzk_scalar *field, uint64_t *word, const cuzk_porep_vanilla *c1,
                       const cuzk_fil_proof *proof)
{
    cuzk_fil_inputs inputs = {.field = field, .word = word};
    cuzk_porep_inputs(&inputs, proof, c1, 0);
}

/* Of a C1 output some is never used: parents of labeling proofs, white space, unknown members. If a
 * changed one is taken, what it brings to the circuit is unchanged. */
static void test_flip_c1(void **state)
{
    (void)state;
    cuzk_fil_proof proof;
    cuzk_porep_vanilla c1;
    cuzk_arena arena = {0};
    size_t size = 0, taken = 0;
    test_rng rng = test_rng_seeded(1);
    char *text = (char *)test_read_data("filecoin/model-2kib-c1.json", &size);
    assert_ok(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 5, &err));
    assert_ok(cuzk_c1_read(&c1, &arena, &proof, text, size, "c1", &err));
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(&proof);
    cuzk_scalar *field[2];
    uint64_t *word[2];
    for (size_t i = 0; i < 2; i++) {
        field[i] = calloc(sizes.field, sizeof *field[i]);
        word[i] = calloc(sizes.word, sizeof *word[i]);
        assert_true(field[i] != NULL && word[i] != NULL);
    }
    flatten_c1(field[0], word[0], &c1, &proof);
    for (size_t i = 0; i < 1000; i++) {
        size_t at = test_rng_below(&rng, size);
        char old = text[at];
        /* Digits for digits most of the time, so that more than the grammar is tried. */
        text[at] = i % 4 != 0 && old >= '0' && old <= '9' ? (char)('0' + test_rng_below(&rng, 10))
                                                          : (char)test_rng_below(&rng, 256);
        cuzk_arena_release(&arena);
        memset(&err, 0, sizeof err);
        cuzk_status status = cuzk_c1_read(&c1, &arena, &proof, text, size, "c1", &err);
        if (status == CUZK_OK)
            status = cuzk_porep_check_head(&proof, &c1, 1000, 7, &err);
        if (status == CUZK_OK)
            status = cuzk_porep_check_partition(&proof, &c1, 0, &err);
        if (status == CUZK_OK) {
            if (text[at] != old)
                fail_msg("byte %zu: 0x%02x for 0x%02x is taken", at, (unsigned char)text[at],
                         (unsigned char)old);
            flatten_c1(field[1], word[1], &c1, &proof);
            assert_memory_equal(field[0], field[1], sizes.field * sizeof *field[0]);
            assert_memory_equal(word[0], word[1], sizes.word * sizeof *word[0]);
            taken++;
        } else if (strchr(err.message, ':') == NULL) {
            fail_msg("byte %zu: status %d, \"%s\"", at, status, err.message);
        }
        text[at] = old;
    }
    /* What is left: characters that stayed what they were, and other white space. */
    print_message("%zu of 1000 changes leave the text what it was\n", taken);
    for (size_t i = 0; i < 2; i++) {
        free(field[i]);
        free(word[i]);
    }
    cuzk_arena_release(&arena);
    free(text);
}

/* The wrapper's own characters, and its base64. */
static void test_flip_wrapper(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    test_request source;
    test_request_init(&source, CUZK_FIL_POREP);
    for (size_t i = 0; i < 1000; i++) {
        size_t at = i % 2 == 0 ? test_rng_below(&rng, source.blob.size) : test_rng_below(&rng, 60);
        uint8_t old = source.bytes[at];
        source.bytes[at] = (uint8_t)test_rng_below(&rng, 256);
        cuzk_fil_request *request = NULL;
        memset(&err, 0, sizeof err);
        cuzk_status status = cuzk_fil_request_read(&request, &source.fields, &err);
        if (status != CUZK_OK && strchr(err.message, ':') == NULL)
            fail_msg("byte %zu: status %d, \"%s\"", at, status, err.message);
        cuzk_fil_request_free(request);
        source.bytes[at] = old;
    }
    test_request_release(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),          cmocka_unit_test(test_partition_index),
        cmocka_unit_test(test_index_base),     cmocka_unit_test(test_window_fields),
        cmocka_unit_test(test_winning_fields), cmocka_unit_test(test_snap_fields),
        cmocka_unit_test(test_porep_fields),   cmocka_unit_test(test_flip_post),
        cmocka_unit_test(test_flip_snap),      cmocka_unit_test(test_flip_c1),
        cmocka_unit_test(test_flip_wrapper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
