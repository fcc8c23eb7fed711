/* Packed vectors of scalars. Where scalars follow one another, their bits are cut out of the words
 * as they are: most of a query's variables do. */
#include "compute/packed.h"

/* n <= 64 bits from bit `at` on. No word is read that has none of them. */
static uint64_t cut(const uint64_t *words, size_t at, size_t n)
{
    uint64_t bits = words[at / 64] >> (at % 64);
    if (at % 64 + n > 64)
        bits |= words[at / 64 + 1] << (64 - at % 64);
    return n < 64 ? bits & (((uint64_t)1 << n) - 1) : bits;
}

/* Bits of the scalars of a range of at most 64; those of the head have `head`. */
static uint64_t gather(const cuzk_packed_map *map, const uint64_t *words, uint64_t head,
                       const cuzk_packed_range *r)
{
    uint64_t bits = 0;
    if (r->n == 0)
        return 0;
    const size_t first = r->index != NULL ? r->index[0] : r->first;
    const size_t last = r->index != NULL ? r->index[r->n - 1] : r->first + r->n - 1;
    if (first >= map->head && last - first == r->n - 1)
        return cut(words, first - map->head, r->n);
    for (size_t i = 0; i < r->n; i++) {
        const size_t scalar = r->index != NULL ? r->index[i] : first + i;
        const size_t at = scalar - map->head;
        bits |= (scalar < map->head ? head : words[at / 64] >> (at % 64) & 1) << i;
    }
    return bits;
}

uint64_t cuzk_packed_wide(const cuzk_packed_map *map, const cuzk_packed_range *range)
{
    return gather(map, map->is_wide, 1, range);
}

uint64_t cuzk_packed_bits(const cuzk_packed_scalars *scalars, const cuzk_packed_range *range)
{
    return gather(scalars->map, scalars->bits, 0, range);
}

size_t cuzk_packed_count(const cuzk_packed_map *map, const cuzk_packed_range *range)
{
    size_t count = 0;
    for (size_t i = 0; i < range->n; i += 64) {
        const cuzk_packed_range part = cuzk_packed_part(range, i, 64);
        count += (size_t)__builtin_popcountll(cuzk_packed_wide(map, &part));
    }
    return count;
}
