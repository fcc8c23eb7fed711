/* Sparse sectors satisfy the circuits: each row holds, and the public inputs are those that a
 * verifier derives. The larger circuits when CUZK_TEST_LONG is set. */
#include "circuit/direct.h"
#include "circuit/filecoin/inputs.h"
#include "circuit/filecoin/sparse_sector.h"
#include "field/bls12_381_fr.h"
#include "support/circuit.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuzk_error err;
static cuzk_arena arena;

/* What a verifier says. */
typedef struct claim {
    cuzk_scalar *inputs;
    size_t n;
} claim;

static cuzk_fil_proof registered(cuzk_fil_kind kind, unsigned id)
{
    cuzk_fil_proof proof;
    TEST_EXPECT(cuzk_fil_proof_get(&proof, kind, id, &err), CUZK_OK, &err);
    return proof;
}

static void *allocate(size_t n, size_t size)
{
    void *data = cuzk_arena_new(&arena, n, size);
    assert_non_null(data);
    return data;
}

static cuzk_fil_inputs new_inputs(const cuzk_fil_proof *proof)
{
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    return (cuzk_fil_inputs){allocate(sizes.field, sizeof(cuzk_scalar)),
                             allocate(sizes.word, sizeof(uint64_t)),
                             allocate(sizes.statement, sizeof(cuzk_scalar))};
}

