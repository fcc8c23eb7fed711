/* iden3's map from a hash to G2: coordinates from a ChaCha20 stream keyed by the hash until one is
 * on the curve, then the cofactor is cleared. Coordinates are taken as Montgomery limbs. */
#include "iden3/ceremony.h"

#include "hash/chacha.h"

#include <string.h>

struct stream {
    uint8_t key[32];
    uint32_t tail[4], block[CUZK_CHACHA_WORDS];
    unsigned used;
};

static void next_block(struct stream *stream)
{
    cuzk_chacha_block(stream->block, stream->key, stream->tail, 20);
    stream->tail[0]++; /* never 2^32 blocks */
    stream->used = 0;
}

/* The key's words are big-endian here. */
static void start(struct stream *stream, const uint8_t hash[64])
{
    memset(stream, 0, sizeof *stream);
    for (unsigned i = 0; i < sizeof stream->key; i++)
        stream->key[i] = hash[i ^ 3];
    stream->used = CUZK_CHACHA_WORDS;
}

static uint32_t next_word(struct stream *stream)
{
    if (stream->used == CUZK_CHACHA_WORDS)
        next_block(stream);
    return stream->block[stream->used++];
}

static bool below(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned i = words; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

static void next_fp(struct stream *stream, const cuzk_curve *curve, uint64_t *fp)
{
    unsigned words = curve->fp_words;
    unsigned spare = (unsigned)__builtin_clzll(curve->p[words - 1]);
    do {
        for (unsigned i = 0; i < words; i++) {
            uint64_t high = next_word(stream);
            fp[i] = high << 32 | next_word(stream);
        }
        fp[words - 1] &= UINT64_MAX >> spare;
    } while (!below(fp, curve->p, words));
}

/* The big-endian canonical bytes of a Montgomery value. */
static void store_fp(uint8_t *out, const cuzk_curve *curve, const uint64_t *fp)
{
    size_t n = 8 * (size_t)curve->fp_words;
    uint8_t bytes[8 * CUZK_FP_MAX_WORDS];
    curve->fp_to_le(bytes, fp);
    for (size_t i = 0; i < n; i++)
        out[i] = bytes[n - 1 - i];
}

/* The next x of the stream as a compressed point with the sign that follows it. True: it is on the
 * curve. */
static bool next_point(struct stream *stream, const cuzk_curve *curve, uint64_t *point)
{
    uint64_t c0[CUZK_FP_MAX_WORDS], c1[CUZK_FP_MAX_WORDS];
    uint8_t bytes[16 * CUZK_FP_MAX_WORDS];
    next_fp(stream, curve, c0);
    next_fp(stream, curve, c1);
    store_fp(bytes, curve, c1);
    store_fp(bytes + 8 * (size_t)curve->fp_words, curve, c0);
    if ((next_word(stream) & 1) != 0)
        bytes[0] |= 0x80;
    return curve->g2_decode(point, bytes, CUZK_ENC_IDEN3_C, false) == CUZK_POINT_OK;
}

/* Cofactors of the twists (formats, sections 1.1 and 1.2), low word first. */
static const uint64_t bn254_cofactor[] = {0x345f2299c0f9fa8d, 0x06ceecda572a2489,
                                          0xb85045b68181585e, 0x30644e72e131a029};
static const uint64_t bls12_381_cofactor[] = {
    0xcf1c38e31c7238e5, 0x1616ec6e786f0c70, 0x21537e293a6691ae, 0xa628f1cb4d9e82ef,
    0xa68a205b2e5a7ddf, 0xcd91de4547085aba, 0x091d50792876a202, 0x05d543a95414e7f1};

static void clear_cofactor(const cuzk_curve *curve, uint64_t *point)
{
    bool bn = curve->id == CUZK_BN254;
    const uint64_t *cofactor = bn ? bn254_cofactor : bls12_381_cofactor;
    unsigned n = bn ? 4 : 8;
    const cuzk_scalar word = {{0, 1, 0, 0}};
    cuzk_g2 sum = {{0}}, term;
    for (unsigned i = n; i-- > 0;) {
        const cuzk_scalar digit = {{cofactor[i], 0, 0, 0}};
        curve->g2_mul_any(sum.l, sum.l, &word);
        curve->g2_mul_any(term.l, point, &digit);
        curve->g2_add(sum.l, sum.l, term.l);
    }
    memcpy(point, sum.l, 8 * (size_t)curve->g2_words);
}

void cuzk_ceremony_hash_to_g2(uint64_t *point, const cuzk_curve *curve, const uint8_t hash[64])
{
    struct stream stream;
    start(&stream, hash);
    while (!next_point(&stream, curve, point))
        ;
    clear_cofactor(curve, point);
}
