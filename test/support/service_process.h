/* The service as a process of its own, asked over HTTP as curl does, with jobs of small circuits;
 * for tests that kill it. */
#ifndef CUZK_TEST_SERVICE_PROCESS_H
#define CUZK_TEST_SERVICE_PROCESS_H

#include "support/engine_folders.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct test_service {
    test_folders folders;
    char config[128], address[128], log[128];
    pid_t pid;
    bool runs;
    pthread_t fate; /* of test_service_live, while it is `fated` */
    bool fated;
    /* Called in the child before it becomes the program; NULL: nothing to do. */
    void (*prepare)(const struct test_service *service);
} test_service;

/* Keys and configuration; the program is $CUZK_SERVICE, else the one built with the test. */
void test_service_make(test_service *service);
/* Also ends it, if a test failed that used it. */
void test_service_remove(test_service *service);

void test_service_start(test_service *service);
/* False: it has ended before it was ready. */
bool test_service_await_ready(const test_service *service);
/* Waits for its end; what waitpid says of it. */
int test_service_wait(test_service *service);

/* Jobs PREFIX-0, PREFIX-1 ... handed in one after the other, each until it is acknowledged. */
enum { TEST_SERVICE_JOBS_MAX = 200000, TEST_SERVICE_OUTSTANDING = 12 };

typedef struct test_service_jobs {
    const char *prefix;
    /* Whether the service may refuse a job in these words; NULL: it may not refuse any. */
    bool (*may_refuse)(const char *answer);
    unsigned acknowledged, verified; /* those verified are the jobs of done[] */
    unsigned joined, refused;        /* answers that said so */
    bool done[TEST_SERVICE_JOBS_MAX];
} test_service_jobs;

/* One try to hand in the next job, and one to wait for the i-th and verify its proof. An answer
 * that is wrong fails the test. false: no whole answer, the service is gone; of test_service_submit
 * also: it was refused (then *refused is set). */
bool test_service_submit(const test_service *service, test_service_jobs *jobs, bool *refused);
bool test_service_verify(const test_service *service, test_service_jobs *jobs, unsigned i);

/* Hands in and verifies until the service is gone or, if it is the last time, verifies all that is
 * not done. */
void test_service_use(const test_service *service, test_service_jobs *jobs, bool last);

/* Starts it, lets fate(context) run as a thread of its own, which ends it at last, and uses it
 * until then. Returns what waitpid says of it. When the test fails meanwhile, test_service_remove
 * waits for the thread: the context is in static memory. */
int test_service_live(test_service *service, test_service_jobs *jobs, void *(*fate)(void *),
                      void *context);

/* Starts it a last time, verifies what is open, and ends it with SIGTERM, to which it must exit
 * with 0. */
void test_service_finish(test_service *service, test_service_jobs *jobs);

#endif
