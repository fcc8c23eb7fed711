/* Requests of 32 and 64 GiB, as a client sends them: sparse sectors' vanilla proofs, written, read
 * again, checked and flattened. Nothing is lost on the way, and what is changed is refused by name:
 * what a proof of several partitions, or of Sub and Top paths, has and a 2 KiB one has not. */
#include "support/test.h"

#include "support/fixtures.h"

#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/checks.h"
#include "circuit/filecoin/request.h"
#include "circuit/filecoin/sparse_sector.h"

#include <time.h>

enum { MOST_BLOBS = 16 };

static cuzk_error err;
static cuzk_arena arena;
static const uint8_t seed[32] = {8}, randomness[32] = {9}, porep_seed[32] = {1};

/* A request and the vanilla proofs that it was written from. */
typedef struct large {
    cuzk_fil_fields fields;
    cuzk_fil_proof proof;
    cuzk_fil_blob blob[MOST_BLOBS];
    cuzk_porep_vanilla c1;
    cuzk_post_sector sector[MOST_BLOBS];
    cuzk_snap_partition snap[MOST_BLOBS];
    cuzk_snap_public comms;
} large;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static large *new_large(cuzk_fil_kind kind, unsigned id)
{
    large *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_ok(cuzk_fil_proof_get(&r->proof, kind, id, &err));
    r->fields = (cuzk_fil_fields){.kind = kind,
                                  .registered_proof = id,
                                  .miner_id = 1,
                                  .sector_number = 2,
                                  .vanilla = r->blob,
                                  .randomness = {randomness, 32}};
    return r;
}

static void release(large *r)
{
    for (size_t i = 0; i < r->fields.n_vanilla; i++)
        free((void *)(uintptr_t)r->blob[i].data);
    free(r);
    cuzk_arena_release(&arena);
}

static void add_blob(large *r, uint8_t *bytes, size_t size)
{
    assert_true(r->fields.n_vanilla < MOST_BLOBS);
    r->blob[r->fields.n_vanilla++] = (cuzk_fil_blob){bytes, size};
}

static large *porep(unsigned id)
{
    large *r = new_large(CUZK_FIL_POREP, id);
    cuzk_sparse_source source = {.proof = r->proof, .miner = 1, .sector = 2, .seed = {3}};
    cuzk_sparse_sector sector;
    memcpy(source.challenge_seed, porep_seed, sizeof porep_seed);
    assert_ok(cuzk_sparse_sector_init(&sector, &source, NULL, &err));
    cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    assert_ok(cuzk_porep_open(&r->c1, &arena, &view, porep_seed, &err));
    cuzk_sparse_sector_release(&sector);
    uint8_t *text = NULL, *wrapped = NULL;
    size_t size = 0;
    assert_ok(cuzk_c1_write(&text, &size, &r->c1, &err));
    assert_ok(cuzk_c1_wrap(&wrapped, &size, text, size, 2, r->proof.sector_bytes, &err));
    free(text);
    add_blob(r, wrapped, size);
    return r;
}

/* n sectors, the first one's challenges counted as if `base` came before it. */
static large *post(cuzk_fil_kind kind, unsigned id, size_t n, uint64_t base)
{
    large *r = new_large(kind, id);
    const size_t paths = kind == CUZK_FIL_WINNING ? r->proof.sectors : r->proof.challenges;
    for (size_t s = 0; s < n; s++) {
        uint64_t leaf[66];
        for (size_t i = 0; i < paths; i++) {
            uint64_t index = kind == CUZK_FIL_WINNING ? i : cuzk_post_index(&r->proof, base + s, i);
            assert_ok(cuzk_post_leaf(&leaf[i], randomness, 100 + s, index, r->proof.nodes, &err));
        }
        assert_ok(cuzk_sparse_post_open(&r->sector[s], &arena, &r->proof, 100 + s, seed, leaf,
                                        paths, &err));
        uint8_t *blob = NULL;
        size_t size = 0;
        assert_ok(cuzk_post_write(&blob, &size, &r->sector[s], &err));
        add_blob(r, blob, size);
    }
    return r;
}

