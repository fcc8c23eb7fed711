/* The emulation itself: orders, barriers, warp operations, limits, failures on request. */
extern "C" {
#include "support/test.h"
}

#include <cub/cub.cuh>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/cuda/cuda.h"
#include "compute/cuda/launch.cuh"
#include "emulated.h"

enum { THREADS = 96, BLOCKS = 5, N = THREADS * BLOCKS };

/* out[block] = sum of in over the block, through both kinds of shared memory and shuffles. */
static __global__ void sum_kernel(uint32_t *out, uint32_t *order, const uint32_t *in, uint32_t *at)
{
    CUZK_SHARED(uint32_t, copy);
    __shared__ uint32_t sums[THREADS / 32];
    unsigned i = threadIdx.x;
    order[atomicAdd(at, 1u)] = blockIdx.x * blockDim.x + i;
    copy[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    uint32_t sum = copy[blockDim.x - 1 - i];
    for (unsigned step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (i % 32 == 0)
        sums[i / 32] = sum;
    __syncthreads();
    if (i == 0)
        out[blockIdx.x] = sums[0] + sums[1] + sums[2];
}

static __global__ void warp_kernel(uint64_t *out)
{
    unsigned i = threadIdx.x;
    uint64_t self = (uint64_t)i << 40 | 1;
    out[i] = __shfl_xor_sync(0xffffffff, self, 5);
    out[32 + i] = __shfl_up_sync(0xffffffff, self, 3u, 8);
    out[64 + i] = __ballot_sync(0xffffffff, i % 3 == 0);
    if (i < 8)
        out[96 + i] = __shfl_sync(0xff, self, 2) + (uint64_t)__all_sync(0xff, i < 8);
}

static __global__ void divergent_kernel(uint32_t *out)
{
    if (threadIdx.x < 40)
        __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void beyond_kernel(uint32_t *out, size_t n)
{
    out[n] = 1;
}

/* Without a barrier: the last thread to run decides. */
static __global__ void race_kernel(uint32_t *out)
{
    *out = threadIdx.x;
}

static cuzk_status sum_blocks(uint32_t *sums, uint32_t *order, const uint32_t *in, cuzk_error *err)
{
    uint32_t *device;
    CUZK_TRY(cuzk_cuda_alloc((void **)&device, (BLOCKS + N + N + 1) * 4, err));
    cuzk_status status = cuzk_cuda_upload(device + BLOCKS + N, in, N * 4, NULL, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_fill(device + BLOCKS + N + N, 0, 4, NULL, err);
    if (status == CUZK_OK)
        status = [&]() {
            CUZK_LAUNCH(sum_kernel, BLOCKS, THREADS, THREADS * 4, NULL, device, device + BLOCKS,
                        device + BLOCKS + N, device + BLOCKS + N + N);
            return CUZK_OK;
        }();
    if (status == CUZK_OK)
        status = cuzk_cuda_download(order, device + BLOCKS, N * 4, NULL, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_download(sums, device, BLOCKS * 4, NULL, err);
    cuzk_cuda_free(device);
    return status;
}

static void test_block(void **)
{
    uint32_t in[N], order[2][N], sums[BLOCKS];
    test_rng rng = test_rng_seeded(1);
    test_rng_bytes(&rng, in, sizeof in);
    for (uint64_t seed = 0; seed < 20; seed++) {
        cuzk_error error;
        cuzk_emulated_seed(seed);
        assert_int_equal(sum_blocks(sums, order[seed % 2], in, &error), CUZK_OK);
        for (int block = 0; block < BLOCKS; block++) {
            uint32_t sum = 0;
            for (int i = 0; i < THREADS; i++)
                sum += in[block * THREADS + i];
            assert_int_equal(sums[block], sum);
        }
        if (seed > 0)
            assert_memory_not_equal(order[0], order[1], sizeof order[0]);
    }
    assert_int_equal(cuzk_emulated_live(), 0);
}

static void test_warp(void **)
{
    uint64_t *out, host[104];
    assert_int_equal(cudaMalloc((void **)&out, sizeof host), cudaSuccess);
    assert_int_equal(cuzk_emulated_call("warp", warp_kernel, 1, 32, 0, NULL, out), cudaSuccess);
    assert_int_equal(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    for (uint64_t i = 0; i < 32; i++) {
        assert_int_equal(host[i], (i ^ 5) << 40 | 1);
        assert_int_equal(host[32 + i], (i % 8 < 3 ? i : i - 3) << 40 | 1);
        assert_int_equal(host[64 + i], 0x49249249);
        if (i < 8)
            assert_int_equal(host[96 + i], ((uint64_t)2 << 40) + 2);
    }
    cudaFree(out);
}

/* True if the step ends the process: by abort, or by a sanitizer's exit. */
static bool dies(void (*step)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        signal(SIGABRT, SIG_DFL); /* cmocka catches it */
        step();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static uint32_t *words; /* 64 of device memory */

static void diverge(void)
{
    cuzk_emulated_call("divergent", divergent_kernel, 1, 64, 0, NULL, words);
    cudaDeviceSynchronize();
}

static void write_beyond(void)
{
    cuzk_emulated_call("beyond", beyond_kernel, 1, 1, 0, NULL, words, 64);
    cuzk_emulated_check();
}

static void write_within(void)
{
    cuzk_emulated_call("beyond", beyond_kernel, 1, 1, 0, NULL, words, 63);
    cuzk_emulated_check();
}

static void test_aborts(void **)
{
    assert_int_equal(cudaMalloc((void **)&words, 64 * 4), cudaSuccess);
    assert_true(dies(diverge));
    assert_true(dies(write_beyond));
    assert_false(dies(write_within));
    cudaFree(words);
}

static void test_race_shows(void **)
{
    uint32_t *out, first, now;
    bool differs = false;
    assert_int_equal(cudaMalloc((void **)&out, 4), cudaSuccess);
    for (uint64_t seed = 0; seed < 20; seed++) {
        cuzk_emulated_seed(seed);
        cuzk_emulated_call("race", race_kernel, 1, 64, 0, NULL, out);
        cudaMemcpy(&now, out, 4, cudaMemcpyDeviceToHost);
        first = seed == 0 ? now : first;
        differs = differs || now != first;
    }
    assert_true(differs);
    cudaFree(out);
}

/* Work waits for somebody who waits: a stream that does not wait for another sees old data. */
static void test_streams_are_late(void **)
{
    cudaStream_t a, b;
    unsigned char *data, out = 0;
    assert_int_equal(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaSuccess);
    assert_int_equal(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), cudaSuccess);
    assert_int_equal(cudaMalloc((void **)&data, 1), cudaSuccess);
    assert_int_equal(cudaMemsetAsync(data, 1, 1, a), cudaSuccess);
    bool stale = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        cuzk_emulated_seed(seed);
        cudaMemsetAsync(data, (int)seed, 1, a);
        cudaMemcpyAsync(&out, data, 1, cudaMemcpyDeviceToHost, b);
        stale = stale || out != seed;
    }
    assert_true(stale);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(data);
}

static void test_limits(void **)
{
    uint32_t *out;
    void *more;
    cuzk_emulated_devices(1, 1 << 20);
    assert_int_equal(cudaMalloc((void **)&out, 1 << 20), cudaSuccess);
    assert_int_equal(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
    assert_int_equal(cuzk_emulated_call("x", race_kernel, 1, 1025, 0, NULL, out),
                     cudaErrorInvalidConfiguration);
    assert_int_equal(cuzk_emulated_call("x", race_kernel, 0, 32, 0, NULL, out),
                     cudaErrorInvalidConfiguration);
    assert_int_equal(cuzk_emulated_call("x", race_kernel, 1, 32, 48 * 1024 + 1, NULL, out),
                     cudaErrorInvalidValue);
    assert_int_equal(
        cudaFuncSetAttribute(race_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024),
        cudaSuccess);
    assert_int_equal(cuzk_emulated_call("x", race_kernel, 1, 32, 100 * 1024, NULL, out),
                     cudaSuccess);
    uint32_t host = 0;
    assert_int_equal(cudaMemcpy(&host, out, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cudaFree(out);
    cuzk_emulated_devices(1, (size_t)4 << 30);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
}

/* Each call fails once: always an error, never a leak. */
static void test_failures(void **)
{
    uint32_t in[N] = {0}, order[N], sums[BLOCKS];
    cuzk_error error;
    cuzk_emulated_fail_at(0);
    assert_int_equal(sum_blocks(sums, order, in, &error), CUZK_OK);
    uint64_t calls = cuzk_emulated_calls();
    assert_int_equal(calls, 6);
    for (uint64_t n = 1; n <= calls; n++) {
        cuzk_emulated_fail_at(n);
        assert_int_not_equal(sum_blocks(sums, order, in, &error), CUZK_OK);
        assert_int_equal(cuzk_emulated_live(), 0);
    }
    cuzk_emulated_fail_at(0);
}

static void test_cub(void **)
{
    uint32_t keys[8] = {0x105, 3, 0x205, 1, 4, 3, 1, 0}, values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t *a, *b;
    size_t bytes = 0;
    void *temp;
    assert_int_equal(cudaMalloc((void **)&a, 64), cudaSuccess);
    assert_int_equal(cudaMalloc((void **)&b, 64), cudaSuccess);
    cudaMemcpy(a, keys, 32, cudaMemcpyHostToDevice);
    cudaMemcpy(b, values, 32, cudaMemcpyHostToDevice);
    cub::DoubleBuffer<uint32_t> key(a, a + 8), value(b, b + 8);
    assert_int_equal(cub::DeviceRadixSort::SortPairs(NULL, bytes, key, value, 8, 0, 8, NULL),
                     cudaSuccess);
    assert_int_equal(cudaMalloc(&temp, bytes), cudaSuccess);
    size_t few = bytes - 1;
    assert_int_equal(cub::DeviceRadixSort::SortPairs(temp, few, key, value, 8, 0, 8, NULL),
                     cudaErrorInvalidValue);
    key.selector = value.selector = 0;
    assert_int_equal(cub::DeviceRadixSort::SortPairs(temp, bytes, key, value, 8, 0, 8, NULL),
                     cudaSuccess);
    cudaMemcpy(values, value.Current(), 32, cudaMemcpyDeviceToHost);
    const uint32_t want[8] = {7, 3, 6, 1, 5, 4, 0, 2}; /* stable, by the low byte only */
    assert_memory_equal(values, want, sizeof want);
    cub::DeviceScan::ExclusiveSum(temp, bytes, value.Current(), value.Alternate(), 8, NULL);
    cudaMemcpy(values, value.Alternate(), 32, cudaMemcpyDeviceToHost);
    const uint32_t sums[8] = {0, 7, 10, 16, 17, 22, 26, 26};
    assert_memory_equal(values, sums, sizeof sums);
    cudaFree(temp);
    cudaFree(a);
    cudaFree(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),    cmocka_unit_test(test_warp),
        cmocka_unit_test(test_aborts),   cmocka_unit_test(test_race_shows),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_streams_are_late),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_cub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
