#include "circuit/filecoin/places_sorted.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

size_t cuzk_places_sort(uint64_t *place, size_t n)
{
    size_t kept = 0;
    if (n == 0)
        return 0;
    qsort(place, n, sizeof *place, compare);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || place[i] != place[kept - 1])
            place[kept++] = place[i];
    }
    return kept;
}

size_t cuzk_places_find(const uint64_t *place, size_t n, uint64_t wanted)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && place[low] == wanted ? low : n;
}
