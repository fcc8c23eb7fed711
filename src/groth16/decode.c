#include "groth16/decode.h"

#include <stdatomic.h>

#define TILE_POINTS 256u

typedef struct decoding {
    const cuzk_decode_place *place;
    uint64_t *out;
    const uint8_t *bytes;
    size_t n;
    _Atomic size_t first_bad; /* n: none */
} decoding;

static cuzk_point_status decode_point(uint64_t *out, const uint8_t *in,
                                      const cuzk_decode_place *place)
{
    const cuzk_curve *curve = place->curve;
    if (place->group == CUZK_G1)
        return curve->g1_decode(out, in, CUZK_ENC_ZCASH, place->subgroup);
    return curve->g2_decode(out, in, CUZK_ENC_ZCASH, place->subgroup);
}

static void note_bad(decoding *work, size_t i)
{
    size_t known = atomic_load(&work->first_bad);
    while (i < known && !atomic_compare_exchange_weak(&work->first_bad, &known, i))
        ;
}

static void decode_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    decoding *work = context;
    const cuzk_decode_place *place = work->place;
    unsigned words = cuzk_point_words(place->curve, place->group);
    size_t size = cuzk_encoding_size(place->curve, place->group, CUZK_ENC_ZCASH);
    size_t end = (tile + 1) * TILE_POINTS < work->n ? (tile + 1) * TILE_POINTS : work->n;
    for (size_t i = tile * TILE_POINTS; i < end; i++) {
        uint64_t *out = work->out + i * words;
        if (decode_point(out, work->bytes + i * size, place) != CUZK_POINT_OK ||
            cuzk_point_is_infinity(out, words)) {
            note_bad(work, i);
            return;
        }
    }
}

cuzk_status cuzk_decode_zcash(uint64_t *out, const void *bytes, size_t n,
                              const cuzk_decode_place *place, cuzk_pool *pool, cuzk_error *err)
{
    decoding work = {.place = place, .out = out, .bytes = bytes, .n = n, .first_bad = n};
    cuzk_pool_run(pool, (n + TILE_POINTS - 1) / TILE_POINTS, decode_tile, &work);
    size_t bad = atomic_load(&work.first_bad);
    if (bad == n)
        return CUZK_OK;
    uint64_t point[CUZK_G2_MAX_WORDS];
    size_t size = cuzk_encoding_size(place->curve, place->group, CUZK_ENC_ZCASH);
    cuzk_point_status found = decode_point(point, work.bytes + bad * size, place);
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s[%zu] is %s; the file is damaged", place->name,
                     place->what, place->first + bad,
                     found == CUZK_POINT_OK ? "the point at infinity, which this format forbids"
                                            : cuzk_point_status_text(found));
}
