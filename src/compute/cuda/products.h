/* Products of a constraint system's rows with a witness, on the device: of shared rows
 * (compute/shared_rows.h), which read the witness packed, and of plain ones, a cuzk_matrix, which
 * read an array. */
#ifndef CUZK_COMPUTE_CUDA_PRODUCTS_H
#define CUZK_COMPUTE_CUDA_PRODUCTS_H

#include "compute/cuda/cuda.h"
#include "compute/shared_rows.h"
#include "compute/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- shared rows --- */

/* Where the parts of shared rows are on the device. `memory` stays the caller's. */
typedef struct cuzk_cuda_lines {
    const struct cuzk_cuda_group *light, *heavy;
    uint32_t n_light, n_heavy, light_blocks, heavy_blocks;
    const cuzk_shared_line *line;
    const cuzk_shared_term *term;
} cuzk_cuda_lines;

typedef struct cuzk_cuda_rows {
    const cuzk_curve *curve;
    size_t rows;
    const cuzk_fr *coef, *small; /* small[i]: i - CUZK_LIGHT_MAX */
    const cuzk_shared_instance *instance;
    const uint32_t *port;
    cuzk_cuda_lines side[3];
} cuzk_cuda_rows;

/* Copies shared rows to the device, into cuzk_cuda_rows_bytes there; waits for the copies. *device
 * is good as long as the memory is. The host's description is not needed afterwards. */
size_t cuzk_cuda_rows_bytes(const cuzk_shared_rows *rows);
cuzk_status cuzk_cuda_rows_load(cuzk_cuda_rows *device, const cuzk_shared_rows *rows, void *memory,
                                cuzk_stream stream, cuzk_error *err);

/* a[i] = <A_i, w>, b[i] = <B_i, w>, c[i] = <C_i, w> for i < rows->rows, and 0 from there to i <
 * size. Each may be NULL: not wanted. Montgomery; aligned to 16 bytes. bits and value: the packed
 * witness; value in Montgomery form (cuzk_cuda_fr_import), aligned to 16 bytes. */
cuzk_status cuzk_cuda_products(const cuzk_cuda_rows *rows, const uint64_t *bits,
                               const cuzk_fr *value, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                               size_t size, cuzk_stream stream, cuzk_error *err);

/* --- plain rows --- */

/* A matrix on the device. Rows longer than CUZK_LONG_ROW are listed, for a warp each. */
#define CUZK_LONG_ROW 48
typedef struct cuzk_cuda_matrix {
    const cuzk_curve *curve;
    size_t rows, n_long;
    const uint64_t *row_start;
    const uint32_t *col, *coef, *long_row;
    const cuzk_fr *value; /* of the coefficients; several matrices may share it */
} cuzk_cuda_matrix;

/* Copies a matrix, or a dictionary, to the device; waits for the copies. value: the dictionary's
 * place on the device, coefs->count elements, aligned to 16 bytes. */
size_t cuzk_cuda_matrix_bytes(const cuzk_matrix *matrix);
cuzk_status cuzk_cuda_matrix_load(cuzk_cuda_matrix *device, const cuzk_curve *curve,
                                  const cuzk_matrix *matrix, const cuzk_fr *value, void *memory,
                                  cuzk_stream stream, cuzk_error *err);

/* out[i] = <M_i, z>, i < rows; 0 from there to i < size. z, out: Montgomery, aligned to 16 bytes.
 */
cuzk_status cuzk_cuda_matrix_mul(const cuzk_cuda_matrix *matrix, cuzk_fr *out, const cuzk_fr *z,
                                 size_t size, cuzk_stream stream, cuzk_error *err);

#ifdef __cplusplus
}
#endif

#endif
