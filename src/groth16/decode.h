/* Arrays of points in ZCash's uncompressed encoding, as bellperson's files hold them. */
#ifndef CUZK_GROTH16_DECODE_H
#define CUZK_GROTH16_DECODE_H

#include "base/pool.h"
#include "base/status.h"
#include "curve/curve.h"

/* What is decoded: name of the file and of the array, for messages. */
typedef struct cuzk_decode_place {
    const cuzk_curve *curve;
    cuzk_group group;
    const char *name, *what;
    bool subgroup; /* check that too */
    size_t first;  /* the number that messages give to point 0 */
} cuzk_decode_place;

/* Decodes n points to memory form, in tiles on the pool. Strict; infinity is an error. The message
 * names the first bad point. */
cuzk_status cuzk_decode_zcash(uint64_t *out, const void *bytes, size_t n,
                              const cuzk_decode_place *place, cuzk_pool *pool, cuzk_error *err);

#endif
