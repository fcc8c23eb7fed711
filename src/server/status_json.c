/* json_pack and the json_object_set_new family answer NULL or an error when memory is short and
 * then free what they were given, so one check at the end is enough: `whole`. */
#include "server/status_json.h"

#include <inttypes.h>

#define NS_PER_MS 1000000u

typedef struct builder {
    const cuzk_snapshot *s;
    bool whole;
} builder;

static void set(builder *b, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        b->whole = false;
}

static void add(builder *b, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        b->whole = false;
}

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *secs_since(const builder *b, uint64_t then)
{
    uint64_t now = b->s->core.now;
    return json_real(now > then ? (double)(now - then) / 1e9 : 0.0);
}

static void set_counts(builder *b, json_t *object, const char *key, const uint64_t *by_kind)
{
    json_t *kinds = json_object();
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        set(b, kinds, cuzk_kind_name((cuzk_kind)kind), count(by_kind[kind]));
    set(b, object, key, kinds);
}

static json_t *memory(builder *b)
{
    const cuzk_core_view *core = &b->s->core;
    uint64_t free_bytes =
        core->memory_total > core->memory_used ? core->memory_total - core->memory_used : 0;
    json_t *object = json_object(), *owners = json_object();
    set(b, object, "total_bytes", count(core->memory_total));
    set(b, object, "used_bytes", count(core->memory_used));
    set(b, object, "available_bytes", count(free_bytes));
    for (int owner = 0; owner < CUZK_MEMORY_OWNERS; owner++)
        set(b, owners, cuzk_memory_owner_name((cuzk_memory_owner)owner),
            count(core->memory[owner]));
    set(b, object, "by_owner", owners);
    set(b, object, "source", cuzk_json_text(b->s->limit.source));
    set(b, object, "resident_bytes", count(b->s->resident_bytes));
    set(b, object, "inflight_bytes", count(b->s->inflight_bytes));
    return object;
}

/* --- jobs --- */

/* The Rust daemon's word for a partition's state. */
static const char *partition_word(cuzk_part_state state)
{
    switch (state) {
    case CUZK_PART_WAIT_INPUT:
    case CUZK_PART_READY:
    case CUZK_PART_ADMITTED:
        return "pending";
    case CUZK_PART_SYNTH:
        return "synthesizing";
    case CUZK_PART_STAGED:
        return "synth_done";
    case CUZK_PART_UPLOADING:
    case CUZK_PART_COMPUTING:
    case CUZK_PART_FINISHING:
        return "gpu";
    case CUZK_PART_CHECKED:
        return "done";
    case CUZK_PART_FAILED:
    case CUZK_PART_CANCELLED:
        break;
    }
    return "failed";
}

/* A stage's time, null if it was never entered. */
static json_t *stage_ms(const cuzk_part_view *part, uint64_t ns, cuzk_part_state first)
{
    bool entered = ns > 0 || (part->state >= first && part->state <= CUZK_PART_CHECKED);
    return entered ? count(ns / NS_PER_MS) : json_null();
}

static json_t *partition(builder *b, const cuzk_part_view *part, uint32_t index)
{
    json_t *object = json_object();
    set(b, object, "index", count(index));
    set(b, object, "state", json_string(partition_word(part->state)));
    set(b, object, "synth_ms", stage_ms(part, part->synth_ns, CUZK_PART_SYNTH));
    set(b, object, "gpu_ms", stage_ms(part, part->compute_ns, CUZK_PART_COMPUTING));
    set(b, object, "stage", json_string(cuzk_part_state_name(part->state)));
    set(b, object, "attempt", count(part->attempt));
    set(b, object, "gpu", part->device < 0 ? json_null() : json_integer(part->device));
    return object;
}

static json_t *failure(builder *b, const cuzk_snapshot_job *job)
{
    if (!job->failed)
        return json_null();
    json_t *object = json_object();
    set(b, object, "code", json_string(cuzk_status_name(job->failure.status)));
    set(b, object, "message", cuzk_json_text(job->failure.message));
    return object;
}

