/* Growing lists, and the map of wide variables. */
#include "circuit/compile_state.h"

#include <stdlib.h>
#include <string.h>

void *cuzk_blob_add(cuzk_blob *blob, size_t size, const void *from, size_t n)
{
    if (blob->room - blob->n < n || blob->data == NULL) {
        size_t room = blob->room + blob->room / 2 + 16;
        if (room - blob->n < n)
            room = blob->n + n;
        void *data = realloc(blob->data, room * size);
        if (data == NULL)
            return NULL;
        blob->data = data;
        blob->room = room;
    }
    void *at = (uint8_t *)blob->data + blob->n * size;
    if (from != NULL && n != 0)
        memcpy(at, from, n * size);
    blob->n += n;
    return at;
}

/* Makes room for n more bits, all zero, with a word to spare. */
static bool reserve(cuzk_wide_map *map, size_t n)
{
    const size_t need = (map->bits + n) / 64 + 2;
    if (need <= map->room)
        return true;
    const size_t room = need + need / 2;
    uint64_t *word = realloc(map->word, room * sizeof *word);
    if (word == NULL)
        return false;
    memset(word + map->room, 0, (room - map->room) * sizeof *word);
    map->word = word;
    map->room = room;
    return true;
}

bool cuzk_wide_push(cuzk_wide_map *map, bool wide, size_t n)
{
    if (!reserve(map, n))
        return false;
    for (size_t i = map->bits; wide && i < map->bits + n; i++)
        map->word[i / 64] |= (uint64_t)1 << (i % 64);
    map->bits += n;
    return true;
}

bool cuzk_wide_append(cuzk_wide_map *map, const cuzk_wide_map *other)
{
    if (!reserve(map, other->bits))
        return false;
    const unsigned shift = map->bits % 64;
    uint64_t *to = map->word + map->bits / 64;
    for (size_t i = 0; i * 64 < other->bits; i++) {
        to[i] |= other->word[i] << shift;
        if (shift != 0)
            to[i + 1] |= other->word[i] >> (64 - shift);
    }
    map->bits += other->bits;
    return true;
}

bool cuzk_wide_rank(cuzk_wide_map *map)
{
    uint32_t before = 0;
    if (!reserve(map, 0))
        return false;
    const size_t words = map->bits / 64 + 1;
    map->rank = malloc(words * sizeof *map->rank);
    if (map->rank == NULL)
        return false;
    for (size_t i = 0; i < words; i++) {
        map->rank[i] = before;
        before += (uint32_t)__builtin_popcountll(map->word[i]);
    }
    return true;
}

void cuzk_wide_release(cuzk_wide_map *map)
{
    free(map->word);
    free(map->rank);
    *map = (cuzk_wide_map){0};
}
