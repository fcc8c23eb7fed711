/* Jobs for tests of the store: everything about one follows from its number. */
#ifndef CUZK_TEST_STORE_JOBS_H
#define CUZK_TEST_STORE_JOBS_H

#include "engine/store.h"

#include <stdbool.h>

typedef struct test_job {
    cuzk_store_job job;
    char request_id[64], error[64];
    uint8_t payload[5000], proof[300];
} test_job;

/* The job as it is added; and as it ends: COMPLETED with a proof if its number is even, else
 * FAILED. */
void test_job_init(test_job *job, cuzk_job_no number);
void test_job_init_ended(test_job *job, cuzk_job_no number);

/* Adds or ends one job. */
cuzk_status test_job_add(cuzk_store *store, cuzk_job_no number, cuzk_error *err);
cuzk_status test_job_end(cuzk_store *store, cuzk_job_no number, cuzk_error *err);

/* What is in the store: jobs by number. */
enum { TEST_JOBS_MAX = 4096 };
typedef enum test_presence { TEST_JOB_ABSENT, TEST_JOB_WAITS, TEST_JOB_ENDED } test_presence;
typedef struct test_presences {
    test_presence of[TEST_JOBS_MAX];
    unsigned total;
} test_presences;

/* Reads all of the store; false, with a line on standard error, if anything in it is not whole. */
bool test_store_read(cuzk_store *store, test_presences *found);

/* Removes a folder that a store was in. */
void test_store_remove(const char *folder);

#endif
