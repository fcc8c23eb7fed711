/* Vanilla proofs in bincode: model sectors' and a real one of 32 GiB; lengths, variants, values and
 * ends that are wrong are refused with their place. */
#include "support/vanilla.h"

#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/checks.h"
#include "circuit/filecoin/identity.h"

static cuzk_error err;
static cuzk_arena arena;

static cuzk_status parse(const vanilla_file *file, const void *blob, size_t size)
{
    cuzk_fil_proof proof = vanilla_proof_of(file);
    cuzk_post_sector sector;
    cuzk_snap_partition partition;
    return file->kind == CUZK_FIL_SNAP
               ? cuzk_snap_read(&partition, &arena, &proof, blob, size, "blob", &err)
               : cuzk_post_read(&sector, &arena, &proof, blob, size, "blob", &err);
}

static void read_sector(cuzk_post_sector *sector, const vanilla_file *file)
{
    size_t size = 0;
    uint8_t *blob = test_read_data(file->name, &size);
    cuzk_fil_proof proof = vanilla_proof_of(file);
    assert_ok(cuzk_post_read(sector, &arena, &proof, blob, size, file->name, &err));
    free(blob);
}

/* The leaves that the model and a chain's node challenged. */
static void check_sector(const vanilla_file *file, uint64_t sector_id, const uint64_t *leaves,
                         size_t n)
{
    cuzk_post_sector sector;
    read_sector(&sector, file);
    assert_int_equal(sector.sector_id, sector_id);
    assert_true(sector.n_paths >= n);
    for (size_t i = 0; i < sector.n_paths; i++) {
        if (i < n)
            assert_int_equal(cuzk_merkle_path_leaf(&sector.path[i]), leaves[i]);
        assert_memory_equal(&sector.path[i].root, &sector.comm_r_last, 32);
    }
    cuzk_scalar comm_r;
    cuzk_comm_r(&comm_r, &sector.comm_c, &sector.comm_r_last);
    assert_memory_equal(&comm_r, &sector.comm_r, 32);
    cuzk_arena_release(&arena);
}

static void test_post(void **state)
{
    (void)state;
    static const uint64_t leaves[] = {33, 37, 45, 53, 36, 46, 51, 23, 4, 31, 12, 48};
    static const uint64_t top[] = {929, 421, 493, 629, 36, 430, 563, 151, 324, 927};
    check_sector(&vanilla_files[VANILLA_WINDOW], 7, leaves, 10);
    check_sector(&vanilla_files[VANILLA_WINNING], 7, leaves, 12);
    check_sector(&vanilla_files[VANILLA_TOP], 7, top, 10);
}

static void test_snap(void **state)
{
    (void)state;
    static const uint64_t nodes[] = {29, 0, 54, 9, 50, 6, 52, 11, 10, 9};
    const vanilla_file *file = &vanilla_files[VANILLA_SNAP];
    size_t size = 0;
    uint8_t *blob = test_read_data(file->name, &size);
    cuzk_fil_proof proof = vanilla_proof_of(file);
    cuzk_snap_partition p;
    assert_ok(cuzk_snap_read(&p, &arena, &proof, blob, size, file->name, &err));
    assert_int_equal(p.n_apex, 8);
    assert_int_equal(p.n_challenges, 10);
    for (size_t i = 0; i < 10; i++) {
        const cuzk_snap_challenge *challenge = &p.challenge[i];
        assert_int_equal(cuzk_merkle_path_leaf(&challenge->r_old), nodes[i]);
        assert_int_equal(cuzk_merkle_path_leaf(&challenge->r_new), nodes[i]);
        assert_int_equal(cuzk_merkle_path_leaf(&challenge->d_new), nodes[i]);
        assert_int_equal(cuzk_shape_levels(&challenge->d_new.shape), 6);
    }
    free(blob);
    cuzk_arena_release(&arena);
}

/* What was read is written as it was. */
static void test_written(void **state)
{
    (void)state;
    for (size_t f = 0; f < VANILLA_C1; f++) {
        size_t size = 0, written_size = 0;
        uint8_t *blob = test_read_data(vanilla_files[f].name, &size), *written = NULL;
        cuzk_fil_proof proof = vanilla_proof_of(&vanilla_files[f]);
        cuzk_post_sector sector;
        cuzk_snap_partition partition;
        if (proof.kind == CUZK_FIL_SNAP) {
            assert_ok(cuzk_snap_read(&partition, &arena, &proof, blob, size, "blob", &err));
            assert_ok(cuzk_snap_write(&written, &written_size, &partition, &err));
        } else {
            assert_ok(cuzk_post_read(&sector, &arena, &proof, blob, size, "blob", &err));
            assert_ok(cuzk_post_write(&written, &written_size, &sector, &err));
        }
        assert_int_equal(written_size, size);
        assert_memory_equal(written, blob, size);
        free(blob);
        free(written);
        cuzk_arena_release(&arena);
    }
}

