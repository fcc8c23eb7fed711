/* The log of a real engine, read as scripts for the Rust daemon read theirs: which lines there are
 * for a job, in which order, with which keys, and that their numbers are those of the answers. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/log_reader.h"
#include "support/test.h"

#include "base/log.h"
#include "engine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128"};
/* Names that would break a careless reader. */
static const char *const ids[] = {"plain",
                                  "wdpost-1-0-[17 4 250 0 1 2 3 4]",
                                  "with,comma",
                                  "with \"quotes\" and \\",
                                  "snap-1000-\xc3\xa9",
                                  "job_id=x partition=Some(9) proof_kind=y"};
#define JOBS       6u
#define COMPUTE_MS 20u

static char keys[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, 2));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    return 0;
}

/* Runs the jobs, and one that fails. */
static void run_engine(log_file *log, test_answer *answers, bool json, bool fake)
{
    static const cuzk_fake_script script = {.upload_us = 1000, .compute_us = COMPUTE_MS * 1000};
    const cuzk_engine_config config = {.memory_total = (uint64_t)1 << 30,
                                       .threads = 2,
                                       .fake = fake ? &script : NULL,
                                       .fake_devices = fake ? 2 : 0,
                                       .keys_folder = keys,
                                       .orphan_grace_ms = CUZK_NEVER};
    cuzk_engine *engine;
    cuzk_error err = {0};
    char path[2][512];
    for (size_t i = 0; i < 2; i++) {
        char name[128];
        snprintf(name, sizeof name, "circom/%s/witness.wtns", circuits[i]);
        snprintf(path[i], sizeof path[i], "%s", test_data_path(name));
    }
    cuzk_log_set_level(CUZK_LOG_INFO);
    cuzk_log_set_json(json);
    log_capture();
    const cuzk_status status = cuzk_engine_open(&engine, &config, &err);
    for (unsigned i = 0; status == CUZK_OK && i < JOBS; i++)
        test_submit(engine, ids[i], circuits[i % 2], path[i % 2]);
    for (unsigned i = 0; status == CUZK_OK && i < JOBS; i++)
        answers[i] = test_await(engine, ids[i], 0);
    if (status == CUZK_OK) {
        test_submit(engine, "broken", circuits[0], path[1]);
        answers[JOBS] = test_await(engine, "broken", 0);
        cuzk_engine_close(engine);
    }
    log_read(log, json);
    cuzk_log_set_level(CUZK_LOG_WARN);
    if (status != CUZK_OK)
        fail_msg("%s", err.message);
}

/* The one line that matches the expression whose last two groups around the id are given; its place
 * in the log. */
static size_t find_one(const log_file *log, const char *id, const char *head, const char *tail,
                       unsigned long long *numbers, size_t n)
{
    char expression[LOG_TEXT], text[12][LOG_TEXT];
    size_t at = log->n, found = 0;
    snprintf(expression, sizeof expression, "%s job_id=(.*) proof_kind=circuit%s", head, tail);
    for (size_t i = 0; i < log->n; i++) {
        if (!log_match(log->lines[i].message, expression, text, n + 1))
            continue;
        size_t id_group = 0; /* groups before the id are numbers */
        for (const char *c = head; (c = strchr(c, '(')) != NULL; c++)
            id_group += c == head || c[-1] != '\\';
        if (strcmp(text[id_group], id) != 0)
            continue;
        for (size_t g = 0, k = 0; g <= n; g++)
            if (g != id_group)
                numbers[k++] = strtoull(text[g], NULL, 10);
        at = i;
        found++;
    }
    if (found != 1)
        fail_msg("%zu lines for %s: %s", found, id, expression);
    return at;
}

#define WHO "worker_id=([0-9]+) partition=Some\\(0\\)"
#define MS  "=([0-9]+)"

typedef struct lines {
    size_t before, start, returned, end;
    unsigned long long worker, gpu_ms;
} lines;

/* GPU_TIMING and FIN_TIMING of a job. */
static lines check_timing(const log_file *log, const char *id)
{
    lines l;
    unsigned long long n[8];
    l.before = find_one(
        log, id, "GPU_TIMING hot_path pre-prove overhead " WHO,
        " status_ms" MS " fail_check_ms" MS " mark_busy_ms" MS " total_overhead_ms" MS, n, 5);
    l.worker = n[0];
    assert_true(n[1] + n[2] + n[3] <= n[4]);
    l.start = find_one(log, id, "GPU_TIMING spawn_blocking prove_start " WHO,
                       " spawn_to_enter_ms" MS " prove_start_ms" MS, n, 3);
    assert_int_equal(n[0], l.worker);
    const unsigned long long enter = n[1];
    l.gpu_ms = n[2];
    l.returned = find_one(log, id, "GPU_TIMING prove_start returned " WHO,
                          " total_pre_prove_ms" MS " spawn_blocking_wall_ms" MS, n, 3);
    assert_int_equal(n[0], l.worker);
    assert_int_equal(n[1], enter);
    assert_true(n[2] >= l.gpu_ms);
    l.end = find_one(
        log, id, "FIN_TIMING finalizer partition " WHO,
        " finish_ms" MS " drop_res_ms" MS " lock_wait_ms" MS " process_ms" MS " total_ms" MS, n, 6);
    assert_int_equal(n[0], l.worker);
    assert_true(n[5] >= n[1] + n[2] + n[3] + n[4]);
    assert_true(l.before < l.start && l.start < l.returned && l.returned < l.end);
    return l;
}

static unsigned long long number_in(const char *detail, const char *expression)
{
    char text[1][LOG_TEXT];
    if (!log_match(detail, expression, text, 1))
        fail_msg("\"%s\" is not %s", detail, expression);
    return strtoull(text[0], NULL, 10);
}

