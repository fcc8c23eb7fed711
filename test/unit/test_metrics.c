/* The metrics' text, read back by a strict parser of the exposition format. */
#include "server/metrics.h"

#include "support/fake_core.h"
#include "support/test.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sample {
    char name[96], labels[160];
    double value;
} sample;

typedef struct metrics {
    sample samples[2000];
    size_t n;
    char types[200][2][96]; /* name, type */
    size_t n_types;
} metrics;

static const char *type_of(const metrics *m, const char *name)
{
    static const char *const suffixes[] = {"", "_bucket", "_sum", "_count"};
    for (size_t i = 0; i < m->n_types; i++)
        for (size_t s = 0; s < 4; s++) {
            char full[128];
            snprintf(full, sizeof full, "%s%s", m->types[i][0], suffixes[s]);
            if (strcmp(full, name) == 0 && (s == 0 || strcmp(m->types[i][1], "histogram") == 0))
                return m->types[i][1];
        }
    return NULL;
}

static const char *parse_name(const char *c, char *name)
{
    assert_true(isalpha((unsigned char)*c) || *c == '_');
    while (isalnum((unsigned char)*c) || *c == '_')
        *name++ = *c++;
    *name = '\0';
    return c;
}

/* name="value",... up to }; values may escape \\ \" \n only. */
static const char *parse_labels(const char *c)
{
    char name[96];
    for (;;) {
        c = parse_name(c, name);
        assert_int_equal(*c++, '=');
        assert_int_equal(*c++, '"');
        while (*c != '"') {
            assert_true((unsigned char)*c >= 0x20);
            if (*c == '\\') {
                c++;
                assert_true(*c == '\\' || *c == '"' || *c == 'n');
            }
            c++;
        }
        c++;
        if (*c == '}')
            return c + 1;
        assert_int_equal(*c++, ',');
    }
}

static void parse_sample(metrics *m, const char *line)
{
    assert_true(m->n < sizeof m->samples / sizeof *m->samples);
    sample *s = &m->samples[m->n++];
    const char *c = parse_name(line, s->name);
    s->labels[0] = '\0';
    if (*c == '{') {
        const char *end = parse_labels(c + 1);
        snprintf(s->labels, sizeof s->labels, "%.*s", (int)(end - c), c);
        c = end;
    }
    assert_int_equal(*c++, ' ');
    char *end;
    s->value = strtod(c, &end);
    assert_true(end > c && *end == '\0');
    assert_non_null(type_of(m, s->name));
    for (size_t i = 0; i + 1 < m->n; i++)
        assert_false(strcmp(m->samples[i].name, s->name) == 0 &&
                     strcmp(m->samples[i].labels, s->labels) == 0);
}

static void parse_line(metrics *m, const char *line)
{
    char word[96], type[96];
    if (strncmp(line, "# HELP ", 7) == 0) {
        const char *rest = parse_name(line + 7, word);
        assert_int_equal(*rest, ' ');
        assert_true(rest[1] != '\0');
    } else if (strncmp(line, "# TYPE ", 7) == 0) {
        assert_int_equal(sscanf(line + 7, "%95s %95s", word, type), 2);
        assert_null(type_of(m, word)); /* once, before its samples */
        strcpy(m->types[m->n_types][0], word);
        strcpy(m->types[m->n_types++][1], type);
        assert_true(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0 ||
                    strcmp(type, "histogram") == 0);
    } else {
        parse_sample(m, line);
    }
}

static metrics *parse(char *text)
{
    metrics *m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_non_null(text);
    assert_true(strlen(text) > 0 && text[strlen(text) - 1] == '\n');
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        parse_line(m, line);
    }
    free(text);
    return m;
}

static double value(const metrics *m, const char *name, const char *labels)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->samples[i].name, name) == 0 && strcmp(m->samples[i].labels, labels) == 0)
            return m->samples[i].value;
    fail_msg("%s%s is missing", name, labels);
    return 0;
}

static double sum(const metrics *m, const char *name, const char *with)
{
    double total = 0;
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->samples[i].name, name) == 0 && strstr(m->samples[i].labels, with) != NULL)
            total += m->samples[i].value;
    return total;
}

static metrics *take(uint64_t now)
{
    cuzk_engine_view view = fake_view(now);
    return parse(cuzk_metrics_text(&view));
}

