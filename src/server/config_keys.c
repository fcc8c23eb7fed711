#include "server/config_keys.h"
#include "engine/engine.h"

#include <string.h>

#define AT(field) offsetof(cuzk_config, field)
#define LIVE(name, type, field, initial, note)                                                     \
    {                                                                                              \
        name, CUZK_CONFIG_##type, AT(field), initial, NULL, 0, CUZK_CONFIG_LIVE, note              \
    }
#define SPECIAL(name, type, field, initial, word, value, note)                                     \
    {                                                                                              \
        name, CUZK_CONFIG_##type, AT(field), initial, word, value, CUZK_CONFIG_LIVE, note          \
    }
#define INERT(name, type, note)                                                                    \
    {                                                                                              \
        name, CUZK_CONFIG_##type, 0, NULL, NULL, 0, CUZK_CONFIG_INERT, note                        \
    }

#define ENGINE   "the engine decides this by itself"
#define OUTDATED "deprecated"

/* Sections stand together. */
const cuzk_config_key cuzk_config_keys[] = {
    LIVE("daemon.listen", TEXTS, listen, "\"unix:///run/curio/cuzk.sock\"",
         "gRPC: \"unix:///path\" or \"host:port\", or a list of them"),
    LIVE("daemon.status_listen", TEXT, status_listen, "\"\"", "HTTP: the same; empty: none"),

    SPECIAL("memory.total_budget", SIZE, memory_total, "\"auto\"", "auto", 0,
            "auto: what cgroups and the machine allow, less the margin"),
    SPECIAL("memory.safety_margin", SIZE, memory_margin, "\"auto\"", "auto", CUZK_MARGIN_AUTO,
            "auto: an eighth, at most 5 GiB"),
    INERT("memory.eviction_min_idle", DURATION, ENGINE),
    INERT("memory.pinned_budget", TEXT, OUTDATED),
    INERT("memory.working_memory_budget", TEXT, OUTDATED),

    SPECIAL("gpus.devices", NUMBERS, gpus, "\"auto\"", "auto", 0,
            "a list of GPUs by number, of one so far; []: the processors compute; auto: the first "
            "GPU, or without one the processors"),
    INERT("gpus.gpu_threads", NUMBER, ENGINE),
    INERT("gpus.gpu_workers_per_device", NUMBER, ENGINE),

    INERT("scheduler.max_batch_size", NUMBER, ENGINE),
    INERT("scheduler.max_batch_wait_ms", NUMBER, ENGINE),
    INERT("scheduler.sort_by_type", FLAG, ENGINE),

    LIVE("synthesis.threads", NUMBER, threads, "0", "that compute; 0: all processors"),
    INERT("synthesis.partition_workers", NUMBER, OUTDATED),

    INERT("pipeline.enabled", FLAG, ENGINE),
    INERT("pipeline.synthesis_lookahead", NUMBER, ENGINE),
    INERT("pipeline.synthesis_concurrency", NUMBER, ENGINE),
    INERT("pipeline.max_parallel_synthesis", NUMBER, ENGINE),
    INERT("pipeline.slot_size", NUMBER, ENGINE),
    INERT("pipeline.max_gpu_queue_depth", NUMBER, ENGINE),

    LIVE("srs.param_cache", TEXT, params_folder, "\"\"",
         "the folder of Filecoin's parameters; empty: $FIL_PROOFS_PARAMETER_CACHE, or "
         "/data/zk/params"),
    LIVE("srs.circuit_cache", TEXT, circuits_folder, "\"\"",
         "compiled circuits are kept here, up to 44 MB each; no other user may write to it; empty: "
         "$XDG_CACHE_HOME/cuzk/circuits, or ~/.cache/cuzk/circuits"),
    INERT("srs.preload", TEXTS, OUTDATED),

    LIVE("keys.folder", TEXT, keys_folder, "\"\"",
         "key \"a/b\" is the file a/b.zkey below it; empty: the folder of Filecoin's parameters"),
    LIVE("keys.digests", TEXT, keys_digests, "\"\"",
         "a list as sha256sum writes it: keys that differ, or are not on it, are not loaded"),

    LIVE("keys.allow_test_params", FLAG, allow_test_params, "false",
         "take Filecoin parameters that were not published: for tests, no chain takes the proofs"),

    LIVE("store.folder", TEXT, store_folder, "\"/var/lib/cuzk\"",
         "empty: jobs do not survive the process"),
    SPECIAL("store.durability", WORD, durability, "\"full\"", "full|process", 0,
            "full: a power cut loses nothing; process: it may lose seconds, kill -9 nothing"),
    LIVE("store.result_hours", NUMBER, result_hours, "24", "results are kept so long"),

    LIVE("queue.jobs_max", NUMBER, queue_jobs_max, "10000", "waiting, of each priority"),
    LIVE("queue.bytes_max", SIZE, queue_bytes_max, "\"16GiB\"", "of their requests, likewise"),
    LIVE("queue.inflight_bytes_max", SIZE, inflight_bytes_max, "\"1GiB\"",
         "of requests being received"),
    LIVE("queue.history_jobs_max", NUMBER, history_jobs_max, "10000", "ended jobs kept in memory"),
    SPECIAL("queue.orphan_grace", DURATION, orphan_grace_ms, "\"2m\"", "never", CUZK_NEVER,
            "a job that nobody awaits any more is cancelled then"),
    LIVE("queue.join_identical", FLAG, join_identical, "true",
         "identical requests under different ids are computed once and get the same proof"),

    SPECIAL("device.step_limit", DURATION, step_limit_ms, "\"10m\"", "never", CUZK_NEVER,
            "a device gets no work while a step of it (upload, compute, finish) takes longer; its "
            "partition is done elsewhere, or waits. Large circuits on few processors need more"),
    SPECIAL("device.quarantine", DURATION, quarantine_ms, "\"1m\"", "never", CUZK_NEVER,
            "a device is left out so long after three faults in a row; never: for good, but for "
            "the last one"),

    LIVE("auth.token_file", TEXT, token_file, "\"\"",
         "a file with the token that TCP clients must send"),
    LIVE("auth.allow_insecure", FLAG, allow_insecure, "false",
         "listen beyond this machine without token and client certificates"),

    LIVE("tls.cert", TEXT, tls_cert, "\"\"", "PEM files; empty: no TLS"),
    LIVE("tls.key", TEXT, tls_key, "\"\"", ""),
    LIVE("tls.client_ca", TEXT, tls_client_ca, "\"\"",
         "clients must show a certificate that it signed"),

    LIVE("http.connections_max", NUMBER, http_connections_max, "256", "more wait"),
    LIVE("http.body_max", SIZE, http_body_max, "\"128MiB\"", ""),

    LIVE("grpc.calls_max", NUMBER, grpc_calls_max, "1000", "at once, of a connection"),
    LIVE("grpc.receive_max", SIZE, grpc_receive_max, "\"1GiB\"",
         "buffers of all connections together"),

    SPECIAL("logging.level", WORD, log_level, "\"info\"", "error|warn|info|debug|trace", 0, ""),
    SPECIAL("logging.format", WORD, log_format, "\"text\"", "text|json", 0, ""),
};

