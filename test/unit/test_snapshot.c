/* Snapshots of a real core with ten thousand jobs queued. */
#include "server/snapshot.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS  10000
#define STEPS 100

/* What the core starts is noted and answered by the test. */
static cuzk_job_no parsing[STEPS];
static size_t n_parsing;

static void on_parse(void *context, cuzk_job_no job)
{
    (void)context;
    parsing[n_parsing++ % STEPS] = job;
}

static void on_job(void *context, cuzk_job_no job)
{
    (void)context;
    (void)job;
}

static void on_jobs(void *context, cuzk_job_no job, cuzk_job_no from)
{
    (void)context;
    (void)job;
    (void)from;
}

static void on_key(void *context, const char *key)
{
    (void)context;
    (void)key;
}

static void on_attempt(void *context, cuzk_attempt a)
{
    (void)context;
    (void)a;
}

static void on_device(void *context, unsigned device, cuzk_attempt a)
{
    (void)context;
    (void)device;
    (void)a;
}

static void on_gap(void *context, unsigned device, cuzk_device_state cause, uint64_t begin,
                   uint64_t end, const cuzk_attempt *waited_for, cuzk_part_state its_state)
{
    (void)context, (void)device, (void)cause, (void)begin, (void)end, (void)waited_for;
    (void)its_state;
}

static void on_quarantined(void *context, unsigned device, bool in)
{
    (void)context, (void)device, (void)in;
}

static void on_buffer(void *context, uint64_t bytes)
{
    (void)context, (void)bytes;
}

static void on_drained(void *context)
{
    (void)context;
}

static cuzk_core *new_core(void)
{
    static const cuzk_core_ops ops = {.store_job = on_job,
                                      .parse = on_parse,
                                      .load_key = on_key,
                                      .free_key = on_key,
                                      .free_buffer = on_buffer,
                                      .warm_buffer = on_buffer,
                                      .synthesise = on_attempt,
                                      .upload = on_device,
                                      .compute = on_device,
                                      .finish = on_device,
                                      .check = on_device,
                                      .store_result = on_job,
                                      .payload_done = on_job,
                                      .drop_attempt = on_attempt,
                                      .cancel_attempt = on_attempt,
                                      .accepted = on_job,
                                      .drop_input = on_job,
                                      .ended = on_job,
                                      .share_result = on_jobs,
                                      .forget = on_job,
                                      .gap = on_gap,
                                      .quarantined = on_quarantined,
                                      .drained = on_drained};
    const cuzk_core_config config = {.memory_total = (uint64_t)1 << 40,
                                     .critical_reserve = 1 << 20,
                                     .devices = 1,
                                     .parse_slots = 3,
                                     .synth_slots = 2,
                                     .check_slots = 2,
                                     .staged_per_device = 2,
                                     .queue_jobs_max = 2 * JOBS,
                                     .queue_bytes_max = (uint64_t)1 << 39,
                                     .attempts_max = 3,
                                     .device_faults_max = 3,
                                     .quarantine_ns = 1,
                                     .orphan_grace_ns = CUZK_NEVER,
                                     .history_jobs_max = JOBS,
                                     .history_ns = CUZK_NEVER,
                                     .gap_ns = 1};
    cuzk_core *core = cuzk_core_new(&config, &ops, NULL, 1000);
    assert_non_null(core);
    return core;
}

static void submit_all(cuzk_core *core)
{
    for (uint32_t i = 0; i < JOBS; i++) {
        char id[32];
        snprintf(id, sizeof id, "job-%u", i);
        cuzk_request request = {.request_id = id,
                                .kind = CUZK_KIND_CIRCUIT,
                                .class_ = CUZK_CLASS_NORMAL,
                                .deadline = CUZK_NEVER,
                                .payload_bytes = 1000,
                                .parse_bytes = 1000};
        memcpy(request.digest, &i, sizeof i);
        cuzk_submitted submitted;
        cuzk_core_submit(core, 2000, &request, &submitted);
        assert_int_equal(submitted.verdict, CUZK_VERDICT_NEW);
    }
}

/* 50 jobs fail while they are parsed, 3 are parsed now, the rest waits. */
static void queued_jobs_are_counted_and_others_listed(void **state)
{
    (void)state;
    cuzk_core *core = new_core();
    submit_all(core);
    const cuzk_failure failure = {
        .blame = CUZK_BLAME_INPUT, .status = CUZK_ERR_FORMAT, .message = "cut off"};
    for (size_t i = 0; i < 50; i++)
        cuzk_core_parsed_job(core, 3000 + i, parsing[i], NULL, &failure);

    static const char *const names[] = {"cpu"};
    const cuzk_memory_limit limit = {.bytes = 1};
    const cuzk_engine_view view = {
        .core = core, .now = 4000, .limit = &limit, .device_names = names, .started_iso = ""};
    cuzk_snapshot *s = cuzk_snapshot_new();
    assert_non_null(s);
    cuzk_snapshot_take(s, &view, CUZK_SNAPSHOT_WITH_JOBS);
    assert_int_equal(s->core.synth_slots, 2);
    assert_int_equal(s->core.pending[CUZK_KIND_CIRCUIT], JOBS - 53);
    assert_int_equal(s->core.in_progress[CUZK_KIND_CIRCUIT], 3);
    assert_int_equal(s->jobs, 3 + CUZK_SNAPSHOT_ENDED);
    assert_int_equal(s->jobs_left_out, 50 - CUZK_SNAPSHOT_ENDED);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(s->job[i].view.state, CUZK_JOB_PARSING);
        assert_int_equal(s->job[i].view.job, 53 - i);
    }
    assert_string_equal(s->job[0].request_id, "job-52");
    assert_int_equal(s->job[3].view.state, CUZK_JOB_FAILED);
    assert_int_equal(s->job[3].view.job, 50); /* the last to end */
    assert_int_equal(s->failures, CUZK_SNAPSHOT_FAILURES);
    assert_string_equal(s->failure[0].failure.message, "cut off");
    free(s);
    cuzk_core_free(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queued_jobs_are_counted_and_others_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