static int reset(void **state)
{
    (void)state;
    memset(&fake_core, 0, sizeof fake_core);
    fake_core.view.devices = 2;
    fake_core.view.memory_total = 1000;
    fake_core.view.started = 1000000000;
    return 0;
}

static void rust_names_are_there(void **state)
{
    (void)state;
    fake_core.view.ended[CUZK_KIND_POREP][CUZK_JOB_COMPLETED] = 3;
    fake_core.view.ended[CUZK_KIND_CIRCUIT][CUZK_JOB_COMPLETED] = 4;
    fake_core.view.ended[CUZK_KIND_SNAP][CUZK_JOB_FAILED] = 2;
    fake_core.view.pending[CUZK_KIND_POREP] = 5;
    fake_core.view.in_progress[CUZK_KIND_CIRCUIT] = 6;
    metrics *m = take(3500000000);
    assert_true(value(m, "cuzk_proofs_completed_total", "") == 7);
    assert_true(value(m, "cuzk_proofs_failed_total", "") == 2);
    assert_true(value(m, "cuzk_uptime_seconds", "") == 2.5);
    assert_true(value(m, "cuzk_queue_depth", "") == 5);
    assert_true(value(m, "cuzk_running_jobs", "") == 6);
    assert_true(value(m, "cuzk_gpu_workers", "") == 2);
    assert_true(value(m, "cuzk_proofs_completed", "{proof_kind=\"porep_c2\"}") == 3);
    assert_true(value(m, "cuzk_proofs_failed", "{proof_kind=\"snap_update\"}") == 2);
    assert_true(value(m, "cuzk_proofs_failed", "{proof_kind=\"winning_post\"}") == 0);
    assert_true(sum(m, "cuzk_proof_duration_seconds_count", "porep_c2") == 0);
    free(m);
}

static void refusals_are_counted_by_reason(void **state)
{
    (void)state;
    fake_core.view.refused_full = 2;
    fake_core.view.refused_too_large = 3;
    fake_core.view.conflicts = 5;
    fake_core.view.refused_draining = 7;
    fake_core.view.refused_no_device = 11;
    metrics *m = take(2000000000);
    const char *const name = "cuzk_jobs_refused_total";
    assert_true(value(m, name, "{reason=\"full\"}") == 2);
    assert_true(value(m, name, "{reason=\"too_large\"}") == 3);
    assert_true(value(m, name, "{reason=\"conflict\"}") == 5);
    assert_true(value(m, name, "{reason=\"draining\"}") == 7);
    assert_true(value(m, name, "{reason=\"no_device\"}") == 11);
    free(m);
}

static void histograms_add_up(void **state)
{
    (void)state;
    cuzk_durations *d = &fake_core.view.total[CUZK_KIND_CIRCUIT][CUZK_CLASS_HIGH];
    uint64_t all = 0;
    for (unsigned i = 0; i < CUZK_DURATION_BUCKETS; i++)
        all += d->count[i] = i + 1;
    d->sum_ns = 12345678901;
    metrics *m = take(2000000000);
    const char *of = "proof_kind=\"circuit\",class=\"high\"";
    double before = 0, last_le = 0;
    size_t buckets = 0;
    for (size_t i = 0; i < m->n; i++) {
        const sample *s = &m->samples[i];
        const char *le = strstr(s->labels, ",le=\"");
        if (strcmp(s->name, "cuzk_proof_duration_seconds_bucket") != 0 ||
            strstr(s->labels, of) == NULL)
            continue;
        double bound = strtod(le + 5, NULL);
        assert_true(s->value >= before && bound > last_le);
        before = s->value;
        last_le = bound;
        buckets++;
    }
    assert_int_equal(buckets, CUZK_DURATION_BUCKETS);
    assert_true(isinf(last_le) && before == (double)all);
    assert_true(value(m, "cuzk_proof_duration_seconds_count",
                      "{proof_kind=\"circuit\",class=\"high\"}") == (double)all);
    assert_true(value(m, "cuzk_proof_duration_seconds_sum",
                      "{proof_kind=\"circuit\",class=\"high\"}") == 12.345678901);
    /* 5 kinds, 4 classes */
    assert_true(sum(m, "cuzk_proof_duration_seconds_count", "") == (double)all);
    free(m);
}

