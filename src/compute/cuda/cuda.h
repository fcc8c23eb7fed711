/* GPUs through CUDA's runtime: devices, memory, streams, events. In C; only .cu files see CUDA's
 * own headers.
 *
 * Rules of this folder. An op (ntt, msm, sums, products) takes device pointers and a stream,
 * enqueues its kernels there and returns: it neither waits nor allocates. Scratch is the caller's,
 * its size from a function beside the op. Points and field elements have the memory form of
 * curve.h, on the device as on the host. Every call is checked; after CUZK_ERR_DEVICE the device
 * may be unusable: whoever owns it asks cuzk_cuda_health. */
#ifndef CUZK_COMPUTE_CUDA_CUDA_H
#define CUZK_COMPUTE_CUDA_CUDA_H

#include <stdbool.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CUstream_st *cuzk_stream;
typedef struct CUevent_st *cuzk_event;

typedef struct cuzk_cuda_info {
    char name[128];
    char pci[20];        /* domain:bus:device.function, how other programs name the card */
    int major, minor;    /* compute capability */
    unsigned processors; /* streaming multiprocessors */
    size_t memory;       /* bytes in all */
    size_t memory_free;  /* when asked */
    size_t l2;           /* bytes of level-2 cache */
    size_t shared_max;   /* bytes of shared memory that one block may ask for */
} cuzk_cuda_info;

/* How many devices this process may use: 0 without a card or driver, with the reason in *err (NULL:
 * nowhere). */
int cuzk_cuda_count(cuzk_error *err);

cuzk_status cuzk_cuda_info_get(cuzk_cuda_info *info, int device, cuzk_error *err);

/* Makes the device that of the calling thread: first call of each thread that uses one. */
cuzk_status cuzk_cuda_use(int device, cuzk_error *err);

/* Device memory, aligned to 256 bytes; not initialised. CUZK_ERR_MEMORY says what was asked for and
 * what is free. Not in steady state: allocation and release wait for the device. */
cuzk_status cuzk_cuda_alloc(void **memory, size_t bytes, cuzk_error *err);
void cuzk_cuda_free(void *memory); /* NULL: nothing */

/* Host memory that the device reads and writes by itself (page-locked). */
cuzk_status cuzk_cuda_pinned_alloc(void **memory, size_t bytes, cuzk_error *err);
void cuzk_cuda_pinned_free(void *memory);

/* A stream that does not wait for the default stream. */
cuzk_status cuzk_cuda_stream_new(cuzk_stream *stream, cuzk_error *err);
void cuzk_cuda_stream_free(cuzk_stream stream);
/* Waits until all that was enqueued is done; failures of kernels show here. */
cuzk_status cuzk_cuda_stream_wait(cuzk_stream stream, cuzk_error *err);

/* Events: a mark in a stream that another stream or the host waits for. With `timed`, times can be
 * taken between two. */
cuzk_status cuzk_cuda_event_new(cuzk_event *event, bool timed, cuzk_error *err);
void cuzk_cuda_event_free(cuzk_event event);
cuzk_status cuzk_cuda_event_record(cuzk_event event, cuzk_stream stream, cuzk_error *err);
cuzk_status cuzk_cuda_stream_wait_event(cuzk_stream stream, cuzk_event event, cuzk_error *err);
cuzk_status cuzk_cuda_event_wait(cuzk_event event, cuzk_error *err);
/* Milliseconds between two timed events that are done. */
cuzk_status cuzk_cuda_event_elapsed(float *ms, cuzk_event from, cuzk_event to, cuzk_error *err);

/* Enqueue copies; host memory that is not pinned makes the call wait for the copy. */
cuzk_status cuzk_cuda_upload(void *device, const void *host, size_t bytes, cuzk_stream stream,
                             cuzk_error *err);
cuzk_status cuzk_cuda_download(void *host, const void *device, size_t bytes, cuzk_stream stream,
                               cuzk_error *err);
cuzk_status cuzk_cuda_copy(void *to, const void *from, size_t bytes, cuzk_stream stream,
                           cuzk_error *err);
cuzk_status cuzk_cuda_fill(void *device, int byte, size_t bytes, cuzk_stream stream,
                           cuzk_error *err);

/* CUZK_OK, or what is wrong with the calling thread's device: waits for all its work. */
cuzk_status cuzk_cuda_health(cuzk_error *err);

/* Parts of one block of device memory, each aligned to 256 bytes; how scratch is divided. A NULL
 * base only counts. */
typedef struct cuzk_cuda_arena {
    unsigned char *base;
    size_t used, size;
} cuzk_cuda_arena;
/* The next part; CUZK_ASSERTs that it fits, unless base is NULL (then returns NULL). */
void *cuzk_cuda_arena_take(cuzk_cuda_arena *arena, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
