/* Encoding new data into a sealed sector (SnapDeals; Filecoin sealing, section 8). */
#ifndef CUZK_CIRCUIT_FILECOIN_DEAL_H
#define CUZK_CIRCUIT_FILECOIN_DEAL_H

#include "circuit/filecoin/open.h"

typedef struct cuzk_deal {
    cuzk_fil_proof proof; /* of kind Snap */
    cuzk_scalar comm_c, comm_d_new, comm_r_old, comm_r_new;
    cuzk_tree d, r; /* the new data, the new replica */
} cuzk_deal;

/* proof: of kind Snap, for the sector's size. data: nodes below 2^254. Released by
 * cuzk_deal_release; on error *deal is {0}. pool may be NULL. */
cuzk_status cuzk_deal_encode(cuzk_deal *deal, const cuzk_fil_proof *proof,
                             const cuzk_sector *sector, const cuzk_scalar *data, cuzk_pool *pool,
                             cuzk_error *err);
void cuzk_deal_release(cuzk_deal *deal);

/* Both must outlive it. */
cuzk_deal_view cuzk_deal_view_of(const cuzk_deal *deal, const cuzk_sector *sector);

#endif
