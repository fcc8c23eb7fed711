/* Idle buffers in the core's ledger: who pays for them, who gets them, and when they go. */
#include "support/world.h"

#include <string.h>

#define MS 1000000u

static cuzk_core_view view_of(const world *w)
{
    cuzk_core_view view;
    cuzk_core_view_get(w->core, w->now, &view);
    return view;
}

static world_job with_buffer(world *w, uint64_t witness, uint64_t buffer)
{
    world_job job = world_request(w);
    job.parsed.witness_bytes = witness;
    job.parsed.buffer_bytes = buffer;
    return job;
}

static void run_one(world *w, const world_job *job)
{
    const world_job *submitted = world_submit(w, job, NULL);
    assert_non_null(submitted);
    world_run(w);
    assert_int_equal(world_state(w, submitted), CUZK_JOB_COMPLETED);
}

static void used_again_then_given_back(void **state)
{
    (void)state;
    world w;
    const cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    world_job job = with_buffer(&w, 100, 80);
    run_one(&w, &job);
    cuzk_core_view view = view_of(&w);
    /* Made while the key was loaded, and used. */
    assert_true(view.buffers_made == 1 && view.buffers_used_again == 1 && view.buffers_idle == 1);
    assert_int_equal(view.memory[CUZK_MEMORY_POOL], 80);
    assert_int_equal(view.memory[CUZK_MEMORY_WITNESS], 0);
    job = with_buffer(&w, 80, 80);
    run_one(&w, &job);
    job = with_buffer(&w, 81, 81); /* another size */
    run_one(&w, &job);
    view = view_of(&w);
    assert_true(view.buffers_made == 2 && view.buffers_used_again == 2 && view.buffers_idle == 2);
    world_run_until(&w, w.now + config.pool_idle_ns + 5 * MS);
    view = view_of(&w);
    assert_true(view.buffers_idle == 0 && view.memory[CUZK_MEMORY_POOL] == 0);
    world_check_rest(&w);
    world_close(&w);
}

/* What a key needs comes from idle buffers first; no key is evicted for it. */
static void they_go_before_keys(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 1000;
    config.critical_reserve = 0;
    world_open(&w, &config, 1);
    w.keys[0].bytes = w.keys[0].load_bytes = 100;
    w.keys[1].bytes = w.keys[1].load_bytes = 300;
    world_job job = with_buffer(&w, 600, 600);
    run_one(&w, &job);
    job = with_buffer(&w, 50, 0);
    job.parsed.key_bytes = 300;
    memcpy(job.parsed.key, w.keys[1].name, sizeof w.keys[1].name);
    run_one(&w, &job);
    const cuzk_core_view view = view_of(&w);
    assert_true(view.buffers_freed == 1 && view.key_evictions == 0);
    assert_true(w.keys[0].loaded && w.keys[1].loaded);
    world_check_rest(&w);
    world_close(&w);
}

/* A job that could not have its memory beside an idle buffer has it with that one. */
static void an_idle_one_is_room(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 1000;
    config.critical_reserve = 0;
    world_open(&w, &config, 1);
    for (unsigned i = 0; i < 5; i++) {
        const world_job job = with_buffer(&w, 700, 700);
        assert_non_null(world_submit(&w, &job, NULL));
    }
    world_run(&w);
    const cuzk_core_view view = view_of(&w);
    assert_true(view.buffers_made == 1 && view.buffers_freed == 0);
    assert_int_equal(view.buffers_used_again, 5);
    assert_int_equal(w.ended, 5);
    world_check_rest(&w);
    world_close(&w);
}

/* Of more than it keeps the oldest go. */
static void their_number_is_bounded(void **state)
{
    (void)state;
    world w;
    const cuzk_core_config config = world_config();
    world_open(&w, &config, 1);
    for (unsigned i = 0; i < 100; i++) {
        const world_job job = with_buffer(&w, 100 + i, 100 + i);
        run_one(&w, &job);
    }
    const cuzk_core_view view = view_of(&w);
    assert_int_equal(view.buffers_idle, 64);
    assert_int_equal(view.buffers_freed, 36);
    world_check_rest(&w);
    world_close(&w);
}

/* Five keys in turn, four of which fit beside one partition, and room for no second partition: a
 * device that has just become idle must not have to wait for the next key while there is work for
 * those that are loaded, or each partition costs a load. */
static void keys_in_turn(void **state)
{
    (void)state;
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = 24000;
    config.critical_reserve = 0;
    world_open(&w, &config, 1);
    for (unsigned i = 0; i < 5; i++) {
        w.keys[i].bytes = 2000;
        w.keys[i].load_bytes = 8000;
    }
    for (unsigned i = 0; i < 60; i++) {
        world_job job = with_buffer(&w, 10000, 10000);
        job.request.payload_bytes = job.parsed.input_bytes = 150;
        job.request.parse_bytes = 300;
        job.parsed.key_bytes = 8000;
        memcpy(job.parsed.key, w.keys[i % 5].name, sizeof w.keys[0].name);
        while (!world_submit(&w, &job, NULL))
            world_run_until(&w, w.now + 50 * MS);
    }
    world_run(&w);
    const cuzk_core_view view = view_of(&w);
    print_message("60 jobs over 5 keys: %u loads\n", (unsigned)view.key_loads);
    assert_int_equal(w.ended, 60);
    assert_true(view.key_loads <= 15);
    world_check_rest(&w);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(used_again_then_given_back),
        cmocka_unit_test(they_go_before_keys),
        cmocka_unit_test(an_idle_one_is_room),
        cmocka_unit_test(their_number_is_bounded),
        cmocka_unit_test(keys_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
