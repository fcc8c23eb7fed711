#include "cmd/service/status_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define LINE_MAX_BYTES 512

struct page {
    FILE *out;
    unsigned columns;
    const char *line_end;
};

static void line(const struct page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void line(const struct page *page, const char *format, ...)
{
    char text[LINE_MAX_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    /* Names come from clients: nothing in them may steer the terminal. */
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < 32 || *at == 127)
            *at = '?';
    fprintf(page->out, "%.*s%s", (int)page->columns, text, page->line_end);
}

static double gib(uint64_t bytes)
{
    return (double)bytes / 1073741824.0;
}

static void print_device(const struct page *page, const Cuzk__V1__GPUStatus *device)
{
    double all = (double)(device->busy_ms + device->idle_ms);
    char work[200] = "", late[64] = "";
    if (device->late_steps > 0)
        snprintf(late, sizeof late, "  HANGS (%" PRIu64 ")", device->late_steps);
    if (device->current_job_id[0] != '\0')
        snprintf(work, sizeof work, "  %.100s %u of %.60s", device->current_proof_kind,
                 device->current_partition, device->current_job_id);
    line(page,
         "device %u  %-14.14s %-16s busy %5.1f %%  done %" PRIu64 "  faults %" PRIu64
         "  bad proofs %" PRIu64 "%s%s%s",
         device->ordinal, device->name, device->state,
         all > 0 ? 100.0 * (double)device->busy_ms / all : 0.0, device->partitions_done,
         device->faults, device->bad_proofs, device->quarantined ? "  QUARANTINED" : "", late,
         work);
}

void cuzk_status_text_print(FILE *out, const Cuzk__V1__GetStatusResponse *status, unsigned columns,
                            const char *line_end)
{
    static const char *const tiers[] = {"loaded", "loading", "on disk"};
    const struct page page = {out, columns, line_end};
    uint64_t up = status->uptime_seconds;
    line(&page, "up %" PRIu64 "d %02u:%02u:%02u since %s%s", up / 86400, (unsigned)(up / 3600 % 24),
         (unsigned)(up / 60 % 60), (unsigned)(up % 60), status->started,
         status->draining ? "  DRAINING" : "");
    line(&page, "memory %.2f of %.2f GiB (%s); resident %.2f GiB, being received %.2f GiB",
         gib(status->pinned_memory_bytes), gib(status->pinned_memory_limit_bytes),
         status->memory_limit_source, gib(status->resident_bytes), gib(status->inflight_bytes));
    line(&page,
         "jobs %" PRIu64 " completed, %" PRIu64 " failed, %" PRIu64 " cancelled, %" PRIu64
         " expired",
         status->total_proofs_completed, status->total_proofs_failed,
         status->total_proofs_cancelled, status->total_proofs_expired);
    for (size_t i = 0; i < status->n_gpus; i++)
        print_device(&page, status->gpus[i]);
    for (size_t i = 0; i < status->n_queues; i++)
        if (status->queues[i]->pending + status->queues[i]->in_progress > 0)
            line(&page, "queue %-16s %u waiting, %u running", status->queues[i]->proof_kind,
                 status->queues[i]->pending, status->queues[i]->in_progress);
    for (size_t i = 0; i < status->n_loaded_srs; i++) {
        const Cuzk__V1__SRSStatus *key = status->loaded_srs[i];
        line(&page, "key %-24.100s %-8s %8.3f GiB  used by %u%s", key->circuit_id,
             (unsigned)key->tier < 3 ? tiers[key->tier] : "?", gib(key->size_bytes), key->ref_count,
             key->pinned ? "  kept" : "");
    }
}

static json_t *device_json(const Cuzk__V1__GPUStatus *d)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:I, s:I}",
                     "ordinal", (int)d->ordinal, "name", d->name, "state", d->state, "job_id",
                     d->current_job_id, "proof_kind", d->current_proof_kind, "partition",
                     (int)d->current_partition, "partitions_done", (json_int_t)d->partitions_done,
                     "faults", (json_int_t)d->faults, "bad_proofs", (json_int_t)d->bad_proofs,
                     "quarantined", (int)d->quarantined, "busy_ms", (json_int_t)d->busy_ms,
                     "idle_ms", (json_int_t)d->idle_ms, "quarantines", (json_int_t)d->quarantines,
                     "late_steps", (json_int_t)d->late_steps, "late_steps_ever",
                     (json_int_t)d->late_steps_ever);
}

static json_t *key_json(const Cuzk__V1__SRSStatus *k)
{
    return json_pack("{s:s, s:b, s:I, s:I, s:b}", "key", k->circuit_id, "loaded",
                     (int)(k->tier == CUZK__V1__SRSSTATUS__TIER__HOT), "bytes",
                     (json_int_t)k->size_bytes, "users", (json_int_t)k->ref_count, "kept",
                     (int)k->pinned);
}

static json_t *queue_json(const Cuzk__V1__QueueStatus *q)
{
    return json_pack("{s:s, s:I, s:I}", "proof_kind", q->proof_kind, "pending",
                     (json_int_t)q->pending, "in_progress", (json_int_t)q->in_progress);
}

json_t *cuzk_status_text_json(const Cuzk__V1__GetStatusResponse *s)
{
    json_t *devices = json_array(), *keys = json_array(), *queues = json_array();
    int bad = 0;
    for (size_t i = 0; i < s->n_gpus; i++)
        bad |= json_array_append_new(devices, device_json(s->gpus[i]));
    for (size_t i = 0; i < s->n_loaded_srs; i++)
        bad |= json_array_append_new(keys, key_json(s->loaded_srs[i]));
    for (size_t i = 0; i < s->n_queues; i++)
        bad |= json_array_append_new(queues, queue_json(s->queues[i]));
    json_t *object = json_pack(
        "{s:s, s:I, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:o, s:o, s:o}", "started",
        s->started, "uptime_seconds", (json_int_t)s->uptime_seconds, "draining", (int)s->draining,
        "completed", (json_int_t)s->total_proofs_completed, "failed",
        (json_int_t)s->total_proofs_failed, "cancelled", (json_int_t)s->total_proofs_cancelled,
        "expired", (json_int_t)s->total_proofs_expired, "memory_bytes",
        (json_int_t)s->pinned_memory_bytes, "memory_limit_bytes",
        (json_int_t)s->pinned_memory_limit_bytes, "memory_limit_source", s->memory_limit_source,
        "resident_bytes", (json_int_t)s->resident_bytes, "inflight_bytes",
        (json_int_t)s->inflight_bytes, "devices", devices, "keys", keys, "queues", queues);
    if (bad == 0)
        return object;
    json_decref(object);
    return NULL;
}
