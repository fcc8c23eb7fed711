#include "groth16/cuda/gpu_staging.h"

#include <string.h>

/* Large enough for the full speed of a link, which copies of 16 MiB reach (93 % of it). */
#define HALF ((size_t)16 << 20)

cuzk_status cuzk_gpu_staging_init(cuzk_gpu_staging *staging, cuzk_error *err)
{
    CUZK_TRY(cuzk_cuda_stream_new(&staging->stream, err));
    for (unsigned i = 0; i < 2; i++) {
        CUZK_TRY(cuzk_cuda_pinned_alloc((void **)&staging->half[i], HALF, err));
        CUZK_TRY(cuzk_cuda_event_new(&staging->read[i], false, err));
        CUZK_TRY(cuzk_cuda_event_record(staging->read[i], staging->stream, err));
    }
    return CUZK_OK;
}

void cuzk_gpu_staging_release(cuzk_gpu_staging *staging)
{
    if (staging->stream != NULL)
        cuzk_cuda_stream_wait(staging->stream, NULL);
    for (unsigned i = 0; i < 2; i++) {
        cuzk_cuda_event_free(staging->read[i]);
        cuzk_cuda_pinned_free(staging->half[i]);
    }
    cuzk_cuda_stream_free(staging->stream);
    *staging = (cuzk_gpu_staging){0};
}

cuzk_status cuzk_gpu_staging_put(cuzk_gpu_staging *staging, void *device, const void *from,
                                 size_t bytes, cuzk_error *err)
{
    for (size_t at = 0; at < bytes; at += HALF) {
        const size_t n = bytes - at < HALF ? bytes - at : HALF;
        const unsigned i = staging->next;
        CUZK_TRY(cuzk_cuda_event_wait(staging->read[i], err));
        memcpy(staging->half[i], (const unsigned char *)from + at, n);
        CUZK_TRY(cuzk_cuda_upload((unsigned char *)device + at, staging->half[i], n,
                                  staging->stream, err));
        CUZK_TRY(cuzk_cuda_event_record(staging->read[i], staging->stream, err));
        staging->next = 1 - i;
    }
    return CUZK_OK;
}
