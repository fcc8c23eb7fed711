/* The engine from the inside.
 *
 * The core thread owns jobs, attempts and keys. Work on one of them is a step: it is posted to a
 * group of workers, which run its `work` and send it back as a message, upon which the core thread
 * runs its `done`. Between the two the worker may read what the core thread does not change
 * meanwhile: each object has one step, so one piece of work at a time. */
#ifndef CUZK_ENGINE_ENGINE_INTERNAL_H
#define CUZK_ENGINE_ENGINE_INTERNAL_H

#include "api/circuit_witness.h"
#include "api/proving_key.h"
#include "circuit/filecoin/request.h"
#include "engine/device.h"
#include "engine/engine.h"
#include "engine/inbox.h"
#include "engine/workers.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct cuzk_step {
    cuzk_task task;
    cuzk_message message;
    cuzk_engine *engine;
    void *subject; /* the job, attempt or key */
    cuzk_status (*work)(struct cuzk_step *step, cuzk_failure *failure);
    void (*done)(struct cuzk_step *step, const cuzk_failure *failure); /* NULL: success */
    cuzk_failure failure;
    bool failed, under_way;
    uint64_t posted, begun, ended; /* by the clock; the last two on the worker */
} cuzk_step;

/* What a key and a proof with it take, at most. */
typedef struct cuzk_key_sizes {
    cuzk_file_id file; /* that the others are about; zero: unknown */
    uint64_t key;      /* while it is loaded, or after */
    uint64_t buffer;   /* of a partition; 0: not known */
    uint64_t witness;  /* of a partition, beside the buffer */
} cuzk_key_sizes;

/* A caller of preload or evict. */
typedef struct cuzk_key_call {
    cuzk_message message;
    cuzk_engine *engine;
    char *name;
    uint64_t begun;
    cuzk_key_sizes sizes;
    bool evict;
    cuzk_status status; /* of looking at the file */
    char text[512];
    cuzk_step step;
    cuzk_key_fn *fn;
    void *context;
    struct cuzk_key_call *next;
} cuzk_key_call;

typedef struct cuzk_engine_key {
    char name[CUZK_KEY_NAME_MAX];
    char *path;
    cuzk_key *key;              /* NULL: not loaded */
    cuzk_device_key *on_device; /* of a device that keeps keys; NULL: key has the points */
    uint64_t bytes;             /* of this machine's memory */
    cuzk_key_sizes sizes; /* from the head of its file; as it is of buffer and witness once loaded
                           */
    char current[CUZK_KEY_NAME_MAX]; /* the key that the file under this name is now; "": this */
    cuzk_step step;
    cuzk_key_call *calls; /* that wait for it to be loaded */
    bool crowded;         /* see engine_key_room.c */
    struct cuzk_engine_key *next_crowded;
} cuzk_engine_key;

/* A request, parsed: the witness of a circuit's, or one of Filecoin's kinds. */
typedef struct cuzk_job_input {
    const cuzk_curve *curve;
    cuzk_scalar *z;
    size_t n;
    cuzk_fil_request *filecoin; /* NULL: of a circuit */
} cuzk_job_input;

/* A step of a device, while it is under way; see engine_watch.c. Of the core thread but for
 * `begun`. */
typedef struct cuzk_watch {
    const char *stage;
    atomic_uint_fast64_t begun; /* by the worker; 0: it waits for the step before it */
    bool late;                  /* it was given up */
    struct cuzk_engine_attempt *before, *after;
} cuzk_watch;

typedef struct cuzk_engine_attempt {
    cuzk_attempt id;
    struct cuzk_engine_job *job;
    unsigned device;
    cuzk_device_work work;
    const cuzk_key *key;           /* the core holds a reference, on what work has of it too */
    cuzk_circuit_witness *witness; /* of Filecoin's kinds */
    cuzk_buffer *buffer;
    atomic_bool cancelled;
    uint64_t finish_ms;
    bool dropped; /* as soon as no step is under way */
    cuzk_step step;
    cuzk_watch watch;
    struct cuzk_engine_attempt *next;
} cuzk_engine_attempt;

typedef struct cuzk_engine_waiter {
    uint64_t number;
    cuzk_await_fn *fn;
    void *context;
    uint64_t until; /* CUZK_NEVER */
    char *job_id;
    cuzk_job_no job; /* 0: not attached yet */
    cuzk_message message;
    cuzk_engine *engine;
    struct cuzk_engine_waiter *next; /* of the same job */
} cuzk_engine_waiter;

