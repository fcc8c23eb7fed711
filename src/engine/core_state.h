/* What the core is made of; only the files core_*.c include this.
 *
 * How they work together: a call of core.h changes what it tells of (a job, an attempt, a key, a
 * device) and then cuzk_core_settle starts everything that can be started now. Nothing is
 * remembered about why something could not start before, so no release can be missed. */
#ifndef CUZK_ENGINE_CORE_STATE_H
#define CUZK_ENGINE_CORE_STATE_H

#include "base/status.h"
#include "engine/core.h"
#include "engine/core_tree.h"

typedef struct core_job core_job;
typedef struct core_key core_key;

/* The op that is under way for an attempt. */
typedef enum core_work {
    CORE_WORK_NONE,
    CORE_WORK_SYNTH,
    CORE_WORK_UPLOAD,
    CORE_WORK_COMPUTE,
    CORE_WORK_FINISH,
    CORE_WORK_CHECK,
} core_work;

/* A partition and its present attempt. Without an op under way it waits: STAGED for an upload,
 * UPLOADING (uploaded) for its device, COMPUTING (computed) for the finish, FINISHING (finished)
 * for the check. */
typedef struct core_part {
    core_job *job;
    core_node node; /* in synth, staged or checks of the core */
    uint32_t index, attempt, failures;
    cuzk_part_state state;
    core_work work;
    bool held;                    /* the attempt has its memory and its key */
    bool was_listed;              /* while its job's rank changes */
    int device;                   /* -1: none */
    uint64_t avoid;               /* bits of devices on which it failed */
    struct core_part *next_retry; /* of the job's list */
    uint64_t synth_begin, synth_ns, compute_begin, compute_ns;
} core_part;

/* A wall-clock interval summed over overlapping work. */
typedef struct core_span {
    uint32_t active;
    uint64_t since, ns;
} core_span;

struct core_job {
    cuzk_job_no number;
    core_node by_number, by_id;
    core_node by_content; /* in core.by_content: live, accepted and nobody's follower */
    core_node follows;    /* in leader->followers */
    core_job *leader;     /* whose proof it waits for; NULL: it is computed itself */
    core_tree followers;
    core_node pending; /* in core.pending: not started */
    core_node queue;   /* in core.parse_queue, or in key->waiting: it has READY partitions */
    core_node deadline_timer, orphan_timer, age_timer;
    struct core_job *older, *newer; /* in the history */
    bool in_history;

    char *request_id;
    uint8_t digest[32];
    cuzk_kind kind;
    cuzk_class class_, rank; /* rank: the class it is ordered by, which rises with age */
    uint64_t deadline, orphan_at, age_at;
    uint64_t payload_bytes, parse_bytes;
    bool waited;
    uint32_t waiters;

    cuzk_job_state state;
    bool announced;                        /* ops->ended was called */
    bool storing, parsing, storing_result; /* these ops are under way */
    bool stored, restored;
    uint32_t working; /* ops under way for its attempts */
    uint32_t late;    /* of those that did not return in time: they hold its input, key, memory */
    bool settled;     /* ended, told of, and nothing under way but what is late */

    bool has_payload, has_input;                    /* the driver holds them */
    uint64_t payload_held, input_held, result_held; /* bytes charged */

    core_key *key;
    uint64_t witness_bytes, buffer_bytes;
    core_part *parts;
    uint32_t partitions, computed, done; /* computed: FINISHING or CHECKED */
    uint32_t fresh;                      /* partitions below were admitted at least once */
    core_part *retry_first, *retry_last;
    uint32_t overtaken; /* partitions of jobs behind that were admitted while its key was missing */

    uint64_t submitted, started, ended, key_since, key_ns;
    core_span synth, compute;
    cuzk_failure *failure;
};

typedef enum core_key_state {
    CORE_KEY_ABSENT,
    CORE_KEY_LOADING,
    CORE_KEY_LOADED,
    CORE_KEY_FREEING,
} core_key_state;

struct core_key {
    core_node by_name;
    core_node wanted;  /* in core.wanted, ordered by the first of `waiting` */
    core_node idle;    /* in core.idle_keys: loaded, without refs; oldest first */
    core_node preload; /* in core.preloads: pinned and not loaded */
    char name[CUZK_KEY_NAME_MAX];
    core_key_state state;
    core_tree waiting;   /* jobs with READY partitions */
    uint64_t ready;      /* these partitions */
    uint64_t load_bytes; /* the most that it holds while it is loaded, known before */
    uint64_t bytes;      /* that, or what it holds once loaded */
    uint64_t held;       /* charged */
    uint32_t refs;       /* attempts that hold it */
    uint32_t users;      /* jobs in the tables that name it */
    bool pinned;
    uint64_t last_used, order; /* order: of asking for the preload */
};

