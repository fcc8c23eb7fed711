/* The engine's core: all state of jobs, partitions, keys, memory and devices, and every decision.
 *
 * It is a state machine without threads, clocks, files or large allocations. Whoever drives it (the
 * engine's core thread, or a test's virtual world) tells it what happened by calling the functions
 * of this header with the time, one at a time; it answers through cuzk_core_ops by starting work,
 * whose end it is told by another call. Ops are called from inside these functions and must not
 * call the core back; they only note what is to be done. Given the same calls it does the same.
 *
 * Times are nanoseconds of a clock that only moves forward. Sizes are bytes of the one budget. */
#ifndef CUZK_ENGINE_CORE_H
#define CUZK_ENGINE_CORE_H

#include "engine/types.h"

typedef struct cuzk_core cuzk_core;

#define CUZK_REQUEST_ID_MAX 512u
#define CUZK_KEY_NAME_MAX   256u
#define CUZK_DEVICES_MAX    64u
#define CUZK_NEVER          UINT64_MAX

typedef struct cuzk_core_config {
    uint64_t memory_total;
    uint64_t critical_reserve; /* bytes of it that only CRITICAL work may take */
    unsigned devices;
    unsigned parse_slots, synth_slots, check_slots; /* at once; CRITICAL has one more of each */
    unsigned staged_per_device; /* partitions made ahead, beyond the one in each slot */
    uint64_t queue_jobs_max, queue_bytes_max; /* not terminal; payloads. Per class */
    unsigned attempts_max;                    /* of a partition: 3 = two retries */
    uint64_t pool_idle_ns;                    /* idle buffers are kept for so long */
    unsigned device_faults_max;               /* bad proofs or errors in a row before quarantine */
    uint64_t quarantine_ns;   /* then; a device that is the only one is never left out for ever */
    uint64_t orphan_grace_ns; /* a job that nobody awaits (and that was not submitted to be
                                 collected later) is cancelled after this; CUZK_NEVER: never */
    uint64_t history_jobs_max, history_ns;
    uint64_t gap_ns;   /* idle gaps longer than this are reported */
    bool join_content; /* requests of one content under several ids are computed once */
    bool store;        /* jobs and results are stored (ops store_job, store_result) */
} cuzk_core_config;

/* An attempt at a partition. */
typedef struct cuzk_attempt {
    cuzk_job_no job;
    uint32_t partition, attempt; /* attempt: from 1 */
} cuzk_attempt;

/* Why something failed, for the job's error and the device's account. */
typedef enum cuzk_blame {
    CUZK_BLAME_INPUT,  /* the request is wrong: no retry */
    CUZK_BLAME_DEVICE, /* retry, elsewhere if possible; counts against the device */
    CUZK_BLAME_SYSTEM, /* memory, disk, a key file: no retry */
} cuzk_blame;

typedef struct cuzk_failure {
    cuzk_blame blame;
    cuzk_status status;
    char message[512]; /* stage, device, cause, next step */
} cuzk_failure;

typedef struct cuzk_request {
    const char *request_id; /* may be "": then it is never joined */
    uint8_t digest[32];     /* SHA-256 of the request's content */
    cuzk_kind kind;
    cuzk_class class_;
    uint64_t deadline; /* CUZK_NEVER: none */
    uint64_t payload_bytes;
    uint64_t parse_bytes; /* most that parsing holds, its result included, and the proofs to come */
    bool waited;          /* a caller waits for it (see orphan_grace_ns) */
} cuzk_request;

typedef enum cuzk_verdict {
    CUZK_VERDICT_NEW,       /* a new job: it is stored next, then accepted */
    CUZK_VERDICT_JOINED,    /* same id and digest as a job that is not terminal */
    CUZK_VERDICT_DONE,      /* ... as one that is COMPLETED */
    CUZK_VERDICT_CONFLICT,  /* same id as a job that is not terminal, other digest */
    CUZK_VERDICT_FULL,      /* queue limits or no memory for the payload: try later */
    CUZK_VERDICT_TOO_LARGE, /* it can never fit */
    CUZK_VERDICT_DRAINING,
    CUZK_VERDICT_NO_DEVICE, /* every device is quarantined */
} cuzk_verdict;

typedef struct cuzk_submitted {
    cuzk_verdict verdict;
    cuzk_job_no job;     /* NEW, JOINED, DONE, CONFLICT */
    uint64_t position;   /* jobs before it that have not started */
    uint64_t retry_ms;   /* FULL: a hint */
    uint64_t need, have; /* FULL, TOO_LARGE: bytes, or jobs if limited by their number */
} cuzk_submitted;

