#include "curve/curve.h"

#include <ctype.h>
#include <string.h>

#include "base/cpu.h"
#include "curve/tables.h"

const char *cuzk_point_status_text(cuzk_point_status status)
{
    switch (status) {
    case CUZK_POINT_OK:
        return "a valid point";
    case CUZK_POINT_BAD_FLAGS:
        return "its flag bits are not allowed here";
    case CUZK_POINT_NOT_CANONICAL:
        return "a coordinate is not below the modulus p";
    case CUZK_POINT_NOT_ON_CURVE:
        return "not on the curve";
    case CUZK_POINT_NOT_IN_SUBGROUP:
        return "on the curve but not in the subgroup of order r";
    }
    return "unknown";
}

const cuzk_curve *cuzk_curve_get(cuzk_curve_id id)
{
    CUZK_ASSERT(id == CUZK_BN254 || id == CUZK_BLS12_381);
#if CUZK_X86_LEVELS
    if (cuzk_cpu_selected() >= CUZK_CPU_ADX)
        return id == CUZK_BN254 ? &cuzk_curve_bn254_adx : &cuzk_curve_bls12_381_adx;
#endif
    return id == CUZK_BN254 ? &cuzk_curve_bn254_portable : &cuzk_curve_bls12_381_portable;
}

/* Compares letters and digits only, in lower case. */
static bool same_name(const char *name, const char *known)
{
    for (;; name++, known++) {
        while (*name == '-' || *name == '_')
            name++;
        if (tolower((unsigned char)*name) != *known)
            return false;
        if (*known == '\0')
            return true;
    }
}

const cuzk_curve *cuzk_curve_by_name(const char *name)
{
    static const struct {
        const char *name;
        cuzk_curve_id id;
    } names[] = {
        {"bn128", CUZK_BN254},
        {"bn254", CUZK_BN254},
        {"altbn128", CUZK_BN254},
        {"bls12381", CUZK_BLS12_381},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (same_name(name, names[i].name))
            return cuzk_curve_get(names[i].id);
    }
    return NULL;
}

/* True if the n bytes, little-endian, are the number in the words; longer input must end in zeros.
 */
static bool same_number(const uint8_t *bytes, size_t n, const uint64_t *words, size_t n_words)
{
    size_t longest = n > 8 * n_words ? n : 8 * n_words;
    for (size_t i = 0; i < longest; i++) {
        uint8_t a = i < n ? bytes[i] : 0;
        uint64_t b = i < 8 * n_words ? words[i / 8] >> (8 * (i % 8)) & 0xff : 0;
        if (a != b)
            return false;
    }
    return true;
}

const cuzk_curve *cuzk_curve_by_p(const uint8_t *p, size_t n)
{
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        if (same_number(p, n, curve->p, CUZK_FP_MAX_WORDS))
            return curve;
    }
    return NULL;
}

const cuzk_curve *cuzk_curve_by_r(const uint8_t *r, size_t n)
{
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        if (same_number(r, n, curve->r.l, 4))
            return curve;
    }
    return NULL;
}

size_t cuzk_encoding_size(const cuzk_curve *curve, cuzk_group group, cuzk_encoding enc)
{
    size_t words = cuzk_point_words(curve, group);
    bool compressed = enc == CUZK_ENC_ZCASH_COMPRESSED || enc == CUZK_ENC_IDEN3_C;
    return compressed ? 4 * words : 8 * words;
}

bool cuzk_point_is_infinity(const uint64_t *a, unsigned words)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < words; i++)
        bits |= a[i];
    return bits == 0;
}
