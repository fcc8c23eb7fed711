/* Which nodes a proof must open, and its public inputs (Filecoin circuits, section 11). */
#ifndef CUZK_CIRCUIT_FILECOIN_CHALLENGES_H
#define CUZK_CIRCUIT_FILECOIN_CHALLENGES_H

#include "circuit/filecoin/graph.h"
#include "circuit/filecoin/proofs.h"

/* What PoRep challenges follow from (section 11.2). */
typedef struct cuzk_porep_draw {
    cuzk_porep_rule rule;
    uint64_t nodes;
    cuzk_scalar replica_id;
    cuzk_scalar comm_r;  /* synthetic, non-interactive */
    uint8_t seed[32];    /* interactive, synthetic */
    uint64_t candidates; /* synthetic: how many to select from; cuzk_synthetic_candidates */
} cuzk_porep_draw;

/* min(nodes, 2^18). */
uint64_t cuzk_synthetic_candidates(uint64_t nodes);

/* Challenges first .. first + n - 1 of all partitions' (partition k's start at k * challenges per
 * partition); each is 1 to nodes - 1. */
cuzk_status cuzk_porep_challenges(uint64_t *out, const cuzk_porep_draw *draw, uint32_t first,
                                  size_t n, cuzk_error *err);

/* The public inputs of a partition without ONE: 3 + 18 for each challenge (section 11.3). */
enum { CUZK_POREP_HEAD_INPUTS = 3, CUZK_POREP_CHALLENGE_INPUTS = 18 };
typedef struct cuzk_porep_public {
    cuzk_scalar replica_id, comm_d, comm_r;
} cuzk_porep_public;
cuzk_status cuzk_porep_public_inputs(cuzk_scalar *out, cuzk_graph *graph,
                                     const cuzk_porep_public *head, const uint64_t *challenge,
                                     size_t n, cuzk_error *err);

/* The leaf that PoSt opens at an index (section 11.4). leaves: of the sector, a power of two. */
cuzk_status cuzk_post_leaf(uint64_t *leaf, const uint8_t randomness[32], uint64_t sector_id,
                           uint64_t index, uint64_t leaves, cuzk_error *err);

/* The index of a sector's n-th challenge: sector is its place in the whole proof. */
uint64_t cuzk_post_index(const cuzk_fil_proof *proof, uint64_t sector, uint64_t n);

/* The public inputs of one sector without ONE: comm_r and the n leaves. out has room for 1 + n. */
void cuzk_post_public_inputs(cuzk_scalar *out, const cuzk_scalar *comm_r, const uint64_t *leaf,
                             size_t n);

/* SnapDeals (section 11.5). k_h names the partition and the number of high bits in use. */
uint64_t cuzk_snap_k_h(const cuzk_fil_proof *proof, size_t partition);
/* The bits of a node's number that choose its rho: h of section 11.5. */
unsigned cuzk_snap_high_bits(const cuzk_fil_proof *proof);
/* proof->challenges challenges of a partition. comm_r_new: canonical. */
void cuzk_snap_challenges(uint64_t *out, const cuzk_fil_proof *proof, const cuzk_scalar *comm_r_new,
                          size_t partition);
/* phi of a deal, and rho of the nodes whose high bits are these. */
void cuzk_snap_phi(cuzk_scalar *out, const cuzk_scalar *comm_d_new, const cuzk_scalar *comm_r_old);
void cuzk_snap_rho(cuzk_scalar *out, const cuzk_scalar *phi, uint64_t high);

enum { CUZK_SNAP_INPUTS = 4 };
typedef struct cuzk_snap_public {
    cuzk_scalar comm_r_old, comm_d_new, comm_r_new;
} cuzk_snap_public;
void cuzk_snap_public_inputs(cuzk_scalar out[CUZK_SNAP_INPUTS], const cuzk_fil_proof *proof,
                             const cuzk_snap_public *comms, size_t partition);

#endif