static large *snap(unsigned id)
{
    large *r = new_large(CUZK_FIL_SNAP, id);
    cuzk_sparse_deal deal;
    assert_ok(cuzk_sparse_deal_init(&deal, &r->proof, seed, NULL, &err));
    const cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
    r->comms = (cuzk_snap_public){.comm_r_old = deal.comm_r_old,
                                  .comm_d_new = deal.comm_d_new,
                                  .comm_r_new = deal.comm_r_new};
    for (size_t k = 0; k < r->proof.partitions; k++) {
        uint8_t *blob = NULL;
        size_t size = 0;
        assert_ok(cuzk_snap_open(&r->snap[k], &arena, &view, k, &err));
        assert_ok(cuzk_snap_write(&blob, &size, &r->snap[k], &err));
        add_blob(r, blob, size);
    }
    cuzk_sparse_deal_release(&deal);
    r->fields.comm_r_old = (cuzk_fil_blob){&r->comms.comm_r_old, 32};
    r->fields.comm_r_new = (cuzk_fil_blob){&r->comms.comm_r_new, 32};
    r->fields.comm_d_new = (cuzk_fil_blob){&r->comms.comm_d_new, 32};
    return r;
}

/* --- reading again --- */

static cuzk_fil_inputs new_inputs(const cuzk_fil_sizes *sizes)
{
    cuzk_fil_inputs inputs = {
        .field = malloc(sizes->field * sizeof(cuzk_scalar)),
        .word = malloc((sizes->word + 1) * sizeof(uint64_t)),
        .statement = malloc(sizes->statement * sizeof(cuzk_scalar)),
    };
    assert_true(inputs.field != NULL && inputs.word != NULL && inputs.statement != NULL);
    return inputs;
}

static void free_inputs(const cuzk_fil_inputs *inputs)
{
    free(inputs->field);
    free(inputs->word);
    free(inputs->statement);
}

/* From the vanilla proofs that were written. */
static void flatten(const cuzk_fil_inputs *out, const large *r, size_t k)
{
    if (r->fields.kind == CUZK_FIL_POREP)
        cuzk_porep_inputs(out, &r->proof, &r->c1, k);
    else if (r->fields.kind == CUZK_FIL_SNAP)
        cuzk_snap_inputs(out, &r->proof, &r->comms, &r->snap[k], k);
    else if (r->fields.kind == CUZK_FIL_WINDOW)
        cuzk_window_inputs(out, &r->proof, r->sector, r->fields.n_vanilla);
    else
        cuzk_winning_inputs(out, &r->proof, r->sector);
}

static void compare(const cuzk_fil_request *request, const large *r, size_t k)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(&r->proof);
    cuzk_fil_inputs written = new_inputs(&sizes), read = new_inputs(&sizes);
    flatten(&written, r, k);
    cuzk_fil_request_inputs(request, k, &read);
    assert_memory_equal(written.field, read.field, sizes.field * sizeof(cuzk_scalar));
    assert_memory_equal(written.word, read.word, sizes.word * sizeof(uint64_t));
    assert_memory_equal(written.statement, read.statement, sizes.statement * sizeof(cuzk_scalar));
    free_inputs(&written);
    free_inputs(&read);
}

static void check_large(large *r)
{
    cuzk_fil_request *request = NULL;
    size_t bytes = 0;
    for (size_t i = 0; i < r->fields.n_vanilla; i++)
        bytes += r->blob[i].size;
    double start = seconds();
    assert_ok(cuzk_fil_request_read(&request, &r->fields, &err));
    double middle = seconds();
    assert_ok(cuzk_fil_request_check(request, NULL, &err));
    print_message("%s, %zu blobs: %.1f MB read in %.3f s, %.1f MB held, checked in %.2f s\n",
                  r->proof.circuit, r->fields.n_vanilla, (double)bytes / 1e6, middle - start,
                  (double)cuzk_fil_request_bytes(request) / 1e6, seconds() - middle);
    assert_int_equal(cuzk_fil_request_partitions(request), r->proof.partitions);
    for (size_t k = 0; k < r->proof.partitions; k++)
        compare(request, r, k);
    cuzk_fil_request_free(request);
    release(r);
}

static void test_porep(void **state)
{
    (void)state;
    check_large(porep(8));
}

static void test_snap(void **state)
{
    (void)state;
    check_large(snap(3));
}

static void test_post(void **state)
{
    (void)state;
    check_large(post(CUZK_FIL_WINNING, 3, 1, 0));
    check_large(post(CUZK_FIL_WINNING, 4, 1, 0));
    check_large(post(CUZK_FIL_WINDOW, 14, 3, 0));
}

