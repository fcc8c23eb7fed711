/* Words that all of the engine and its servers share. */
#ifndef CUZK_ENGINE_TYPES_H
#define CUZK_ENGINE_TYPES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a job: the one key by which the engine knows it. Never 0, never used again, also
 * after a restart. */
typedef uint64_t cuzk_job_no;

/* The wire's numbers (cuzk.v1.ProofKind). CUZK_KIND_CIRCUIT: any Groth16 circuit whose key is
 * loaded, with a witness. */
typedef enum cuzk_kind {
    CUZK_KIND_POREP = 1,
    CUZK_KIND_SNAP = 2,
    CUZK_KIND_WINDOW_POST = 3,
    CUZK_KIND_WINNING_POST = 4,
    CUZK_KIND_CIRCUIT = 5,
} cuzk_kind;
#define CUZK_KINDS 6 /* arrays by kind; 0 is unused */

/* The more urgent the smaller. */
typedef enum cuzk_class {
    CUZK_CLASS_CRITICAL,
    CUZK_CLASS_HIGH,
    CUZK_CLASS_NORMAL,
    CUZK_CLASS_LOW,
} cuzk_class;
#define CUZK_CLASSES 4

typedef enum cuzk_job_state {
    CUZK_JOB_RECEIVED, /* not stored yet: nobody was told that it is accepted */
    CUZK_JOB_ACCEPTED,
    CUZK_JOB_PARSING,
    CUZK_JOB_RUNNING,
    CUZK_JOB_VERIFYING, /* all partitions computed, not all checked, or the result not stored */
    CUZK_JOB_COMPLETED, /* the first of the terminal states */
    CUZK_JOB_FAILED,
    CUZK_JOB_CANCELLED,
    CUZK_JOB_EXPIRED, /* its deadline passed */
} cuzk_job_state;
#define CUZK_JOB_STATES 9

static inline bool cuzk_job_state_is_terminal(cuzk_job_state state)
{
    return state >= CUZK_JOB_COMPLETED;
}

typedef enum cuzk_part_state {
    CUZK_PART_WAIT_INPUT, /* the job is not parsed */
    CUZK_PART_READY,      /* waits for its key, memory and a slot */
    CUZK_PART_ADMITTED,   /* all of these are granted */
    CUZK_PART_SYNTH,
    CUZK_PART_STAGED, /* the witness is made; waits for a device */
    CUZK_PART_UPLOADING,
    CUZK_PART_COMPUTING,
    CUZK_PART_FINISHING,
    CUZK_PART_CHECKED, /* verified: done */
    CUZK_PART_FAILED,
    CUZK_PART_CANCELLED,
} cuzk_part_state;
#define CUZK_PART_STATES 11

/* What a device thread is doing, or why it does nothing. */
typedef enum cuzk_device_state {
    CUZK_DEVICE_BUSY,
    CUZK_IDLE_NO_JOB,
    CUZK_IDLE_WAIT_PARSE,
    CUZK_IDLE_WAIT_SYNTH,
    CUZK_IDLE_WAIT_BUDGET,
    CUZK_IDLE_WAIT_KEY,
    CUZK_IDLE_WAIT_UPLOAD,
    CUZK_IDLE_HOST_GAP,
    CUZK_IDLE_DRAIN,
    CUZK_IDLE_FAULT,
} cuzk_device_state;
#define CUZK_DEVICE_STATES 10

/* Who holds memory of the budget. */
typedef enum cuzk_memory_owner {
    CUZK_MEMORY_PAYLOAD, /* requests as they came */
    CUZK_MEMORY_INPUT,   /* parsed */
    CUZK_MEMORY_WITNESS, /* of partitions in flight, with the device's scratch */
    CUZK_MEMORY_KEY,
    CUZK_MEMORY_POOL, /* buffers that wait to be used again */
    CUZK_MEMORY_RESULT,
} cuzk_memory_owner;
#define CUZK_MEMORY_OWNERS 6

/* Which GPUs to compute on, by CUDA's numbers. */
#define CUZK_GPUS_MAX 16u
typedef struct cuzk_gpu_choice {
    bool automatic; /* the first one; without any, the processors */
    size_t n;       /* 0 and not automatic: the processors */
    uint64_t number[CUZK_GPUS_MAX];
} cuzk_gpu_choice;

/* Stable words for logs, metrics and JSON, as in names.c: "porep-c2", "critical", "running",
 * "IDLE_NO_JOB", "payload". Static storage. */
const char *cuzk_kind_name(cuzk_kind kind);
const char *cuzk_kind_label(cuzk_kind kind); /* with _ for -: labels of metrics */
const char *cuzk_class_name(cuzk_class class_);
const char *cuzk_job_state_name(cuzk_job_state state);
const char *cuzk_part_state_name(cuzk_part_state state);
const char *cuzk_device_state_name(cuzk_device_state state);
const char *cuzk_memory_owner_name(cuzk_memory_owner owner);

#endif
