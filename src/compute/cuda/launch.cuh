/* What all .cu files share: launching kernels, and turning CUDA's errors into ours.
 *
 * A .cu file is C with kernels, of which tests compile a second form for the host
 * (test/emulated/cuda_runtime.h): so kernels are launched by CUZK_LAUNCH, and dynamic shared memory
 * is named by CUZK_SHARED. Warps are 32 threads. */
#ifndef CUZK_COMPUTE_CUDA_LAUNCH_CUH
#define CUZK_COMPUTE_CUDA_LAUNCH_CUH

#include <cuda_runtime.h>

#include "base/status.h"

/* Fills *err with the call, its place and CUDA's reason; returns CUZK_ERR_MEMORY where the device's
 * memory is used up, else CUZK_ERR_DEVICE. */
cuzk_status cuzk_cuda_fail(cuzk_error *err, cudaError_t code, const char *call, const char *file,
                           int line);

/* Forwards a failure of a CUDA call to the caller; needs `err`. */
#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        cudaError_t cuda_code_ = (call);                                                           \
        if (cuda_code_ != cudaSuccess)                                                             \
            return cuzk_cuda_fail(err, cuda_code_, #call, __FILE__, __LINE__);                     \
    } while (0)

/* CUZK_LAUNCH(kernel, blocks, threads, shared bytes, stream, arguments...) forwards a launch that
 * is refused to the caller. A failure while the kernel runs shows at the next wait for the stream.
 */
#ifndef CUZK_LAUNCH
#define CUZK_LAUNCH(kernel, blocks, threads, shared, stream, ...)                                  \
    do {                                                                                           \
        kernel<<<(blocks), (threads), (shared), (stream)>>>(__VA_ARGS__);                          \
        CUDA_TRY(cudaGetLastError());                                                              \
    } while (0)
/* Declares `type *name`, the block's dynamic shared memory, aligned to 16 bytes. */
#define CUZK_SHARED(type, name)                                                                    \
    extern __shared__ uint4 cuzk_shared_bytes[];                                                   \
    type *name = (type *)cuzk_shared_bytes
#endif

/* Blocks of `threads` that cover n items; at least one. */
static inline unsigned cuzk_blocks(size_t n, unsigned threads)
{
    return n == 0 ? 1 : (unsigned)((n + threads - 1) / threads);
}

#endif