/* --- which challenges a Window proof has --- */

static cuzk_status try_large(const large *r)
{
    cuzk_fil_request *request = NULL;
    cuzk_status status = cuzk_fil_request_read(&request, &r->fields, &err);
    if (status == CUZK_OK)
        status = cuzk_fil_request_check(request, NULL, &err);
    cuzk_fil_request_free(request);
    return status;
}

static void test_window_index(void **state)
{
    (void)state;
    large *r = post(CUZK_FIL_WINDOW, 8, 3, 0);
    assert_ok(try_large(r));
    r->fields.partition_index = 2; /* counted within the partition */
    assert_ok(try_large(r));
    release(r);
    r = post(CUZK_FIL_WINDOW, 8, 3, UINT64_C(2) * 2349);
    r->fields.partition_index = 2; /* counted through the whole proof */
    assert_ok(try_large(r));
    r->fields.partition_index = 1;
    assert_refused(try_large(r), CUZK_ERR_MISMATCH, "proof 0 (sector 100): inclusion_proofs[0]: ");
    r->fields.registered_proof = 13; /* V1_2 counts from 0 in each sector */
    assert_refused(try_large(r), CUZK_ERR_MISMATCH, "proof 0 (sector 100): inclusion_proofs[0]: ");
    release(r);
    r = post(CUZK_FIL_WINDOW, 13, 3, 0);
    r->fields.partition_index = 77; /* there it has no meaning */
    assert_ok(try_large(r));
    r->fields.registered_proof = 8;
    assert_refused(try_large(r), CUZK_ERR_MISMATCH, "proof 1 (sector 101): inclusion_proofs[0]: ");
    release(r);
}

/* --- values changed in the vanilla proofs, behind the readers --- */

/* Changes the value, expects that refusal, and changes it back. */
#define REFUSED(value, call, status, message)                                                      \
    do {                                                                                           \
        (value) ^= 1;                                                                              \
        assert_refused(call, status, message);                                                     \
        (value) ^= 1;                                                                              \
    } while (0)

static void test_porep_changes(void **state)
{
    (void)state;
    large *r = porep(8);
    cuzk_porep_challenge *c = &r->c1.partition[9].challenge[17];
#define PARTITION cuzk_porep_check_partition(&r->proof, &r->c1, 9, &err)
#define HEAD      cuzk_porep_check_head(&r->proof, &r->c1, 1, 2, &err)
#define AT        "partition 9: challenge 17: "
    assert_ok(HEAD);
    assert_ok(PARTITION);
    REFUSED(c->node, PARTITION, CUZK_ERR_MISMATCH, AT "the node is ");
    REFUSED(c->data.leaf.l[0], PARTITION, CUZK_ERR_FORMAT, AT "comm_d_proofs: what its leaf");
    REFUSED(c->data.index[29], PARTITION, CUZK_ERR_FORMAT, AT "comm_d_proofs: its indices lead");
    REFUSED(c->data.sibling[29].l[0], PARTITION, CUZK_ERR_FORMAT, AT "comm_d_proofs: what its");
    REFUSED(c->replica.root.l[0], PARTITION, CUZK_ERR_FORMAT, AT "comm_r_last_proof: its root is");
    REFUSED(c->replica.sibling[69].l[2], PARTITION, CUZK_ERR_FORMAT, AT "comm_r_last_proof: what");
    REFUSED(c->replica.index[9], PARTITION, CUZK_ERR_FORMAT, AT "comm_r_last_proof: its indices");
    REFUSED(c->column.label[10].l[0], PARTITION, CUZK_ERR_FORMAT, AT "c_x: the leaf of its path");
    REFUSED(c->column.path.root.l[0], PARTITION, CUZK_ERR_FORMAT, AT "c_x: its root is");
    REFUSED(c->drg[5].label[0].l[3], PARTITION, CUZK_ERR_FORMAT, AT "drg_parents[5]: the leaf");
    REFUSED(c->drg[0].index, PARTITION, CUZK_ERR_FORMAT, AT "drg_parents[0]: its index is");
    REFUSED(c->exp[7].path.index[0], PARTITION, CUZK_ERR_FORMAT, AT "exp_parents[7]: its indices");
    REFUSED(c->exp[7].path.root.l[1], PARTITION, CUZK_ERR_FORMAT, AT "exp_parents[7]: its root");
    REFUSED(c->exp[3].path.leaf.l[1], PARTITION, CUZK_ERR_FORMAT, AT "exp_parents[3]: the leaf");
    REFUSED(r->c1.comm_r.l[0], PARTITION, CUZK_ERR_FORMAT, "partition 9: the hash of the roots");
    REFUSED(r->c1.replica_id.l[0], HEAD, CUZK_ERR_MISMATCH, "this is not sector 2 of miner 1");
    REFUSED(r->c1.ticket[0], HEAD, CUZK_ERR_MISMATCH, "this is not sector 2 of miner 1");
    REFUSED(r->c1.seed[0], PARTITION, CUZK_ERR_MISMATCH, "the node is ");
    memset(r->c1.seed, 0, 32);
    assert_refused(HEAD, CUZK_ERR_FORMAT, "seed is zero");
    r->c1.comm_r = (cuzk_scalar){{0}};
    assert_refused(HEAD, CUZK_ERR_FORMAT, "comm_r is zero");
    r->c1.comm_d = (cuzk_scalar){{0}};
    assert_refused(HEAD, CUZK_ERR_FORMAT, "comm_d is zero");
#undef PARTITION
#undef HEAD
#undef AT
    release(r);
}

