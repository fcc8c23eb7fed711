#include "cuda_support.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 1024, GUARD_BYTE = 0x5c, POISON = 0xa5, MAX_BLOCKS = 256 };

static struct {
    unsigned char *memory; /* behind the guard */
    size_t bytes;
} blocks[MAX_BLOCKS];

size_t cuda_test_size(size_t emulated, size_t device)
{
#ifdef CUZK_CUDA_DEVICE
    (void)emulated;
    return device;
#else
    (void)device;
    return emulated;
#endif
}

void cuda_test_expect_ok(cuzk_status status, const cuzk_error *err, const char *call)
{
    if (status != CUZK_OK)
        fail_msg("%s: %s", call, err->message);
}

cuzk_stream cuda_test_stream(void)
{
    static cuzk_stream stream;
    if (stream == NULL) {
        CUDA_OK(cuzk_cuda_use(0, &error));
        CUDA_OK(cuzk_cuda_stream_new(&stream, &error));
    }
    return stream;
}

void *cuda_test_new(size_t bytes)
{
    cuzk_stream stream = cuda_test_stream();
    size_t i = 0;
    while (i < MAX_BLOCKS && blocks[i].memory != NULL)
        i++;
    assert_true(i < MAX_BLOCKS);
    void *start = NULL;
    CUDA_OK(cuzk_cuda_alloc(&start, bytes + 2 * GUARD, &error));
    blocks[i].memory = (unsigned char *)start + GUARD;
    blocks[i].bytes = bytes;
    CUDA_OK(cuzk_cuda_fill(start, GUARD_BYTE, bytes + 2 * GUARD, stream, &error));
    CUDA_OK(cuzk_cuda_fill(blocks[i].memory, POISON, bytes, stream, &error));
    return blocks[i].memory;
}

void *cuda_test_new_from(const void *host, size_t bytes)
{
    void *device = cuda_test_new(bytes);
    CUDA_OK(cuzk_cuda_upload(device, host, bytes, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_stream_wait(cuda_test_stream(), &error));
    return device;
}

void cuda_test_read(void *host, const void *device, size_t bytes)
{
    CUDA_OK(cuzk_cuda_download(host, device, bytes, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_stream_wait(cuda_test_stream(), &error));
}

static void check_guard(const unsigned char *device, const char *side, size_t bytes)
{
    unsigned char guard[GUARD];
    cuda_test_read(guard, device, sizeof guard);
    for (size_t i = 0; i < sizeof guard; i++)
        if (guard[i] != GUARD_BYTE)
            fail_msg("%zu bytes of device memory: written %s them", bytes, side);
}

void cuda_test_free(void *device)
{
    size_t i = 0;
    while (i < MAX_BLOCKS && blocks[i].memory != device)
        i++;
    assert_true(i < MAX_BLOCKS);
    size_t bytes = blocks[i].bytes;
    unsigned char *memory = blocks[i].memory;
    check_guard(memory - GUARD, "before", bytes);
    check_guard(memory + bytes, "behind", bytes);
    cuzk_cuda_free(memory - GUARD);
    blocks[i].memory = NULL;
}
