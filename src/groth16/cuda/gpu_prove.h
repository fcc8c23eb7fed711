/* The five sums of a proof, on a GPU: what cuzk_prove_start computes on the processor. */
#ifndef CUZK_GROTH16_CUDA_GPU_PROVE_H
#define CUZK_GROTH16_CUDA_GPU_PROVE_H

#include "compute/cuda/cuda_msm.h"
#include "groth16/cuda/gpu_key.h"
#include "groth16/prove.h"

/* How the sum of one query is made: bits apart from wide scalars, or all as one. */
typedef struct cuzk_gpu_sum_plan {
    bool has_bits, has_msm;
    cuzk_cuda_bits_plan bits;
    cuzk_cuda_msm_plan msm;
    size_t bits_at, msm_at; /* of their points among the results */
} cuzk_gpu_sum_plan;

/* Memory, stream and plans for one proof at a time with a key. All memory is taken when it is made.
 */
typedef struct cuzk_gpu_slot {
    const cuzk_gpu_key *key;
    cuzk_stream stream;
    cuzk_gpu_sum_plan sum[CUZK_QUERIES];
    unsigned char *memory; /* on the device */
    size_t bytes;
    /* Its parts: the assignment, packed or as an array (value, z: canonical), */
    uint64_t *bits;
    cuzk_scalar *value;
    cuzk_fr *value_fr;
    /* the quotient's scalars, the results, */
    cuzk_scalar *h;
    unsigned char *results;
    size_t results_bytes;
    /* and one place for what lives one after the other: products of rows; what a sum needs. */
    cuzk_fr *product[3];
    uint64_t *query_bits;
    cuzk_scalar *query_value;
    void *scratch;
    /* Page-locked: the assignment on its way there, the results on their way back. */
    unsigned char *pinned;
    size_t pinned_bytes;
} cuzk_gpu_slot;

/* Zero before; the calling thread uses the device, here and below. limit: bytes of device memory
 * that the slot may take (0: what is fastest); CUZK_ERR_MEMORY if it cannot do with that. On
 * failure cuzk_gpu_slot_release is still due. key outlives the slot. */
cuzk_status cuzk_gpu_slot_init(cuzk_gpu_slot *slot, const cuzk_gpu_key *key,
                               const cuzk_cuda_info *device, size_t limit, cuzk_error *err);
void cuzk_gpu_slot_release(cuzk_gpu_slot *slot);

/* Enqueues the whole computation; the assignment is the caller's again when this returns. It is
 * that of the key's circuit: an array or packed as the key says; its values were checked. */
cuzk_status cuzk_gpu_prove_start(cuzk_gpu_slot *slot, const cuzk_assignment *assignment,
                                 cuzk_error *err);

/* Waits for it, wipes what the device holds of the assignment, and joins the sums. On failure *sums
 * is unchanged. */
cuzk_status cuzk_gpu_prove_collect(cuzk_gpu_slot *slot, cuzk_sums *sums, cuzk_error *err);

#endif