typedef struct cuzk_submit_call {
    cuzk_step step; /* its digest */
    cuzk_job_request request;
    char *id, *key;
    bool key_known;
    uint8_t digest[32];
    cuzk_submit_fn *fn;
    void *context;
    struct cuzk_submit_call *next;
} cuzk_submit_call;

typedef struct cuzk_engine_job {
    cuzk_job_no no;
    char *id, *key;
    cuzk_kind kind;
    cuzk_class class_;
    uint8_t digest[32];
    int64_t submitted_unix_ms, deadline_unix_ms;
    void *payload;
    size_t payload_size;
    cuzk_job_input input;
    cuzk_parsed parsed;
    cuzk_key_sizes sizes; /* of its key */
    char *proof;          /* text of a circuit's; else bytes, CUZK_PROOF_BYTES for each partition */
    size_t proof_size;
    bool ended, forgotten, payload_done, input_done, stored, storing;
    cuzk_job_state end_state; /* as restored from the store */
    char *end_message;
    int end_code;
    int64_t ended_unix_ms;
    bool unsaved; /* its end was told, but the store could not take it yet */
    struct cuzk_engine_job *next_stored;
    cuzk_step step;
    cuzk_engine_attempt *attempts;
    cuzk_engine_waiter *waiters;
    cuzk_submit_call *submits; /* to answer when it is accepted */
} cuzk_engine_job;

/* Jobs to be stored, or results. */
typedef struct cuzk_store_batch {
    cuzk_step step;
    bool ends;
    cuzk_engine_job *waiting, *last, *taken;
} cuzk_store_batch;

typedef enum cuzk_action_kind {
    CUZK_ACTION_STORE_JOB,
    CUZK_ACTION_PARSE,
    CUZK_ACTION_LOAD_KEY,
    CUZK_ACTION_FREE_KEY,
    CUZK_ACTION_FREE_BUFFER,
    CUZK_ACTION_WARM_BUFFER,
    CUZK_ACTION_SYNTHESISE,
    CUZK_ACTION_UPLOAD,
    CUZK_ACTION_COMPUTE,
    CUZK_ACTION_FINISH,
    CUZK_ACTION_CHECK,
    CUZK_ACTION_STORE_RESULT,
    CUZK_ACTION_PAYLOAD_DONE,
    CUZK_ACTION_DROP_INPUT,
    CUZK_ACTION_DROP_ATTEMPT,
    CUZK_ACTION_CANCEL_ATTEMPT,
    CUZK_ACTION_ACCEPTED,
    CUZK_ACTION_ENDED,
    CUZK_ACTION_SHARE_RESULT,
    CUZK_ACTION_FORGET,
    CUZK_ACTION_DRAINED,
} cuzk_action_kind;

/* What an op of the core has noted, to be done when the core has returned. */
typedef struct cuzk_action {
    cuzk_action_kind kind;
    unsigned device;
    cuzk_job_no job, from; /* from: SHARE_RESULT */
    cuzk_attempt attempt;
    uint64_t bytes;
    char key[CUZK_KEY_NAME_MAX];
} cuzk_action;

struct cuzk_engine {
    cuzk_engine_config config;
    char *keys_folder, *params_folder, *circuits_folder;
    struct cuzk_key_digests *key_digests; /* NULL: none expected */
    cuzk_memory_limit limit;
    char started_iso[40];
    uint64_t started;
    cuzk_core *core;
    cuzk_inbox inbox;
    pthread_t thread;
    bool thread_runs;

    cuzk_pool *pool;
    cuzk_buffers *buffers;
    unsigned devices;
    cuzk_device *device[CUZK_DEVICES_MAX];
    const char *device_name[CUZK_DEVICES_MAX];
    cuzk_workers *upload[CUZK_DEVICES_MAX], *compute[CUZK_DEVICES_MAX], *finish[CUZK_DEVICES_MAX];
    cuzk_workers *parse, *synth, *check, *io, *keys_load, *slow_free;

    pthread_mutex_t store_lock; /* the store takes one call at a time */
    cuzk_store *store;
    cuzk_store_batch adds, ends;