static json_t *pipeline(builder *b, const cuzk_snapshot_job *job)
{
    const cuzk_job_view *view = &job->view;
    json_t *object = json_object(), *parts = json_array();
    set(b, object, "job_id", cuzk_json_text(job->request_id));
    set(b, object, "proof_kind", json_string(cuzk_kind_name(view->kind)));
    set(b, object, "started_secs_ago",
        secs_since(b, view->started != 0 ? view->started : view->submitted));
    set(b, object, "total_partitions", count(view->partitions));
    set(b, object, "partitions_done", count(view->partitions_done));
    for (uint32_t i = 0; i < job->parts_shown; i++)
        add(b, parts, partition(b, &job->parts[i], i));
    set(b, object, "partitions", parts);
    set(b, object, "partitions_left_out", count(view->partitions - job->parts_shown));
    set(b, object, "job", count(view->job));
    set(b, object, "class", json_string(cuzk_class_name(view->class_)));
    set(b, object, "state", json_string(cuzk_job_state_name(view->state)));
    set(b, object, "key", cuzk_json_text(job->key));
    set(b, object, "submitted_secs_ago", secs_since(b, view->submitted));
    set(b, object, "ended_secs_ago",
        cuzk_job_state_is_terminal(view->state) ? secs_since(b, view->ended) : json_null());
    set(b, object, "queue_ms", count(view->queue_ns / NS_PER_MS));
    set(b, object, "key_ms", count(view->key_ns / NS_PER_MS));
    set(b, object, "synth_ms", count(view->synth_ns / NS_PER_MS));
    set(b, object, "compute_ms", count(view->compute_ns / NS_PER_MS));
    set(b, object, "error", failure(b, job));
    return object;
}

static json_t *pipelines(builder *b)
{
    json_t *array = json_array();
    for (size_t i = 0; i < b->s->jobs; i++)
        add(b, array, pipeline(b, &b->s->job[i]));
    return array;
}

static json_t *failures(builder *b)
{
    json_t *array = json_array();
    for (size_t i = 0; i < b->s->failures; i++) {
        const cuzk_snapshot_job *job = &b->s->failure[i];
        json_t *object = json_object();
        set(b, object, "job_id", cuzk_json_text(job->request_id));
        set(b, object, "proof_kind", json_string(cuzk_kind_name(job->view.kind)));
        set(b, object, "state", json_string(cuzk_job_state_name(job->view.state)));
        set(b, object, "ended_secs_ago", secs_since(b, job->view.ended));
        set(b, object, "error", failure(b, job));
        add(b, array, object);
    }
    return array;
}

static json_t *queues(builder *b)
{
    const cuzk_core_view *core = &b->s->core;
    json_t *array = json_array();
    for (int kind = 1; kind < CUZK_KINDS; kind++) {
        json_t *object = json_object();
        set(b, object, "proof_kind", json_string(cuzk_kind_name((cuzk_kind)kind)));
        set(b, object, "pending", count(core->pending[kind]));
        set(b, object, "in_progress", count(core->in_progress[kind]));
        add(b, array, object);
    }
    return array;
}

/* --- devices and keys --- */

static json_t *worker(builder *b, unsigned index)
{
    const cuzk_snapshot_device *device = &b->s->devices[index];
    const cuzk_device_view *view = &device->view;
    bool computing = view->computing.job != 0;
    json_t *object = json_object(), *idle = json_object();
    set(b, object, "worker_id", count(index));
    set(b, object, "gpu_ordinal", count(index));
    set(b, object, "state",
        json_string(computing           ? "proving"
                    : view->quarantined ? "quarantined"
                                        : "idle"));
    set(b, object, "current_job", computing ? cuzk_json_text(device->job_id) : json_null());
    set(b, object, "current_partition", computing ? count(view->computing.partition) : json_null());
    set(b, object, "busy_secs", computing ? secs_since(b, view->since) : json_null());
    set(b, object, "name", cuzk_json_text(device->name));
    set(b, object, "activity", json_string(cuzk_device_state_name(view->state)));
    set(b, object, "busy_ms", json_real((double)view->ns[CUZK_DEVICE_BUSY] / NS_PER_MS));
    for (int state = CUZK_DEVICE_BUSY + 1; state < CUZK_DEVICE_STATES; state++)
        set(b, idle, cuzk_device_state_name((cuzk_device_state)state),
            json_real((double)view->ns[state] / NS_PER_MS));
    set(b, object, "idle_ms", idle);
    set(b, object, "partitions_done", count(view->partitions_done));
    set(b, object, "faults", count(view->faults));
    set(b, object, "bad_proofs", count(view->bad_proofs));
    set(b, object, "quarantined", json_boolean(view->quarantined));
    set(b, object, "quarantines", count(view->quarantines));
    set(b, object, "late_steps", count(view->late));
    set(b, object, "late_steps_ever", count(view->late_ops));
    return object;
}

static json_t *workers(builder *b)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < b->s->core.devices; i++)
        add(b, array, worker(b, i));
    return array;
}

static json_t *key(builder *b, const cuzk_snapshot_key *k)
{
    json_t *object = json_object();
    set(b, object, "circuit_id", cuzk_json_text(k->key));
    set(b, object, "bytes", count(k->view.bytes));
    set(b, object, "last_used_secs_ago", secs_since(b, k->view.last_used));
    set(b, object, "evictable", json_boolean(k->view.refs == 0 && !k->view.loading));
    set(b, object, "refs", count(k->view.refs));
    set(b, object, "loading", json_boolean(k->view.loading));
    set(b, object, "pinned", json_boolean(k->view.pinned));
    return object;
}

