/* GetStatus and GetMetrics. The core rests only while its state is copied; what is made of the copy
 * is made on a thread of the service. */
#include "server/grpc_methods.h"
#include "server/metrics.h"

#include <cuzk/v1/proving.pb-c.h>
#include <stdlib.h>
#include <string.h>

typedef struct taking {
    pthread_mutex_t lock;
    pthread_cond_t taken;
    bool done;
    cuzk_snapshot *snapshot;
} taking;

static void take(void *context, const cuzk_engine_view *view)
{
    taking *t = context;
    cuzk_snapshot_take(t->snapshot, view, CUZK_SNAPSHOT_TOTALS);
    pthread_mutex_lock(&t->lock);
    t->done = true;
    pthread_cond_signal(&t->taken);
    pthread_mutex_unlock(&t->lock);
}

/* NULL: no memory, and the call is answered. */
static cuzk_snapshot *take_snapshot(cuzk_grpc_call *call)
{
    taking t = {.lock = PTHREAD_MUTEX_INITIALIZER,
                .taken = PTHREAD_COND_INITIALIZER,
                .snapshot = cuzk_snapshot_new()};
    if (t.snapshot == NULL) {
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the status");
        return NULL;
    }
    cuzk_engine_view_get(call->shared->engine, take, &t);
    pthread_mutex_lock(&t.lock);
    while (!t.done)
        pthread_cond_wait(&t.taken, &t.lock);
    pthread_mutex_unlock(&t.lock);
    pthread_mutex_destroy(&t.lock);
    pthread_cond_destroy(&t.taken);
    return t.snapshot;
}

static uint32_t to_u32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static char *text_of(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* The answer with room for its lists. It points into the snapshot. */
typedef struct status_parts {
    Cuzk__V1__GetStatusResponse response;
    Cuzk__V1__GPUStatus gpu[CUZK_DEVICES_MAX], *gpus[CUZK_DEVICES_MAX];
    Cuzk__V1__SRSStatus srs[CUZK_SNAPSHOT_KEYS], *srses[CUZK_SNAPSHOT_KEYS];
    Cuzk__V1__QueueStatus queue[CUZK_KINDS], *queues[CUZK_KINDS];
} status_parts;

static void fill_gpu(Cuzk__V1__GPUStatus *gpu, unsigned i, const cuzk_snapshot_device *device)
{
    const cuzk_device_view *view = &device->view;
    cuzk__v1__gpustatus__init(gpu);
    gpu->ordinal = i;
    gpu->name = text_of(device->name);
    gpu->current_job_id = text_of(device->job_id);
    if (device->job_id[0] != '\0') {
        gpu->current_proof_kind = text_of(cuzk_kind_name(device->kind));
        gpu->current_partition = view->computing.partition;
    }
    gpu->state = text_of(cuzk_device_state_name(view->state));
    gpu->partitions_done = view->partitions_done;
    gpu->faults = view->faults;
    gpu->bad_proofs = view->bad_proofs;
    gpu->quarantined = view->quarantined;
    gpu->quarantines = view->quarantines;
    gpu->late_steps = view->late;
    gpu->late_steps_ever = view->late_ops;
    uint64_t idle = 0;
    for (unsigned s = 0; s < CUZK_DEVICE_STATES; s++)
        idle += s != CUZK_DEVICE_BUSY ? view->ns[s] : 0;
    gpu->busy_ms = view->ns[CUZK_DEVICE_BUSY] / 1000000;
    gpu->idle_ms = idle / 1000000;
}

static void fill_lists(status_parts *parts, const cuzk_snapshot *s)
{
    Cuzk__V1__GetStatusResponse *r = &parts->response;
    for (unsigned i = 0; i < s->core.devices && i < CUZK_DEVICES_MAX; i++) {
        fill_gpu(&parts->gpu[i], i, &s->devices[i]);
        parts->gpus[r->n_gpus++] = &parts->gpu[i];
    }
    r->gpus = parts->gpus;
    for (size_t i = 0; i < s->keys; i++) {
        const cuzk_key_view *view = &s->key[i].view;
        Cuzk__V1__SRSStatus *srs = &parts->srs[i];
        cuzk__v1__srsstatus__init(srs);
        srs->circuit_id = text_of(s->key[i].key);
        srs->tier =
            view->loading ? CUZK__V1__SRSSTATUS__TIER__WARM : CUZK__V1__SRSSTATUS__TIER__HOT;
        srs->size_bytes = view->bytes;
        srs->ref_count = view->refs;
        srs->pinned = view->pinned;
        parts->srses[r->n_loaded_srs++] = srs;
    }
    r->loaded_srs = parts->srses;
    for (unsigned kind = 1; kind < CUZK_KINDS; kind++) {
        Cuzk__V1__QueueStatus *queue = &parts->queue[kind];
        cuzk__v1__queue_status__init(queue);
        queue->proof_kind = text_of(cuzk_kind_name((cuzk_kind)kind));
        queue->pending = to_u32(s->core.pending[kind]);
        queue->in_progress = to_u32(s->core.in_progress[kind]);
        parts->queues[r->n_queues++] = queue;
    }
    r->queues = parts->queues;
}

static void fill_totals(Cuzk__V1__GetStatusResponse *r, const cuzk_snapshot *s)
{
    for (unsigned kind = 1; kind < CUZK_KINDS; kind++) {
        r->total_proofs_completed += s->core.ended[kind][CUZK_JOB_COMPLETED];
        r->total_proofs_failed += s->core.ended[kind][CUZK_JOB_FAILED];
        r->total_proofs_cancelled += s->core.ended[kind][CUZK_JOB_CANCELLED];
        r->total_proofs_expired += s->core.ended[kind][CUZK_JOB_EXPIRED];
    }
    r->uptime_seconds = (s->core.now - s->core.started) / 1000000000;
    r->pinned_memory_bytes = s->core.memory_used;
    r->pinned_memory_limit_bytes = s->core.memory_total;
    r->draining = s->core.draining;
    r->inflight_bytes = s->inflight_bytes;
    r->resident_bytes = s->resident_bytes;
    r->memory_limit_source = text_of(s->limit.source);
    r->started = text_of(s->started_iso);
}

void cuzk_grpc_get_status(cuzk_grpc_call *call, void *message, size_t size)
{
    (void)size; /* the request has no fields */
    free(message);
    cuzk_grpc_call_uncharge(call);
    cuzk_snapshot *snapshot = take_snapshot(call);
    if (snapshot == NULL)
        return;
    status_parts *parts = calloc(1, sizeof *parts);
    if (parts != NULL) {
        cuzk__v1__get_status_response__init(&parts->response);
        fill_lists(parts, snapshot);
        fill_totals(&parts->response, snapshot);
        cuzk_grpc_call_reply_message(call, &parts->response.base);
    } else {
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the status");
    }
    free(parts);
    free(snapshot);
}

void cuzk_grpc_get_metrics(cuzk_grpc_call *call, void *message, size_t size)
{
    (void)size;
    free(message);
    cuzk_grpc_call_uncharge(call);
    cuzk_snapshot *snapshot = take_snapshot(call);
    if (snapshot == NULL)
        return;
    char *text = cuzk_metrics_format(snapshot);
    if (text != NULL) {
        Cuzk__V1__GetMetricsResponse response = CUZK__V1__GET_METRICS_RESPONSE__INIT;
        response.prometheus_text = text;
        cuzk_grpc_call_reply_message(call, &response.base);
    } else {
        cuzk_grpc_call_fail(call, GRPC_STATUS_RESOURCE_EXHAUSTED, "no memory for the metrics");
    }
    free(text);
    free(snapshot);
}
