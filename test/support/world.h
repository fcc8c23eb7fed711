/* A simulated world around the engine's core: a virtual clock, durations, faults, restarts. It
 * answers every op after its duration and checks after every event that the core keeps its
 * promises. */
#ifndef CUZK_TEST_WORLD_H
#define CUZK_TEST_WORLD_H

#include "engine/core.h"
#include "support/test.h"

typedef struct world world;

typedef enum world_op {
    WORLD_STORE_JOB,
    WORLD_PARSE,
    WORLD_LOAD_KEY,
    WORLD_FREE_KEY,
    WORLD_FREE_BUFFER,
    WORLD_WARM_BUFFER,
    WORLD_SYNTH,
    WORLD_UPLOAD,
    WORLD_COMPUTE,
    WORLD_FINISH,
    WORLD_CHECK,
    WORLD_STORE_RESULT,
    /* Ops without an answer, for the trace only. */
    WORLD_NO_ANSWER,
} world_op;
#define WORLD_OPS WORLD_NO_ANSWER

typedef enum world_outcome {
    WORLD_GOOD,
    WORLD_BAD_DEVICE, /* at CHECK: a wrong proof was found */
    WORLD_BAD_INPUT,
    WORLD_BAD_SYSTEM,
    WORLD_HANG, /* until it is cancelled or its device lost; in the end a watchdog ends it, or, on a
                   device and with late_ns, gives it up until it returns */
} world_outcome;

typedef struct world_part {
    uint32_t attempt;
    bool alive;     /* synthesise was called, drop_attempt not */
    bool under_way; /* an op on it */
    bool staged, uploaded, computed, finished;
    int device;
    uint64_t synth_at, uploaded_at, compute_at; /* by the count of events */
} world_part;

typedef struct world_job {
    cuzk_job_no number;
    char id[32];
    cuzk_request request;
    cuzk_parsed parsed;
    unsigned accepted, ended, forgotten;
    bool has_payload, has_input, storing, parsing, storing_result;
    /* What the store has of it: nothing, the job, its end. */
    bool stored, stored_end;
    cuzk_job_state state;     /* of the end, once announced or stored */
    bool is_restored, shared; /* shared: it has another's proof */
    world_part *parts;
    unsigned late; /* ops on it that were given up and have not returned */
    uint64_t first_compute, end_time;
} world_job;

typedef struct world_key {
    char name[16];
    uint64_t bytes, load_bytes; /* once loaded; at most while that is done */
    bool charged, loaded;
    unsigned users, loads;
} world_key;
#define WORLD_KEYS 8

typedef struct world_event {
    uint64_t time, sequence;
    world_op op;
    unsigned device;
    cuzk_attempt attempt; /* job: of ops of jobs too */
    world_key *key;
    world_outcome outcome;
    bool late; /* not an answer but the return of what was given up */
    void (*call)(world *w, uint64_t argument); /* not an answer but something to do */
    uint64_t argument;
} world_event;

struct world {
    cuzk_core_config config;
    cuzk_core *core;
    uint64_t now;
    test_rng rng;
    bool checked; /* check everything after every event */

    uint64_t ns[WORLD_OPS]; /* durations; with jitter, up to twice of that at random */
    bool jitter;
    unsigned slow[CUZK_DEVICES_MAX]; /* factor of a device's durations; 0: 1 */
    /* NULL: all goes well. */
    world_outcome (*decide)(world *w, const world_event *event);
    void *script;
    uint64_t watchdog; /* ends what hangs */
    uint64_t late_ns;  /* what it gives up returns after this; 0: it gives nothing up */

    world_event *events; /* a heap */
    size_t n_events, room_events;
    uint64_t sequence;
    world_event *notes; /* ops of the call under way */
    size_t n_notes, room_notes;

    world_job **jobs; /* by number */
    size_t n_jobs;
    cuzk_job_no next_job;
    uint64_t requests;
    world_key keys[WORLD_KEYS];
    unsigned running[WORLD_OPS]; /* ops under way */
    unsigned computing[CUZK_DEVICES_MAX], uploading[CUZK_DEVICES_MAX], finishing[CUZK_DEVICES_MAX];
    bool lost[CUZK_DEVICES_MAX], quarantined[CUZK_DEVICES_MAX];
    bool lost_by_script[CUZK_DEVICES_MAX]; /* lost: or because of late ops */
    unsigned late[CUZK_DEVICES_MAX];
    cuzk_attempt returning;                                       /* its attempt is to be dropped */
    uint64_t payload_bytes, witness_bytes, key_bytes, pool_bytes; /* really held */
    uint64_t *buffers; /* sizes of those that are idle, in no order */
    size_t n_buffers, room_buffers;

    uint64_t peak, computes, shared, lates, gaps, gap_ns, drained, events_done, ended;
    uint64_t trace; /* a hash of all ops in their order */
};

/* Prints where and ends the test. */
#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            world_fail(#condition, __FILE__, __LINE__);                                            \
    } while (0)
_Noreturn void world_fail(const char *what, const char *file, int line);

/* A configuration with one device and room for everything; durations in ms: synthesis 20, compute
 * 100, key 1000, all others 1. */
cuzk_core_config world_config(void);
void world_open(world *w, const cuzk_core_config *config, uint64_t seed);
void world_close(world *w);

/* A request with its own id: NORMAL, one partition with key 0, 10 bytes of each thing. */
world_job world_request(world *w);
/* Hands it in. The job's record stays the world's; NULL unless NEW. */
world_job *world_submit(world *w, const world_job *request, cuzk_submitted *submitted);
/* At a later time. */
void world_at(world *w, uint64_t time, void (*call)(world *w, uint64_t argument),
              uint64_t argument);
/* One event; false: none is left. */
bool world_step(world *w);
void world_run(world *w);
void world_run_until(world *w, uint64_t time);
void world_lose_device(world *w, unsigned device);
void world_return_device(world *w, unsigned device);
/* Does what the core asked for. Call after each direct call of the core. */
void world_settle(world *w);
/* The process dies and comes back: what is stored is restored. */
void world_restart(world *w);
/* All has ended: nothing may be held once keys and history are gone. */
void world_check_rest(world *w);
world_job *world_find(world *w, cuzk_job_no number);
/* The job's state now. */
cuzk_job_state world_state(world *w, const world_job *job);

/* --- between the world's files --- */
extern const cuzk_core_ops world_ops; /* world_ops.c */
world_key *world_key_find(world *w, const char *name);
/* Idle buffers by their size. take: false if there is none. */
void world_buffer_add(world *w, uint64_t bytes);
bool world_buffer_take(world *w, uint64_t bytes);
/* world_check.c: all that must hold now. */
void world_check(world *w);

#endif