/* What parsing found. */
typedef struct cuzk_parsed {
    uint32_t partitions;
    char key[CUZK_KEY_NAME_MAX]; /* what the partitions are proved with */
    uint64_t key_bytes;          /* the most that it holds while it is loaded, or after */
    uint64_t input_bytes;        /* of the parsed input: kept until the job ends */
    uint64_t witness_bytes;      /* per partition, with the device's scratch */
    uint64_t buffer_bytes; /* of these: one buffer, which is kept when the attempt is dropped, for
                              the next that needs one of just this size; 0: none */
    uint64_t result_bytes;
} cuzk_parsed;

/* Work to start. Every start is answered by exactly one call of the function named, also if the job
 * has ended meanwhile. `context` is the driver's. All must be there.
 *
 * store_result writes the outcome of cuzk_core_view_job, whichever terminal state that is. Memory
 * is charged until the op that frees it: payload_done, drop_input, drop_attempt, forget (results),
 * or until free_key or free_buffer is answered. The payload of a restored job is charged from parse
 * to payload_done. */
typedef struct cuzk_core_ops {
    void (*store_job)(void *context, cuzk_job_no job); /* -> cuzk_core_stored */
    void (*parse)(void *context, cuzk_job_no job);     /* -> cuzk_core_parsed_job */
    void (*load_key)(void *context, const char *key);  /* -> cuzk_core_key_loaded */
    void (*free_key)(void *context, const char *key);  /* -> cuzk_core_key_freed */
    /* An idle buffer of that size goes; or one is made, to be idle, before it is asked for. If it
     * cannot be made that is no failure: whoever finds none idle makes one. */
    void (*free_buffer)(void *context, uint64_t bytes);              /* -> cuzk_core_buffer_freed */
    void (*warm_buffer)(void *context, uint64_t bytes);              /* -> cuzk_core_buffer_warm */
    void (*synthesise)(void *context, cuzk_attempt a);               /* -> cuzk_core_synthesised */
    void (*upload)(void *context, unsigned device, cuzk_attempt a);  /* -> cuzk_core_uploaded */
    void (*compute)(void *context, unsigned device, cuzk_attempt a); /* -> cuzk_core_computed */
    void (*finish)(void *context, unsigned device, cuzk_attempt a);  /* -> cuzk_core_finished */
    void (*check)(void *context, unsigned device, cuzk_attempt a);   /* -> cuzk_core_checked */
    void (*store_result)(void *context, cuzk_job_no job); /* -> cuzk_core_result_stored */

    /* No answer expected. */
    void (*payload_done)(void *context, cuzk_job_no job); /* free the request's bytes */
    void (*drop_attempt)(void *context, cuzk_attempt a);  /* wipe and free what it has, here or on
                                                             whatever device; its buffer is idle */
    void (*cancel_attempt)(void *context,
                           cuzk_attempt a); /* work on it is in vain: end early if you can */
    void (*accepted)(void *context, cuzk_job_no job);   /* tell who submitted it */
    void (*drop_input)(void *context, cuzk_job_no job); /* free what parsing made: the job has ended
                                                          and no work on it is under way */
    void (*ended)(void *context, cuzk_job_no job);      /* once: tell all who wait */
    void (*share_result)(void *context, cuzk_job_no job,
                         cuzk_job_no from);         /* the proof of the other is its proof too */
    void (*forget)(void *context, cuzk_job_no job); /* its result too: history is full */
    void (*gap)(void *context, unsigned device, cuzk_device_state cause, uint64_t begin,
                uint64_t end, const cuzk_attempt *waited_for,
                cuzk_part_state its_state); /* waited_for may be NULL */
    void (*quarantined)(void *context, unsigned device, bool in);
    void (*drained)(void *context);
} cuzk_core_ops;

/* NULL: no memory. */
cuzk_core *cuzk_core_new(const cuzk_core_config *config, const cuzk_core_ops *ops, void *context,
                         uint64_t now);
void cuzk_core_free(cuzk_core *core);

/* --- requests --- */
void cuzk_core_submit(cuzk_core *core, uint64_t now, const cuzk_request *request,
                      cuzk_submitted *submitted);
