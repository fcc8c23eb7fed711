/* Devices, memory, streams and events. */
#include "cuda_support.h"

#include <stdlib.h>
#include <string.h>

static void test_info(void **state)
{
    (void)state;
    cuzk_error error;
    cuzk_cuda_info info;
    assert_true(cuzk_cuda_count(&error) >= 1);
    assert_int_equal(cuzk_cuda_info_get(&info, 0, &error), CUZK_OK);
    assert_true(strlen(info.name) > 0 && strlen(info.pci) > 0);
    assert_true(info.major >= 8 && info.processors > 0);
    assert_true(info.memory_free <= info.memory && info.memory_free > 0);
    assert_true(info.shared_max >= 48 * 1024);
    assert_int_equal(cuzk_cuda_info_get(&info, 1000, &error), CUZK_ERR_DEVICE);
    assert_int_equal(cuzk_cuda_health(&error), CUZK_OK); /* a refused call leaves no trace */
}

static void test_copies(void **state)
{
    (void)state;
    const size_t n = cuda_test_size(100000, 100000000);
    uint8_t *in = malloc(n), *out = malloc(n);
    assert_true(in != NULL && out != NULL);
    test_rng rng = test_rng_seeded(1);
    test_rng_bytes(&rng, in, n);
    unsigned char *a = cuda_test_new_from(in, n), *b = cuda_test_new(n);
    CUDA_OK(cuzk_cuda_copy(b, a, n, cuda_test_stream(), &error));
    CUDA_OK(cuzk_cuda_fill(b + 10, 7, 100, cuda_test_stream(), &error));
    cuda_test_read(out, b, n);
    memset(in + 10, 7, 100);
    assert_memory_equal(in, out, n);
    cuda_test_free(a);
    cuda_test_free(b);
    free(in);
    free(out);
}

/* Two streams: what one writes, the other reads after an event. */
static void test_events(void **state)
{
    (void)state;
    const size_t n = cuda_test_size(1000, 10000000);
    cuzk_stream first, second;
    cuzk_event written, read;
    void *pinned;
    CUDA_OK(cuzk_cuda_stream_new(&first, &error));
    CUDA_OK(cuzk_cuda_stream_new(&second, &error));
    CUDA_OK(cuzk_cuda_event_new(&written, true, &error));
    CUDA_OK(cuzk_cuda_event_new(&read, true, &error));
    CUDA_OK(cuzk_cuda_pinned_alloc(&pinned, n, &error));
    unsigned char *a = cuda_test_new(n), *b = cuda_test_new(n);
    CUDA_OK(cuzk_cuda_stream_wait(cuda_test_stream(), &error));
    for (int round = 0; round < 10; round++) {
        CUDA_OK(cuzk_cuda_fill(a, round, n, first, &error));
        CUDA_OK(cuzk_cuda_event_record(written, first, &error));
        CUDA_OK(cuzk_cuda_stream_wait_event(second, written, &error));
        CUDA_OK(cuzk_cuda_copy(b, a, n, second, &error));
        CUDA_OK(cuzk_cuda_download(pinned, b, n, second, &error));
        CUDA_OK(cuzk_cuda_event_record(read, second, &error));
        CUDA_OK(cuzk_cuda_event_wait(read, &error));
        for (size_t i = 0; i < n; i++)
            assert_int_equal(((unsigned char *)pinned)[i], round);
    }
    float ms = -1;
    CUDA_OK(cuzk_cuda_event_elapsed(&ms, written, read, &error));
    assert_true(ms >= 0);
    cuda_test_free(a);
    cuda_test_free(b);
    cuzk_cuda_pinned_free(pinned);
    cuzk_cuda_event_free(written);
    cuzk_cuda_event_free(read);
    cuzk_cuda_stream_free(first);
    cuzk_cuda_stream_free(second);
}

static void test_too_much_memory(void **state)
{
    (void)state;
    cuzk_error error;
    void *memory = NULL;
    assert_int_equal(cuzk_cuda_alloc(&memory, (size_t)1 << 50, &error), CUZK_ERR_MEMORY);
    assert_non_null(strstr(error.message, "1125899906842624 bytes"));
    assert_int_equal(cuzk_cuda_health(&error), CUZK_OK);
}

static void test_arena(void **state)
{
    (void)state;
    cuzk_cuda_arena count = {NULL, 0, 0};
    assert_null(cuzk_cuda_arena_take(&count, 1));
    assert_null(cuzk_cuda_arena_take(&count, 257));
    assert_int_equal(count.used, 256 + 512);
    unsigned char memory[1024];
    cuzk_cuda_arena arena = {memory, 0, count.used};
    assert_ptr_equal(cuzk_cuda_arena_take(&arena, 1), memory);
    assert_ptr_equal(cuzk_cuda_arena_take(&arena, 257), memory + 256);
}

CUDA_TESTS(device, cmocka_unit_test(test_info), cmocka_unit_test(test_copies),
           cmocka_unit_test(test_events), cmocka_unit_test(test_too_much_memory),
           cmocka_unit_test(test_arena))
