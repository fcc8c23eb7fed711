#include "server/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NS_PER_S 1000000000u

static void head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void plain(FILE *out, const char *name, const char *type, const char *help, uint64_t value)
{
    head(out, name, type, help);
    fprintf(out, "%s %" PRIu64 "\n", name, value);
}

/* A label's value: backslash, quote and newline escaped, other control characters as spaces. */
static void label(FILE *out, const char *name, const char *value)
{
    fprintf(out, "%s=\"", name);
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '\\' || *c == '"')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", out);
        else
            fputc((unsigned char)*c < 0x20 ? ' ' : *c, out);
    }
    fputc('"', out);
}

static void seconds(FILE *out, uint64_t ns)
{
    fprintf(out, "%" PRIu64 ".%09" PRIu64 "\n", ns / NS_PER_S, ns % NS_PER_S);
}

/* --- jobs --- */

static uint64_t sum_kinds(const uint64_t *by_kind)
{
    uint64_t sum = 0;
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        sum += by_kind[kind];
    return sum;
}

static uint64_t sum_ended(const cuzk_core_view *core, cuzk_job_state state)
{
    uint64_t sum = 0;
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        sum += core->ended[kind][state];
    return sum;
}

static void by_kind(FILE *out, const char *name, const char *type, const char *help,
                    const uint64_t *values)
{
    head(out, name, type, help);
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        fprintf(out, "%s{proof_kind=\"%s\"} %" PRIu64 "\n", name, cuzk_kind_label((cuzk_kind)kind),
                values[kind]);
}

static void ended_by_kind(FILE *out, const cuzk_core_view *core, const char *name, const char *help,
                          cuzk_job_state state)
{
    uint64_t values[CUZK_KINDS];
    for (int kind = 0; kind < CUZK_KINDS; kind++)
        values[kind] = core->ended[kind][state];
    by_kind(out, name, "counter", help, values);
}

static void ended_by_state(FILE *out, const cuzk_core_view *core)
{
    head(out, "cuzk_jobs_ended_total", "counter", "Jobs that ended, by how.");
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        for (int state = CUZK_JOB_COMPLETED; state < CUZK_JOB_STATES; state++)
            fprintf(out, "cuzk_jobs_ended_total{proof_kind=\"%s\",state=\"%s\"} %" PRIu64 "\n",
                    cuzk_kind_label((cuzk_kind)kind), cuzk_job_state_name((cuzk_job_state)state),
                    core->ended[kind][state]);
}