static void device_time_adds_up(void **state)
{
    (void)state;
    uint64_t all = 0;
    for (int i = 0; i < CUZK_DEVICE_STATES; i++)
        all += fake_core.devices[1].ns[i] = 1000003u * (uint64_t)(i + 1);
    fake_core.devices[1].faults = 9;
    fake_core.devices[1].quarantined = true;
    fake_core.devices[1].quarantines = 4;
    fake_core.devices[1].late_ops = 3;
    fake_core.devices[1].late = 2;
    metrics *m = take(2000000000);
    double busy = value(m, "cuzk_device_busy_seconds_total", "{gpu=\"1\"}");
    double idle = sum(m, "cuzk_device_idle_seconds_total", "gpu=\"1\"");
    assert_true(fabs((busy + idle) * 1e9 - (double)all) < 1);
    assert_true(fabs(sum(m, "cuzk_gpu_idle_ms_total", "gpu=\"1\"") - idle * 1e3) < 1e-6);
    assert_true(value(m, "cuzk_gpu_idle_ms_total", "{gpu=\"1\",cause=\"IDLE_WAIT_KEY\"}") > 0);
    assert_true(value(m, "cuzk_device_faults_total", "{gpu=\"1\"}") == 9);
    assert_true(value(m, "cuzk_device_quarantined", "{gpu=\"1\"}") == 1);
    assert_true(value(m, "cuzk_device_quarantined", "{gpu=\"0\"}") == 0);
    assert_true(value(m, "cuzk_device_quarantines_total", "{gpu=\"1\"}") == 4);
    assert_true(value(m, "cuzk_device_late_steps_total", "{gpu=\"1\"}") == 3);
    assert_true(value(m, "cuzk_device_late_steps", "{gpu=\"1\"}") == 2);
    free(m);
}

static void memory_and_keys_are_told(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CUZK_MEMORY_OWNERS; i++)
        fake_core.view.memory_used += fake_core.view.memory[i] = 10 * (i + 1);
    fake_core.keys[0] = (cuzk_key_view){.key = "a", .bytes = 100, .refs = 2};
    fake_core.keys[1] = (cuzk_key_view){.key = "b", .bytes = 50, .loading = true};
    fake_core.n_keys = 2;
    fake_core.view.key_hits = 8;
    fake_core.view.joined = 9;
    metrics *m = take(2000000000);
    assert_true(sum(m, "cuzk_memory_owner_bytes", "owner=") ==
                value(m, "cuzk_memory_budget_used_bytes", ""));
    assert_true(value(m, "cuzk_memory_budget_bytes", "") == 1000);
    assert_true(value(m, "cuzk_memory_resident_bytes", "") == 1234567);
    assert_true(value(m, "cuzk_inflight_bytes", "") == 77);
    assert_true(value(m, "cuzk_keys_loaded", "") == 1);
    assert_true(value(m, "cuzk_keys_loading", "") == 1);
    assert_true(value(m, "cuzk_key_bytes", "") == 150);
    assert_true(value(m, "cuzk_key_refs", "") == 2);
    assert_true(value(m, "cuzk_key_hits_total", "") == 8);
    assert_true(value(m, "cuzk_dedup_hits_total", "") == 9);
    assert_true(value(m, "cuzk_device_info", "{gpu=\"0\",name=\"cpu \\\"0\\\" \\\\ \\n\"}") == 1);
    free(m);
}

/* No label grows with what clients send. */
static void series_do_not_depend_on_jobs(void **state)
{
    (void)state;
    metrics *m = take(2000000000);
    size_t before = m->n;
    free(m);
    fake_job jobs[3] = {{.view = {.job = 1, .request_id = "x", .key = "k"}}};
    fake_core.jobs = jobs;
    fake_core.n_jobs = 3;
    for (size_t i = 0; i < 300; i++)
        fake_core.keys[fake_core.n_keys++] = (cuzk_key_view){.key = "k", .bytes = 1};
    m = take(2000000000);
    assert_int_equal(m->n, before);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rust_names_are_there, reset),
        cmocka_unit_test_setup(refusals_are_counted_by_reason, reset),
        cmocka_unit_test_setup(histograms_add_up, reset),
        cmocka_unit_test_setup(device_time_adds_up, reset),
        cmocka_unit_test_setup(memory_and_keys_are_told, reset),
        cmocka_unit_test_setup(series_do_not_depend_on_jobs, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
