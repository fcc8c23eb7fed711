#define _GNU_SOURCE
/* Keys, loaded by name: files below a folder, and Filecoin's parameters below another. */
#include "engine/engine_internal.h"

#include "api/filecoin_key.h"
#include "base/clock.h"
#include "base/log.h"
#include "engine/filecoin_job.h"
#include "iden3/zkey.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare(const void *a, const void *b)
{
    return strcmp(((const cuzk_engine_key *)a)->name, ((const cuzk_engine_key *)b)->name);
}

bool cuzk_engine_key_known(const cuzk_engine *engine, const char *name)
{
    if (strlen(name) >= CUZK_KEY_NAME_MAX)
        return false;
    cuzk_engine_key key;
    strcpy(key.name, name);
    void *at = tfind(&key, &engine->keys, compare);
    return at != NULL && (*(cuzk_engine_key **)at)->sizes.buffer > 0;
}

cuzk_engine_key *cuzk_engine_key_get(cuzk_engine *engine, const char *name)
{
    cuzk_engine_key *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    snprintf(made->name, sizeof made->name, "%s", name);
    void *at = tsearch(made, &engine->keys, compare);
    if (at == NULL) {
        free(made);
        return NULL;
    }
    cuzk_engine_key *found = *(cuzk_engine_key **)at;
    if (found != made)
        free(made);
    return found;
}

/* Letters, digits and . _ - / ; no part that begins with a dot, so none that leads out. */
static bool is_name(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length >= CUZK_KEY_NAME_MAX || name[length - 1] == '/')
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool other = (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
        const bool begins = i == 0 || name[i - 1] == '/';
        if (!letter && !other && (c != '/' || begins))
            return false;
        if (begins && c == '.')
            return false;
    }
    return true;
}

static bool is_there(const char *path, struct stat *st)
{
    return stat(path, st) == 0 && S_ISREG(st->st_mode);
}

static cuzk_status find_params(const cuzk_engine *engine, const cuzk_fil_proof *proof, char **path,
                               struct stat *st, cuzk_error *err)
{
    char *made;
    if (engine->params_folder == NULL)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "no folder of Filecoin's parameters is configured: set srs.param_cache");
    CUZK_TRY(cuzk_fil_key_path(&made, engine->params_folder, proof, err));
    if (!is_there(made, st)) {
        const cuzk_status status =
            cuzk_fail(err, CUZK_ERR_IO,
                      "no parameters for %s: there is no file %s; fetch it, or set "
                      "srs.param_cache to the folder where it is",
                      proof->circuit, made);
        free(made);
        return status;
    }
    *path = made;
    return CUZK_OK;
}

static cuzk_status find_file(const cuzk_engine *engine, const char *name, char **path,
                             struct stat *st, cuzk_error *err)
{
    cuzk_fil_proof proof;
    if (cuzk_fil_key_find(&proof, name))
        return find_params(engine, &proof, path, st, err);
    if (!is_name(name))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "\"%s\" is no name of a key: letters, digits, '.', '_', '-' and '/' are "
                         "allowed, no part may begin with a dot",
                         name);
    if (engine->keys_folder == NULL)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "no folder of keys is configured: set keys.folder");
    char *made;
    if (asprintf(&made, "%s/%s.zkey", engine->keys_folder, name) < 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
    if (!is_there(made, st)) {
        const cuzk_status status = cuzk_fail(
            err, CUZK_ERR_ARGUMENT,
            "no key \"%s\": there is no file %s; put the circuit's .zkey there", name, made);
        free(made);
        return status;
    }
    *path = made;
    return CUZK_OK;
}

cuzk_status cuzk_engine_key_path(const cuzk_engine *engine, const char *name, char **path,
                                 cuzk_error *err)
{
    struct stat st;
    return find_file(engine, name, path, &st, err);
}

static bool is_file(const struct stat *st, const cuzk_file_id *id)
{
    const cuzk_file_id now = {.device = (uint64_t)st->st_dev,
                              .inode = (uint64_t)st->st_ino,
                              .size = (uint64_t)st->st_size,
                              .mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000 +
                                          (uint64_t)st->st_mtim.tv_nsec};
    return cuzk_engine_is_same_file(&now, id);
}

#define COPIED_UP_TO  ((uint64_t)64 << 20) /* files that base/map.h copies while they are read */
#define STAGING_BYTES ((uint64_t)48 << 20) /* groth16/cuda/gpu_staging.c, and results */

/* What a device that keeps keys takes of this machine's memory: to load one, and to prove with it.
 */
static uint64_t host_bytes(const cuzk_engine *engine, const cuzk_prove_counts *counts)
{
    const uint64_t values = counts->packed ? counts->wide : counts->vars;
    if (!engine->device[0]->keeps_keys)
        return 0;
    return values * sizeof(cuzk_scalar) + (counts->packed ? counts->vars / 8 : 0) + STAGING_BYTES;
}

