/* Inside of products: what the host code that both curves share launches. */
#ifndef CUZK_COMPUTE_CUDA_PRODUCTS_KERNELS_H
#define CUZK_COMPUTE_CUDA_PRODUCTS_KERNELS_H

#include "compute/cuda/products.h"

/* A cuzk_shared_group, and where its blocks start among those of a launch. */
typedef struct cuzk_cuda_group {
    uint32_t first_block;
    cuzk_shared_group g;
} cuzk_cuda_group;

#define CUZK_PRODUCTS_THREADS 256u
/* Instances per thread in light lines: a term is read once for all of them. */
#define CUZK_PRODUCTS_BATCH 8u

/* Blocks of a group, of light or heavy lines. */
static inline size_t cuzk_products_blocks(const cuzk_shared_group *g, bool light)
{
    const size_t batch = light ? CUZK_PRODUCTS_BATCH : 1;
    const size_t items = (g->instances + batch - 1) / batch * g->lines;
    return (items + CUZK_PRODUCTS_THREADS - 1) / CUZK_PRODUCTS_THREADS;
}

typedef struct cuzk_products_ops {
    cuzk_status (*light)(const cuzk_cuda_rows *rows, const cuzk_cuda_lines *side,
                         const uint64_t *bits, cuzk_fr *out, cuzk_stream stream, cuzk_error *err);
    cuzk_status (*heavy)(const cuzk_cuda_rows *rows, const cuzk_cuda_lines *side,
                         const uint64_t *bits, const cuzk_fr *value, cuzk_fr *out,
                         cuzk_stream stream, cuzk_error *err);
    cuzk_status (*matrix)(const cuzk_cuda_matrix *matrix, cuzk_fr *out, const cuzk_fr *z,
                          cuzk_stream stream, cuzk_error *err);
} cuzk_products_ops;

extern const cuzk_products_ops cuzk_products_bls12_381, cuzk_products_bn254;

#endif
