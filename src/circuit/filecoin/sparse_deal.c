#include "circuit/filecoin/sparse_sector.h"

#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/identity.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>

/* A piece is what one rho encodes: old replica and new data are the same value all over it. */
typedef struct pieces {
    size_t n;
    cuzk_scalar *replica, *data;
} pieces;

static void seed_pieces(pieces *p, const uint8_t seed[32])
{
    for (size_t i = 0; i < p->n; i++) {
        p->replica[i] = cuzk_seeded_value(seed, CUZK_SEEDED_REPLICA, 0, i);
        p->data[i] = cuzk_seeded_value(seed, CUZK_SEEDED_NEW_DATA, 0, i);
    }
}

/* The replica becomes the new one. */
static void encode_pieces(pieces *p, const cuzk_sparse_deal *deal)
{
    cuzk_scalar phi, rho;
    cuzk_fr a, b;
    cuzk_snap_phi(&phi, &deal->comm_d_new, &deal->comm_r_old);
    for (size_t i = 0; i < p->n; i++) {
        cuzk_snap_rho(&rho, &phi, i);
        bls12_381_fr_from_canon(&a, &p->data[i]);
        bls12_381_fr_from_canon(&b, &rho);
        bls12_381_fr_mul(&a, &a, &b);
        bls12_381_fr_from_canon(&b, &p->replica[i]);
        bls12_381_fr_add(&a, &a, &b);
        bls12_381_fr_to_canon(&p->replica[i], &a);
    }
}

static cuzk_status make_trees(cuzk_sparse_deal *deal, pieces *p, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_tree_form data = cuzk_shape_form(&deal->proof.data, CUZK_TREE_SHA256);
    cuzk_tree_form tree = cuzk_shape_form(&deal->proof.tree, CUZK_TREE_POSEIDON);
    CUZK_TRY(cuzk_piece_tree_init(&deal->d_new, &data, p->data, p->n, pool, err));
    CUZK_TRY(cuzk_piece_tree_init(&deal->r_old, &tree, p->replica, p->n, pool, err));
    deal->comm_d_new = *cuzk_tree_root(&deal->d_new.top);
    cuzk_comm_r(&deal->comm_r_old, &deal->comm_c, cuzk_tree_root(&deal->r_old.top));
    encode_pieces(p, deal);
    CUZK_TRY(cuzk_piece_tree_init(&deal->r_new, &tree, p->replica, p->n, pool, err));
    cuzk_comm_r(&deal->comm_r_new, &deal->comm_c, cuzk_tree_root(&deal->r_new.top));
    return CUZK_OK;
}

cuzk_status cuzk_sparse_deal_init(cuzk_sparse_deal *deal, const cuzk_fil_proof *proof,
                                  const uint8_t seed[32], cuzk_pool *pool, cuzk_error *err)
{
    pieces p = {.n = (size_t)1 << cuzk_snap_high_bits(proof)};
    CUZK_ASSERT(proof->kind == CUZK_FIL_SNAP);
    *deal = (cuzk_sparse_deal){.proof = *proof};
    deal->comm_c = cuzk_seeded_value(seed, CUZK_SEEDED_COMM_C, 0, 0);
    p.replica = malloc(p.n * sizeof *p.replica);
    p.data = malloc(p.n * sizeof *p.data);
    cuzk_status status;
    if (p.replica == NULL || p.data == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sparse sector");
    } else {
        seed_pieces(&p, seed);
        status = make_trees(deal, &p, pool, err);
    }
    free(p.replica);
    free(p.data);
    if (status != CUZK_OK)
        cuzk_sparse_deal_release(deal);
    return status;
}

void cuzk_sparse_deal_release(cuzk_sparse_deal *deal)
{
    cuzk_piece_tree_release(&deal->r_old);
    cuzk_piece_tree_release(&deal->d_new);
    cuzk_piece_tree_release(&deal->r_new);
    *deal = (cuzk_sparse_deal){0};
}

cuzk_deal_view cuzk_sparse_deal_view(const cuzk_sparse_deal *deal)
{
    return (cuzk_deal_view){.proof = &deal->proof,
                            .comm_c = deal->comm_c,
                            .comm_d_new = deal->comm_d_new,
                            .comm_r_old = deal->comm_r_old,
                            .comm_r_new = deal->comm_r_new,
                            .r_old = cuzk_piece_tree_as_source(&deal->r_old),
                            .d_new = cuzk_piece_tree_as_source(&deal->d_new),
                            .r_new = cuzk_piece_tree_as_source(&deal->r_new)};
}