/* Of a key whose queries have no point at infinity, the most they can have. */
static cuzk_prove_counts count(const cuzk_zkey_info *info)
{
    unsigned log_m = 0;
    while ((uint32_t)1 << log_m < info->domain)
        log_m++;
    return (cuzk_prove_counts){.log_m = log_m, .vars = info->vars, .n_public = info->n_public};
}

static cuzk_status read_zkey(const cuzk_engine *engine, const cuzk_map *map, cuzk_key_sizes *sizes,
                             cuzk_error *err)
{
    cuzk_zkey_info info;
    CUZK_TRY(cuzk_zkey_info_read(&info, map, err));
    const cuzk_device *device = engine->device[0];
    const cuzk_prove_counts counts = count(&info);
    const uint64_t size = cuzk_map_size(map);
    sizes->key = size + size / 2 + (size < COPIED_UP_TO ? size : COPIED_UP_TO) +
                 ((uint64_t)1 << 20) + host_bytes(engine, &counts);
    sizes->buffer = cuzk_buffer_size(device->ops->work_bound(device, info.curve, &counts));
    sizes->witness = 0; /* the request has it */
    return CUZK_OK;
}

static cuzk_status read_params(const cuzk_engine *engine, const cuzk_fil_proof *proof,
                               const cuzk_map *map, cuzk_key_sizes *sizes, cuzk_error *err)
{
    const cuzk_device *device = engine->device[0];
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_fil_key_bounds bounds;
    CUZK_TRY(cuzk_fil_key_bounds_read(&bounds, map, proof, device->keeps_keys, err));
    sizes->key = bounds.key + host_bytes(engine, &bounds.counts);
    sizes->buffer = cuzk_buffer_size(device->ops->work_bound(device, curve, &bounds.counts));
    sizes->witness = bounds.witness;
    return CUZK_OK;
}

static cuzk_status read_sizes(const cuzk_engine *engine, const char *name, const char *path,
                              cuzk_key_sizes *sizes, cuzk_error *err)
{
    cuzk_map *map = NULL;
    cuzk_fil_proof proof;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    const cuzk_status status = cuzk_fil_key_find(&proof, name)
                                   ? read_params(engine, &proof, map, sizes, err)
                                   : read_zkey(engine, map, sizes, err);
    if (status == CUZK_OK)
        sizes->file = cuzk_map_identity(map);
    cuzk_map_close(map);
    return status;
}

cuzk_status cuzk_engine_key_sizes(const cuzk_engine *engine, const char *name,
                                  cuzk_key_sizes *sizes, cuzk_error *err)
{
    char *path = NULL;
    struct stat st;
    CUZK_TRY(find_file(engine, name, &path, &st, err));
    cuzk_status status = CUZK_OK;
    if (sizes->buffer == 0 || !is_file(&st, &sizes->file))
        status = read_sizes(engine, name, path, sizes, err);
    free(path);
    return status;
}

/* --- files that are replaced --- */

cuzk_engine_key *cuzk_engine_key_current(cuzk_engine *engine, const char *name)
{
    cuzk_engine_key *key = cuzk_engine_key_get(engine, name);
    return key == NULL || key->current[0] == '\0' ? key : cuzk_engine_key_get(engine, key->current);
}

/* The name under which the file is loaded beside `name`. */
static void name_beside(char out[CUZK_KEY_NAME_MAX], const char *name, const cuzk_file_id *file)
{
    const uint64_t words[] = {file->device, file->inode, file->size, file->mtime_ns};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    snprintf(out, CUZK_KEY_NAME_MAX, "%.*s@%08x", (int)(CUZK_KEY_NAME_MAX - 10), name,
             (unsigned)(hash >> 32));
}

cuzk_engine_key *cuzk_engine_key_resolve(cuzk_engine *engine, const char *name,
                                         const cuzk_key_sizes *sizes)
{
    cuzk_engine_key *base = cuzk_engine_key_get(engine, name);
    cuzk_engine_key *key = cuzk_engine_key_current(engine, name);
    if (base == NULL || key == NULL)
        return NULL;
    if (cuzk_engine_is_same_file(&key->sizes.file, &sizes->file))
        return key;
    if (key->key != NULL || key->step.under_way) { /* of the file that was there before */
        uint64_t bytes;
        cuzk_log(CUZK_LOG_WARN, "key %s: its file was replaced; it is loaded anew", name);
        (void)cuzk_core_evict(engine->core, cuzk_clock_ns(), key->name, &bytes);
        name_beside(base->current, name, &sizes->file);
        key = cuzk_engine_key_get(engine, base->current);
        if (key == NULL)
            return NULL;
    }
    key->sizes = *sizes;
    return key;
}

static cuzk_status load_work(cuzk_step *step, cuzk_failure *failure)
{
    cuzk_engine_key *key = step->subject;
    cuzk_engine *engine = step->engine;
    cuzk_error err = {0};
    if (cuzk_engine_key_open(engine, key, &err) == CUZK_OK)
        return CUZK_OK;
    return cuzk_step_fail(failure, CUZK_BLAME_SYSTEM, "loading the key", &err);
}