#define CORE_UPLOADS 2u /* slots; the second is for CRITICAL */

typedef struct core_device {
    core_part *upload[CORE_UPLOADS], *compute, *finish;
    cuzk_device_state state;
    uint64_t since;                  /* in state */
    uint64_t ns[CUZK_DEVICE_STATES]; /* up to since */
    /* The idle gap it is in, if it is not BUSY. */
    uint64_t gap_begin, gap_ns[CUZK_DEVICE_STATES];
    struct {
        bool known;
        cuzk_attempt attempt;
        cuzk_part_state state;
    } waited_for[CUZK_DEVICE_STATES];
    uint64_t assigned, parts_done, faults, bad_proofs, quarantines, late_ops;
    cuzk_attempt late[CORE_UPLOADS + 2]; /* one a slot at most; job 0: none */
    uint32_t lates;
    uint32_t faults_in_row;
    bool lost, quarantined; /* quarantined: also if lost */
    uint64_t quarantine_end;
} core_device;

/* Idle buffers that are kept; beyond these the oldest goes. */
#define CORE_BUFFERS_MAX 64u

typedef struct core_buffers {
    struct {
        uint64_t bytes, since;
    } idle[CORE_BUFFERS_MAX]; /* the oldest first */
    uint32_t n, frees, warms; /* frees, warms: ops under way */
    uint64_t idle_bytes, freeing, warming;
} core_buffers;

struct cuzk_core {
    cuzk_core_config config;
    cuzk_core_ops ops;
    void *context;
    uint64_t started, now;
    cuzk_job_no next_job;

    core_tree by_number, by_id, by_content, pending, parse_queue, deadlines, orphans, ages;
    core_job *oldest, *newest; /* history */
    uint64_t history_jobs;

    core_tree keys, wanted, idle_keys, preloads;
    uint64_t preload_order, freeing; /* bytes of keys on their way out */

    core_buffers buffers;

    core_tree synth, staged, checks;
    uint32_t staged_of[CUZK_CLASSES], synth_of[CUZK_CLASSES]; /* by rank */
    uint64_t ready_of[CUZK_CLASSES];                          /* by class */
    uint32_t parses, synths, checking;                        /* ops under way */
    uint32_t working; /* ops under way, of all kinds but frees of keys and storing */
    uint32_t loads, frees, storings, late;
    uint64_t synth_mean, compute_mean; /* moving averages, ns; 0: none yet */
    uint64_t ended_last, ended_mean;   /* between ends of jobs */

    uint64_t memory[CUZK_MEMORY_OWNERS], used;
    /* The first that waits, and for what; of the last pass. */
    core_job *parse_blocked;
    bool starved; /* a job cannot be parsed until others have ended: no more come in */
    uint64_t parse_need;
    core_job *blocked;
    cuzk_device_state blocked_by;

    core_device devices[CUZK_DEVICES_MAX];
    uint32_t well; /* devices not quarantined */

    bool draining, drain_all, drained;
    uint64_t jobs_live, jobs_started, jobs_unsettled; /* not terminal; of these started; terminal
                                                         and not settled */
    uint64_t class_jobs[CUZK_CLASSES], class_bytes[CUZK_CLASSES]; /* not terminal; payloads held */
    cuzk_core_view counters;
};

/* --- core.c --- */
/* Every call of core.h that changes something begins with cuzk_core_enter and ends with
 * cuzk_core_settle. */
void cuzk_core_enter(cuzk_core *core, uint64_t now);
void cuzk_core_settle(cuzk_core *core);

/* --- core_job.c --- */
int cuzk_core_job_order(const core_job *a, const core_job *b);
int cuzk_core_job_id_order(const core_node *a, const core_node *b);
core_job *cuzk_core_job_find(const cuzk_core *core, cuzk_job_no number);
/* A job that is in the tables and RECEIVED, without payload charged; NULL: no memory. */
core_job *cuzk_core_job_new(cuzk_core *core, cuzk_job_no number, const cuzk_request *request);
void cuzk_core_job_accept(cuzk_core *core, core_job *job);
/* The one way in which a job ends. failure may be NULL for COMPLETED; it is copied. */
void cuzk_core_job_end(cuzk_core *core, core_job *job, cuzk_job_state state,
                       const cuzk_failure *failure);
