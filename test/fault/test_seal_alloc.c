/* Sealing, opening and writing while one allocation after the other fails: each failure is reported
 * as what it is, nothing crashes, nothing leaks. */
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/deal.h"
#include "circuit/filecoin/sparse_sector.h"
#include "hash/poseidon.h"
#include "support/fault_alloc.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t seed[32] = {5};
static const uint64_t leaf[2] = {3, 60};

/* An output that is not looked at. */
static cuzk_status drop(cuzk_status status, uint8_t **bytes)
{
    if (status == CUZK_OK)
        free(*bytes);
    return status;
}

static cuzk_status write_porep(const cuzk_sector_view *view, cuzk_arena *arena, cuzk_error *err)
{
    cuzk_porep_vanilla vanilla;
    uint8_t *c1, *wrapped;
    size_t size, wrapped_size;
    CUZK_TRY(cuzk_porep_open(&vanilla, arena, view, seed, err));
    CUZK_TRY(cuzk_c1_write(&c1, &size, &vanilla, err));
    cuzk_status status =
        drop(cuzk_c1_wrap(&wrapped, &wrapped_size, c1, size, 1, 2048, err), &wrapped);
    free(c1);
    return status;
}

static cuzk_status write_post(const cuzk_sector_view *view, cuzk_arena *arena, cuzk_error *err)
{
    cuzk_post_sector post;
    uint8_t *blob;
    size_t size;
    CUZK_TRY(cuzk_post_open(&post, arena, view, leaf, 2, err));
    return drop(cuzk_post_write(&blob, &size, &post, err), &blob);
}

static cuzk_status write_snap(const cuzk_deal_view *view, cuzk_arena *arena, cuzk_error *err)
{
    cuzk_snap_partition snap;
    uint8_t *blob;
    size_t size;
    CUZK_TRY(cuzk_snap_open(&snap, arena, view, 0, err));
    return drop(cuzk_snap_write(&blob, &size, &snap, err), &blob);
}

static cuzk_status encode(const cuzk_sector *sector, cuzk_arena *arena, cuzk_error *err)
{
    static const cuzk_scalar data[64] = {{{1, 2, 3, 4}}};
    cuzk_fil_proof proof;
    cuzk_deal deal;
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, 0, err));
    CUZK_TRY(cuzk_deal_encode(&deal, &proof, sector, data, NULL, err));
    cuzk_deal_view view = cuzk_deal_view_of(&deal, sector);
    cuzk_status status = write_snap(&view, arena, err);
    cuzk_deal_release(&deal);
    return status;
}

/* Synthetic challenges: they take the most steps. */
static cuzk_status whole(cuzk_arena *arena, cuzk_error *err)
{
    cuzk_seal_source source = {.miner = 1, .sector = 2};
    cuzk_sector sector;
    CUZK_TRY(cuzk_fil_proof_get(&source.proof, CUZK_FIL_POREP, 10, err));
    CUZK_TRY(cuzk_sector_seal(&sector, &source, NULL, err));
    cuzk_sector_view view = cuzk_sector_view_of(&sector);
    cuzk_status status = write_porep(&view, arena, err);
    if (status == CUZK_OK)
        status = write_post(&view, arena, err);
    if (status == CUZK_OK)
        status = encode(&sector, arena, err);
    cuzk_sector_release(&sector);
    return status;
}

static cuzk_status sparse(cuzk_arena *arena, cuzk_error *err)
{
    cuzk_sparse_source source = {.miner = 1, .sector = 2, .leaf = leaf, .n_leaves = 2};
    cuzk_sparse_sector sector;
    CUZK_TRY(cuzk_fil_proof_get(&source.proof, CUZK_FIL_POREP, 5, err));
    source.proof.challenges = 1;
    CUZK_TRY(cuzk_sparse_sector_init(&sector, &source, NULL, err));
    cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    cuzk_status status = write_porep(&view, arena, err);
    if (status == CUZK_OK)
        status = write_post(&view, arena, err);
    cuzk_sparse_sector_release(&sector);
    return status;
}

static cuzk_status sparse_rest(cuzk_arena *arena, cuzk_error *err)
{
    cuzk_fil_proof proof;
    cuzk_sparse_deal deal;
    cuzk_post_sector post;
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_WINNING, 0, err));
    CUZK_TRY(cuzk_sparse_post_open(&post, arena, &proof, 1, seed, leaf, 2, err));
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, 0, err));
    CUZK_TRY(cuzk_sparse_deal_init(&deal, &proof, seed, NULL, err));
    cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
    cuzk_status status = write_snap(&view, arena, err);
    cuzk_sparse_deal_release(&deal);
    return status;
}

static void fail_each(cuzk_status (*run)(cuzk_arena *arena, cuzk_error *err))
{
    cuzk_arena arena = {0};
    cuzk_error err;
    const size_t live = test_fault_live();
    test_fault_arm(0);
    assert_int_equal(run(&arena, &err), CUZK_OK);
    const size_t n = test_fault_count();
    cuzk_arena_release(&arena);
    assert_int_equal(test_fault_live(), live);
    assert_true(n > 20);
    for (size_t i = 1; i <= n; i++) {
        test_fault_arm(i);
        err = (cuzk_error){0};
        assert_int_equal(run(&arena, &err), CUZK_ERR_MEMORY);
        test_fault_arm(0);
        assert_non_null(strstr(err.message, "no memory"));
        cuzk_arena_release(&arena);
        assert_int_equal(test_fault_live(), live);
    }
    print_message("%zu allocations\n", n);
}

static void failing_allocations(void **state)
{
    (void)state;
    fail_each(whole);
    fail_each(sparse);
    fail_each(sparse_rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
