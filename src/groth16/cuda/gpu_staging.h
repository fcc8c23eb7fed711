/* Uploads from memory that is not page-locked: through two page-locked halves, one of which is
 * filled while the device reads the other. For keys and other things that come once; what comes
 * with every proof is made in page-locked memory. */
#ifndef CUZK_GROTH16_CUDA_GPU_STAGING_H
#define CUZK_GROTH16_CUDA_GPU_STAGING_H

#include "compute/cuda/cuda.h"

typedef struct cuzk_gpu_staging {
    cuzk_stream stream;
    unsigned char *half[2];
    cuzk_event read[2]; /* the device has read that half */
    unsigned next;
} cuzk_gpu_staging;

/* Zero before. On failure cuzk_gpu_staging_release is still due. */
cuzk_status cuzk_gpu_staging_init(cuzk_gpu_staging *staging, cuzk_error *err);
void cuzk_gpu_staging_release(cuzk_gpu_staging *staging);

/* Copies to device memory. from is the caller's again when this returns; the copies are done when
 * staging->stream has been waited for. One thread at a time. */
cuzk_status cuzk_gpu_staging_put(cuzk_gpu_staging *staging, void *device, const void *from,
                                 size_t bytes, cuzk_error *err);

#endif
