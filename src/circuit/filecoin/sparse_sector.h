/* Sectors of any size from a seed, in seconds: valid vanilla proofs without a sealed sector. Only
 * what is opened exists; whatever else goes into a hash is a seeded value. Circuits and verifiers
 * cannot tell: all that they check holds.
 *
 * The data is all zero. Which nodes are opened must be known before the trees are, so challenges
 * may not depend on comm_r: synthetic and non-interactive PoRep are refused. SnapDeals' challenges
 * do depend on it; there the replicas are made of pieces of equal nodes, all of which are known. */
#ifndef CUZK_CIRCUIT_FILECOIN_SPARSE_SECTOR_H
#define CUZK_CIRCUIT_FILECOIN_SPARSE_SECTOR_H

#include "circuit/filecoin/open.h"
#include "circuit/filecoin/sparse_tree.h"

typedef struct cuzk_sparse_source {
    cuzk_fil_proof proof; /* of kind PoRep, interactive */
    uint64_t miner, sector;
    uint8_t ticket[32];
    uint8_t challenge_seed[32]; /* PoRep's */
    uint8_t seed[32];           /* of everything that is free */
    const uint64_t *leaf;       /* leaves that PoSt will open; any order */
    size_t n_leaves;
} cuzk_sparse_source;

typedef struct cuzk_sparse_sector {
    cuzk_sparse_source source;
    cuzk_graph graph;
    cuzk_scalar replica_id, comm_d, comm_c, comm_r_last, comm_r;
    uint64_t *challenge; /* n of all partitions, rising, without repetition */
    size_t n;
    cuzk_scalar *label; /* of challenges: label[(layer - 1) * n + i]; others are seeded */
    cuzk_piece_tree d;
    cuzk_sparse_tree c, r;
} cuzk_sparse_sector;

/* Released by cuzk_sparse_sector_release; on error *sector is {0}. *sector must not be moved. pool
 * may be NULL. */
cuzk_status cuzk_sparse_sector_init(cuzk_sparse_sector *sector, const cuzk_sparse_source *source,
                                    cuzk_pool *pool, cuzk_error *err);
void cuzk_sparse_sector_release(cuzk_sparse_sector *sector);

/* For cuzk_porep_open with source's challenge_seed, and cuzk_post_open with source's leaves. Tree C
 * answers for challenges and their parents, tree R for challenges and leaves. */
cuzk_sector_view cuzk_sparse_sector_view(cuzk_sparse_sector *sector);

/* A sector before and after a deal; proof: of kind Snap. Released by cuzk_sparse_deal_release; on
 * error *deal is {0}. */
typedef struct cuzk_sparse_deal {
    cuzk_fil_proof proof;
    cuzk_scalar comm_c, comm_d_new, comm_r_old, comm_r_new;
    cuzk_piece_tree r_old, d_new, r_new;
} cuzk_sparse_deal;
cuzk_status cuzk_sparse_deal_init(cuzk_sparse_deal *deal, const cuzk_fil_proof *proof,
                                  const uint8_t seed[32], cuzk_pool *pool, cuzk_error *err);
void cuzk_sparse_deal_release(cuzk_sparse_deal *deal);
cuzk_deal_view cuzk_sparse_deal_view(const cuzk_sparse_deal *deal);

/* One sector's PoSt proof with nothing else of the sector: for partitions of thousands. proof: of
 * kind Window or Winning; leaf: n leaves in the order in which they are opened. */
cuzk_status cuzk_sparse_post_open(cuzk_post_sector *post, cuzk_arena *arena,
                                  const cuzk_fil_proof *proof, uint64_t sector,
                                  const uint8_t seed[32], const uint64_t *leaf, size_t n,
                                  cuzk_error *err);

#endif
