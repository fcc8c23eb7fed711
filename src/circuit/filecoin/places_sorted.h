/* Sets of nodes. */
#ifndef CUZK_CIRCUIT_FILECOIN_PLACES_SORTED_H
#define CUZK_CIRCUIT_FILECOIN_PLACES_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Sorts n places, drops repetitions, and returns how many are left. */
size_t cuzk_places_sort(uint64_t *place, size_t n);

/* Where a place is among n sorted ones; n: it is not. */
size_t cuzk_places_find(const uint64_t *place, size_t n, uint64_t wanted);

#endif