const size_t cuzk_config_keys_count = sizeof cuzk_config_keys / sizeof cuzk_config_keys[0];

const cuzk_config_key *cuzk_config_key_find(const char *name)
{
    for (size_t i = 0; i < cuzk_config_keys_count; i++)
        if (strcmp(cuzk_config_keys[i].name, name) == 0)
            return &cuzk_config_keys[i];
    return NULL;
}

bool cuzk_config_has_section(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < cuzk_config_keys_count; i++)
        if (strncmp(cuzk_config_keys[i].name, name, length) == 0 &&
            cuzk_config_keys[i].name[length] == '.')
            return true;
    return false;
}

#define NAME_MAX_LENGTH 60

/* How many letters must change, come or go to make b of a (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
    size_t row[NAME_MAX_LENGTH + 1];
    size_t n = strlen(b);
    if (n > NAME_MAX_LENGTH || strlen(a) > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

static const char *last_word(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

const char *cuzk_config_key_suggest(const char *name)
{
    const char *best = NULL;
    size_t least = strlen(name) / 3 + 1;
    for (size_t i = 0; i < cuzk_config_keys_count; i++) {
        const char *known = cuzk_config_keys[i].name;
        /* The right key in the wrong section is as likely as a slip of the hand. */
        size_t d = strcmp(last_word(known), last_word(name)) == 0 ? 1 : distance(name, known);
        if (d < least) {
            least = d;
            best = known;
        }
    }
    return best;
}