/* Runs the proof's circuit; releases the arena. */
static void check_circuit(const cuzk_fil_proof *proof, const cuzk_fil_inputs *in, claim claimed)
{
    cuzk_fil_circuit circuit;
    cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    cuzk_circuit_inputs inputs = {in->field, sizes.field, in->word, sizes.word};
    cuzk_direct_options options = {.inputs = &inputs};
    cuzk_direct *direct;
    cuzk_fil_circuit_init(&circuit, proof);
    TEST_EXPECT(cuzk_direct_new(&direct, &options, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_direct_run(direct, &circuit.circuit, &err), CUZK_OK, &err);
    const cuzk_row_violation *violation = cuzk_direct_violation(direct);
    if (violation != NULL)
        fail_msg("%s: row %zu does not hold: %s", circuit.name, violation->row, violation->path);
    assert_int_equal(claimed.n, sizes.statement);
    assert_int_equal(claimed.n + 1, cuzk_direct_counts(direct)->inputs);
    for (size_t i = 0; i < claimed.n; i++) {
        cuzk_scalar value;
        bls12_381_fr_to_canon(&value, &cuzk_direct_inputs(direct)[1 + i]);
        assert_memory_equal(&value, &claimed.inputs[i], sizeof value);
        assert_memory_equal(&value, &in->statement[i], sizeof value);
    }
    print_message("%s: %zu rows hold\n", circuit.name, cuzk_direct_counts(direct)->rows);
    cuzk_direct_free(direct);
    cuzk_arena_release(&arena);
}

/* One partition of so many challenges. */
static void check_porep(unsigned id, size_t challenges)
{
    cuzk_sparse_source source = {
        .proof = registered(CUZK_FIL_POREP, id), .miner = 1, .sector = 2, .seed = {3}};
    cuzk_sparse_sector sector;
    cuzk_porep_vanilla vanilla;
    source.proof.partitions = 1;
    source.proof.challenges = challenges;
    source.challenge_seed[0] = 1;
    TEST_EXPECT(cuzk_sparse_sector_init(&sector, &source, NULL, &err), CUZK_OK, &err);
    cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    TEST_EXPECT(cuzk_porep_open(&vanilla, &arena, &view, source.challenge_seed, &err), CUZK_OK,
                &err);
    cuzk_fil_inputs inputs = new_inputs(&source.proof);
    cuzk_porep_inputs(&inputs, &source.proof, &vanilla, 0);

    cuzk_porep_draw draw = {.nodes = source.proof.nodes, .replica_id = sector.replica_id};
    cuzk_porep_public head = {sector.replica_id, sector.comm_d, sector.comm_r};
    memcpy(draw.seed, source.challenge_seed, 32);
    uint64_t *node = allocate(challenges, sizeof *node);
    claim claimed = {.n = CUZK_POREP_HEAD_INPUTS + challenges * CUZK_POREP_CHALLENGE_INPUTS};
    claimed.inputs = allocate(claimed.n, sizeof *claimed.inputs);
    TEST_EXPECT(cuzk_porep_challenges(node, &draw, 0, challenges, &err), CUZK_OK, &err);
    TEST_EXPECT(
        cuzk_porep_public_inputs(claimed.inputs, &sector.graph, &head, node, challenges, &err),
        CUZK_OK, &err);
    cuzk_sparse_sector_release(&sector);
    check_circuit(&source.proof, &inputs, claimed);
}

static const uint8_t randomness[32] = {9}, seed[32] = {8};

static void open_leaves(cuzk_post_sector *post, uint64_t *leaf, const cuzk_fil_proof *proof,
                        uint64_t sector, size_t n)
{
    for (size_t i = 0; i < n; i++)
        TEST_EXPECT(cuzk_post_leaf(&leaf[i], randomness, sector, i, proof->nodes, &err), CUZK_OK,
                    &err);
    TEST_EXPECT(cuzk_sparse_post_open(post, &arena, proof, sector, seed, leaf, n, &err), CUZK_OK,
                &err);
}

static void check_winning(unsigned id)
{
    cuzk_fil_proof proof = registered(CUZK_FIL_WINNING, id);
    cuzk_post_sector post;
    uint64_t leaf[66];
    open_leaves(&post, leaf, &proof, 4, 66);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_winning_inputs(&inputs, &proof, &post);
    claim claimed = {allocate(2 * 66, sizeof(cuzk_scalar)), 2 * 66};
    for (size_t i = 0; i < 66; i++)
        cuzk_post_public_inputs(claimed.inputs + 2 * i, &post.comm_r, &leaf[i], 1);
    check_circuit(&proof, &inputs, claimed);
}

/* Two sectors of different ids in a circuit for three: the last one repeats. */
static void check_window(unsigned id)
{
    cuzk_fil_proof proof = registered(CUZK_FIL_WINDOW, id);
    cuzk_post_sector post[2];
    uint64_t leaf[2][10];
    proof.sectors = 3;
    for (size_t i = 0; i < 2; i++)
        open_leaves(&post[i], leaf[i], &proof, 40 + i, 10);
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_window_inputs(&inputs, &proof, post, 2);
    claim claimed = {allocate(3 * 11, sizeof(cuzk_scalar)), 3 * 11};
    for (size_t i = 0; i < 3; i++) {
        size_t which = i < 2 ? i : 1;
        cuzk_post_public_inputs(claimed.inputs + 11 * i, &post[which].comm_r, leaf[which], 10);
    }
    check_circuit(&proof, &inputs, claimed);
}

static void check_snap(unsigned id, size_t challenges, size_t partition)
{
    cuzk_fil_proof proof = registered(CUZK_FIL_SNAP, id);
    cuzk_sparse_deal deal;
    cuzk_snap_partition snap;
    proof.challenges = challenges;
    TEST_EXPECT(cuzk_sparse_deal_init(&deal, &proof, seed, NULL, &err), CUZK_OK, &err);
    cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
    TEST_EXPECT(cuzk_snap_open(&snap, &arena, &view, partition, &err), CUZK_OK, &err);
    cuzk_snap_public comms = {deal.comm_r_old, deal.comm_d_new, deal.comm_r_new};
    cuzk_fil_inputs inputs = new_inputs(&proof);
    cuzk_snap_inputs(&inputs, &proof, &comms, &snap, partition);
    claim claimed = {allocate(CUZK_SNAP_INPUTS, sizeof(cuzk_scalar)), CUZK_SNAP_INPUTS};
    cuzk_snap_public_inputs(claimed.inputs, &proof, &comms, partition);
    cuzk_sparse_deal_release(&deal);
    check_circuit(&proof, &inputs, claimed);
}

static void porep(void **state)
{
    (void)state;
    check_porep(6, 1);
}

static void post(void **state)
{
    (void)state;
    check_winning(4);
    check_window(8);
    check_window(14);
}

static void snap(void **state)
{
    (void)state;
    check_snap(0, 1, 0);
}

static void large(void **state)
{
    (void)state;
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    check_porep(8, 1);
    check_porep(9, 1);
    check_winning(3);
    check_snap(1, 10, 3);
    check_snap(3, 2, 15);
    check_snap(4, 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(porep),
        cmocka_unit_test(post),
        cmocka_unit_test(snap),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
