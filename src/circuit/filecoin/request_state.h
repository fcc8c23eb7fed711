/* A request that has been read, for request.c and request_check.c. */
#ifndef CUZK_CIRCUIT_FILECOIN_REQUEST_STATE_H
#define CUZK_CIRCUIT_FILECOIN_REQUEST_STATE_H

#include "circuit/filecoin/checks.h"
#include "circuit/filecoin/request.h"

struct cuzk_fil_request {
    cuzk_fil_proof proof;
    cuzk_fil_params params;
    cuzk_arena arena; /* of all that follows */

    cuzk_porep_vanilla c1; /* PoRep */
    uint64_t miner_id, sector_number;

    cuzk_post_claim claim; /* Window, Winning */
    cuzk_post_sector *sector;
    size_t n_sectors;

    cuzk_snap_public comms; /* Snap */
    cuzk_snap_partition *snap;
};

#endif
