/* Copies: from and to pinned memory when their turn comes, so that a buffer reused too early shows;
 * with other host memory they wait, as CUDA does. */
#include "state.h"

static bool kinds_fit(const void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return device_owns(to, bytes) == to_device && device_owns(from, bytes) == from_device;
}

static bool must_wait(const void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return (kind == cudaMemcpyHostToDevice && !device_pinned(from, bytes)) ||
           (kind == cudaMemcpyDeviceToHost && !device_pinned(to, bytes));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess || bytes == 0)
        return code;
    if (!kinds_fit(to, from, bytes, kind))
        return device_set_error(cudaErrorInvalidValue);
    code = device_enqueue(stream, [to, from, bytes]() { memmove(to, from, bytes); });
    if (code == cudaSuccess && must_wait(to, from, bytes, kind))
        device_drain_stream(stream);
    return code;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = cudaMemcpyAsync(to, from, bytes, kind, NULL);
    device_drain_stream(NULL);
    return code;
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess || bytes == 0)
        return code;
    if (!device_owns(to, bytes))
        return device_set_error(cudaErrorInvalidValue);
    return device_enqueue(stream, [to, byte, bytes]() { memset(to, byte, bytes); });
}

cudaError_t cudaMemset(void *to, int byte, size_t bytes)
{
    device_guard guard(cuzk_emulated_lock);
    return cudaMemsetAsync(to, byte, bytes, NULL);
}
