/* CUDA on the host, so that .cu files run under tests, debuggers and sanitizers without a card.
 *
 * A .cu file is compiled as C++ with this header before CUDA's. Kernels run on one processor: block
 * after block, the threads of a block as fibers that change places at barriers and warp operations
 * only, in an order that a seed decides. What is enqueued on a stream runs as late as it may: when
 * somebody waits for it. So a missing barrier, a missing wait between streams, or host memory that
 * is reused too early shows as a wrong result, for some seeds at least.
 *
 * It is stricter than a card where a card's answer is undefined: barriers that only some threads of
 * a block reach, masks that name lanes which do not take part, pointers of the wrong kind in
 * copies. It knows only what the project's kernels use; see the lists below and device_calls.h.
 * Names of our own start with cuzk_emulated_ (emulated.h). */
#ifndef CUZK_TEST_EMULATED_CUDA_RUNTIME_H
#define CUZK_TEST_EMULATED_CUDA_RUNTIME_H

#include <functional>
#include <memory> /* before the macros below: it has attributes of their names */
#include <tuple>
#include <type_traits>
#include <utility>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads share what is static, and a block ends before the next begins. */
#define __shared__ static
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchFailure = 719,
    cudaErrorUnknown = 999
} cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3
} cudaMemcpyKind;

typedef enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;

enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventDisableTiming = 2
};

typedef struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    int major, minor, multiProcessorCount, l2CacheSize, warpSize, maxThreadsPerBlock;
    int regsPerMultiprocessor, maxThreadsPerMultiProcessor;
} cudaDeviceProp;

struct uint2 {
    unsigned x, y;
} __align__(8);
struct uint3 {
    unsigned x, y, z;
};
struct uint4 {
    unsigned x, y, z, w;
} __align__(16);
struct ulonglong2 {
    unsigned long long x, y;
} __align__(16);

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

static inline uint2 make_uint2(unsigned x, unsigned y)
{
    return uint2{x, y};
}

static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return uint4{x, y, z, w};
}

static inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y)
{
    return ulonglong2{x, y};
}

extern "C" {
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t code);
const char *cudaGetErrorString(cudaError_t code);

cudaError_t cudaMemGetInfo(size_t *left, size_t *all);
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void *to, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream);
}

cudaError_t cuzk_emulated_set_attribute(const void *kernel, cudaFuncAttribute attribute, int value);

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value)
{
    return cuzk_emulated_set_attribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel *, int threads,
                                                          size_t)
{
    *blocks = threads > 512 ? 1 : 2;
    return cudaSuccess;
}

/* Shape of a launch. */
struct cuzk_emulated_shape {
    const void *kernel;
    const char *name;
    size_t blocks, threads, shared;
};

/* Enqueues a launch; body runs one thread. */
cudaError_t cuzk_emulated_launch(const cuzk_emulated_shape *shape, cudaStream_t stream,
                                 std::function<void()> body);
/* Enqueues other work of a call of that name, for cub. */
cudaError_t cuzk_emulated_enqueue(const char *name, cudaStream_t stream,
                                  std::function<void()> work);
/* The block's dynamic shared memory. */
void *cuzk_emulated_shared(void);

template <class... Parameters, class... Arguments>
cudaError_t cuzk_emulated_call(const char *name, void (*kernel)(Parameters...), size_t blocks,
                               size_t threads, size_t shared, cudaStream_t stream,
                               Arguments... arguments)
{
    const cuzk_emulated_shape shape = {reinterpret_cast<const void *>(kernel), name, blocks,
                                       threads, shared};
    std::tuple<std::decay_t<Parameters>...> copies(
        static_cast<std::decay_t<Parameters>>(arguments)...);
    return cuzk_emulated_launch(&shape, stream, [kernel, copies]() { std::apply(kernel, copies); });
}

#define CUZK_LAUNCH(kernel, blocks, threads, shared, stream, ...)                                  \
    CUDA_TRY(                                                                                      \
        cuzk_emulated_call(#kernel, kernel, (blocks), (threads), (shared), (stream), __VA_ARGS__))
#define CUZK_SHARED(type, name) type *name = (type *)cuzk_emulated_shared()

#include "device_calls.h"

#endif
