/* What one (curve, group, CPU level) gives to multi-scalar multiplication: arithmetic on batches of
 * points. The algorithms around it (msm_*.c) are compiled once and call it per batch, never per
 * point.
 *
 * Points here are affine and packed: the coordinates' words as compute/cpu/README.md describes
 * them, x before y, c0 before c1; slots hold words below 2p, bases below p. Infinity is all zero;
 * as no group here has a point of order two, y = 0 says it. */
#ifndef CUZK_COMPUTE_MSM_KERNEL_H
#define CUZK_COMPUTE_MSM_KERNEL_H

#include "compute/msm.h"

/* A reference to a finite point, one of
 *   index << 1 | negate   of an array of points, index < CUZK_MSM_MAX_POINTS
 *   CUZK_REF_SLOT | i     slot i of the worker's results
 *   CUZK_REF_NONE         infinity: never given to a kernel */
typedef uint32_t cuzk_ref;
#define CUZK_REF_SLOT       0x80000000u
#define CUZK_REF_NONE       0xffffffffu
#define CUZK_MSM_MAX_POINTS ((size_t)1 << 30)

typedef struct cuzk_msm_kernel {
    cuzk_curve_id curve;
    cuzk_group group;
    unsigned fp_words; /* of a component of a coordinate */
    unsigned words;    /* of a point */
    unsigned lanes;
    size_t element_bytes; /* of a vector of coordinates, as add keeps them */

    /* slots[out + i] = ref[2i] + ref[2i+1], i < n: independent additions that share an inversion.
     * Exact for equal and opposite points; returns true if a result is infinity (its slot is zero).
     * memory: cuzk_msm_products_bytes(n), 64-byte aligned. Only slots below out are read.
     * soon: n_soon references to points (no slots) that the next calls will read: they are fetched
     * into the caches meanwhile. */
    bool (*add)(uint64_t *slots, size_t out, const uint64_t *points, const cuzk_ref *ref, size_t n,
                const cuzk_ref *soon, size_t n_soon, void *memory);

    /* Sums of groups * lanes segments of `length` >= 2 points each, a segment per lane: element i
     * of the segment in lane k of group g is ref[(g * length + i) * lanes + k], a point, no slot.
     * The sums are packed to *sum[g * lanes + k]. Returns false, and sums nothing, if an addition
     * came up that add would have to be careful with: equal or opposite summands. slots:
     * cuzk_msm_equal_bytes(groups, length); products: as add takes for all pairs of points; soon:
     * as add. */
    bool (*sum_equal)(uint64_t *const *sum, const uint64_t *points, const cuzk_ref *ref,
                      size_t groups, size_t length, const cuzk_ref *soon, size_t n_soon,
                      void *slots, void *products);

    /* From memory form (unaligned) to packed; bit i of infinity says that point i is. n <= 64 k. */
    void (*import)(uint64_t *dst, uint64_t *infinity, const uint8_t *src, size_t n);
    /* From packed to memory form; dst may be src. */
    void (*export)(uint64_t *dst, const uint64_t *src, size_t n);

    /* *result = extra + sum over i < n of 2^i position[i], in memory form. Overwrites its inputs.
     */
    void (*horner)(uint64_t *result, uint64_t *position, size_t n, uint64_t *extra);

    /* Bit i of the answer: point i of n <= lanes, in memory form, may be bad. Never misses a bad
     * one. */
    unsigned (*suspect)(const uint8_t *src, size_t n, bool subgroup);
} cuzk_msm_kernel;

/* A product per vector, and one more per chain. */
#define CUZK_MSM_CHAINS 2
static inline size_t cuzk_msm_products_bytes(const cuzk_msm_kernel *kernel, size_t n)
{
    return ((n + kernel->lanes - 1) / kernel->lanes + CUZK_MSM_CHAINS) * kernel->element_bytes;
}

/* Two coordinates for every second point. */
static inline size_t cuzk_msm_equal_bytes(const cuzk_msm_kernel *kernel, size_t groups,
                                          size_t length)
{
    return groups * ((length + 1) / 2) * 2 * kernel->element_bytes;
}

static inline bool cuzk_packed_is_infinity(const cuzk_msm_kernel *kernel, const uint64_t *point)
{
    for (unsigned i = kernel->words / 2; i < kernel->words; i++)
        if (point[i] != 0)
            return false;
    return true;
}

/* Tables [group] of the curves' kernels: in files msm_<curve>_<level>.c. */
extern const cuzk_msm_kernel cuzk_msm_bn254_portable[2], cuzk_msm_bls12_381_portable[2];
#if CUZK_X86_LEVELS
extern const cuzk_msm_kernel cuzk_msm_bn254_adx[2], cuzk_msm_bls12_381_adx[2];
extern const cuzk_msm_kernel cuzk_msm_bn254_avx2[2], cuzk_msm_bls12_381_avx2[2];
extern const cuzk_msm_kernel cuzk_msm_bn254_ifma[2], cuzk_msm_bls12_381_ifma[2];
#endif

/* The kernel of the selected level. */
const cuzk_msm_kernel *cuzk_msm_kernel_get(const cuzk_curve *curve, cuzk_group group);

#endif