/* One more or one fewer caller waits for the job. Unknown jobs are ignored. */
void cuzk_core_wait(cuzk_core *core, uint64_t now, cuzk_job_no job);
void cuzk_core_leave(cuzk_core *core, uint64_t now, cuzk_job_no job);
/* false: no such job, or terminal. *was_running: a device or synthesis had begun with it. */
bool cuzk_core_cancel(cuzk_core *core, uint64_t now, cuzk_job_no job, bool *was_running);
/* The newest job with this id; 0: none. */
cuzk_job_no cuzk_core_find(const cuzk_core *core, const char *request_id);
/* Keys. preload: true if it is loaded already; else it is loaded when there is room (one that is
 * larger than memory_total - critical_reserve never is: refuse it before). evict: false if it is
 * not loaded or in use. Pinned keys (preloaded ones) are evicted last, and only when a job cannot
 * run otherwise. */
bool cuzk_core_preload(cuzk_core *core, uint64_t now, const char *key, uint64_t bytes);
bool cuzk_core_evict(cuzk_core *core, uint64_t now, const char *key, uint64_t *bytes);
/* The machine is short of memory: frees keys (not pinned ones) and buffers that nobody waits for.
 */
void cuzk_core_relieve(cuzk_core *core, uint64_t now);
/* Takes no more jobs; when those that have started are done, ops->drained. all: also those queued.
 */
void cuzk_core_drain(cuzk_core *core, uint64_t now, bool all);

/* --- after a restart, before anything else: jobs as the store has them, oldest first --- */
/* Numbers must be new to the core. false: no memory, or the number is there already. */
bool cuzk_core_restore(cuzk_core *core, uint64_t now, cuzk_job_no job, const cuzk_request *request);
bool cuzk_core_restore_ended(cuzk_core *core, uint64_t now, cuzk_job_no job,
                             const cuzk_request *request, cuzk_job_state state);
void cuzk_core_set_next_job(cuzk_core *core, cuzk_job_no next);

/* --- what happened; failure NULL: success --- */
void cuzk_core_stored(cuzk_core *core, uint64_t now, cuzk_job_no job, const cuzk_failure *failure);
void cuzk_core_parsed_job(cuzk_core *core, uint64_t now, cuzk_job_no job, const cuzk_parsed *parsed,
                          const cuzk_failure *failure);
void cuzk_core_key_loaded(cuzk_core *core, uint64_t now, const char *key, uint64_t bytes,
                          const cuzk_failure *failure);
void cuzk_core_key_freed(cuzk_core *core, uint64_t now, const char *key);
void cuzk_core_buffer_freed(cuzk_core *core, uint64_t now, uint64_t bytes);
void cuzk_core_buffer_warm(cuzk_core *core, uint64_t now, uint64_t bytes);
void cuzk_core_synthesised(cuzk_core *core, uint64_t now, cuzk_attempt a,
                           const cuzk_failure *failure);
void cuzk_core_uploaded(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure);
void cuzk_core_computed(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure);
void cuzk_core_finished(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure);
void cuzk_core_checked(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure);
void cuzk_core_result_stored(cuzk_core *core, uint64_t now, cuzk_job_no job,
                             const cuzk_failure *failure);
/* The device is lost: what it has comes back as failures; it is quarantined until it is back. */
void cuzk_core_device_lost(cuzk_core *core, uint64_t now, unsigned device,
                           const cuzk_failure *failure);
void cuzk_core_device_back(cuzk_core *core, uint64_t now, unsigned device);
/* In place of the answer to upload, compute or finish that does not come: the attempt failed, by
 * the device, which must be lost already. What the op works with is not dropped, and what it holds
 * stays charged, until it does return and cuzk_core_returned is called; ops->drop_attempt follows.
 * The job goes on, or ends and is told of, meanwhile; a drain does not wait for it. The device may
 * not be back before all of its late ops have returned. */
void cuzk_core_late(cuzk_core *core, uint64_t now, cuzk_attempt a, const cuzk_failure *failure);
void cuzk_core_returned(cuzk_core *core, uint64_t now, unsigned device, cuzk_attempt a);

/* Timers: call cuzk_core_tick at or after cuzk_core_next_timer (CUZK_NEVER: none). */
uint64_t cuzk_core_next_timer(const cuzk_core *core);
void cuzk_core_tick(cuzk_core *core, uint64_t now);

/* --- what is, for status and metrics; valid until the next call --- */
typedef struct cuzk_part_view {
    cuzk_part_state state;
    uint32_t attempt;
    int device;                    /* -1: none */
    uint64_t synth_ns, compute_ns; /* of the last attempt; running ones up to now */
} cuzk_part_view;

