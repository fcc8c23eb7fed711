/* What the emulation's own files share. All of it under one lock: the device does one thing at a
 * time. */
#ifndef CUZK_TEST_EMULATED_STATE_H
#define CUZK_TEST_EMULATED_STATE_H

#include "cuda_runtime.h"

#include <mutex>

extern std::recursive_mutex cuzk_emulated_lock;

typedef std::lock_guard<std::recursive_mutex> device_guard;

/* Limits of a block on an H200. */
enum {
    BLOCK_THREADS = 1024,
    BLOCK_SHARED = 48 * 1024,        /* without asking for more */
    BLOCK_SHARED_OPTIN = 227 * 1024, /* what may be asked for */
    POISON = 0xa5                    /* fills memory that nobody has written yet */
};

/* A number below bound from the seed's generator. */
uint64_t device_random(uint64_t bound);

/* At the start of each call that can fail: cudaSuccess, or the failure that a test asked for, which
 * is also remembered for cudaGetLastError. */
cudaError_t device_enter(void);
cudaError_t device_set_error(cudaError_t code);
[[noreturn]] void device_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs all blocks of a launch that was checked. */
void device_run_blocks(const cuzk_emulated_shape *shape, const std::function<void()> &body);

/* Whether the bytes lie in one block of device memory; in pinned memory. */
bool device_owns(const void *memory, size_t bytes);
bool device_pinned(const void *memory, size_t bytes);

/* Adds work to a stream, NULL the default one; fails if there is no such stream. */
cudaError_t device_enqueue(cudaStream_t to, std::function<void()> work);
/* Runs all that is enqueued: everywhere, or on one stream. */
void device_drain(void);
void device_drain_stream(cudaStream_t stream);

/* How many bytes of memory each device has. */
void device_configure_memory(size_t bytes);

/* How many there are: blocks of memory; streams and events. */
size_t device_memory_live(void);
size_t device_streams_live(void);

#endif
