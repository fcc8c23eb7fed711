/* The engine: a core (engine/core.h) with threads around it, devices, keys, a store. Servers and
 * tools use this header only.
 *
 * All functions may be called from any thread and do not block. Their answers come by callback,
 * once each, from the engine's core thread, sometimes before the call returns: a callback only
 * copies and hands on; it must not block and may call the engine. Pointers given to a callback are
 * valid during it. */
#ifndef CUZK_ENGINE_ENGINE_H
#define CUZK_ENGINE_ENGINE_H

#include "engine/core.h"
#include "engine/limits.h"
#include "engine/store.h"

typedef struct cuzk_engine cuzk_engine;

struct cuzk_device; /* engine/device.h */
struct cuzk_fake_script;

typedef struct cuzk_engine_config {
    uint64_t memory_total;   /* 0: found by cuzk_memory_limit_find */
    uint64_t memory_margin;  /* taken off when found */
    const char *limits_root; /* tests only: a folder in which to find /proc and /sys, which
                                outlives the engine; NULL: the real ones */
    unsigned threads;        /* of the processors' pool; 0: all */
    cuzk_gpu_choice gpus;    /* zero: the processors compute */
    /* Tests only: devices that follow the script, in place of others (NULL: none); how many of
     * them, or of the processors (0: 1 of what gpus says); and who may put a device of its own
     * around each. */
    const struct cuzk_fake_script *fake;
    unsigned fake_devices;
    struct cuzk_device *(*wrap)(void *context, unsigned index, struct cuzk_device *device);
    void *wrap_context;
    const char *keys_folder;     /* keys are files below it: key "a/b" is a/b.zkey, unless it is the
                                    name of a Filecoin circuit. NULL: none */
    const char *params_folder;   /* of Filecoin's parameters: v28-....params. NULL: none */
    const char *circuits_folder; /* compiled circuits are kept here (api/circuit_cache.h). NULL:
                                    compiled at each load */
    bool allow_test_params;      /* also such as were not published: api/filecoin_key.h */
    const char *keys_digests; /* a list of their digests, as sha256sum writes it: a key that is not
                                 what it says is not loaded. NULL: none */
    const char *store_folder; /* NULL: jobs do not survive the process */
    cuzk_durability durability;
    uint64_t result_hours;                                      /* results are kept so long */
    uint64_t queue_jobs_max, queue_bytes_max, history_jobs_max; /* 0: defaults */
    bool join_identical;         /* requests of one content under several ids are computed once */
    uint64_t orphan_grace_ms;    /* CUZK_NEVER: orphans run on */
    uint64_t inflight_bytes_max; /* requests being received, all servers together; 0: default */
    uint64_t pool_idle_ms;       /* idle buffers are kept for so long; 0: default, 10 s */
    uint64_t quarantine_ms; /* a device is left out for, after faults in a row; 0: default, 1 min */
    /* A step of a device (upload, compute, finish) that takes longer is given up: its partition is
     * computed elsewhere, or waits, and the device gets no work until the step returns. 0: default,
     * 10 min; CUZK_NEVER: steps may take for ever. */
    uint64_t step_limit_ms;
    uint64_t close_wait_ms; /* see cuzk_engine_close; 0: default, 10 s */
} cuzk_engine_config;

cuzk_status cuzk_engine_open(cuzk_engine **engine, const cuzk_engine_config *config,
                             cuzk_error *err);
/* First call: no more jobs are taken; fn is called when those that have started are done (queued
 * ones stay in the store; without one they are done too). A step that was given up is not waited
 * for; but jobs that only a device can finish which is left out wait for it. */
void cuzk_engine_drain(cuzk_engine *engine, void (*fn)(void *context), void *context);
/* Stops now: work under way is cut off; callbacks that are due come with an error. Then frees it.
 * Steps of devices that do not return within close_wait_ms, or were given up before, are left: then
 * it closes the store and returns, while a thread waits for them and frees the rest, unless the
 * process ends before. */
void cuzk_engine_close(cuzk_engine *engine);
/* Ready to take jobs: open, not draining, a device is well. */
bool cuzk_engine_is_ready(cuzk_engine *engine);

/* --- bytes being received: an account that all servers share --- */
/* false: over inflight_bytes_max now; refuse with RESOURCE_EXHAUSTED. */
bool cuzk_engine_receive(cuzk_engine *engine, size_t bytes);
void cuzk_engine_received(cuzk_engine *engine, size_t bytes);

