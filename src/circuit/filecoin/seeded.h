/* Values that follow from a seed and their place: what nobody opens in a sparse sector. */
#ifndef CUZK_CIRCUIT_FILECOIN_SEEDED_H
#define CUZK_CIRCUIT_FILECOIN_SEEDED_H

#include "field/scalar.h"

#include <stdint.h>

/* Keeps the uses of one seed apart. */
typedef enum cuzk_seeded_use {
    CUZK_SEEDED_LABEL,    /* by layer and node */
    CUZK_SEEDED_TREE_C,   /* by level and index */
    CUZK_SEEDED_TREE_R,   /* likewise */
    CUZK_SEEDED_COMM_C,   /* one value */
    CUZK_SEEDED_REPLICA,  /* by number of the piece */
    CUZK_SEEDED_NEW_DATA, /* likewise; in a sealed sector by node */
    CUZK_SEEDED_DATA,     /* of a sealed sector, by node */
    CUZK_SEEDED_CHANCE,   /* tickets and the like, numbered */
} cuzk_seeded_use;

/* A number below 2^254. */
cuzk_scalar cuzk_seeded_value(const uint8_t seed[32], cuzk_seeded_use use, uint32_t row,
                              uint64_t index);

#endif