static void refused(FILE *out, const cuzk_core_view *core)
{
    head(out, "cuzk_jobs_refused_total", "counter", "Requests that were not taken, by reason.");
    const struct {
        const char *reason;
        uint64_t count;
    } rows[] = {{"full", core->refused_full},
                {"too_large", core->refused_too_large},
                {"conflict", core->conflicts},
                {"draining", core->refused_draining},
                {"no_device", core->refused_no_device}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(out, "cuzk_jobs_refused_total{reason=\"%s\"} %" PRIu64 "\n", rows[i].reason,
                rows[i].count);
}

static void jobs(FILE *out, const cuzk_core_view *core)
{
    plain(out, "cuzk_proofs_completed_total", "counter", "Proofs made and verified.",
          sum_ended(core, CUZK_JOB_COMPLETED));
    plain(out, "cuzk_proofs_failed_total", "counter", "Jobs that failed.",
          sum_ended(core, CUZK_JOB_FAILED));
    plain(out, "cuzk_queue_depth", "gauge", "Jobs that have not started.",
          sum_kinds(core->pending));
    plain(out, "cuzk_running_jobs", "gauge", "Jobs that have started and not ended.",
          sum_kinds(core->in_progress));
    ended_by_kind(out, core, "cuzk_proofs_completed", "Proofs made and verified, by kind.",
                  CUZK_JOB_COMPLETED);
    ended_by_kind(out, core, "cuzk_proofs_failed", "Jobs that failed, by kind.", CUZK_JOB_FAILED);
    by_kind(out, "cuzk_jobs_submitted_total", "counter", "Jobs taken.", core->submitted);
    by_kind(out, "cuzk_jobs_pending", "gauge", "Jobs that have not started.", core->pending);
    by_kind(out, "cuzk_jobs_in_progress", "gauge", "Jobs that have started and not ended.",
            core->in_progress);
    ended_by_state(out, core);
    refused(out, core);
    plain(out, "cuzk_dedup_hits_total", "counter",
          "Requests that joined an equal job instead of being computed again.", core->joined);
    plain(out, "cuzk_retries_total", "counter", "Partitions attempted again.", core->retries);
    plain(out, "cuzk_draining", "gauge", "1 while no more jobs are taken.", core->draining);
    head(out, "cuzk_partitions", "gauge", "Partitions of all jobs that are remembered, by state.");
    for (int state = 0; state < CUZK_PART_STATES; state++)
        fprintf(out, "cuzk_partitions{state=\"%s\"} %" PRIu64 "\n",
                cuzk_part_state_name((cuzk_part_state)state), core->parts[state]);
}

static void durations_of(FILE *out, const cuzk_durations *d, cuzk_kind kind, cuzk_class class_)
{
    const char *name = "cuzk_proof_duration_seconds";
    char labels[80];
    snprintf(labels, sizeof labels, "proof_kind=\"%s\",class=\"%s\"", cuzk_kind_label(kind),
             cuzk_class_name(class_));
    uint64_t count = 0;
    for (int i = 0; i < CUZK_DURATION_BUCKETS; i++) {
        count += d->count[i];
        fprintf(out, "%s_bucket{%s,le=\"", name, labels);
        if (i + 1 < CUZK_DURATION_BUCKETS)
            fprintf(out, "%" PRIu64 ".%03" PRIu64, cuzk_duration_ms[i] / 1000,
                    cuzk_duration_ms[i] % 1000);
        else
            fputs("+Inf", out);
        fprintf(out, "\"} %" PRIu64 "\n", count);
    }
    fprintf(out, "%s_sum{%s} ", name, labels);
    seconds(out, d->sum_ns);
    fprintf(out, "%s_count{%s} %" PRIu64 "\n", name, labels, count);
}

static void durations(FILE *out, const cuzk_core_view *core)
{
    head(out, "cuzk_proof_duration_seconds", "histogram",
         "From a job's acceptance to its end, however it ended.");
    for (int kind = 1; kind < CUZK_KINDS; kind++)
        for (int class_ = 0; class_ < CUZK_CLASSES; class_++)
            durations_of(out, &core->total[kind][class_], (cuzk_kind)kind, (cuzk_class)class_);
}

/* --- memory and keys --- */

static void memory(FILE *out, const cuzk_snapshot *s)
{
    plain(out, "cuzk_memory_budget_bytes", "gauge", "All that the service may take.",
          s->core.memory_total);
    plain(out, "cuzk_memory_budget_used_bytes", "gauge", "What is granted of it.",
          s->core.memory_used);
    head(out, "cuzk_memory_owner_bytes", "gauge", "What is granted, by owner.");
    for (int owner = 0; owner < CUZK_MEMORY_OWNERS; owner++)
        fprintf(out, "cuzk_memory_owner_bytes{owner=\"%s\"} %" PRIu64 "\n",
                cuzk_memory_owner_name((cuzk_memory_owner)owner), s->core.memory[owner]);
    plain(out, "cuzk_memory_resident_bytes", "gauge", "Resident memory of the process.",
          s->resident_bytes);
    plain(out, "cuzk_inflight_bytes", "gauge", "Bytes of requests that are being received.",
          s->inflight_bytes);
}

static void keys(FILE *out, const cuzk_snapshot *s)
{
    uint64_t loaded = 0, loading = 0, bytes = 0, refs = 0;
    for (size_t i = 0; i < s->keys; i++) {
        *(s->key[i].view.loading ? &loading : &loaded) += 1;
        bytes += s->key[i].view.bytes;
        refs += s->key[i].view.refs;
    }
    plain(out, "cuzk_keys_loaded", "gauge", "Keys in memory.", loaded);
    plain(out, "cuzk_keys_loading", "gauge", "Keys being loaded.", loading);
    plain(out, "cuzk_key_bytes", "gauge", "Memory of keys, loaded and loading.", bytes);
    plain(out, "cuzk_key_refs", "gauge", "Uses of keys by work under way.", refs);
    plain(out, "cuzk_key_hits_total", "counter", "Uses of a key that was in memory.",
          s->core.key_hits);
    plain(out, "cuzk_key_loads_total", "counter", "Keys loaded from files.", s->core.key_loads);
    plain(out, "cuzk_key_evictions_total", "counter", "Keys dropped from memory.",
          s->core.key_evictions);
}

/* --- devices --- */

typedef uint64_t device_value(const cuzk_device_view *view);

static uint64_t value_done(const cuzk_device_view *view)
{
    return view->partitions_done;
}

static uint64_t value_faults(const cuzk_device_view *view)
{
    return view->faults;
}

static uint64_t value_bad_proofs(const cuzk_device_view *view)
{
    return view->bad_proofs;
}

static uint64_t value_quarantined(const cuzk_device_view *view)
{
    return view->quarantined;
}

static uint64_t value_quarantines(const cuzk_device_view *view)
{
    return view->quarantines;
}

static uint64_t value_late_steps(const cuzk_device_view *view)
{
    return view->late_ops;
}

static uint64_t value_late(const cuzk_device_view *view)
{
    return view->late;
}

static void by_device(FILE *out, const cuzk_snapshot *s, const char *name, const char *type,
                      const char *help, device_value *value)
{
    head(out, name, type, help);
    for (unsigned i = 0; i < s->core.devices; i++)
        fprintf(out, "%s{gpu=\"%u\"} %" PRIu64 "\n", name, i, value(&s->devices[i].view));
}

static void idle(FILE *out, const cuzk_snapshot *s)
{
    head(out, "cuzk_device_idle_seconds_total", "counter",
         "Time in which a device idled, by cause.");
    for (unsigned i = 0; i < s->core.devices; i++)
        for (int state = CUZK_DEVICE_BUSY + 1; state < CUZK_DEVICE_STATES; state++) {
            fprintf(out, "cuzk_device_idle_seconds_total{gpu=\"%u\",cause=\"%s\"} ", i,
                    cuzk_device_state_name((cuzk_device_state)state));
            seconds(out, s->devices[i].view.ns[state]);
        }
    head(out, "cuzk_gpu_idle_ms_total", "counter", "The same in milliseconds.");
    for (unsigned i = 0; i < s->core.devices; i++)
        for (int state = CUZK_DEVICE_BUSY + 1; state < CUZK_DEVICE_STATES; state++) {
            uint64_t ns = s->devices[i].view.ns[state];
            fprintf(
                out, "cuzk_gpu_idle_ms_total{gpu=\"%u\",cause=\"%s\"} %" PRIu64 ".%06" PRIu64 "\n",
                i, cuzk_device_state_name((cuzk_device_state)state), ns / 1000000, ns % 1000000);
        }
}

static void devices(FILE *out, const cuzk_snapshot *s)
{
    plain(out, "cuzk_gpu_workers", "gauge", "Devices.", s->core.devices);
    head(out, "cuzk_device_info", "gauge", "The devices' names.");
    for (unsigned i = 0; i < s->core.devices; i++) {
        fprintf(out, "cuzk_device_info{gpu=\"%u\",", i);
        label(out, "name", s->devices[i].name);
        fputs("} 1\n", out);
    }
    head(out, "cuzk_device_busy_seconds_total", "counter", "Time in which a device computed.");
    for (unsigned i = 0; i < s->core.devices; i++) {
        fprintf(out, "cuzk_device_busy_seconds_total{gpu=\"%u\"} ", i);
        seconds(out, s->devices[i].view.ns[CUZK_DEVICE_BUSY]);
    }
    idle(out, s);
    by_device(out, s, "cuzk_device_partitions_total", "counter", "Partitions proved and verified.",
              value_done);
    by_device(out, s, "cuzk_device_faults_total", "counter", "Errors of a device.", value_faults);
    by_device(out, s, "cuzk_device_bad_proofs_total", "counter",
              "Proofs that did not verify and were computed again.", value_bad_proofs);
    by_device(out, s, "cuzk_device_quarantined", "gauge",
              "1 while a device is left out for faults.", value_quarantined);
    by_device(out, s, "cuzk_device_quarantines_total", "counter",
              "How often a device was left out for faults.", value_quarantines);
    by_device(out, s, "cuzk_device_late_steps_total", "counter",
              "Steps that took longer than device.step_limit and were given up.", value_late_steps);
    by_device(out, s, "cuzk_device_late_steps", "gauge",
              "Of these, how many have not returned yet.", value_late);
}

char *cuzk_metrics_format(const cuzk_snapshot *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    head(out, "cuzk_build_info", "gauge", "The version.");
    fputs("cuzk_build_info{", out);
    label(out, "version", cuzk_version());
    fputs("} 1\n", out);
    head(out, "cuzk_uptime_seconds", "gauge", "Time since the start.");
    fputs("cuzk_uptime_seconds ", out);
    seconds(out, s->core.now - s->core.started);
    jobs(out, &s->core);
    durations(out, &s->core);
    memory(out, s);
    keys(out, s);
    devices(out, s);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

char *cuzk_metrics_text(const cuzk_engine_view *view)
{
    cuzk_snapshot *snapshot = cuzk_snapshot_new();
    if (snapshot == NULL)
        return NULL;
    cuzk_snapshot_take(snapshot, view, CUZK_SNAPSHOT_TOTALS);
    char *text = cuzk_metrics_format(snapshot);
    free(snapshot);
    return text;
}
