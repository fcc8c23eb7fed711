/* What all users of a .ptau start from: the container and its sections, sizes checked. */
#ifndef CUZK_IDEN3_PTAU_HEAD_H
#define CUZK_IDEN3_PTAU_HEAD_H

#include "iden3/binfile.h"
#include "iden3/ptau.h"

enum cuzk_ptau_section {
    CUZK_PTAU_HEADER = 1,
    CUZK_PTAU_TAU_G1 = 2,
    CUZK_PTAU_TAU_G2 = 3,
    CUZK_PTAU_ALPHA_G1 = 4,
    CUZK_PTAU_BETA_G1 = 5,
    CUZK_PTAU_BETA_G2 = 6,
    CUZK_PTAU_CONTRIBUTIONS = 7,
    CUZK_PTAU_LAGRANGE_TAU_G1 = 12,
    CUZK_PTAU_LAGRANGE_TAU_G2 = 13,
    CUZK_PTAU_LAGRANGE_ALPHA_G1 = 14,
    CUZK_PTAU_LAGRANGE_BETA_G1 = 15
};

/* Payloads point into the map. Those of the Lagrange bases are NULL in a file that is not prepared.
 */
typedef struct cuzk_ptau_head {
    cuzk_binfile file;
    cuzk_ptau_info info;
    const uint8_t *tau_g1, *tau_g2, *alpha_g1, *beta_g1, *beta_g2;
    const uint8_t *lagrange_tau_g1, *lagrange_tau_g2, *lagrange_alpha_g1, *lagrange_beta_g1;
} cuzk_ptau_head;

cuzk_status cuzk_ptau_head_read(cuzk_ptau_head *head, const cuzk_map *map, cuzk_error *err);

#endif
