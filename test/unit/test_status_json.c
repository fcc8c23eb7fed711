/* /status against the keys of the Rust daemon, and against the truth. */
#include "server/status_json.h"

#include "support/fake_core.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define S ((uint64_t)1000000000)

static json_t *take(uint64_t now)
{
    cuzk_engine_view view = fake_view(now);
    cuzk_snapshot *snapshot = cuzk_snapshot_new();
    assert_non_null(snapshot);
    cuzk_snapshot_take(snapshot, &view, CUZK_SNAPSHOT_WITH_JOBS);
    char *text = cuzk_status_json(snapshot);
    free(snapshot);
    assert_non_null(text);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(root);
    return root;
}

/* "a.b.0.c": keys and indices. */
static const json_t *at(const json_t *value, const char *path)
{
    char part[64];
    while (*path != '\0') {
        size_t n = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)n, path);
        value = json_is_array(value) ? json_array_get(value, strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
        if (value == NULL)
            fail_msg("%s is missing", path);
        path += n + (path[n] == '.');
    }
    return value;
}

static long long number(const json_t *root, const char *path)
{
    assert_true(json_is_integer(at(root, path)));
    return json_integer_value(at(root, path));
}

static const char *text(const json_t *root, const char *path)
{
    assert_true(json_is_string(at(root, path)));
    return json_string_value(at(root, path));
}

static fake_job jobs[400];
static const cuzk_failure failure = {.status = CUZK_ERR_UNSATISFIED, .message = "row 7 \xff"};

static int reset(void **state)
{
    (void)state;
    memset(&fake_core, 0, sizeof fake_core);
    memset(jobs, 0, sizeof jobs);
    fake_core.view.devices = 2;
    fake_core.view.synth_slots = 5;
    fake_core.view.memory_total = 1000;
    fake_core.view.memory_used = 400;
    fake_core.view.memory[CUZK_MEMORY_KEY] = 400;
    fake_core.view.started = S;
    fake_core.jobs = jobs;
    return 0;
}

static fake_job *add_job(cuzk_job_state state, uint64_t ended)
{
    fake_job *job = &jobs[fake_core.n_jobs++];
    job->view = (cuzk_job_view){.job = fake_core.n_jobs,
                                .request_id = "job-x",
                                .kind = CUZK_KIND_POREP,
                                .class_ = CUZK_CLASS_HIGH,
                                .state = state,
                                .key = "k",
                                .partitions = 3,
                                .partitions_done = 1,
                                .submitted = 2 * S,
                                .started = 3 * S,
                                .ended = ended};
    return job;
}

/* Key and type, as the Rust daemon's table has them: i integer, f real, s string, b boolean, a
 * array, o object, n null. */
static void all_rust_keys_have_their_types(void **state)
{
    (void)state;
    static const struct {
        const char *path, *types;
    } keys[] = {
        {"uptime_secs", "f"},
        {"memory.total_bytes", "i"},
        {"memory.used_bytes", "i"},
        {"memory.available_bytes", "i"},
        {"synthesis.max_concurrent", "i"},
        {"synthesis.active", "i"},
        {"pipelines", "a"},
        {"pipelines.0.job_id", "s"},
        {"pipelines.0.proof_kind", "s"},
        {"pipelines.0.started_secs_ago", "f"},
        {"pipelines.0.total_partitions", "i"},
        {"pipelines.0.partitions_done", "i"},
        {"pipelines.0.partitions", "a"},
        {"pipelines.0.partitions.0.index", "i"},
        {"pipelines.0.partitions.0.state", "s"},
        {"pipelines.0.partitions.0.synth_ms", "in"},
        {"pipelines.0.partitions.0.gpu_ms", "in"},
        {"gpu_workers", "a"},
        {"gpu_workers.0.worker_id", "i"},
        {"gpu_workers.0.gpu_ordinal", "i"},
        {"gpu_workers.0.state", "s"},
        {"gpu_workers.0.current_job", "sn"},
        {"gpu_workers.0.current_partition", "in"},
        {"gpu_workers.0.busy_secs", "fn"},
        {"allocations.srs", "a"},
        {"allocations.srs.0.circuit_id", "s"},
        {"allocations.srs.0.bytes", "i"},
        {"allocations.srs.0.last_used_secs_ago", "f"},
        {"allocations.srs.0.evictable", "b"},
        {"allocations.pce", "a"},
        {"counters.total_completed", "i"},
        {"counters.total_failed", "i"},
        {"counters.completed_by_kind", "o"},
        {"counters.failed_by_kind", "o"},
        {"counters.queue_depth", "i"},
        {"buffers.synth_in_flight", "i"},
        {"buffers.provers_in_flight", "i"},
        {"buffers.aux_in_flight", "i"},
        {"buffers.shells_in_flight", "i"},
        {"buffers.pending_handles", "i"},
    };
    static const char letters[] = "oasifbbn"; /* by json_type */
    add_job(CUZK_JOB_RUNNING, 0);
    fake_core.keys[0] = (cuzk_key_view){.key = "a/b", .bytes = 7, .last_used = 4 * S};
    fake_core.n_keys = 1;
    json_t *root = take(5 * S);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = at(root, keys[i].path);
        if (strchr(keys[i].types, letters[json_typeof(value)]) == NULL)
            fail_msg("%s: type %c", keys[i].path, letters[json_typeof(value)]);
    }
    json_decref(root);
}

