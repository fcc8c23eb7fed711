/* The core while one allocation after the other fails: the request is refused or its job fails, all
 * holds, the next job is done, nothing leaks. */
#include "engine/core.h"
#include "support/fault_alloc.h"

#include <string.h>

#define MOST 100u

/* What was asked for last; answered by hand. */
typedef struct core_asked {
    cuzk_job_no parse;
    unsigned device, drops, inputs_dropped;
    cuzk_attempt attempt;
    unsigned ended, rounds;
    bool load;
} core_asked;

static void note_parse(void *context, cuzk_job_no job)
{
    ((core_asked *)context)->parse = job;
}

static void note_load(void *context, const char *key)
{
    (void)key;
    ((core_asked *)context)->load = true;
}

static void note_attempt(void *context, cuzk_attempt a)
{
    ((core_asked *)context)->attempt = a;
}

static void note_drop(void *context, cuzk_attempt a)
{
    (void)a;
    ((core_asked *)context)->drops++;
}

static void note_device(void *context, unsigned device, cuzk_attempt a)
{
    ((core_asked *)context)->device = device;
    ((core_asked *)context)->attempt = a;
}

static void note_input(void *context, cuzk_job_no job)
{
    (void)job;
    ((core_asked *)context)->inputs_dropped++;
}

static void note_ended(void *context, cuzk_job_no job)
{
    (void)job;
    ((core_asked *)context)->ended++;
}

static void ignore_jobs(void *context, cuzk_job_no job, cuzk_job_no from)
{
    (void)context;
    (void)job;
    (void)from;
}

static void ignore_job(void *context, cuzk_job_no job)
{
    (void)context;
    (void)job;
}

static void ignore_key(void *context, const char *key)
{
    (void)context;
    (void)key;
}

static void ignore_buffer(void *context, uint64_t bytes)
{
    (void)context;
    (void)bytes;
}

static void ignore_gap(void *context, unsigned device, cuzk_device_state cause, uint64_t begin,
                       uint64_t end, const cuzk_attempt *waited_for, cuzk_part_state its_state)
{
    (void)context;
    (void)device;
    (void)cause;
    (void)begin;
    (void)end;
    (void)waited_for;
    (void)its_state;
}

static void ignore_device(void *context, unsigned device, bool in)
{
    (void)context;
    (void)device;
    (void)in;
}

static void ignore(void *context)
{
    (void)context;
}

static const cuzk_core_ops ops = {
    .store_job = ignore_job,
    .parse = note_parse,
    .load_key = note_load,
    .free_key = ignore_key,
    .free_buffer = ignore_buffer,
    .warm_buffer = ignore_buffer,
    .synthesise = note_attempt,
    .upload = note_device,
    .compute = note_device,
    .finish = note_device,
    .check = note_device,
    .store_result = ignore_job,
    .payload_done = ignore_job,
    .drop_attempt = note_drop,
    .cancel_attempt = note_attempt,
    .drop_input = note_input,
    .accepted = ignore_job,
    .ended = note_ended,
    .share_result = ignore_jobs,
    .forget = ignore_job,
    .gap = ignore_gap,
    .quarantined = ignore_device,
    .drained = ignore,
};

static const cuzk_core_config config = {
    .memory_total = 1000,
    .devices = 1,
    .parse_slots = 1,
    .synth_slots = 1,
    .check_slots = 1,
    .queue_jobs_max = 10,
    .queue_bytes_max = 1000,
    .attempts_max = 1,
    .device_faults_max = 1,
    .orphan_grace_ns = CUZK_NEVER,
    .history_jobs_max = 10,
    .history_ns = CUZK_NEVER,
    .gap_ns = CUZK_NEVER,
};

/* Drives one job to its end. false: it was refused. */
static bool run_job(cuzk_core *core, core_asked *asked, const char *id, cuzk_job_state *state)
{
    const cuzk_parsed parsed = {
        .partitions = 1, .key = "key", .key_bytes = 10, .witness_bytes = 10};
    const cuzk_request request = {.request_id = id,
                                  .kind = CUZK_KIND_CIRCUIT,
                                  .class_ = CUZK_CLASS_NORMAL,
                                  .deadline = CUZK_NEVER,
                                  .payload_bytes = 10,
                                  .parse_bytes = 10};
    const uint64_t now = 10 * (1 + (uint64_t)asked->rounds++);
    cuzk_submitted submitted;
    cuzk_core_submit(core, now, &request, &submitted);
    cuzk_core_check(core);
    if (submitted.verdict != CUZK_VERDICT_NEW) {
        assert_int_equal(submitted.verdict, CUZK_VERDICT_FULL);
        return false;
    }
    const unsigned ended = asked->ended;
    assert_int_equal(asked->parse, submitted.job);
    cuzk_core_parsed_job(core, now + 1, submitted.job, &parsed, NULL);
    cuzk_core_check(core);
    if (asked->load)
        cuzk_core_key_loaded(core, now + 2, "key", 10, NULL);
    asked->load = false;
    if (asked->ended == ended) {
        cuzk_core_synthesised(core, now + 3, asked->attempt, NULL);
        cuzk_core_uploaded(core, now + 4, asked->attempt, NULL);
        cuzk_core_computed(core, now + 5, asked->attempt, NULL);
        cuzk_core_finished(core, now + 6, asked->attempt, NULL);
        cuzk_core_checked(core, now + 7, asked->attempt, NULL);
    }
    cuzk_core_check(core);
    assert_int_equal(asked->ended, ended + 1);
    cuzk_job_view view;
    assert_true(cuzk_core_view_job(core, now + 7, submitted.job, &view));
    *state = view.state;
    return true;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const size_t live = test_fault_live();
    unsigned refused = 0, failed = 0, completed = 0;
    for (size_t n = 1; completed == 0; n++) {
        assert_true(n < MOST);
        core_asked asked;
        memset(&asked, 0, sizeof asked);
        cuzk_job_state end = CUZK_JOB_RECEIVED;
        test_fault_arm(n);
        cuzk_core *core = cuzk_core_new(&config, &ops, &asked, 1);
        if (!core)
            continue;
        const bool accepted = run_job(core, &asked, "first", &end);
        test_fault_arm(0);
        refused += !accepted;
        failed += end == CUZK_JOB_FAILED;
        completed += end == CUZK_JOB_COMPLETED;
        cuzk_job_state next;
        assert_true(run_job(core, &asked, "next", &next));
        assert_int_equal(next, CUZK_JOB_COMPLETED);
        cuzk_core_free(core);
        assert_int_equal(test_fault_live(), live);
    }
    assert_true(refused > 0 && failed > 0);
    print_message("refused %u, failed %u\n", refused, failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