    /* Of the core thread. */
    void *jobs, *keys; /* trees (tsearch) by number and by name */
    cuzk_action *actions;
    size_t n_actions, actions_room;
    bool acting, stop, restore_failed;
    unsigned steps_under_way, watched; /* watched: those of devices */
    unsigned late, late_of[CUZK_DEVICES_MAX];
    cuzk_engine_attempt *first_watched;
    uint64_t step_limit_ns;
    uint64_t next_look;     /* at what is watched */
    uint64_t next_pressure; /* at the machine's memory */
    unsigned unsaved;       /* jobs */
    uint64_t next_save;     /* when they are tried again; CUZK_NEVER: not, or under way */
    uint64_t save_wait;     /* after the last failure; 0: the store could be written */
    uint64_t close_by;      /* once it stops: what is watched is waited for until then */
    cuzk_step trim;
    uint64_t next_trim, trim_at; /* not before; when one is due, CUZK_NEVER: none is */
    char trimmed_for[CUZK_REQUEST_ID_MAX + 1];
    cuzk_engine_key *crowded; /* keys that wait for room on the device */
    unsigned keys_freeing;
    bool room_made;                /* a key was freed since one began to wait */
    cuzk_engine_attempt *settling; /* whose step has just ended: freed after its actions */

    void (*drained)(void *context);
    void *drained_context;

    atomic_bool ready;
    atomic_uint well; /* devices that take work */
    atomic_size_t inflight;
    atomic_uint_fast64_t next_waiter, next_name;

    pthread_mutex_t waiters_lock;
    void *waiters;         /* tree by number, under the lock */
    uint64_t next_timeout; /* of the core thread */
};

/* --- engine.c --- */
/* Handles the messages that are there, waiting for one until then. */
void cuzk_engine_handle(cuzk_engine *engine, uint64_t until);

/* --- engine_close.c --- */
/* It was told to stop, and nothing is under way but steps of devices that were waited for enough.
 */
bool cuzk_engine_may_end(const cuzk_engine *engine);

/* --- engine_watch.c --- */
/* Before a step of a device is posted. */
void cuzk_watch_begin(cuzk_engine *engine, cuzk_engine_attempt *attempt, const char *stage);
/* The worker: the device is called now. */
void cuzk_watch_enter(cuzk_engine_attempt *attempt);
/* It has returned. true: it had been given up, and the core knows all of it; act on that. */
bool cuzk_watch_end(cuzk_engine *engine, cuzk_engine_attempt *attempt);
/* Gives up those that are over their time. */
void cuzk_watch_look(cuzk_engine *engine);
void cuzk_watch_log_left(const cuzk_engine *engine);

/* --- engine_actions.c --- */
extern const cuzk_core_ops cuzk_engine_ops;
/* Does all that the core's ops have noted. After each call of the core. */
void cuzk_engine_act(cuzk_engine *engine);
cuzk_engine_job *cuzk_engine_job_find(cuzk_engine *engine, cuzk_job_no no);
cuzk_engine_job *cuzk_engine_job_add(cuzk_engine *engine, cuzk_job_no no);
/* Frees the job if it is forgotten and nothing is under way with it. */
void cuzk_engine_job_settle(cuzk_engine *engine, cuzk_engine_job *job);
void cuzk_engine_jobs_free(cuzk_engine *engine);

/* --- engine_steps.c --- */
/* A payload up to this size is read and parsed in microseconds. */
#define CUZK_QUICK_BYTES 16384u
/* workers NULL: the work is one of microseconds, less than the way to another thread and back, and
 * is done at once on the core thread. */
void cuzk_step_post(cuzk_step *step, cuzk_engine *engine, cuzk_workers *workers, void *subject,
                    cuzk_status (*work)(cuzk_step *step, cuzk_failure *failure),
                    void (*done)(cuzk_step *step, const cuzk_failure *failure));
/* Fills failure from an error of a stage; returns its status. */
cuzk_status cuzk_step_fail(cuzk_failure *failure, cuzk_blame blame, const char *stage,
                           const cuzk_error *err);
void cuzk_engine_parse(cuzk_engine *engine, cuzk_engine_job *job);

/* --- engine_store.c --- */
void cuzk_engine_store_job(cuzk_engine *engine, cuzk_engine_job *job);
void cuzk_engine_store_result(cuzk_engine *engine, cuzk_engine_job *job);
/* Tries again to store the ends that could not be stored. */
void cuzk_engine_save_again(cuzk_engine *engine);
void cuzk_engine_forget_stored(cuzk_engine *engine, cuzk_engine_job *job);

