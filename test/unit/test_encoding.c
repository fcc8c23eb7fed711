/* Encodings of points: round trips, exact bytes, and every rule by which a decoder refuses. */
#include "support/big.h"
#include "support/levels.h"

#define MAX_BYTES (8 * CUZK_G2_MAX_WORDS)

static bool is_compressed(cuzk_encoding enc)
{
    return enc == CUZK_ENC_ZCASH_COMPRESSED || enc == CUZK_ENC_IDEN3_C;
}

static bool has_encoding(const test_group *g, cuzk_encoding enc)
{
    return g->curve->id == CUZK_BLS12_381 ||
           (enc != CUZK_ENC_ZCASH && enc != CUZK_ENC_ZCASH_COMPRESSED);
}

static size_t size_of(const test_group *g, cuzk_encoding enc)
{
    return cuzk_encoding_size(g->curve, g->group, enc);
}

/* Decoding must give this status, and zeros unless it is OK. */
static void expect_status(const test_group *g, const uint8_t *bytes, cuzk_encoding enc,
                          bool subgroup, cuzk_point_status expected)
{
    uint64_t point[CUZK_G2_MAX_WORDS];
    memset(point, 0xab, sizeof point);
    assert_int_equal(g->decode(point, bytes, enc, subgroup), expected);
    if (expected != CUZK_POINT_OK)
        assert_true(cuzk_point_is_infinity(point, g->words));
    for (size_t i = g->words; i < CUZK_G2_MAX_WORDS; i++)
        assert_int_equal(point[i], 0xabababababababab);
}

static void expect_round_trip(const test_group *g, const uint64_t *point, cuzk_encoding enc)
{
    uint8_t bytes[MAX_BYTES + 1];
    uint64_t found[CUZK_G2_MAX_WORDS];
    memset(bytes, 0xcd, sizeof bytes);
    g->encode(bytes, point, enc);
    assert_int_equal(bytes[size_of(g, enc)], 0xcd);
    assert_int_equal(g->decode(found, bytes, enc, true), CUZK_POINT_OK);
    assert_memory_equal(found, point, 8 * g->words);
}

static void check_round_trips(const test_group *g, test_rng *rng)
{
    uint64_t point[CUZK_G2_MAX_WORDS], zero[CUZK_G2_MAX_WORDS] = {0};
    for (int enc = CUZK_ENC_ZCASH; enc <= CUZK_ENC_IDEN3_C; enc++) {
        if (!has_encoding(g, (cuzk_encoding)enc))
            continue;
        assert_int_equal(size_of(g, (cuzk_encoding)enc),
                         (is_compressed((cuzk_encoding)enc) ? 4 : 8) * g->words);
        expect_round_trip(g, zero, (cuzk_encoding)enc);
        for (int i = 0; i < 8; i++) {
            cuzk_scalar k = test_uniform_scalar(g->curve, rng);
            g->mul(point, g->generator, &k);
            expect_round_trip(g, point, (cuzk_encoding)enc);
            g->neg(point, point);
            expect_round_trip(g, point, (cuzk_encoding)enc);
        }
    }
}

/* LEM is the memory form; the big-endian coordinates are canonical, c1 before c0. */
static void check_layout(const test_group *g)
{
    const cuzk_curve *c = g->curve;
    uint8_t bytes[MAX_BYTES], le[8 * CUZK_FP_MAX_WORDS];
    unsigned n = g->words / c->fp_words, size = 8 * c->fp_words;
    g->encode(bytes, g->generator, CUZK_ENC_LEM);
    assert_memory_equal(bytes, g->generator, 8 * g->words);
    g->encode(bytes, g->generator, CUZK_ENC_IDEN3_U);
    for (unsigned i = 0; i < n; i++) {
        unsigned at = n == 2 ? i : i ^ 1;
        c->fp_to_le(le, g->generator + i * c->fp_words);
        for (unsigned j = 0; j < size; j++)
            assert_int_equal(bytes[at * size + j], le[size - 1 - j]);
    }
}