static void tell_calls(cuzk_engine_key *key, const cuzk_failure *failure)
{
    cuzk_key_call *call = key->calls;
    key->calls = NULL;
    while (call != NULL) {
        cuzk_key_call *next = call->next;
        call->fn(call->context, failure == NULL ? CUZK_OK : failure->status,
                 failure == NULL ? "" : failure->message, false, key->bytes,
                 (cuzk_clock_ns() - call->begun) / 1000000);
        free(call->name);
        free(call);
        call = next;
    }
}

static void log_loaded(const cuzk_engine *engine, const cuzk_engine_key *key)
{
    cuzk_core_view view;
    cuzk_core_view_get(engine->core, cuzk_clock_ns(), &view);
    const double gib = 1 << 30, used = (double)view.memory_used / gib;
    cuzk_log(CUZK_LOG_INFO,
             "SRS loaded successfully circuit_id=%s elapsed_ms=%llu bytes=%llu "
             "budget_used_gib=%.3f budget_available_gib=%.3f",
             key->name, (unsigned long long)((key->step.ended - key->step.begun) / 1000000),
             (unsigned long long)key->bytes, used, (double)view.memory_total / gib - used);
    if (key->on_device != NULL)
        cuzk_log(CUZK_LOG_INFO, "key %s: %llu bytes on %s", key->name,
                 (unsigned long long)key->on_device->device_bytes, engine->device[0]->name);
    if (key->key->is_test)
        cuzk_log(CUZK_LOG_WARN,
                 "key %s: TEST PARAMETERS, not those that were published: whoever made them can "
                 "forge, and no chain takes proofs made with them",
                 key->name);
}

static void note_sizes(const cuzk_engine *engine, cuzk_engine_key *key)
{
    const cuzk_device *device = engine->device[0];
    cuzk_fil_proof proof;
    key->bytes = cuzk_key_bytes(key->key);
    if (key->on_device != NULL)
        key->bytes += key->on_device->host_bytes;
    key->sizes.buffer = cuzk_buffer_size(device->ops->work_bytes(device, key->key->pk));
    if (key->key->compiled != NULL && cuzk_fil_key_find(&proof, key->name))
        key->sizes.witness = cuzk_filecoin_job_witness_bytes(&proof, key->key->compiled);
}

void cuzk_engine_key_loaded(cuzk_engine *engine, cuzk_engine_key *key, const cuzk_failure *failure)
{
    if (failure == NULL) {
        note_sizes(engine, key);
        log_loaded(engine, key);
    } else {
        cuzk_log(CUZK_LOG_ERROR, "key %s: %s", key->name, failure->message);
    }
    tell_calls(key, failure);
    cuzk_core_key_loaded(engine->core, cuzk_clock_ns(), key->name, key->bytes, failure);
    cuzk_engine_act(engine);
}

static void load_done(cuzk_step *step, const cuzk_failure *failure)
{
    cuzk_engine_key *key = step->subject;
    cuzk_engine *engine = step->engine;
    free(key->path);
    key->path = NULL;
    if (failure == NULL || !cuzk_engine_key_waits(engine, key, failure))
        cuzk_engine_key_loaded(engine, key, failure);
}

void cuzk_engine_load_key(cuzk_engine *engine, const char *name)
{
    cuzk_engine_key *key = cuzk_engine_key_get(engine, name);
    if (key == NULL) {
        const cuzk_failure failure = {.blame = CUZK_BLAME_SYSTEM,
                                      .status = CUZK_ERR_MEMORY,
                                      .message = "no memory for a key"};
        cuzk_core_key_loaded(engine->core, cuzk_clock_ns(), name, 0, &failure);
        return;
    }
    cuzk_step_post(&key->step, engine, engine->keys_load, key, load_work, load_done);
}

static cuzk_status free_work(cuzk_step *step, cuzk_failure *failure)
{
    (void)failure;
    cuzk_engine_key *key = step->subject;
    cuzk_engine_key_close(key);
    return CUZK_OK;
}

static void free_done(cuzk_step *step, const cuzk_failure *failure)
{
    (void)failure;
    cuzk_engine_key *key = step->subject;
    cuzk_log(CUZK_LOG_INFO, "SRS evicted circuit_id=%s freed_bytes=%llu", key->name,
             (unsigned long long)key->bytes);
    step->engine->keys_freeing--;
    step->engine->room_made = true;
    cuzk_core_key_freed(step->engine->core, cuzk_clock_ns(), key->name);
    cuzk_engine_act(step->engine);
}

void cuzk_engine_free_key(cuzk_engine *engine, const char *name)
{
    cuzk_engine_key *key = cuzk_engine_key_get(engine, name);
    CUZK_ASSERT(key != NULL && key->key != NULL);
    engine->keys_freeing++;
    cuzk_step_post(&key->step, engine, engine->slow_free, key, free_work, free_done);
}

static void free_node(void *node)
{
    cuzk_engine_key *key = node;
    cuzk_engine_key_close(key);
    free(key->path);
    free(key);
}

void cuzk_engine_keys_free(cuzk_engine *engine)
{
    tdestroy(engine->keys, free_node);
    engine->keys = NULL;
}
