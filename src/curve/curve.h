/* A pairing-friendly curve as code above this folder sees it: sizes and functions, chosen once per
 * job.
 *
 * Representations. Fr: `cuzk_fr` is Montgomery (value * 2^256 mod r), `cuzk_scalar` canonical; both
 * are below r. Points are affine, coordinates in Montgomery form with R = 2^(64 * fp_words), 64-bit
 * limbs little-endian; G1 = x, y; G2 = x.c0, x.c1, y.c0, y.c1; infinity is all zero. On a
 * little-endian machine these are the bytes of snarkjs' zkey and ptau files (encoding E2). Point
 * arguments are `uint64_t *` to g1_words or g2_words limbs, 8-byte aligned, so arrays are packed;
 * cuzk_g1 and cuzk_g2 are containers that fit either curve.
 *
 * All functions: any thread, no allocation, outputs may equal inputs. Their time depends on the
 * data unless said otherwise. */
#ifndef CUZK_CURVE_CURVE_H
#define CUZK_CURVE_CURVE_H

#include "field/scalar.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CUZK_FP_MAX_WORDS 6
#define CUZK_G1_MAX_WORDS (2 * CUZK_FP_MAX_WORDS)
#define CUZK_G2_MAX_WORDS (4 * CUZK_FP_MAX_WORDS)

typedef struct cuzk_g1 {
    uint64_t l[CUZK_G1_MAX_WORDS];
} cuzk_g1;

typedef struct cuzk_g2 {
    uint64_t l[CUZK_G2_MAX_WORDS];
} cuzk_g2;

/* An element of the target group: 12 Fp coefficients of v^j * w^i, Montgomery, in the order
 * [i][j][c0, c1] (snarkjs' order), each fp_words limbs, packed. */
typedef struct cuzk_gt {
    uint64_t l[12 * CUZK_FP_MAX_WORDS];
} cuzk_gt;

typedef enum cuzk_curve_id { CUZK_BN254 = 0, CUZK_BLS12_381 = 1, CUZK_CURVES = 2 } cuzk_curve_id;

typedef enum cuzk_group { CUZK_G1 = 0, CUZK_G2 = 1 } cuzk_group;

/* What a decoder or check found. The order is that of the checks. */
typedef enum cuzk_point_status {
    CUZK_POINT_OK = 0,
    CUZK_POINT_BAD_FLAGS, /* a flag bit that this encoding forbids here, or rubbish beside infinity
                           */
    CUZK_POINT_NOT_CANONICAL, /* a coordinate >= p */
    CUZK_POINT_NOT_ON_CURVE,
    CUZK_POINT_NOT_IN_SUBGROUP
} cuzk_point_status;

/* "not on the curve", ... Static storage. */
const char *cuzk_point_status_text(cuzk_point_status status);

/* Byte encodings (doc: spec of formats, section 1.5). Fp2 coordinates: c1 before c0, but for LEM.
 */
typedef enum cuzk_encoding {
    CUZK_ENC_ZCASH,            /* E1 uncompressed, big-endian, three flag bits (BLS12-381 only) */
    CUZK_ENC_ZCASH_COMPRESSED, /* E1 compressed (BLS12-381 only) */
    CUZK_ENC_LEM,              /* E2 iden3 little-endian Montgomery */
    CUZK_ENC_IDEN3_U, /* E3: E1 uncompressed layout for both curves; writes infinity as zeros */
    CUZK_ENC_IDEN3_C  /* E4: iden3 compressed: 0x80 larger y, 0x40 infinity */
} cuzk_encoding;

