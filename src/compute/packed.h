/* Vectors of scalars most of which are 0 or 1: a bit for each, and the others, the *wide* ones, in
 * a list. Which are wide is known before the values are, and the same for all vectors of a kind:
 * the map. */
#ifndef CUZK_COMPUTE_PACKED_H
#define CUZK_COMPUTE_PACKED_H

#include "curve/curve.h"

/* Scalars 0 .. head - 1 are wide; scalar head + i is wide if bit i % 64 of is_wide[i / 64] says so.
 * rank[i / 64]: how many of those before the word are. Bits after the last scalar are 0. */
typedef struct cuzk_packed_map {
    size_t n, head;
    size_t wide; /* how many of the n are, with the head */
    const uint64_t *is_wide;
    const uint32_t *rank;
} cuzk_packed_map;

/* Bit i % 64 of bits[i / 64] is scalar head + i, where that is not wide; elsewhere it means
 * nothing. value: the wide ones in their order, canonical; a wide scalar may well be 0 or 1. */
typedef struct cuzk_packed_scalars {
    const cuzk_packed_map *map;
    const uint64_t *bits;
    const cuzk_scalar *value;
} cuzk_packed_scalars;

/* The scalars index[0 .. n-1], rising, or first .. first + n - 1 if index is NULL. */
typedef struct cuzk_packed_range {
    const uint32_t *index;
    size_t first, n;
} cuzk_packed_range;

/* At most `most` of them, from the one at `at` on; at < range->n. */
static inline cuzk_packed_range cuzk_packed_part(const cuzk_packed_range *range, size_t at,
                                                 size_t most)
{
    const size_t rest = range->n - at;
    return (cuzk_packed_range){.index = range->index != NULL ? range->index + at : NULL,
                               .first = range->first + at,
                               .n = rest < most ? rest : most};
}

/* How many of them are wide. */
size_t cuzk_packed_count(const cuzk_packed_map *map, const cuzk_packed_range *range);

/* The same for at most 64 of them: bit i of the answer says that the i-th is wide. */
uint64_t cuzk_packed_wide(const cuzk_packed_map *map, const cuzk_packed_range *range);

/* And bit i of this one is the i-th itself, unless it is wide. */
uint64_t cuzk_packed_bits(const cuzk_packed_scalars *scalars, const cuzk_packed_range *range);

/* The value of scalar i, which is wide. */
static inline const cuzk_scalar *cuzk_packed_value(const cuzk_packed_scalars *scalars, size_t i)
{
    const cuzk_packed_map *map = scalars->map;
    if (i < map->head)
        return &scalars->value[i];
    i -= map->head;
    const uint64_t below = map->is_wide[i / 64] & (((uint64_t)1 << (i % 64)) - 1);
    return &scalars->value[map->head + map->rank[i / 64] + (size_t)__builtin_popcountll(below)];
}

#endif