/* The same with a failure of blame and status and a formatted message. */
void cuzk_core_job_fail(cuzk_core *core, core_job *job, cuzk_job_state state, cuzk_blame blame,
                        cuzk_status status, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Gives back what an ended job holds as soon as nothing uses it. Call after each of its ops ended.
 */
void cuzk_core_job_rest(cuzk_core *core, core_job *job);
/* Its outcome was stored, or could not be: then it stays, with that in its failure, and is
 * announced all the same. A restart does not know of it and runs the job again. */
void cuzk_core_job_stored_result(cuzk_core *core, core_job *job, const cuzk_failure *failure);
void cuzk_core_job_payload_done(cuzk_core *core, core_job *job);
/* Who waits for it changed. */
void cuzk_core_job_watch(cuzk_core *core, core_job *job);
void cuzk_core_job_free(core_job *job);

/* --- core_twins.c --- */
int cuzk_core_twin_content_order(const core_node *a, const core_node *b);
/* Where an accepted job waits: in the queue, or for the proof of one with the same content. */
void cuzk_core_twin_place(cuzk_core *core, core_job *job);
/* It ends: it leads and follows no more. */
void cuzk_core_twin_leave(cuzk_core *core, core_job *job);
/* What becomes of the followers of a job that has ended. */
void cuzk_core_twin_ended(cuzk_core *core, core_job *leader);

/* --- core_age.c --- */
/* NORMAL and LOW jobs rise by one class, up to HIGH, each time they have waited for so long: more
 * urgent work alone does not keep them out for ever. */
#define CORE_AGE_NS UINT64_C(600000000000)
void cuzk_core_age_begin(cuzk_core *core, core_job *job);
void cuzk_core_age_tick(cuzk_core *core);
int cuzk_core_age_order(const core_node *a, const core_node *b);

/* --- core_history.c --- */
void cuzk_core_history_add(cuzk_core *core, core_job *job);
/* Forgets what is over the bounds. */
void cuzk_core_history_trim(cuzk_core *core);
/* Forgets the oldest; false: none. */
bool cuzk_core_history_drop(cuzk_core *core);

/* --- core_part.c --- */
/* The one change of a partition's state, by the table. An illegal one fails the job (false). */
bool cuzk_core_part_move(cuzk_core *core, core_part *part, cuzk_part_state state);
void cuzk_core_part_ready(cuzk_core *core, core_part *part);
/* The first READY partition of a job that has one. */
core_part *cuzk_core_part_next_ready(core_job *job);
/* Takes that partition's resources and starts its synthesis. They must be there. */
void cuzk_core_part_admit(cuzk_core *core, core_job *job);
/* Starts the op; the partition is in its state already. */
void cuzk_core_part_work(cuzk_core *core, core_part *part, core_work work);
/* Gives back what the attempt holds; the driver drops it. */
void cuzk_core_part_release(cuzk_core *core, core_part *part);
/* Into and out of the list of its state. unlist: false if it is in none. */
void cuzk_core_part_list(cuzk_core *core, core_part *part);
bool cuzk_core_part_unlist(cuzk_core *core, core_part *part);
/* Takes it out of its list and off its device's slots. */
void cuzk_core_part_unlink(cuzk_core *core, core_part *part);
/* The job has ended: the partition too. */
void cuzk_core_part_cancel(cuzk_core *core, core_part *part);
/* The attempt is in vain for a reason that is not its fault: READY again. */
void cuzk_core_part_requeue(cuzk_core *core, core_part *part);
cuzk_attempt cuzk_core_part_attempt(const core_part *part);
int cuzk_core_part_node_order(const core_node *a, const core_node *b);

/* --- core_memory.c --- */
uint64_t cuzk_core_memory_limit(const cuzk_core *core, cuzk_class class_);
uint64_t cuzk_core_memory_room(const cuzk_core *core, cuzk_class class_);
void cuzk_core_memory_take(cuzk_core *core, cuzk_memory_owner owner, uint64_t bytes);
void cuzk_core_memory_give(cuzk_core *core, cuzk_memory_owner owner, uint64_t bytes);
/* Payloads, inputs and results: what only the ends of jobs free. */
uint64_t cuzk_core_memory_backlog(const cuzk_core *core);
/* Whether a payload, or the parsing of a job, may take its bytes now. */
typedef enum core_fit {
    CORE_FIT_NOW,
    CORE_FIT_SHORT,   /* *short_of bytes are missing, which attempts or keys hold */
    CORE_FIT_LATER,   /* jobs that are parsed go before */
    CORE_FIT_BACKLOG, /* only when other jobs have ended */
} core_fit;
core_fit cuzk_core_memory_fit_payload(const cuzk_core *core, cuzk_class class_, uint64_t bytes,
                                      uint64_t *short_of);
core_fit cuzk_core_memory_fit_parse(const cuzk_core *core, const core_job *job, uint64_t bytes,
                                    uint64_t *short_of);

/* --- core_keys.c --- */
/* The key of that name, made if absent; NULL: no memory. */
core_key *cuzk_core_key_get(cuzk_core *core, const char *name);
/* It may hold so much while it is loaded. */
void cuzk_core_key_expect(core_key *key, uint64_t load_bytes);
/* Forgets a key that is absent and that nobody wants. */
void cuzk_core_key_drop(cuzk_core *core, core_key *key);
core_job *cuzk_core_key_first(const core_key *key);
void cuzk_core_key_wait(cuzk_core *core, core_job *job);
void cuzk_core_key_unwait(cuzk_core *core, core_job *job);
void cuzk_core_key_ref(cuzk_core *core, core_key *key);
void cuzk_core_key_unref(cuzk_core *core, core_key *key);
void cuzk_core_key_load(cuzk_core *core, core_key *key);
void cuzk_core_key_free(cuzk_core *core, core_key *key);
/* Starts to free idle buffers, then idle keys if that brings `bytes` (what is being freed counts).
 * `job`: for whom; NULL: only keys that nobody waits for. except: not this one, may be NULL. */
bool cuzk_core_keys_evict(cuzk_core *core, uint64_t bytes, const core_job *job,
                          const core_key *except);
int cuzk_core_key_wanted_order(const core_node *a, const core_node *b);
int cuzk_core_key_idle_order(const core_node *a, const core_node *b);
int cuzk_core_key_preload_order(const core_node *a, const core_node *b);
int cuzk_core_key_name_order(const core_node *a, const core_node *b);

/* --- core_buffers.c --- */
/* Bytes that the next attempt of the job may take: the room of its class, and an idle buffer that
 * it can use. */
uint64_t cuzk_core_buffers_room(const cuzk_core *core, const core_job *job);
/* Idle buffers that the job's attempts can use, in bytes. */
uint64_t cuzk_core_buffers_idle(const cuzk_core *core, const core_job *job);
/* Charges an attempt of the job, or ends that: its buffer is idle then. */
void cuzk_core_buffers_admit(cuzk_core *core, const core_job *job);
void cuzk_core_buffers_drop(cuzk_core *core, const core_job *job);
/* Starts to free idle buffers, the oldest first, until that brings `bytes`; returns what it does.
 */
uint64_t cuzk_core_buffers_free(cuzk_core *core, uint64_t bytes);
/* The job's key is being loaded, so there is time to make it a buffer, if there is room beside what
 * is reserved. */
void cuzk_core_buffers_warm(cuzk_core *core, const core_job *job, uint64_t reserved);
/* Frees what makes room scarce for requests. */
void cuzk_core_buffers_yield(cuzk_core *core);
/* Frees what was idle for too long, at the time that timer tells. */
void cuzk_core_buffers_tick(cuzk_core *core);
uint64_t cuzk_core_buffers_timer(const cuzk_core *core);

/* --- core_sched.c --- */
/* How many distinct keys a pass looks at: what is behind waits for a later pass. */
#define CORE_SCAN_MAX 32u
/* So many partitions may be made with the keys that are there while one ahead waits for another. */
#define CORE_OVERTAKE_MAX 64u
/* Bytes that the next partition of a job still needs: its witness, and its key if it is not held.
 */
uint64_t cuzk_core_sched_need(const core_job *job);
void cuzk_core_sched_parse(cuzk_core *core);
void cuzk_core_sched_load(cuzk_core *core);
/* Whether a device has nothing to do and nothing on its way. */
bool cuzk_core_sched_is_hungry(const cuzk_core *core);
void cuzk_core_sched_admit(cuzk_core *core);
void cuzk_core_sched_check(cuzk_core *core);
/* When all stands still for want of memory, frees some: keys first, then a job. false: it moves. */
bool cuzk_core_sched_unblock(cuzk_core *core);

/* --- core_device.c --- */
void cuzk_core_device_run(cuzk_core *core);
/* A bad proof or an error of the device that it is blamed for. */
void cuzk_core_device_fault(cuzk_core *core, unsigned device, bool bad_proof);
void cuzk_core_device_well(cuzk_core *core, unsigned device);
/* Ends quarantines that are over. */
void cuzk_core_device_tick(cuzk_core *core);

/* --- core_idle.c --- */
/* Names what each device is doing. */
void cuzk_core_idle_note(cuzk_core *core);

/* --- core_span helpers --- */
static inline void core_span_begin(core_span *span, uint64_t now)
{
    if (span->active++ == 0)
        span->since = now;
}

static inline void core_span_end(core_span *span, uint64_t now)
{
    if (span->active > 0 && --span->active == 0)
        span->ns += now - span->since;
}

/* Work that goes on does not count any more. */
static inline void core_span_stop(core_span *span, uint64_t now)
{
    if (span->active > 0)
        span->ns += now - span->since;
    span->active = 0;
}

static inline uint64_t core_span_ns(const core_span *span, uint64_t now)
{
    return span->ns + (span->active ? now - span->since : 0);
}

/* A moving average over about sixteen. */
static inline uint64_t core_mean(uint64_t mean, uint64_t value)
{
    return mean ? mean - mean / 16 + value / 16 : value;
}

#endif