static void partitions_tell_the_truth(void **state)
{
    (void)state;
    fake_job *job = add_job(CUZK_JOB_RUNNING, 0);
    job->parts[0] = (cuzk_part_view){
        .state = CUZK_PART_CHECKED, .device = 1, .synth_ns = 7000000, .compute_ns = 8000000};
    job->parts[1] = (cuzk_part_view){.state = CUZK_PART_FAILED, .device = -1, .synth_ns = 1000000};
    job->parts[2] = (cuzk_part_view){.state = CUZK_PART_ADMITTED, .device = -1};
    json_t *root = take(5 * S);
    const json_t *parts = at(root, "pipelines.0.partitions");
    assert_string_equal(text(parts, "0.state"), "done");
    assert_int_equal(number(parts, "0.synth_ms"), 7);
    assert_int_equal(number(parts, "0.gpu_ms"), 8);
    assert_int_equal(number(parts, "0.gpu"), 1);
    assert_string_equal(text(parts, "1.state"), "failed"); /* the Rust daemon says "done" */
    assert_true(json_is_null(at(parts, "1.gpu_ms")));
    assert_string_equal(text(parts, "2.state"), "pending");
    assert_true(json_is_null(at(parts, "2.synth_ms")));
    assert_true(json_real_value(at(root, "pipelines.0.started_secs_ago")) == 2.0);
    assert_int_equal(number(root, "memory.available_bytes"), 600);
    assert_int_equal(number(root, "memory.by_owner.key"), 400);
    assert_string_equal(text(root, "memory.source"), "configured \"8 MiB\"");
    assert_int_equal(number(root, "synthesis.max_concurrent"), 5);
    json_decref(root);
}

static void devices_say_what_they_do(void **state)
{
    (void)state;
    add_job(CUZK_JOB_RUNNING, 0);
    fake_core.devices[1] = (cuzk_device_view){
        .computing = {.job = 1, .partition = 2, .attempt = 1}, .since = 4 * S, .faults = 3};
    fake_core.devices[0].state = CUZK_IDLE_WAIT_KEY;
    fake_core.devices[0].ns[CUZK_IDLE_WAIT_KEY] = 1500000;
    json_t *root = take(5 * S);
    assert_string_equal(text(root, "gpu_workers.0.state"), "idle");
    assert_true(json_is_null(at(root, "gpu_workers.0.current_job")));
    assert_string_equal(text(root, "gpu_workers.0.activity"), "IDLE_WAIT_KEY");
    assert_true(json_real_value(at(root, "gpu_workers.0.idle_ms.IDLE_WAIT_KEY")) == 1.5);
    assert_string_equal(text(root, "gpu_workers.1.state"), "proving");
    assert_string_equal(text(root, "gpu_workers.1.current_job"), "job-x");
    assert_int_equal(number(root, "gpu_workers.1.current_partition"), 2);
    assert_true(json_real_value(at(root, "gpu_workers.1.busy_secs")) == 1.0);
    json_decref(root);
    fake_core.devices[0] = (cuzk_device_view){
        .state = CUZK_IDLE_FAULT, .quarantined = true, .quarantines = 4, .late = 1, .late_ops = 2};
    root = take(6 * S);
    assert_string_equal(text(root, "gpu_workers.0.state"), "quarantined");
    assert_string_equal(text(root, "gpu_workers.0.activity"), "IDLE_FAULT");
    assert_true(json_is_true(at(root, "gpu_workers.0.quarantined")));
    assert_int_equal(number(root, "gpu_workers.0.quarantines"), 4);
    assert_int_equal(number(root, "gpu_workers.0.late_steps"), 1);
    assert_int_equal(number(root, "gpu_workers.0.late_steps_ever"), 2);
    json_decref(root);
}