static void test_snap_changes(void **state)
{
    (void)state;
    large *r = snap(3);
    cuzk_snap_partition *p = &r->snap[13];
    cuzk_snap_challenge *c = &p->challenge[85];
#define PARTITION cuzk_snap_check_partition(&r->proof, &r->comms, p, 13, &err)
#define AT        "partition 13: challenge 85: "
    assert_ok(PARTITION);
    REFUSED(p->comm_c.l[0], PARTITION, CUZK_ERR_FORMAT, "partition 13: the hash of comm_c");
    REFUSED(c->r_old.leaf.l[0], PARTITION, CUZK_ERR_FORMAT, AT "proof_r_old: what its leaf");
    REFUSED(c->r_new.root.l[0], PARTITION, CUZK_ERR_FORMAT, AT "proof_r_new: its root is");
    REFUSED(c->r_new.index[8], PARTITION, CUZK_ERR_FORMAT, AT "proof_r_new: its indices lead");
    REFUSED(c->d_new.index[29], PARTITION, CUZK_ERR_FORMAT, AT "proof_d_new: its indices lead");
    REFUSED(c->d_new.sibling[29].l[0], PARTITION, CUZK_ERR_FORMAT, AT "proof_d_new: what its");
    REFUSED(c->d_new.leaf.l[0], PARTITION, CUZK_ERR_FORMAT, AT "proof_d_new: what its leaf");
    REFUSED(r->comms.comm_r_new.l[0], PARTITION, CUZK_ERR_FORMAT, "the root of proof_r_new");
    for (size_t i = 0; i < p->n_apex; i += 42)
        REFUSED(p->apex[i].l[0], PARTITION, CUZK_ERR_FORMAT, "partition 13: ");
    /* Partition 13's proof in partition 12's place. */
    assert_refused(cuzk_snap_check_partition(&r->proof, &r->comms, p, 12, &err), CUZK_ERR_FORMAT,
                   "partition 12: challenge 0: proof_r_old: its indices lead to leaf");
#undef PARTITION
#undef AT
    release(r);
}

/* Of several faults the first one is named, also by many threads. */
static void test_first_fault(void **state)
{
    (void)state;
    large *r = snap(3);
    cuzk_pool *pool = cuzk_pool_new(4);
    assert_non_null(pool);
    for (size_t k = 5; k < 16; k += 3)
        ((uint8_t *)(uintptr_t)r->blob[k].data)[40] ^= 1; /* apex_leafs[0] */
    cuzk_fil_request *request = NULL;
    assert_ok(cuzk_fil_request_read(&request, &r->fields, &err));
    assert_refused(cuzk_fil_request_check(request, pool, &err), CUZK_ERR_FORMAT, "partition 5: ");
    cuzk_fil_request_free(request);
    cuzk_pool_free(pool);
    release(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_porep),         cmocka_unit_test(test_snap),
        cmocka_unit_test(test_post),          cmocka_unit_test(test_window_index),
        cmocka_unit_test(test_porep_changes), cmocka_unit_test(test_snap_changes),
        cmocka_unit_test(test_first_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
