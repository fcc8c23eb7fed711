/* What must hold of vanilla proofs before anything is proved from them (Filecoin circuits, sections
 * 12 and 13). What passes satisfies its circuit, so that a bad request is refused here, with the
 * place, the value found and the one expected, and not after a proof's time.
 *
 * Errors: CUZK_ERR_FORMAT where a proof contradicts itself, CUZK_ERR_MISMATCH where it contradicts
 * the request. Functions on one partition or sector may run on any thread, also at the same
 * time. */
#ifndef CUZK_CIRCUIT_FILECOIN_CHECKS_H
#define CUZK_CIRCUIT_FILECOIN_CHECKS_H

#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/vanilla.h"

/* comm_d, comm_r and seed are not zero; the replica id is that of miner and sector. */
cuzk_status cuzk_porep_check_head(const cuzk_fil_proof *proof, const cuzk_porep_vanilla *c1,
                                  uint64_t miner, uint64_t sector, cuzk_error *err);

/* Partition k: its challenges are those that follow from seed or commitments; all paths open the
 * nodes that the graph says and hash to comm_d and to the same two roots, which hash to comm_r;
 * columns hash to their leaves; labels are the hashes of their parents'; the replica's leaf encodes
 * the data's. About 0.1 s at 32 GiB. */
cuzk_status cuzk_porep_check_partition(const cuzk_fil_proof *proof, const cuzk_porep_vanilla *c1,
                                       size_t k, cuzk_error *err);

/* Which leaves a PoSt request challenges. */
typedef struct cuzk_post_claim {
    uint8_t randomness[32];
    /* Window ids 5 to 9 count challenges through all sectors of the whole proof, or of the
     * partition alone, as the caller did when it made the vanilla proofs: either is taken. */
    uint64_t partition; /* partition_index of the request */
} cuzk_post_claim;

/* Randomness is below r. */
cuzk_status cuzk_post_check_claim(const cuzk_post_claim *claim, cuzk_error *err);

/* The sector that is the n-th of its partition (Winning: 0): comm_r follows from comm_c and
 * comm_r_last, all paths hash to that, and open the challenged leaves. */
cuzk_status cuzk_post_check_sector(const cuzk_fil_proof *proof, const cuzk_post_claim *claim,
                                   const cuzk_post_sector *sector, size_t n, cuzk_error *err);

/* Partition k of a SnapDeals proof: its challenges follow from comm_r_new; all paths open them and
 * hash to comm_d_new and the same two roots, which hash to comm_r_old and comm_r_new; the new
 * leaves encode the data; the apex leaves are those above the challenges, and hash to comm_d_new by
 * the path that all challenges share. */
cuzk_status cuzk_snap_check_partition(const cuzk_fil_proof *proof, const cuzk_snap_public *comms,
                                      const cuzk_snap_partition *partition, size_t k,
                                      cuzk_error *err);

#endif