/* Queued jobs are counted, running ones shown, ended ones for 30 s, failures longer. */
static void only_jobs_of_interest_are_listed(void **state)
{
    (void)state;
    add_job(CUZK_JOB_FAILED, 4 * S)->view.failure = &failure;
    add_job(CUZK_JOB_COMPLETED, 4 * S);
    add_job(CUZK_JOB_COMPLETED, 50 * S);
    add_job(CUZK_JOB_RUNNING, 0);
    add_job(CUZK_JOB_CANCELLED, 60 * S);
    add_job(CUZK_JOB_ACCEPTED, 0);
    fake_core.view.pending[CUZK_KIND_POREP] = 1;
    json_t *root = take(61 * S);
    assert_int_equal(json_array_size(at(root, "pipelines")), 3);
    assert_int_equal(number(root, "pipelines.0.job"), 4); /* it runs */
    assert_int_equal(number(root, "pipelines.1.job"), 5);
    assert_int_equal(number(root, "pipelines.2.job"), 3);
    assert_int_equal(number(root, "pipelines_left_out"), 0);
    assert_int_equal(number(root, "counters.queue_depth"), 1);
    assert_int_equal(json_array_size(at(root, "queues")), CUZK_KINDS - 1);
    assert_int_equal(json_array_size(at(root, "failures")), 1);
    assert_string_equal(text(root, "failures.0.error.code"), "UNSATISFIED");
    assert_string_equal(text(root, "failures.0.error.message"), "row 7 ?");
    json_decref(root);
}

/* Running jobs are never crowded out by ended ones. */
static void lists_are_capped_and_say_so(void **state)
{
    (void)state;
    add_job(CUZK_JOB_RUNNING, 0);
    for (int i = 0; i < 250; i++)
        add_job(i % 2 ? CUZK_JOB_COMPLETED : CUZK_JOB_FAILED, 60 * S);
    for (int i = 0; i < 300; i++)
        fake_core.keys[fake_core.n_keys++] = (cuzk_key_view){.key = "k"};
    jobs[0].view.partitions = 50;
    json_t *root = take(61 * S);
    size_t last = CUZK_SNAPSHOT_ENDED;
    assert_int_equal(json_array_size(at(root, "pipelines")), 1 + last);
    assert_int_equal(number(root, "pipelines_left_out"), 250 - last);
    assert_int_equal(number(json_array_get(at(root, "pipelines"), 1), "job"), 251);
    assert_int_equal(number(json_array_get(at(root, "pipelines"), last), "job"), 252 - last);
    const json_t *running = at(root, "pipelines.0");
    assert_int_equal(number(running, "job"), 1);
    assert_int_equal(json_array_size(at(running, "partitions")), CUZK_SNAPSHOT_PARTS);
    assert_int_equal(number(running, "partitions_left_out"), 50 - CUZK_SNAPSHOT_PARTS);
    assert_int_equal(json_array_size(at(root, "failures")), CUZK_SNAPSHOT_FAILURES);
    assert_int_equal(json_array_size(at(root, "allocations.srs")), CUZK_SNAPSHOT_KEYS);
    assert_true(json_is_true(at(root, "allocations.srs_cut_short")));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_rust_keys_have_their_types, reset),
        cmocka_unit_test_setup(partitions_tell_the_truth, reset),
        cmocka_unit_test_setup(devices_say_what_they_do, reset),
        cmocka_unit_test_setup(only_jobs_of_interest_are_listed, reset),
        cmocka_unit_test_setup(lists_are_capped_and_say_so, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
