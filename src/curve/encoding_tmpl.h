/* Part of group_tmpl.h: points as bytes.
 *
 * A decoder first looks at the flags, then reads coordinates, then checks the point. The big-endian
 * encodings put flags into the top bits of the first byte: three for BLS12-381, whose p has 381
 * bits, two for BN254. */

#define GROUP_COORD_BYTES sizeof(GROUP_COORD)
#define GROUP_INFINITY    0x40

static void G(words_to_bytes)(uint8_t *out, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < 8 * n; i++)
        out[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
}

static void G(words_from_bytes)(uint64_t *words, const uint8_t *in, size_t n)
{
    memset(words, 0, 8 * n);
    for (size_t i = 0; i < 8 * n; i++)
        words[i / 8] |= (uint64_t)in[i] << (8 * (i % 8));
}

static bool G(enc_is_compressed)(cuzk_encoding enc)
{
    return enc == CUZK_ENC_ZCASH_COMPRESSED || enc == CUZK_ENC_IDEN3_C;
}

/* The ZCash encodings need three flag bits, which only BLS12-381 has. */
static void G(enc_assert)(cuzk_encoding enc)
{
    CUZK_ASSERT((enc != CUZK_ENC_ZCASH && enc != CUZK_ENC_ZCASH_COMPRESSED) || GROUP_FLAGS == 0xe0);
}

static size_t G(enc_bytes)(cuzk_encoding enc)
{
    return G(enc_is_compressed)(enc) ? GROUP_COORD_BYTES : 2 * GROUP_COORD_BYTES;
}

static void G(encode)(uint8_t *out, const uint64_t *a, cuzk_encoding enc)
{
    P(affine) t;
    G(enc_assert)(enc);
    if (enc == CUZK_ENC_LEM) {
        G(words_to_bytes)(out, a, 2 * GROUP_COORD_BYTES / 8);
        return;
    }
    P(load)(&t, a);
    bool zcash_compressed = enc == CUZK_ENC_ZCASH_COMPRESSED;
    if (P(affine_is_infinity)(&t)) {
        memset(out, 0, G(enc_bytes)(enc));
        if (enc != CUZK_ENC_IDEN3_U)
            out[0] = zcash_compressed ? 0x80 | GROUP_INFINITY : GROUP_INFINITY;
        return;
    }
    C(to_be)(out, &t.x);
    if (!G(enc_is_compressed)(enc)) {
        C(to_be)(out + GROUP_COORD_BYTES, &t.y);
        return;
    }
    bool larger = C(is_larger)(&t.y);
    if (zcash_compressed)
        out[0] |= larger ? 0x80 | 0x20 : 0x80;
    else
        out[0] |= larger ? 0x80 : 0;
}

/* What the flags of a big-endian encoding say. */
typedef struct G(flags) {
    bool infinity, larger;
} G(flags);

static bool G(all_zero)(const uint8_t *in, size_t n)
{
    uint8_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= in[i];
    return bits == 0;
}

/* Reads and clears the flags in bytes, which is a copy of the input. */
static cuzk_point_status G(take_flags)(G(flags) * flags, uint8_t *bytes, cuzk_encoding enc)
{
    uint8_t found = bytes[0] & GROUP_FLAGS;
    uint8_t required = enc == CUZK_ENC_ZCASH_COMPRESSED ? 0x80 : 0;
    uint8_t sign = enc == CUZK_ENC_ZCASH_COMPRESSED ? 0x20 : enc == CUZK_ENC_IDEN3_C ? 0x80 : 0;
    if (enc == CUZK_ENC_IDEN3_C)
        found &= 0xc0; /* the third bit is the coordinate's, and makes it too large */
    bytes[0] = (uint8_t)(bytes[0] & ~found);
    flags->infinity = (found & GROUP_INFINITY) != 0;
    flags->larger = (found & sign) != 0;
    if ((found & (0xe0 & ~GROUP_INFINITY & ~sign)) != required)
        return CUZK_POINT_BAD_FLAGS;
    bool zeros = G(all_zero)(bytes, G(enc_bytes)(enc));
    if (flags->infinity && (flags->larger || !zeros))
        return CUZK_POINT_BAD_FLAGS;
    if (enc == CUZK_ENC_IDEN3_U && zeros)
        flags->infinity = true;
    return CUZK_POINT_OK;
}

/* Finds the y of a compressed point. */
static cuzk_point_status G(lift_x)(P(affine) * t, bool larger)
{
    const GROUP_COORD b = GROUP_B;
    GROUP_COORD y2;
    C(sqr)(&y2, &t->x);
    C(mul)(&y2, &y2, &t->x);
    C(add)(&y2, &y2, &b);
    if (!C(sqrt_var)(&t->y, &y2))
        return CUZK_POINT_NOT_ON_CURVE;
    C(cneg)(&t->y, &t->y, C(is_larger)(&t->y) != larger);
    return CUZK_POINT_OK;
}

static cuzk_point_status G(decode_be)(P(affine) * t, const uint8_t *in, cuzk_encoding enc)
{
    uint8_t bytes[2 * GROUP_COORD_BYTES];
    G(flags) flags;
    memcpy(bytes, in, G(enc_bytes)(enc));
    cuzk_point_status status = G(take_flags)(&flags, bytes, enc);
    if (status != CUZK_POINT_OK)
        return status;
    if (flags.infinity) {
        P(affine_set_infinity)(t);
        return CUZK_POINT_OK;
    }
    if (!C(from_be)(&t->x, bytes))
        return CUZK_POINT_NOT_CANONICAL;
    if (G(enc_is_compressed)(enc))
        return G(lift_x)(t, flags.larger);
    if (!C(from_be)(&t->y, bytes + GROUP_COORD_BYTES))
        return CUZK_POINT_NOT_CANONICAL;
    /* (0, 0) means infinity in memory; here it is a finite point, and b is not 0. */
    return P(affine_is_infinity)(t) ? CUZK_POINT_NOT_ON_CURVE : CUZK_POINT_OK;
}

static cuzk_point_status G(decode_lem)(P(affine) * t, const uint8_t *in)
{
    uint64_t words[2 * GROUP_COORD_BYTES / 8];
    G(words_from_bytes)(words, in, sizeof words / 8);
    if (!C(limbs_valid)(words) || !C(limbs_valid)(words + GROUP_COORD_BYTES / 8))
        return CUZK_POINT_NOT_CANONICAL;
    P(load)(t, words);
    return CUZK_POINT_OK;
}

static cuzk_point_status G(decode)(uint64_t *r, const uint8_t *in, cuzk_encoding enc, bool subgroup)
{
    P(affine) t;
    G(enc_assert)(enc);
    cuzk_point_status status =
        enc == CUZK_ENC_LEM ? G(decode_lem)(&t, in) : G(decode_be)(&t, in, enc);
    if (status == CUZK_POINT_OK)
        status = G(check_affine)(&t, subgroup);
    if (status != CUZK_POINT_OK)
        P(affine_set_infinity)(&t);
    P(store)(r, &t);
    return status;
}

#undef GROUP_COORD_BYTES
#undef GROUP_INFINITY