typedef struct cuzk_curve {
    cuzk_curve_id id;
    const char *name;              /* "bn128" or "bls12381", as snarkjs writes it */
    const char *full_name;         /* "BN254" or "BLS12-381" */
    unsigned fp_words;             /* 4 or 6 */
    unsigned g1_words;             /* 2 * fp_words */
    unsigned g2_words;             /* 4 * fp_words */
    unsigned scalar_bits;          /* bits of r: 254 or 255 */
    unsigned two_adicity;          /* largest s with 2^s | r - 1: 28 or 32 */
    uint64_t p[CUZK_FP_MAX_WORDS]; /* canonical; unused limbs zero */
    cuzk_scalar r;
    uint64_t g1_generator[CUZK_G1_MAX_WORDS];
    uint64_t g2_generator[CUZK_G2_MAX_WORDS];
    cuzk_fr fr_one;
    /* Primitive 2^two_adicity-th roots of unity: iden3 = 5^t; zcash = 7^t (bellperson, arkworks).
     * A key says which one it uses; they are never interchangeable. */
    cuzk_fr root_iden3, root_zcash;
    cuzk_fr coset_zcash;     /* 7: bellperson's coset */
    cuzk_fr coset_iden3_max; /* 25: snarkjs' shift when a domain uses the whole two-adicity */

    /* Fr, one element at a time: for a handful of them. Long vectors: compute/. */
    bool (*scalar_is_canonical)(const cuzk_scalar *a);
    void (*fr_from_scalar)(cuzk_fr *r, const cuzk_scalar *a);
    void (*fr_to_scalar)(cuzk_scalar *r, const cuzk_fr *a);
    void (*fr_add)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b);
    void (*fr_sub)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b);
    void (*fr_neg)(cuzk_fr *r, const cuzk_fr *a);
    void (*fr_mul)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b);
    void (*fr_inv)(cuzk_fr *r, const cuzk_fr *a); /* 1/0 = 0 */
    void (*fr_pow)(cuzk_fr *r, const cuzk_fr *a, uint64_t exponent);
    /* A uniform scalar from 64 uniform bytes (512-bit reduction; bias below 2^-256).
     * Constant time: used for the blinding r, s. */
    void (*scalar_from_wide)(cuzk_scalar *r, const uint8_t wide[64]);

    /* Fp, for files: 8 * fp_words bytes little-endian canonical. from_le returns false if >= p. */
    void (*fp_to_le)(uint8_t *out, const uint64_t *fp);
    bool (*fp_from_le)(uint64_t *fp, const uint8_t *in);

    /* Groups. add and mul accept infinity and equal or opposite points. mul takes points of the
     * subgroup only (endomorphism); mul_any takes any point on the curve. mul_secret does the same
     * number of group operations for every scalar: for the blinding r, s. */
    void (*g1_neg)(uint64_t *r, const uint64_t *a);
    void (*g1_add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*g1_mul)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*g1_mul_any)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*g1_mul_secret)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*g2_neg)(uint64_t *r, const uint64_t *a);
    void (*g2_add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*g2_mul)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*g2_mul_any)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);
    void (*g2_mul_secret)(uint64_t *r, const uint64_t *a, const cuzk_scalar *k);

    /* Checks a point in memory form: coordinates < p, on the curve, in the subgroup if asked.
     * Infinity is OK. */
    cuzk_point_status (*g1_check)(const uint64_t *a, bool subgroup);
    cuzk_point_status (*g2_check)(const uint64_t *a, bool subgroup);

    /* Bytes. The size is cuzk_encoding_size. decode is strict: flags, canonical, on the curve; in
     * the subgroup if asked; on failure *r is all zero. Infinity decodes to zeros and is OK:
     * callers that forbid it look for it. */
    void (*g1_encode)(uint8_t *out, const uint64_t *a, cuzk_encoding enc);
    void (*g2_encode)(uint8_t *out, const uint64_t *a, cuzk_encoding enc);
    cuzk_point_status (*g1_decode)(uint64_t *r, const uint8_t *in, cuzk_encoding enc,
                                   bool subgroup);
    cuzk_point_status (*g2_decode)(uint64_t *r, const uint8_t *in, cuzk_encoding enc,
                                   bool subgroup);

    /* Pairings. A prepared G2 point (g2_prepared_bytes bytes, 8-byte aligned) holds the line
     * coefficients of the Miller loop. miller sets *f to the product over i < n of the Miller
     * values of (points[i], prepared[i]); pairs with infinity count as 1. final_exp raises to k *
     * (p^12 - 1) / r with the k of snarkjs' vk_alphabeta_12 (3; 2u(6u^2+3u+1)). */
    size_t g2_prepared_bytes;
    void (*g2_prepare)(void *prepared, const uint64_t *q);
    void (*miller)(cuzk_gt *f, const uint64_t *const *points, const void *const *prepared,
                   size_t n);
    void (*final_exp)(cuzk_gt *r, const cuzk_gt *f);
    void (*gt_one)(cuzk_gt *r);
    void (*gt_mul)(cuzk_gt *r, const cuzk_gt *a, const cuzk_gt *b);
    void (*gt_conjugate)(cuzk_gt *r, const cuzk_gt *a); /* the inverse, after final_exp */
    void (*gt_pow)(cuzk_gt *r, const cuzk_gt *a, const cuzk_scalar *k);
    bool (*gt_equal)(const cuzk_gt *a, const cuzk_gt *b);
} cuzk_curve;

/* The curve's functions for the selected CPU level (base/cpu.h). Static storage. */
const cuzk_curve *cuzk_curve_get(cuzk_curve_id id);

/* By name: bn128, bn254, altbn128, bls12381, bls12-381; case and dashes do not matter. NULL:
 * unknown. */
const cuzk_curve *cuzk_curve_by_name(const char *name);

/* By base-field modulus p or by scalar-field modulus r, n little-endian bytes. NULL: unknown. */
const cuzk_curve *cuzk_curve_by_p(const uint8_t *p, size_t n);
const cuzk_curve *cuzk_curve_by_r(const uint8_t *r, size_t n);

/* Bytes of one encoded point. */
size_t cuzk_encoding_size(const cuzk_curve *curve, cuzk_group group, cuzk_encoding enc);

static inline unsigned cuzk_point_words(const cuzk_curve *curve, cuzk_group group)
{
    return group == CUZK_G1 ? curve->g1_words : curve->g2_words;
}

static inline const uint64_t *cuzk_generator(const cuzk_curve *curve, cuzk_group group)
{
    return group == CUZK_G1 ? curve->g1_generator : curve->g2_generator;
}

/* True for infinity. */
bool cuzk_point_is_infinity(const uint64_t *a, unsigned words);

#endif
