/* The buffers that are used again: sizes, who frees what, and pages that are really given back. */
#include "engine/buffers.h"

#include "support/resident.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)

/* A source that notes what it was asked for, and fails when told to. */
typedef struct ledger {
    size_t made[8], freed[8];
    unsigned n_made, n_freed;
    bool fails;
} ledger;

static void *make(void *context, size_t bytes)
{
    ledger *l = context;
    if (l->fails)
        return NULL;
    l->made[l->n_made++] = bytes;
    return malloc(bytes);
}

static void unmake(void *context, void *data, size_t bytes)
{
    ledger *l = context;
    l->freed[l->n_freed++] = bytes;
    free(data);
}

static void sizes(void **state)
{
    (void)state;
    size_t before = 0;
    for (size_t bytes = 0; bytes < (size_t)1 << 40; bytes += bytes / 7 + 1) {
        const size_t size = cuzk_buffer_size(bytes);
        assert_true(size >= bytes && size > 0 && size >= before);
        assert_int_equal(cuzk_buffer_size(size), size);
        if (bytes >= 64 << 10 && bytes < MIB)
            assert_true(size - bytes <= bytes / 8);
        if (bytes >= 16 * MIB)
            assert_true(size - bytes <= bytes / 8);
        assert_int_equal(size % (bytes >= MIB ? 2 * MIB : 4096), 0);
        before = size;
    }
}

static void used_again_by_their_size(void **state)
{
    (void)state;
    ledger l = {.fails = false};
    const cuzk_buffer_source source = {.make = make, .free = unmake, .context = &l};
    cuzk_buffers *buffers = cuzk_buffers_new(&source);
    const size_t small = cuzk_buffer_size(100), large = cuzk_buffer_size(100000);
    assert_null(cuzk_buffers_take(buffers, small));
    cuzk_buffer *a = cuzk_buffers_make(buffers, small), *b = cuzk_buffers_make(buffers, large);
    assert_true(a != NULL && b != NULL && a->bytes == small && b->bytes == large);
    cuzk_buffers_give(buffers, a);
    cuzk_buffers_give(buffers, b);
    assert_null(cuzk_buffers_take(buffers, small + 4096));
    assert_ptr_equal(cuzk_buffers_take(buffers, large), b);
    assert_null(cuzk_buffers_take(buffers, large));
    assert_ptr_equal(cuzk_buffers_take(buffers, small), a);
    cuzk_buffers_unmake(buffers, b);
    assert_true(l.n_freed == 1 && l.freed[0] == large);
    cuzk_buffers_give(buffers, a);
    cuzk_buffers_free(buffers);
    assert_true(l.n_made == 2 && l.n_freed == 2 && l.freed[1] == small);
}

static void no_memory(void **state)
{
    (void)state;
    ledger l = {.fails = true};
    const cuzk_buffer_source source = {.make = make, .free = unmake, .context = &l};
    cuzk_buffers *buffers = cuzk_buffers_new(&source);
    assert_null(cuzk_buffers_make(buffers, 4096));
    cuzk_buffers_give(buffers, NULL);
    cuzk_buffers_unmake(buffers, NULL);
    cuzk_buffers_free(buffers);
}

static void pages_come_and_go(void **state)
{
    (void)state;
    const size_t size = cuzk_buffer_size(61 * MIB);
    cuzk_buffers *buffers = cuzk_buffers_new(&cuzk_buffer_pages);
    const uint64_t before = resident_now();
    cuzk_buffer *buffer = cuzk_buffers_make(buffers, size);
    const uint64_t with = resident_now();
    assert_non_null(buffer);
    assert_int_equal((uintptr_t)buffer->data % (2 * MIB), 0);
    memset(buffer->data, 1, size);
    const uint64_t written = resident_now();
    cuzk_buffers_unmake(buffers, buffer);
    const uint64_t after = resident_now();
    cuzk_buffers_free(buffers);
    if (!resident_is_meant())
        skip();
    assert_true(with >= before + size - MIB); /* touched when it was made */
    assert_true(written <= with + MIB);
    assert_true(after <= before + MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(used_again_by_their_size),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(pages_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