/* --- requests --- */
/* A request, as all kinds of clients make it. The engine copies nothing: payload is malloc'd and
 * becomes the engine's with cuzk_engine_submit, whatever the verdict. Its form depends on the kind;
 * for CUZK_KIND_CIRCUIT it is the bytes of a .wtns file, and key names the circuit. For the kinds
 * of Filecoin it is what cuzk_filecoin_job_make made (engine/filecoin_job.h). */
typedef struct cuzk_job_request {
    const char *request_id; /* copied; at most CUZK_REQUEST_ID_MAX bytes */
    cuzk_kind kind;
    cuzk_class class_;
    uint64_t timeout_ms; /* from now; 0: none */
    const char *key;     /* copied; CIRCUIT only */
    void *payload;
    size_t payload_size;
    bool waited; /* see cuzk_request */
} cuzk_job_request;

typedef struct cuzk_submit_reply {
    cuzk_submitted submitted;
    const char *job_id; /* the client's name for the job: its request id, or one made for it */
    cuzk_status status; /* not CUZK_OK: the request is wrong, or could not be stored; then no job */
    const char *message;
} cuzk_submit_reply;

typedef void cuzk_submit_fn(void *context, const cuzk_submit_reply *reply);
/* fn is called when the job is stored, or refused. */
void cuzk_engine_submit(cuzk_engine *engine, const cuzk_job_request *request, cuzk_submit_fn *fn,
                        void *context);

typedef struct cuzk_await_reply {
    const char *job_id;
    bool known;   /* false: no such job */
    bool timeout; /* it had not ended in time */
    cuzk_job_state state;
    cuzk_kind kind;
    const void *proof; /* COMPLETED. CIRCUIT: snarkjs JSON {"proof":…,"publicSignals":…} as text;
                          else 192 bytes for each partition, in their order */
    size_t proof_size;
    const char *message; /* FAILED, CANCELLED, EXPIRED: stage, device, cause, what to do */
    cuzk_status status;
    uint64_t queue_ms, key_ms, synth_ms, compute_ms, total_ms;
} cuzk_await_reply;

typedef void cuzk_await_fn(void *context, const cuzk_await_reply *reply);
/* timeout_ms 0: none. Returns a number for cuzk_engine_leave. */
uint64_t cuzk_engine_await(cuzk_engine *engine, const char *job_id, uint64_t timeout_ms,
                           cuzk_await_fn *fn, void *context);
/* The caller is gone: fn will not be called any more after this returns, unless it is under way on
 * the core thread just now; true: it will not. */
bool cuzk_engine_leave(cuzk_engine *engine, uint64_t waiter);

typedef struct cuzk_cancel_reply {
    bool known;           /* false: no such job */
    bool cancelled;       /* by this call; false: it had ended before */
    bool was_running;     /* a device or synthesis had begun with it */
    cuzk_job_state state; /* how it has ended, CANCELLED after this call */
} cuzk_cancel_reply;

typedef void cuzk_cancel_fn(void *context, const cuzk_cancel_reply *reply);
void cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, cuzk_cancel_fn *fn, void *context);

typedef void cuzk_key_fn(void *context, cuzk_status status, const char *message, bool was_loaded,
                         uint64_t bytes, uint64_t ms);
/* fn when the key is loaded and checked (was_loaded: it was before). */
void cuzk_engine_preload(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context);
/* CUZK_ERR_ARGUMENT if it is in use; was_loaded false if it was not loaded. bytes: freed. */
void cuzk_engine_evict(cuzk_engine *engine, const char *key, cuzk_key_fn *fn, void *context);

/* --- status: fn sees the core at rest, with these --- */
typedef struct cuzk_engine_view {
    const cuzk_core *core;
    uint64_t now;
    const cuzk_memory_limit *limit;
    uint64_t inflight_bytes, resident_bytes;
    const char *const *device_names;
    bool allow_test_params;
    const char *started_iso; /* "2026-01-31T12:00:00.123456Z" */
} cuzk_engine_view;
typedef void cuzk_view_fn(void *context, const cuzk_engine_view *view);
void cuzk_engine_view_get(cuzk_engine *engine, cuzk_view_fn *fn, void *context);

#endif
