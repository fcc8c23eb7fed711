/* Thin checked calls of CUDA's runtime: see cuda.h. */
#include "compute/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

#include "compute/cuda/launch.cuh"

#define ARENA_ALIGN 256

cuzk_status cuzk_cuda_fail(cuzk_error *err, cudaError_t code, const char *call, const char *file,
                           int line)
{
    cudaGetLastError(); /* or the next check of a launch would report this failure once more */
    const char *name = strrchr(file, '/');
    cuzk_status status = code == cudaErrorMemoryAllocation ? CUZK_ERR_MEMORY : CUZK_ERR_DEVICE;
    return cuzk_fail(err, status, "%s:%d: %.200s: %s (%s)", name == NULL ? file : name + 1, line,
                     call, cudaGetErrorString(code), cudaGetErrorName(code));
}

int cuzk_cuda_count(cuzk_error *err)
{
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess)
        return count;
    cuzk_cuda_fail(err, code, "cudaGetDeviceCount", __FILE__, __LINE__);
    return 0;
}

cuzk_status cuzk_cuda_info_get(cuzk_cuda_info *info, int device, cuzk_error *err)
{
    cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, device));
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%.127s", properties.name);
    CUDA_TRY(cudaDeviceGetPCIBusId(info->pci, (int)sizeof info->pci, device));
    info->major = properties.major;
    info->minor = properties.minor;
    info->processors = (unsigned)properties.multiProcessorCount;
    info->l2 = (size_t)properties.l2CacheSize;
    info->shared_max = properties.sharedMemPerBlockOptin;
    CUDA_TRY(cudaSetDevice(device));
    CUDA_TRY(cudaMemGetInfo(&info->memory_free, &info->memory));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_use(int device, cuzk_error *err)
{
    CUDA_TRY(cudaSetDevice(device));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_alloc(void **memory, size_t bytes, cuzk_error *err)
{
    cudaError_t code = cudaMalloc(memory, bytes);
    if (code == cudaSuccess)
        return CUZK_OK;
    cudaGetLastError();
    size_t left = 0, all = 0;
    if (code != cudaErrorMemoryAllocation || cudaMemGetInfo(&left, &all) != cudaSuccess)
        return cuzk_cuda_fail(err, code, "cudaMalloc", __FILE__, __LINE__);
    return cuzk_fail(err, CUZK_ERR_MEMORY,
                     "the device has no %zu bytes in one piece: %zu of its %zu bytes are free",
                     bytes, left, all);
}

void cuzk_cuda_free(void *memory)
{
    cudaFree(memory);
}

cuzk_status cuzk_cuda_pinned_alloc(void **memory, size_t bytes, cuzk_error *err)
{
    CUDA_TRY(cudaHostAlloc(memory, bytes, cudaHostAllocPortable));
    return CUZK_OK;
}

void cuzk_cuda_pinned_free(void *memory)
{
    cudaFreeHost(memory);
}

cuzk_status cuzk_cuda_stream_new(cuzk_stream *stream, cuzk_error *err)
{
    CUDA_TRY(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    return CUZK_OK;
}

void cuzk_cuda_stream_free(cuzk_stream stream)
{
    if (stream != NULL)
        cudaStreamDestroy(stream);
}

cuzk_status cuzk_cuda_stream_wait(cuzk_stream stream, cuzk_error *err)
{
    CUDA_TRY(cudaStreamSynchronize(stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_event_new(cuzk_event *event, bool timed, cuzk_error *err)
{
    unsigned flags = timed ? cudaEventDefault : cudaEventDisableTiming;
    CUDA_TRY(cudaEventCreateWithFlags(event, flags));
    return CUZK_OK;
}

void cuzk_cuda_event_free(cuzk_event event)
{
    if (event != NULL)
        cudaEventDestroy(event);
}

cuzk_status cuzk_cuda_event_record(cuzk_event event, cuzk_stream stream, cuzk_error *err)
{
    CUDA_TRY(cudaEventRecord(event, stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_stream_wait_event(cuzk_stream stream, cuzk_event event, cuzk_error *err)
{
    CUDA_TRY(cudaStreamWaitEvent(stream, event, 0));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_event_wait(cuzk_event event, cuzk_error *err)
{
    CUDA_TRY(cudaEventSynchronize(event));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_event_elapsed(float *ms, cuzk_event from, cuzk_event to, cuzk_error *err)
{
    CUDA_TRY(cudaEventElapsedTime(ms, from, to));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_upload(void *device, const void *host, size_t bytes, cuzk_stream stream,
                             cuzk_error *err)
{
    CUDA_TRY(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_download(void *host, const void *device, size_t bytes, cuzk_stream stream,
                               cuzk_error *err)
{
    CUDA_TRY(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_copy(void *to, const void *from, size_t bytes, cuzk_stream stream,
                           cuzk_error *err)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_fill(void *device, int byte, size_t bytes, cuzk_stream stream,
                           cuzk_error *err)
{
    CUDA_TRY(cudaMemsetAsync(device, byte, bytes, stream));
    return CUZK_OK;
}

cuzk_status cuzk_cuda_health(cuzk_error *err)
{
    CUDA_TRY(cudaDeviceSynchronize());
    CUDA_TRY(cudaGetLastError());
    return CUZK_OK;
}

void *cuzk_cuda_arena_take(cuzk_cuda_arena *arena, size_t bytes)
{
    size_t at = arena->used;
    arena->used += (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (arena->base == NULL)
        return NULL;
    CUZK_ASSERT(arena->used <= arena->size);
    return arena->base + at;
}