/* A coordinate of p, of p + 1, and all ones: not canonical wherever it stands. */
static void check_canonical(const test_group *g, cuzk_encoding enc)
{
    unsigned size = 8 * g->curve->fp_words;
    uint8_t bytes[MAX_BYTES], good[MAX_BYTES];
    g->encode(good, g->generator, enc);
    for (size_t at = 0; at < size_of(g, enc); at += size) {
        for (unsigned extra = 0; extra < 3; extra++) {
            BIGNUM *p = big_from_limbs(g->curve->p, g->curve->fp_words);
            memcpy(bytes, good, sizeof bytes);
            BN_add_word(p, extra);
            uint8_t flags = at == 0 && enc == CUZK_ENC_ZCASH_COMPRESSED ? 0x80 : 0;
            if (enc == CUZK_ENC_LEM)
                BN_bn2lebinpad(p, bytes + at, (int)size);
            else
                BN_bn2binpad(p, bytes + at, (int)size);
            bytes[at] |= flags;
            expect_status(g, bytes, enc, true, CUZK_POINT_NOT_CANONICAL);
            BN_free(p);
        }
        memcpy(bytes, good, sizeof bytes);
        memset(bytes + at, 0xff, size);
        bool flags_first = at == 0 && enc != CUZK_ENC_LEM;
        expect_status(g, bytes, enc, true,
                      flags_first ? CUZK_POINT_BAD_FLAGS : CUZK_POINT_NOT_CANONICAL);
    }
}

/* x + 1 for the generator's x, or the last byte of y changed. */
static void check_off_curve(const test_group *g, cuzk_encoding enc)
{
    uint8_t bytes[MAX_BYTES];
    g->encode(bytes, g->generator, enc);
    if (is_compressed(enc)) {
        /* step to an x of which no point exists: about every other one */
        uint64_t point[CUZK_G2_MAX_WORDS];
        int tries = 0;
        while (g->decode(point, bytes, enc, false) != CUZK_POINT_NOT_ON_CURVE) {
            bytes[size_of(g, enc) - 1]++;
            assert_int_not_equal(++tries, 60);
        }
    } else {
        bytes[size_of(g, enc) - (enc == CUZK_ENC_LEM ? 8 : 1)] ^= 1;
    }
    expect_status(g, bytes, enc, true, CUZK_POINT_NOT_ON_CURVE);
    expect_status(g, bytes, enc, false, CUZK_POINT_NOT_ON_CURVE);
}

/* A point of the curve that is outside the subgroup decodes only when nobody asks for the subgroup.
 */
static void check_subgroup(const test_group *g, cuzk_encoding enc)
{
    uint64_t point[CUZK_G2_MAX_WORDS];
    uint8_t bytes[MAX_BYTES] = {0};
    if (g->curve->id == CUZK_BN254 && g->group == CUZK_G1)
        return;
    while (g->decode(point, bytes, CUZK_ENC_IDEN3_C, false) != CUZK_POINT_OK)
        bytes[4 * g->words - 1]++;
    g->encode(bytes, point, enc);
    expect_status(g, bytes, enc, false, CUZK_POINT_OK);
    expect_status(g, bytes, enc, true, CUZK_POINT_NOT_IN_SUBGROUP);
}

/* Which of the eight combinations of the first byte's top bits may stand on a finite point; bit i
 * of the result is for the combination i << 5. What is not allowed is BAD_FLAGS, or is read as a
 * coordinate which then is too large. */
static void check_flags(const test_group *g, cuzk_encoding enc)
{
    uint8_t bytes[MAX_BYTES], good[MAX_BYTES];
    bool three_bits = g->curve->id == CUZK_BLS12_381;
    g->encode(good, g->generator, enc);
    for (unsigned flags = 0; flags < 8; flags++) {
        memcpy(bytes, good, sizeof bytes);
        bytes[0] = (uint8_t)((bytes[0] & (three_bits ? 0x1f : 0x3f)) | (flags << 5));
        if (!three_bits && (flags & 1) != (good[0] >> 5 & 1))
            continue; /* this bit is the coordinate's */
        cuzk_point_status expected = CUZK_POINT_BAD_FLAGS;
        unsigned high = three_bits ? flags : flags & 6;
        if (enc == CUZK_ENC_ZCASH_COMPRESSED)
            expected = high == 4 || high == 5 ? CUZK_POINT_OK : CUZK_POINT_BAD_FLAGS;
        else if (enc == CUZK_ENC_IDEN3_C && (high & 2) == 0)
            expected = high == 0 || high == 4 ? CUZK_POINT_OK : CUZK_POINT_NOT_CANONICAL;
        else if (high == 0)
            expected = CUZK_POINT_OK;
        expect_status(g, bytes, enc, true, expected);
    }
}