typedef struct cuzk_job_view {
    cuzk_job_no job;
    const char *request_id;
    cuzk_kind kind;
    cuzk_class class_, rank; /* rank: what it is ordered by: rises with its age, up to HIGH */
    cuzk_job_state state;
    cuzk_job_state outcome; /* the state it ends in as soon as that is decided, which is what
                               store_result writes; until then as state */
    const char *key;        /* "" until parsed */
    cuzk_job_no follows;    /* the job of the same content whose proof it waits for; 0: none */
    uint32_t partitions, partitions_done;
    uint64_t submitted, started, ended;              /* 0: not yet */
    uint64_t queue_ns, key_ns, synth_ns, compute_ns; /* wall-clock intervals, not sums */
    const cuzk_failure *failure;                     /* NULL: none */
} cuzk_job_view;

typedef struct cuzk_key_view {
    const char *key;
    uint64_t bytes;
    unsigned refs;
    bool loading, pinned;
    uint64_t last_used;
} cuzk_key_view;

typedef struct cuzk_device_view {
    cuzk_device_state state;
    cuzk_attempt computing, uploading; /* job 0: none */
    uint64_t since;
    uint64_t ns[CUZK_DEVICE_STATES]; /* time in each state up to now: sums to now - start exactly */
    uint64_t partitions_done, faults, bad_proofs;
    uint64_t quarantines, late_ops; /* ever */
    unsigned late;                  /* ops that have not returned in time, now */
    bool quarantined;
} cuzk_device_view;

/* Upper bounds of the buckets of durations, in ms; the last is infinite. */
#define CUZK_DURATION_BUCKETS 14
extern const uint64_t cuzk_duration_ms[CUZK_DURATION_BUCKETS - 1];
typedef struct cuzk_durations {
    uint64_t count[CUZK_DURATION_BUCKETS], sum_ns;
} cuzk_durations;

typedef struct cuzk_core_view {
    uint64_t now, started;
    uint64_t memory_total, memory_used, memory[CUZK_MEMORY_OWNERS];
    uint64_t pending[CUZK_KINDS], in_progress[CUZK_KINDS]; /* jobs: not started; started */
    uint64_t submitted[CUZK_KINDS], ended[CUZK_KINDS][CUZK_JOB_STATES]; /* ever; terminal states */
    uint64_t joined, conflicts, retries;
    uint64_t refused_full, refused_too_large, refused_draining, refused_no_device;
    uint64_t key_hits, key_loads, key_evictions;
    uint64_t buffers_used_again, buffers_made, buffers_freed; /* ever */
    uint64_t buffers_idle;                                    /* now */
    uint64_t parts[CUZK_PART_STATES];                         /* now */
    cuzk_durations total[CUZK_KINDS][CUZK_CLASSES];
    unsigned devices, synth_slots;
    bool draining;
} cuzk_core_view;

void cuzk_core_view_get(const cuzk_core *core, uint64_t now, cuzk_core_view *view);
bool cuzk_core_view_job(const cuzk_core *core, uint64_t now, cuzk_job_no job, cuzk_job_view *view);
bool cuzk_core_view_part(const cuzk_core *core, uint64_t now, cuzk_job_no job, uint32_t partition,
                         cuzk_part_view *view);
void cuzk_core_view_device(const cuzk_core *core, uint64_t now, unsigned device,
                           cuzk_device_view *view);
/* Jobs in the order of their numbers, from the first above `after`; 0: no more. */
cuzk_job_no cuzk_core_next_job(const cuzk_core *core, cuzk_job_no after);
/* Of the jobs that have started and not ended, the newest that there is room for, newest first;
 * returns how many there are. Fast enough to be asked with ten thousand jobs queued. */
size_t cuzk_core_started_jobs(const cuzk_core *core, cuzk_job_no *jobs, size_t room);
/* Jobs that have ended, the latest end first: the one before `job`, or of all if that is 0; 0: no
 * more. */
cuzk_job_no cuzk_core_ended_before(const cuzk_core *core, cuzk_job_no job);
size_t cuzk_core_view_keys(const cuzk_core *core, cuzk_key_view *views, size_t room);

/* Checks everything that must hold between calls (sums of memory by owner, states against lists,
 * references of keys, ...); aborts with a message if it does not. For tests and debug builds. */
void cuzk_core_check(const cuzk_core *core);

#endif
