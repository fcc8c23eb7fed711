/* Elements of a scalar field Fr, whichever curve it belongs to: four limbs, little-endian. */
#ifndef CUZK_FIELD_SCALAR_H
#define CUZK_FIELD_SCALAR_H

#include <stdint.h>

/* Montgomery form: value * 2^256 mod r. */
typedef struct cuzk_fr {
    uint64_t l[4];
} cuzk_fr;

/* Canonical form: the value itself, below r. */
typedef struct cuzk_scalar {
    uint64_t l[4];
} cuzk_scalar;

#endif