/* A real 32 GiB sector's; not part of this project. */
static void test_real(void **state)
{
    (void)state;
    const char *path = test_shared_path("spec/vectors/public/post32g.vproof");
    if (path == NULL)
        skip();
    size_t size = 0;
    uint8_t *blob = test_read_file(path, &size);
    cuzk_fil_proof proof;
    cuzk_post_sector sector;
    cuzk_scalar comm_r;
    assert_ok(cuzk_fil_proof_get(&proof, CUZK_FIL_WINDOW, 8, &err));
    assert_ok(cuzk_post_read(&sector, &arena, &proof, blob, size, path, &err));
    assert_int_equal(sector.sector_id, 1);
    cuzk_comm_r(&comm_r, &sector.comm_c, &sector.comm_r_last);
    assert_memory_equal(&comm_r, &sector.comm_r, 32);
    cuzk_post_claim claim = {.partition = 0}; /* randomness: zeros, post32g-public.json */
    assert_ok(cuzk_post_check_sector(&proof, &claim, &sector, 0, &err));
    claim.randomness[0] = 1;
    assert_refused(cuzk_post_check_sector(&proof, &claim, &sector, 0, &err), CUZK_ERR_MISMATCH,
                   "proof 0 (sector 1): inclusion_proofs[0]: its indices lead to leaf");
    free(blob);
    cuzk_arena_release(&arena);
}

/* Every shorter blob, and a longer one. Each length in memory of its own, for sanitizers. */
static void test_lengths(void **state)
{
    (void)state;
    for (size_t f = 0; f < VANILLA_C1; f++) {
        size_t size = 0;
        uint8_t *blob = test_read_data(vanilla_files[f].name, &size);
        for (size_t n = 0; n < size; n += n < 3000 ? 1 : 97) {
            uint8_t *part = malloc(n > 0 ? n : 1);
            assert_non_null(part);
            memcpy(part, blob, n);
            assert_refused(parse(&vanilla_files[f], part, n), CUZK_ERR_FORMAT, "up to the end");
            free(part);
            cuzk_arena_release(&arena);
        }
        /* test_read_data puts a NUL behind the bytes. */
        assert_refused(parse(&vanilla_files[f], blob, size + 1), CUZK_ERR_FORMAT,
                       "1 bytes follow the proof");
        free(blob);
        cuzk_arena_release(&arena);
    }
}

/* A change at a byte and what is said about it. */
typedef struct change {
    size_t file, at, bytes;
    uint64_t value;
    const char *message;
} change;

static const change changes[] = {
    {VANILLA_WINDOW, 39, 1, 0x74, "blob: comm_r (byte 8): the value is not below r"},
    {VANILLA_WINDOW, 40, 8, 2, "blob: vanilla_proof (byte 40): found 2 elements, expected 1"},
    {VANILLA_WINDOW, 48, 8, 9,
     "vanilla_proof[0].inclusion_proofs (byte 48): found 9 elements, expected 10"},
    {VANILLA_WINDOW, 48, 8, UINT64_MAX, "found 18446744073709551615 elements"},
    {VANILLA_WINDOW, 56, 4, 1,
     "inclusion_proofs[0].data (byte 56): found variant 1, expected 0 (Single)"},
    {VANILLA_WINDOW, 124, 8, 3,
     "inclusion_proofs[0].path (byte 124): found 3 elements, expected 2"},
    {VANILLA_WINDOW, 132, 8, 1, "path[0].hashes (byte 132): found 1 elements, expected 7"},
    {VANILLA_WINDOW, 140 + 3 * 32 + 31, 1, 0xff, "path[0].hashes[3] (byte 236): the value is not"},
    {VANILLA_WINDOW, 364, 8, 8, "path[0].index (byte 364): found 8, expected a number below 8"},
    {VANILLA_WINNING, 48, 8, 67, "found 67 elements, expected 1 to 66"},
    {VANILLA_WINNING, 48, 8, 0, "found 0 elements, expected 1 to 66"},
    {VANILLA_TOP, 56, 4, 0, "found variant 0, expected 2 (Top)"},
    {VANILLA_TOP, 60, 8, 3, "inclusion_proofs[0].base_proof (byte 60): found 3"},
    {VANILLA_SNAP, 32, 8, 128, "apex_leafs (byte 32): found 128 elements, expected 8"},
    {VANILLA_SNAP, 40 + 8 * 32, 8, 86, "challenge_proofs (byte 296): found 86 elements"},
    {VANILLA_SNAP, 304, 4, 2, "challenge_proofs[0].proof_r_old.data (byte 304): found variant 2"},
};

static void test_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const change *c = &changes[i];
        size_t size = 0;
        uint8_t *blob = test_read_data(vanilla_files[c->file].name, &size);
        for (size_t j = 0; j < c->bytes; j++)
            blob[c->at + j] = (uint8_t)(c->value >> 8 * j);
        assert_refused(parse(&vanilla_files[c->file], blob, size), CUZK_ERR_FORMAT, c->message);
        free(blob);
        cuzk_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_post), cmocka_unit_test(test_snap),    cmocka_unit_test(test_written),
        cmocka_unit_test(test_real), cmocka_unit_test(test_lengths), cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