/* --- engine_attempts.c --- */
void cuzk_engine_synthesise(cuzk_engine *engine, cuzk_engine_job *job, cuzk_attempt id);
void cuzk_engine_advance(cuzk_engine *engine, cuzk_engine_job *job, const cuzk_action *action);
void cuzk_engine_drop_attempt(cuzk_engine *engine, cuzk_engine_job *job, cuzk_attempt id);
/* At the end: of one job, whose steps are over. */
void cuzk_engine_free_attempts(cuzk_engine *engine, cuzk_engine_job *job);
/* Of all jobs: ends their work early. */
void cuzk_engine_cancel_attempts(cuzk_engine *engine);

/* --- engine_buffers.c --- */
void cuzk_engine_free_buffer(cuzk_engine *engine, uint64_t bytes);
void cuzk_engine_warm_buffer(cuzk_engine *engine, uint64_t bytes);

/* --- engine_pressure.c --- */
void cuzk_engine_look_at_pressure(cuzk_engine *engine);

/* --- engine_keys.c --- */
/* A job has asked for the key before, and its file was found and its sizes read. */
bool cuzk_engine_key_known(const cuzk_engine *engine, const char *name);
/* NULL: no memory. */
cuzk_engine_key *cuzk_engine_key_get(cuzk_engine *engine, const char *name);
/* The file that a key's name means; refuses names that lead elsewhere. *path: owned by the caller.
 * Any thread. */
cuzk_status cuzk_engine_key_path(const cuzk_engine *engine, const char *name, char **path,
                                 cuzk_error *err);
/* From the head of the key's file, unless it is the file that they are about already. Any thread.
 */
cuzk_status cuzk_engine_key_sizes(const cuzk_engine *engine, const char *name,
                                  cuzk_key_sizes *sizes, cuzk_error *err);
/* The key under a name whose file was just found to have these sizes. It has another
 * name, "NAME@HASH", if a key of that name is loaded from a file that is no more. NULL: no memory.
 */
cuzk_engine_key *cuzk_engine_key_resolve(cuzk_engine *engine, const char *name,
                                         const cuzk_key_sizes *sizes);
/* The one that resolve gave last. */
cuzk_engine_key *cuzk_engine_key_current(cuzk_engine *engine, const char *name);
void cuzk_engine_load_key(cuzk_engine *engine, const char *name);
void cuzk_engine_free_key(cuzk_engine *engine, const char *name);
void cuzk_engine_keys_free(cuzk_engine *engine);

/* How loading has ended: for those who wait, and for the core. */
void cuzk_engine_key_loaded(cuzk_engine *engine, cuzk_engine_key *key, const cuzk_failure *failure);

/* --- engine_key_room.c --- */
/* Loading has failed so; true: it is loaded again when the device may have room. */
bool cuzk_engine_key_waits(cuzk_engine *engine, cuzk_engine_key *key, const cuzk_failure *failure);
/* Sees to those that wait. After each message. */
void cuzk_engine_make_room(cuzk_engine *engine);

/* --- engine_key_load.c --- */
/* From the file of its name, to the device if that keeps keys. A failure leaves nothing. Any
 * thread. */
cuzk_status cuzk_engine_key_open(const cuzk_engine *engine, cuzk_engine_key *key, cuzk_error *err);
/* Nothing for one that is not loaded. */
void cuzk_engine_key_close(cuzk_engine_key *key);
bool cuzk_engine_is_same_file(const cuzk_file_id *a, const cuzk_file_id *b);

/* --- engine_waiters.c --- */
void cuzk_engine_tell_submitted(cuzk_engine *engine, cuzk_submit_call *call,
                                const cuzk_submitted *submitted, cuzk_status status,
                                const char *message);
void cuzk_engine_tell_accepted(cuzk_engine *engine, cuzk_engine_job *job);
void cuzk_engine_tell_ended(cuzk_engine *engine, cuzk_engine_job *job);
/* Answers waiters whose time is over. */
void cuzk_engine_time_out(cuzk_engine *engine, uint64_t now);
/* The engine closes: everyone is told. */
void cuzk_engine_tell_closed(cuzk_engine *engine);
extern const char cuzk_engine_closed_text[];

#endif