/* TIMELINE of a job: each event once, in its order, by one worker. */
static void check_timeline(const log_file *log, const char *id, const lines *l,
                           const test_answer *answer)
{
    static const char *const events[] = {"SYNTH_START", "SYNTH_END", "GPU_QUEUE",
                                         "GPU_PICKUP",  "GPU_START", "GPU_END"};
    unsigned long long at[6], synth_ms = 0, gpu_ms = 0;
    unsigned seen = 0;
    for (size_t i = 0; i < log->n; i++) {
        log_timeline t;
        if (!log_timeline_read(&t, log->lines[i].message) || strcmp(t.job_id, id) != 0)
            continue;
        assert_true(seen < 6);
        assert_string_equal(t.event, events[seen]);
        at[seen] = t.ms;
        if (seen == 0 || seen == 2)
            assert_string_equal(t.detail, "partition=0");
        else if (seen == 1)
            synth_ms = number_in(t.detail, "partition=0,synth_ms=([0-9]+)");
        else if (seen < 5)
            assert_int_equal(number_in(t.detail, "worker=([0-9]+),partition=0"), l->worker);
        else
            gpu_ms = number_in(t.detail, "worker=[0-9]+,partition=0,gpu_ms=([0-9]+)");
        seen++;
    }
    assert_int_equal(seen, 6);
    assert_int_equal(gpu_ms, l->gpu_ms);
    assert_true(at[5] - at[4] + 1 >= gpu_ms && at[1] - at[0] + 1 >= synth_ms);
    /* Of one partition: what the core measured holds what the worker measured. */
    assert_true(answer->synth_ms >= synth_ms && answer->compute_ms >= gpu_ms);
    assert_true(answer->total_ms >= answer->synth_ms && answer->total_ms >= answer->compute_ms &&
                answer->total_ms >= answer->queue_ms && answer->total_ms >= answer->key_ms);
}

/* That it came and how it went, with the answer's numbers. */
static void check_frame(const log_file *log, const char *id, const lines *l,
                        const test_answer *answer)
{
    unsigned long long n[6];
    const size_t came = find_one(log, id, "job enqueued", " priority=normal", n, 0);
    const size_t went = find_one(log, id, "proof assembled",
                                 " proof_len" MS " total_ms" MS " queue_ms" MS " key_ms" MS
                                 " synth_ms" MS " gpu_ms" MS,
                                 n, 6);
    assert_true(came < l->before && l->end < went);
    assert_int_equal(n[0], answer->size);
    assert_int_equal(n[1], answer->total_ms);
    assert_int_equal(n[2], answer->queue_ms);
    assert_int_equal(n[3], answer->key_ms);
    assert_int_equal(n[4], answer->synth_ms);
    assert_int_equal(n[5], answer->compute_ms);
}

/* Lines that are no job's own: keys before their first job, memory given back, time that runs on.
 */
static void check_rest(const log_file *log)
{
    unsigned loaded = 0, synths = 0, trims = 0, failed = 0;
    unsigned long long last = 0;
    char text[1][LOG_TEXT];
    for (size_t i = 0; i < log->n; i++) {
        const char *message = log->lines[i].message;
        log_timeline t;
        if (log_timeline_read(&t, message)) {
            assert_true(t.ms >= last);
            last = t.ms;
            synths += strcmp(t.event, "SYNTH_START") == 0;
            assert_true(synths == 0 || loaded > 0);
        }
        loaded += log_match(message,
                            "SRS loaded successfully circuit_id=(multiplier|poseidon2)-bn128 "
                            "elapsed_ms=[0-9]+ bytes=[1-9][0-9]* budget_used_gib=[0-9.]+ "
                            "budget_available_gib=[0-9.]+",
                            NULL, 0);
        trims += log_match(message,
                           "FIN_TIMING malloc_trim [(]success path[)] job_id=.* partition=None "
                           "malloc_trim_ms=[0-9]+",
                           NULL, 0);
        if (log_match(message,
                      "job ended job_id=broken proof_kind=circuit state=failed code=MISMATCH "
                      "error=(.*)",
                      text, 1)) {
            failed++;
            assert_string_equal(log->lines[i].level, "WARN");
            assert_non_null(strstr(text[0], "243"));
        }
    }
    assert_int_equal(loaded, 2);
    assert_true(trims > 0);
    assert_int_equal(failed, 1);
}

static void check_log(bool json, bool fake)
{
    log_file log;
    test_answer answers[JOBS + 1];
    run_engine(&log, answers, json, fake);
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(answers[i].state, CUZK_JOB_COMPLETED);
        const lines l = check_timing(&log, ids[i]);
        assert_true(l.worker < (fake ? 2u : 1u));
        assert_true(!fake || l.gpu_ms >= COMPUTE_MS);
        check_timeline(&log, ids[i], &l, &answers[i]);
        check_frame(&log, ids[i], &l, &answers[i]);
        free(answers[i].text);
    }
    assert_int_equal(answers[JOBS].state, CUZK_JOB_FAILED);
    check_rest(&log);
    free(log.lines);
}

static void text_of_the_processors(void **state)
{
    (void)state;
    check_log(false, false);
}

static void text_of_two_devices(void **state)
{
    (void)state;
    check_log(false, true);
}

static void json_of_the_processors(void **state)
{
    (void)state;
    check_log(true, false);
}

static void json_of_two_devices(void **state)
{
    (void)state;
    check_log(true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_the_processors),
        cmocka_unit_test(text_of_two_devices),
        cmocka_unit_test(json_of_the_processors),
        cmocka_unit_test(json_of_two_devices),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
