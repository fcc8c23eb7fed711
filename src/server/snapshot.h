/* A copy of what status and metrics tell, made while the core rests. It is bounded, whatever is
 * queued, so that the core waits for microseconds; texts are made of it afterwards, on the server's
 * thread. */
#ifndef CUZK_SERVER_SNAPSHOT_H
#define CUZK_SERVER_SNAPSHOT_H

#include "engine/engine.h"

#define CUZK_SNAPSHOT_JOBS     100u /* running ones first, then those that ended of late */
#define CUZK_SNAPSHOT_ENDED    20u  /* at most so many of the latter: each costs 12 us to write */
#define CUZK_SNAPSHOT_PARTS    32u  /* of a job */
#define CUZK_SNAPSHOT_KEYS     256u
#define CUZK_SNAPSHOT_FAILURES 16u
#define CUZK_SNAPSHOT_ENDED_NS                                                                     \
    (30u * (uint64_t)1000000000) /* ended jobs are listed for so long                              \
                                  */

/* A job with its strings. view's pointers are NULL; failed says whether view.failure was there. */
typedef struct cuzk_snapshot_job {
    cuzk_job_view view;
    char request_id[CUZK_REQUEST_ID_MAX + 1], key[CUZK_KEY_NAME_MAX];
    bool failed;
    cuzk_failure failure;
    uint32_t parts_shown;
    cuzk_part_view parts[CUZK_SNAPSHOT_PARTS];
} cuzk_snapshot_job;

typedef struct cuzk_snapshot_key {
    cuzk_key_view view; /* view.key is NULL */
    char key[CUZK_KEY_NAME_MAX];
} cuzk_snapshot_key;

typedef struct cuzk_snapshot_device {
    cuzk_device_view view;
    char name[128];
    char job_id[CUZK_REQUEST_ID_MAX + 1]; /* of the job that computes; "": none */
    cuzk_kind kind;                       /* of that job */
} cuzk_snapshot_device;

typedef struct cuzk_snapshot {
    cuzk_core_view core;
    cuzk_memory_limit limit;
    uint64_t inflight_bytes, resident_bytes;
    bool allow_test_params;
    char started_iso[40];
    cuzk_snapshot_device devices[CUZK_DEVICES_MAX]; /* core.devices of them */
    size_t keys;
    bool more_keys; /* than could be shown */
    cuzk_snapshot_key key[CUZK_SNAPSHOT_KEYS];

    /* Only with CUZK_SNAPSHOT_WITH_JOBS. Running jobs, newest first, then those that ended of late,
     * the latest first. jobs_left_out: over the caps; of ended ones, among the last thousand. */
    size_t jobs, jobs_left_out;
    cuzk_snapshot_job job[CUZK_SNAPSHOT_JOBS];
    size_t failures;
    cuzk_snapshot_job
        failure[CUZK_SNAPSHOT_FAILURES]; /* jobs that failed or expired, as far as history
                                            goes back, without their partitions */
} cuzk_snapshot;

typedef enum cuzk_snapshot_scope {
    CUZK_SNAPSHOT_TOTALS,
    CUZK_SNAPSHOT_WITH_JOBS
} cuzk_snapshot_scope;

/* NULL: no memory. Some 400 KiB; freed with free. */
cuzk_snapshot *cuzk_snapshot_new(void);

/* Fills it from within a cuzk_view_fn. */
void cuzk_snapshot_take(cuzk_snapshot *snapshot, const cuzk_engine_view *view,
                        cuzk_snapshot_scope scope);

#endif
