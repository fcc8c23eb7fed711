#include "circuit/filecoin/deal.h"

#include "base/memory.h"
#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/identity.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>

/* replica_new = replica_old + data * rho; rho changes with a node's high bits. */
static void encode(cuzk_scalar *replica, const cuzk_deal *deal, const cuzk_scalar *old)
{
    const uint64_t n = deal->proof.nodes;
    const uint64_t same = n >> cuzk_snap_high_bits(&deal->proof);
    const cuzk_scalar *data = deal->d.row[0];
    cuzk_scalar phi, rho;
    cuzk_fr factor, product, sum;
    cuzk_snap_phi(&phi, &deal->comm_d_new, &deal->comm_r_old);
    for (uint64_t v = 0; v < n; v++) {
        if (v % same == 0) {
            cuzk_snap_rho(&rho, &phi, v / same);
            bls12_381_fr_from_canon(&factor, &rho);
        }
        bls12_381_fr_from_canon(&product, &data[v]);
        bls12_381_fr_mul(&product, &product, &factor);
        bls12_381_fr_from_canon(&sum, &old[v]);
        bls12_381_fr_add(&sum, &sum, &product);
        bls12_381_fr_to_canon(&replica[v], &sum);
    }
}

static cuzk_status make_trees(cuzk_deal *deal, const cuzk_sector *sector, const cuzk_scalar *data,
                              cuzk_pool *pool, cuzk_error *err)
{
    cuzk_tree_form form = cuzk_shape_form(&deal->proof.data, CUZK_TREE_SHA256);
    CUZK_TRY(cuzk_tree_init(&deal->d, &form, data, pool, err));
    deal->comm_d_new = *cuzk_tree_root(&deal->d);
    cuzk_scalar *replica = cuzk_memory_new(deal->proof.nodes, sizeof *replica);
    if (replica == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a replica");
    encode(replica, deal, sector->r.row[0]);
    form = cuzk_shape_form(&deal->proof.tree, CUZK_TREE_POSEIDON);
    cuzk_status status = cuzk_tree_init(&deal->r, &form, replica, pool, err);
    free(replica);
    return status;
}

cuzk_status cuzk_deal_encode(cuzk_deal *deal, const cuzk_fil_proof *proof,
                             const cuzk_sector *sector, const cuzk_scalar *data, cuzk_pool *pool,
                             cuzk_error *err)
{
    *deal = (cuzk_deal){0};
    CUZK_ASSERT(proof->kind == CUZK_FIL_SNAP);
    if (proof->nodes != sector->proof.nodes)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "SnapDeals proof %s is for sectors of %llu nodes, this one has %llu",
                         proof->name, (unsigned long long)proof->nodes,
                         (unsigned long long)sector->proof.nodes);
    CUZK_TRY(cuzk_sector_data_check(data, proof->nodes, err));
    deal->proof = *proof;
    deal->comm_c = sector->comm_c;
    deal->comm_r_old = sector->comm_r;
    cuzk_status status = make_trees(deal, sector, data, pool, err);
    if (status != CUZK_OK) {
        cuzk_deal_release(deal);
        return status;
    }
    cuzk_comm_r(&deal->comm_r_new, &deal->comm_c, cuzk_tree_root(&deal->r));
    return CUZK_OK;
}

void cuzk_deal_release(cuzk_deal *deal)
{
    cuzk_tree_release(&deal->d);
    cuzk_tree_release(&deal->r);
    *deal = (cuzk_deal){0};
}

cuzk_deal_view cuzk_deal_view_of(const cuzk_deal *deal, const cuzk_sector *sector)
{
    return (cuzk_deal_view){.proof = &deal->proof,
                            .comm_c = deal->comm_c,
                            .comm_d_new = deal->comm_d_new,
                            .comm_r_old = deal->comm_r_old,
                            .comm_r_new = deal->comm_r_new,
                            .r_old = cuzk_tree_as_source(&sector->r),
                            .d_new = cuzk_tree_as_source(&deal->d),
                            .r_new = cuzk_tree_as_source(&deal->r)};
}
