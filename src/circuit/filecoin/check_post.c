#include "circuit/filecoin/checks.h"

#include "base/bytes.h"
#include "circuit/filecoin/check_values.h"
#include "field/bls12_381_fr.h"

#include <inttypes.h>
#include <stdio.h>

cuzk_status cuzk_post_check_claim(const cuzk_post_claim *claim, cuzk_error *err)
{
    cuzk_scalar value;
    for (size_t i = 0; i < 4; i++)
        value.l[i] = cuzk_load_le64(claim->randomness + 8 * i);
    if (bls12_381_fr_limbs_valid(value.l))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "the randomness is not below r, so not a field element: clear the two top "
                     "bits of its last byte");
}

/* The leaf that challenge i of the sector opens, if challenges are counted from the sector at that
 * place. */
static cuzk_status draw_leaf(uint64_t *leaf, const cuzk_fil_proof *proof,
                             const cuzk_post_claim *claim, const cuzk_post_sector *sector,
                             uint64_t place, size_t i, cuzk_error *err)
{
    /* Winning: one sector whose n-th path is the circuit's n-th sector. */
    const int winning = proof->kind == CUZK_FIL_WINNING;
    uint64_t index = cuzk_post_index(proof, winning ? i : place, winning ? 0 : i);
    return cuzk_post_leaf(leaf, claim->randomness, sector->sector_id, index, proof->nodes, err);
}

/* Whether all paths open the leaves that are challenged if the sector is at that place; first: the
 * first that does not and the leaf expected. */
typedef struct disagreement {
    size_t path;
    uint64_t expected;
} disagreement;

static cuzk_status compare_leaves(disagreement *first, const cuzk_fil_proof *proof,
                                  const cuzk_post_claim *claim, const cuzk_post_sector *sector,
                                  uint64_t place, cuzk_error *err)
{
    for (size_t i = 0; i < sector->n_paths; i++) {
        *first = (disagreement){.path = i};
        CUZK_TRY(draw_leaf(&first->expected, proof, claim, sector, place, i, err));
        if (cuzk_merkle_path_leaf(&sector->path[i]) != first->expected)
            return CUZK_OK;
    }
    first->path = sector->n_paths;
    return CUZK_OK;
}

static cuzk_status check_leaves(const cuzk_fil_proof *proof, const cuzk_post_claim *claim,
                                const cuzk_post_sector *sector, size_t n, cuzk_error *err)
{
    disagreement local, whole;
    CUZK_TRY(compare_leaves(&local, proof, claim, sector, n, err));
    if (local.path == sector->n_paths)
        return CUZK_OK;
    CUZK_TRY(
        compare_leaves(&whole, proof, claim, sector, claim->partition * proof->sectors + n, err));
    if (whole.path == sector->n_paths)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MISMATCH,
                     "inclusion_proofs[%zu]: its indices lead to leaf %" PRIu64
                     ", expected %" PRIu64 " from randomness and sector %" PRIu64,
                     local.path, cuzk_merkle_path_leaf(&sector->path[local.path]), local.expected,
                     sector->sector_id);
}

static cuzk_status check_sector(const cuzk_fil_proof *proof, const cuzk_post_claim *claim,
                                const cuzk_post_sector *sector, size_t n, cuzk_error *err)
{
    char name[48];
    CUZK_TRY(cuzk_check_comm_r(&sector->comm_r, &sector->comm_c, &sector->comm_r_last,
                               "the hash of comm_c and comm_r_last (comm_r)", err));
    for (size_t i = 0; i < sector->n_paths; i++) {
        snprintf(name, sizeof name, "inclusion_proofs[%zu]", i);
        CUZK_TRY(
            cuzk_check_root(&sector->path[i], CUZK_TREE_POSEIDON, &sector->comm_r_last, name, err));
    }
    return check_leaves(proof, claim, sector, n, err);
}

cuzk_status cuzk_post_check_sector(const cuzk_fil_proof *proof, const cuzk_post_claim *claim,
                                   const cuzk_post_sector *sector, size_t n, cuzk_error *err)
{
    cuzk_error own;
    if (err == NULL)
        err = &own;
    if (check_sector(proof, claim, sector, n, err) == CUZK_OK)
        return CUZK_OK;
    return cuzk_fail_context(err, "proof %zu (sector %" PRIu64 ")", n, sector->sector_id);
}