/* Infinity: the one form that is written, and no other bit beside it. */
static void check_infinity(const test_group *g, cuzk_encoding enc)
{
    uint8_t bytes[MAX_BYTES], zeros[MAX_BYTES] = {0};
    uint64_t zero[CUZK_G2_MAX_WORDS] = {0};
    uint8_t first = enc == CUZK_ENC_ZCASH_COMPRESSED                   ? 0xc0
                    : enc == CUZK_ENC_ZCASH || enc == CUZK_ENC_IDEN3_C ? 0x40
                                                                       : 0;
    g->encode(bytes, zero, enc);
    zeros[0] = first;
    assert_memory_equal(bytes, zeros, size_of(g, enc));
    expect_status(g, zeros, enc, true, CUZK_POINT_OK);
    if (enc == CUZK_ENC_LEM)
        return;
    zeros[0] = (uint8_t)(first | 0x40); /* IDEN3_U accepts the flag, too */
    for (size_t bit = 0; bit < 8 * size_of(g, enc); bit++) {
        memcpy(bytes, zeros, sizeof bytes);
        bytes[bit / 8] ^= (uint8_t)(0x80 >> (bit % 8));
        if (bit == 1)
            continue; /* without the flag it is not infinity */
        expect_status(g, bytes, enc, true, CUZK_POINT_BAD_FLAGS);
    }
}

/* All zeros, or only the compression bit: (0, 0) is not on the curve, and in BLS12-381 x = 0 has
 * order 3 or no y. */
static void check_zero_bytes(const test_group *g)
{
    uint8_t bytes[MAX_BYTES] = {0};
    if (g->curve->id == CUZK_BLS12_381) {
        expect_status(g, bytes, CUZK_ENC_ZCASH, true, CUZK_POINT_NOT_ON_CURVE);
        expect_status(g, bytes, CUZK_ENC_ZCASH_COMPRESSED, true, CUZK_POINT_BAD_FLAGS);
        bytes[0] = 0x80;
        expect_status(g, bytes, CUZK_ENC_ZCASH_COMPRESSED, true,
                      g->group == CUZK_G1 ? CUZK_POINT_NOT_IN_SUBGROUP : CUZK_POINT_NOT_ON_CURVE);
        bytes[0] = 0;
    }
    bool order_3 = g->curve->id == CUZK_BLS12_381 && g->group == CUZK_G1;
    expect_status(g, bytes, CUZK_ENC_IDEN3_C, true,
                  order_3 ? CUZK_POINT_NOT_IN_SUBGROUP : CUZK_POINT_NOT_ON_CURVE);
    expect_status(g, bytes, CUZK_ENC_IDEN3_U, true, CUZK_POINT_OK);
    expect_status(g, bytes, CUZK_ENC_LEM, true, CUZK_POINT_OK);
}

static void check_encodings(const cuzk_curve *curve, test_rng *rng)
{
    for (int i = 0; i < 2; i++) {
        test_group g = test_group_of(curve, (cuzk_group)i);
        check_round_trips(&g, rng);
        check_layout(&g);
        check_zero_bytes(&g);
        for (int e = CUZK_ENC_ZCASH; e <= CUZK_ENC_IDEN3_C; e++) {
            cuzk_encoding enc = (cuzk_encoding)e;
            if (!has_encoding(&g, enc))
                continue;
            check_canonical(&g, enc);
            check_off_curve(&g, enc);
            check_subgroup(&g, enc);
            check_infinity(&g, enc);
            if (enc != CUZK_ENC_LEM)
                check_flags(&g, enc);
        }
    }
}

static void encodings(void **state)
{
    (void)state;
    test_each_curve(check_encodings, 1);
}

/* The generator and its negative in iden3's compressed form: no compression bit, the sign in 0x80.
 */
static void iden3_compressed(void **state)
{
    (void)state;
    const cuzk_curve *c = cuzk_curve_get(CUZK_BLS12_381);
    uint64_t minus[CUZK_G1_MAX_WORDS];
    uint8_t bytes[48];
    c->g1_encode(bytes, c->g1_generator, CUZK_ENC_IDEN3_C);
    assert_memory_equal(bytes, "\x17\xf1\xd3\xa7", 4);
    c->g1_neg(minus, c->g1_generator);
    c->g1_encode(bytes, minus, CUZK_ENC_IDEN3_C);
    assert_memory_equal(bytes, "\x97\xf1\xd3\xa7", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings),
        cmocka_unit_test(iden3_compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
