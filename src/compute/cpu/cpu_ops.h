/* What one (curve, CPU level) pair computes: the tables behind compute/ntt.h (those behind
 * compute/msm.h are in msm_kernel.h). Each kernel file exports one; the dispatch picks by
 * cuzk_cpu_selected(). */
#ifndef CUZK_COMPUTE_CPU_OPS_H
#define CUZK_COMPUTE_CPU_OPS_H

#include "compute/ntt.h"

/* In files ntt_<curve>_<level>.c, named cuzk_ntt_ops_<curve>_<level>. The plan carries its ops. */
typedef struct cuzk_ntt_ops {
    size_t (*plan_bytes)(unsigned log_m);
    cuzk_ntt_plan *(*plan_init)(void *memory, unsigned log_m, const cuzk_fr *omega,
                                cuzk_pool *pool);
    size_t (*scratch)(const cuzk_ntt_plan *plan, unsigned threads);
    void (*forward)(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                    cuzk_pool *pool);
    void (*inverse)(const cuzk_ntt_plan *plan, cuzk_fr *data, const cuzk_fr *coset, void *scratch,
                    cuzk_pool *pool);
    size_t (*quotient_scratch)(const cuzk_ntt_plan *plan, unsigned threads);
    void (*quotient)(const cuzk_ntt_plan *plan, cuzk_h_kind kind, const cuzk_fr *coset,
                     cuzk_scalar *h, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c, void *scratch,
                     cuzk_pool *pool);
    void (*fr_import)(cuzk_fr *r, const cuzk_scalar *a, size_t n, cuzk_pool *pool);
    void (*fr_export)(cuzk_scalar *r, const cuzk_fr *a, size_t n, cuzk_pool *pool);
    void (*fr_mul_vec)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b, size_t n, cuzk_pool *pool);
} cuzk_ntt_ops;

#endif
