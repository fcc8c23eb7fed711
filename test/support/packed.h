/* Packed vectors of scalars, and the same vectors as arrays. */
#ifndef CUZK_TEST_PACKED_H
#define CUZK_TEST_PACKED_H

#include "support/test.h"

#include "compute/packed.h"

typedef struct test_packed {
    cuzk_packed_map map;
    cuzk_packed_scalars packed; /* of map */
    uint64_t *is_wide, *bits;
    uint32_t *rank;
    cuzk_scalar *value;
    cuzk_scalar *all; /* map.n */
} test_packed;

/* n scalars, the first `head` wide, of the others `wide` in 64, and `ones` in 64 of the rest 1.
 * Wide ones have all shapes (0 and 1 too); bits in the places of wide ones are random. Does not
 * move: packed points to map. */
void test_packed_make(test_packed *p, const cuzk_curve *curve, size_t n, size_t head, unsigned wide,
                      unsigned ones, test_rng *rng);
void test_packed_release(test_packed *p);

#endif
