/* Vanilla proofs of sectors: which nodes are opened, and their paths (Filecoin sealing, sections 6
 * to 8). */
#ifndef CUZK_CIRCUIT_FILECOIN_OPEN_H
#define CUZK_CIRCUIT_FILECOIN_OPEN_H

#include "circuit/filecoin/seal.h"
#include "circuit/filecoin/vanilla.h"

/* A sealed sector as proofs see it, however it is stored. PoSt takes proof's tree, sector_id,
 * comm_c, comm_r_last, comm_r and r of it, and any kind of proof. */
typedef struct cuzk_sector_view {
    const cuzk_fil_proof *proof; /* of kind PoRep */
    uint64_t sector_id;
    uint8_t ticket[32];
    cuzk_scalar replica_id, comm_d, comm_c, comm_r_last, comm_r;
    cuzk_graph *graph;
    cuzk_tree_source d, c, r;
    cuzk_scalar (*label)(const void *sector, uint32_t layer, uint64_t node); /* layers from 1 */
    const void *sector;
} cuzk_sector_view;

/* The sector must outlive it. */
cuzk_sector_view cuzk_sector_view_of(cuzk_sector *sector);

/* The C1 output: all partitions, challenges by the proof's rule and the seed. */
cuzk_status cuzk_porep_open(cuzk_porep_vanilla *vanilla, cuzk_arena *arena,
                            const cuzk_sector_view *view, const uint8_t seed[32], cuzk_error *err);

/* One sector's PoSt proof over n leaves. Winning and Window differ in their leaves only. */
cuzk_status cuzk_post_open(cuzk_post_sector *post, cuzk_arena *arena, const cuzk_sector_view *view,
                           const uint64_t *leaf, size_t n, cuzk_error *err);

/* A sector before and after new data is encoded into it. */
typedef struct cuzk_deal_view {
    const cuzk_fil_proof *proof; /* of kind Snap */
    cuzk_scalar comm_c, comm_d_new, comm_r_old, comm_r_new;
    cuzk_tree_source r_old, d_new, r_new;
} cuzk_deal_view;

/* The proof of one partition. */
cuzk_status cuzk_snap_open(cuzk_snap_partition *snap, cuzk_arena *arena, const cuzk_deal_view *view,
                           size_t partition, cuzk_error *err);

#endif
