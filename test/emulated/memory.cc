/* Device and pinned memory, with bytes of guard on both sides. */
#include "state.h"

#include <map>

#include "emulated.h"

/* AddressSanitizer sees reads of the guard too. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

enum { GUARD = 256, GUARD_BYTE = 0x5c };

struct block {
    size_t bytes;
    bool device;
    bool registered; /* the host's own memory, made pinned */
};

static std::map<uintptr_t, block> &blocks(void)
{
    static std::map<uintptr_t, block> all;
    return all;
}

static size_t memory_size = (size_t)4 << 30, used, peak;

void device_configure_memory(size_t bytes)
{
    memory_size = bytes;
}

size_t device_memory_live(void)
{
    return blocks().size();
}

size_t cuzk_emulated_bytes(void)
{
    device_guard guard(cuzk_emulated_lock);
    return used;
}

size_t cuzk_emulated_bytes_peak(void)
{
    device_guard guard(cuzk_emulated_lock);
    return peak;
}

static const block *find(const void *memory, size_t bytes)
{
    auto after = blocks().upper_bound((uintptr_t)memory);
    if (after == blocks().begin())
        return NULL;
    auto at = std::prev(after);
    size_t offset = (uintptr_t)memory - at->first;
    return offset <= at->second.bytes && bytes <= at->second.bytes - offset ? &at->second : NULL;
}

bool device_owns(const void *memory, size_t bytes)
{
    const block *b = find(memory, bytes);
    return b != NULL && b->device;
}

bool device_pinned(const void *memory, size_t bytes)
{
    const block *b = find(memory, bytes);
    return b != NULL && !b->device;
}

static void check_guard(const unsigned char *guard, const char *side, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(guard, GUARD);
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != GUARD_BYTE)
            device_die("a kernel or copy wrote %s a block of %zu bytes of device memory", side,
                       bytes);
    ASAN_POISON_MEMORY_REGION(guard, GUARD);
}

static void check_block(uintptr_t at, const block *b)
{
    if (b->registered)
        return;
    const unsigned char *memory = reinterpret_cast<const unsigned char *>(at);
    check_guard(memory - GUARD, "before", b->bytes);
    check_guard(memory + b->bytes, "behind", b->bytes);
}

void cuzk_emulated_check(void)
{
    device_guard guard(cuzk_emulated_lock);
    device_drain();
    for (const auto &entry : blocks())
        check_block(entry.first, &entry.second);
}

static cudaError_t allocate(void **memory, size_t bytes, bool device)
{
    size_t all = (2 * GUARD + bytes + GUARD - 1) / GUARD * GUARD;
    unsigned char *start = static_cast<unsigned char *>(aligned_alloc(GUARD, all));
    if (start == NULL)
        return device_set_error(cudaErrorMemoryAllocation);
    memset(start, GUARD_BYTE, all);
    memset(start + GUARD, POISON, bytes);
    *memory = start + GUARD;
    ASAN_POISON_MEMORY_REGION(start, GUARD);
    ASAN_POISON_MEMORY_REGION(start + GUARD + bytes, GUARD);
    blocks()[(uintptr_t)*memory] = block{bytes, device, false};
    return cudaSuccess;
}

static cudaError_t release(void *memory, bool device)
{
    device_guard guard(cuzk_emulated_lock);
    if (memory == NULL)
        return cudaSuccess;
    auto at = blocks().find((uintptr_t)memory);
    if (at == blocks().end() || at->second.device != device || at->second.registered)
        return device_set_error(cudaErrorInvalidValue);
    device_drain();
    check_block(at->first, &at->second);
    if (device)
        used -= at->second.bytes;
    unsigned char *start = static_cast<unsigned char *>(memory) - GUARD;
    ASAN_UNPOISON_MEMORY_REGION(start, at->second.bytes + 2 * GUARD);
    free(start);
    blocks().erase(at);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    *all = memory_size;
    *left = used < memory_size ? memory_size - used : 0;
    return code;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    *memory = NULL;
    if (bytes == 0)
        return cudaSuccess;
    if (bytes > memory_size || used > memory_size - bytes)
        return device_set_error(cudaErrorMemoryAllocation);
    code = allocate(memory, bytes, true);
    if (code != cudaSuccess)
        return code;
    used += bytes;
    peak = used > peak ? used : peak;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    return release(memory, true);
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    (void)flags;
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    return code != cudaSuccess ? code : allocate(memory, bytes, false);
}

cudaError_t cudaFreeHost(void *memory)
{
    return release(memory, false);
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code == cudaSuccess)
        blocks()[(uintptr_t)memory] = block{bytes, false, true};
    return code;
}

cudaError_t cudaHostUnregister(void *memory)
{
    device_guard guard(cuzk_emulated_lock);
    auto at = blocks().find((uintptr_t)memory);
    if (at == blocks().end() || !at->second.registered)
        return device_set_error(cudaErrorInvalidValue);
    device_drain();
    blocks().erase(at);
    return cudaSuccess;
}
