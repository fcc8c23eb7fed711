/* A proving key on a GPU, all of it resident: points, index lists, tables of the transforms. It is
 * made in two steps: its sink takes the points while cuzk_pk_new (or an opener of a file) reads
 * them; then cuzk_gpu_key_complete adds what the finished cuzk_pk knows. */
#ifndef CUZK_GROTH16_CUDA_GPU_KEY_H
#define CUZK_GROTH16_CUDA_GPU_KEY_H

#include "compute/cuda/cuda_ntt.h"
#include "compute/cuda/products.h"
#include "compute/cuda/unpack.h"
#include "groth16/cuda/gpu_staging.h"
#include "groth16/key.h"

/* A query's points and which scalars are theirs; all arrays on the device. */
typedef struct cuzk_gpu_query {
    cuzk_group group;
    size_t n;
    void *points;
    cuzk_cuda_range range; /* the variables of the points */
    /* Of packed assignments: the wide ones among them; NULL where there are none. */
    size_t n_wide;
    uint32_t *place, *which;
} cuzk_gpu_query;

typedef struct cuzk_gpu_key {
    cuzk_base_sink sink;
    cuzk_gpu_staging staging; /* while it is made */
    cuzk_gpu_query query[CUZK_QUERIES];
    cuzk_gpu_query *filling;
    size_t room; /* of the query that is filled, in points */
    unsigned words;
    const cuzk_pk *pk; /* borrowed; without points */
    cuzk_cuda_ntt_plan plan;
    void *plan_memory;
    /* Packed assignments: their map, and rows that are shared. n = 0: they are arrays, and the key
     * has the matrices A, B and maybe C (of rows = 0: none). */
    cuzk_cuda_map map;
    void *map_memory[2];
    cuzk_cuda_rows rows;
    cuzk_cuda_matrix matrix[3];
    void *coefs, *row_memory[3];
    size_t bytes; /* of device memory */
} cuzk_gpu_key;

/* Zero before; the calling thread uses the device. On failure cuzk_gpu_key_release is still due.
 * The key does not move. */
cuzk_status cuzk_gpu_key_init(cuzk_gpu_key *key, cuzk_error *err);

/* pk was made with &key->sink, and outlives the key. rows: those of the circuit for a key whose
 * assignments are packed, else NULL; not needed afterwards. Waits for the device. */
cuzk_status cuzk_gpu_key_complete(cuzk_gpu_key *key, const cuzk_pk *pk,
                                  const cuzk_shared_rows *rows, cuzk_error *err);
void cuzk_gpu_key_release(cuzk_gpu_key *key);

#endif
