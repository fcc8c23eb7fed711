/* The emulated device, for tests: what a program linked with cuzk_cuda_emulated may ask beyond
 * CUDA's own calls. Any thread. */
#ifndef CUZK_TEST_EMULATED_H
#define CUZK_TEST_EMULATED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The order of threads, blocks and streams follows from the seed; the same seed repeats a run. At
 * first CUZK_TEST_SEED of the environment, or 1. */
void cuzk_emulated_seed(uint64_t seed);

/* Makes the n-th call from now on that can fail (n >= 1) fail once, launches and calls of cub
 * included; 0: none. Releases do not count. */
void cuzk_emulated_fail_at(uint64_t n);
/* How many such calls were made since the last cuzk_emulated_fail_at. */
uint64_t cuzk_emulated_calls(void);

/* Sets how many devices there are (1 at first) and how many bytes each has (4 GiB). */
void cuzk_emulated_devices(int count, size_t memory);

/* What is not released: blocks of device and pinned memory, streams, events. */
size_t cuzk_emulated_live(void);
/* Bytes of device memory in use, and the most since the process began. */
size_t cuzk_emulated_bytes(void);
size_t cuzk_emulated_bytes_peak(void);

/* Aborts with a message if a kernel wrote beyond a block of device memory. cudaFree does the same
 * for its block. */
void cuzk_emulated_check(void);

#ifdef __cplusplus
}
#endif

#endif