static json_t *allocations(builder *b)
{
    json_t *object = json_object(), *srs = json_array();
    for (size_t i = 0; i < b->s->keys; i++)
        add(b, srs, key(b, &b->s->key[i]));
    set(b, object, "srs", srs);
    set(b, object, "pce", json_array()); /* there are no separate compiled circuits */
    set(b, object, "srs_cut_short", json_boolean(b->s->more_keys));
    set(b, object, "key_hits", count(b->s->core.key_hits));
    set(b, object, "key_loads", count(b->s->core.key_loads));
    set(b, object, "key_evictions", count(b->s->core.key_evictions));
    return object;
}

/* --- counters --- */

static uint64_t ended(const cuzk_core_view *core, cuzk_job_state state, uint64_t *by_kind)
{
    uint64_t sum = 0;
    for (int kind = 0; kind < CUZK_KINDS; kind++) {
        by_kind[kind] = core->ended[kind][state];
        sum += kind > 0 ? by_kind[kind] : 0;
    }
    return sum;
}

static json_t *counters(builder *b)
{
    const cuzk_core_view *core = &b->s->core;
    uint64_t by_kind[CUZK_KINDS], depth = 0;
    json_t *object = json_object();
    set(b, object, "total_completed", count(ended(core, CUZK_JOB_COMPLETED, by_kind)));
    set_counts(b, object, "completed_by_kind", by_kind);
    set(b, object, "total_failed", count(ended(core, CUZK_JOB_FAILED, by_kind)));
    set_counts(b, object, "failed_by_kind", by_kind);
    set(b, object, "total_cancelled", count(ended(core, CUZK_JOB_CANCELLED, by_kind)));
    set(b, object, "total_expired", count(ended(core, CUZK_JOB_EXPIRED, by_kind)));
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        depth += core->pending[kind];
    set(b, object, "queue_depth", count(depth));
    set(b, object, "joined", count(core->joined));
    set(b, object, "conflicts", count(core->conflicts));
    set(b, object, "refused_full", count(core->refused_full));
    set(b, object, "refused_too_large", count(core->refused_too_large));
    set(b, object, "refused_draining", count(core->refused_draining));
    set(b, object, "refused_no_device", count(core->refused_no_device));
    set(b, object, "retries", count(core->retries));
    return object;
}

/* What is in flight between stages, under the Rust daemon's names: "provers" are witnesses that no
 * device has finished with, "aux" those still needed to finish a proof, "shells" proofs being
 * finished. */
static json_t *buffers(builder *b)
{
    const uint64_t *parts = b->s->core.parts;
    uint64_t provers =
        parts[CUZK_PART_STAGED] + parts[CUZK_PART_UPLOADING] + parts[CUZK_PART_COMPUTING];
    json_t *object = json_object();
    set(b, object, "synth_in_flight", count(parts[CUZK_PART_SYNTH]));
    set(b, object, "provers_in_flight", count(provers));
    set(b, object, "aux_in_flight", count(provers + parts[CUZK_PART_FINISHING]));
    set(b, object, "shells_in_flight", count(parts[CUZK_PART_FINISHING]));
    set(b, object, "pending_handles", count(parts[CUZK_PART_FINISHING]));
    set(b, object, "pool_bytes", count(b->s->core.memory[CUZK_MEMORY_POOL]));
    return object;
}

static json_t *synthesis(builder *b)
{
    json_t *object = json_object();
    set(b, object, "max_concurrent", count(b->s->core.synth_slots));
    set(b, object, "active", count(b->s->core.parts[CUZK_PART_SYNTH]));
    return object;
}

char *cuzk_status_json(const cuzk_snapshot *snapshot)
{
    builder b = {.s = snapshot, .whole = true};
    json_t *root = json_object();
    set(&b, root, "uptime_secs", secs_since(&b, snapshot->core.started));
    set(&b, root, "memory", memory(&b));
    set(&b, root, "synthesis", synthesis(&b));
    set(&b, root, "pipelines", pipelines(&b));
    set(&b, root, "gpu_workers", workers(&b));
    set(&b, root, "allocations", allocations(&b));
    set(&b, root, "counters", counters(&b));
    set(&b, root, "buffers", buffers(&b));
    set(&b, root, "version", json_string(cuzk_version()));
    set(&b, root, "started", cuzk_json_text(snapshot->started_iso));
    set(&b, root, "draining", json_boolean(snapshot->core.draining));
    if (snapshot->allow_test_params)
        set(&b, root, "warning",
            json_string("keys.allow_test_params is set: proofs may be made with parameters that "
                        "were NOT published, and that no chain takes"));
    set(&b, root, "queues", queues(&b));
    set(&b, root, "pipelines_left_out", count(snapshot->jobs_left_out));
    set(&b, root, "failures", failures(&b));
    char *text = b.whole ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}
