/* Devices, errors, and what tests ask of the emulation. */
#include "state.h"

#include <stdarg.h>

#include "emulated.h"

std::recursive_mutex cuzk_emulated_lock;

static int device_count = 1;
static thread_local int current_device;
static thread_local cudaError_t last_error = cudaSuccess;
static uint64_t calls, fail_at;
static uint64_t random_state;

static void seed_once(void)
{
    if (random_state != 0)
        return;
    const char *text = getenv("CUZK_TEST_SEED");
    cuzk_emulated_seed(text == NULL ? 1 : strtoull(text, NULL, 0));
}

void cuzk_emulated_seed(uint64_t seed)
{
    device_guard guard(cuzk_emulated_lock);
    random_state = seed * 2 + 1;
}

uint64_t device_random(uint64_t bound)
{
    seed_once();
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % bound;
}

void device_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "emulated device: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

cudaError_t device_set_error(cudaError_t code)
{
    if (code != cudaSuccess)
        last_error = code;
    return code;
}

cudaError_t device_enter(void)
{
    if (device_count == 0)
        return device_set_error(cudaErrorNoDevice);
    calls++;
    return device_set_error(calls == fail_at ? cudaErrorUnknown : cudaSuccess);
}

void cuzk_emulated_fail_at(uint64_t n)
{
    device_guard guard(cuzk_emulated_lock);
    calls = 0;
    fail_at = n;
}

uint64_t cuzk_emulated_calls(void)
{
    device_guard guard(cuzk_emulated_lock);
    return calls;
}

void cuzk_emulated_devices(int count, size_t memory)
{
    device_guard guard(cuzk_emulated_lock);
    device_count = count;
    device_configure_memory(memory);
}

size_t cuzk_emulated_live(void)
{
    device_guard guard(cuzk_emulated_lock);
    return device_memory_live() + device_streams_live();
}

cudaError_t cudaGetDeviceCount(int *count)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    *count = code == cudaSuccess ? device_count : 0;
    return code;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current_device;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    if (device < 0 || device >= device_count)
        return device_set_error(cudaErrorInvalidDevice);
    current_device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    if (device < 0 || device >= device_count)
        return device_set_error(cudaErrorInvalidDevice);
    size_t left, all;
    cudaMemGetInfo(&left, &all);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "emulated");
    properties->totalGlobalMem = all;
    properties->sharedMemPerBlock = BLOCK_SHARED;
    properties->sharedMemPerBlockOptin = BLOCK_SHARED_OPTIN;
    properties->sharedMemPerMultiprocessor = BLOCK_SHARED_OPTIN + 1024;
    properties->major = 9;
    properties->multiProcessorCount = 4; /* few, so that grids of that many blocks stay quick */
    properties->l2CacheSize = 50 << 20;
    properties->warpSize = 32;
    properties->maxThreadsPerBlock = BLOCK_THREADS;
    properties->regsPerMultiprocessor = 65536;
    properties->maxThreadsPerMultiProcessor = 2048;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code == cudaSuccess)
        snprintf(id, (size_t)size, "0000:%02x:00.0", (unsigned)device & 0xff);
    return code;
}

cudaError_t cudaDeviceSynchronize(void)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    device_drain();
    return code;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t code = last_error;
    last_error = cudaSuccess;
    return code;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

struct error_text {
    cudaError_t code;
    const char *name, *text;
};

static const error_text *find_text(cudaError_t code)
{
    static const error_text texts[] = {
        {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
        {cudaSuccess, "cudaSuccess", "no error"},
        {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
        {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
        {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
         "invalid configuration argument"},
        {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
        {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
         "invalid resource handle"},
        {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
        {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
         "too many resources requested for launch"},
        {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"}};
    for (const error_text &text : texts)
        if (text.code == code)
            return &text;
    return &texts[0];
}

const char *cudaGetErrorName(cudaError_t code)
{
    return find_text(code)->name;
}

const char *cudaGetErrorString(cudaError_t code)
{
    return find_text(code)->text;
}
