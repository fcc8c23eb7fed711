/* What all users of a .zkey start from: the container, its counts, the points of the header. */
#ifndef CUZK_IDEN3_ZKEY_HEAD_H
#define CUZK_IDEN3_ZKEY_HEAD_H

#include "iden3/binfile.h"
#include "iden3/zkey.h"

enum cuzk_zkey_section {
    CUZK_ZKEY_PROTOCOL = 1,
    CUZK_ZKEY_HEADER = 2,
    CUZK_ZKEY_IC = 3,
    CUZK_ZKEY_COEFS = 4,
    CUZK_ZKEY_A = 5,
    CUZK_ZKEY_B1 = 6,
    CUZK_ZKEY_B2 = 7,
    CUZK_ZKEY_L = 8,
    CUZK_ZKEY_H = 9,
    CUZK_ZKEY_CONTRIBUTIONS = 10
};

/* An entry of section 4: {matrix u32, row u32, wire u32, value}. */
#define CUZK_ZKEY_COEF_BYTES (12 + sizeof(cuzk_fr))

/* Payloads of the sections point into the map; their sizes agree with info. */
typedef struct cuzk_zkey_head {
    cuzk_binfile file;
    cuzk_zkey_info info;
    unsigned log_m;
    cuzk_g1 alpha_g1, beta_g1, delta_g1;
    cuzk_g2 beta_g2, gamma_g2, delta_g2;
    const uint8_t *ic, *coefs, *a, *b1, *b2, *l, *h;
} cuzk_zkey_head;

/* Reads the head; the points of the header are checked for curve and subgroup. */
cuzk_status cuzk_zkey_head_read(cuzk_zkey_head *head, const cuzk_map *map, cuzk_error *err);

/* Fills vk from a head; its ic points are copied and not checked. */
cuzk_status cuzk_zkey_head_vk(cuzk_vk *vk, const cuzk_zkey_head *head, cuzk_error *err);

#endif
