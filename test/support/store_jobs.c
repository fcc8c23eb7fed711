#define _GNU_SOURCE
#include "support/store_jobs.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fill(uint8_t *out, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        out[i] = (uint8_t)(seed >> 56);
    }
}

void test_job_init(test_job *job, cuzk_job_no number)
{
    memset(job, 0, sizeof *job);
    size_t size = (size_t)(number * 977 % sizeof job->payload);
    snprintf(job->request_id, sizeof job->request_id, "it's \"%" PRIu64 "\"; \xff\x01 --", number);
    fill(job->payload, size, number);
    job->job = (cuzk_store_job){
        .job = number,
        .request_id = job->request_id,
        .kind = (cuzk_kind)(1 + number % (CUZK_KINDS - 1)),
        .class_ = (cuzk_class)(number % CUZK_CLASSES),
        .deadline_unix_ms = (int64_t)(number % 3) * 1000000,
        .submitted_unix_ms = (int64_t)number + 1700000000000,
        .state = CUZK_JOB_ACCEPTED,
        .payload = job->payload,
        .payload_size = size,
        .error = "",
    };
    fill(job->job.digest, sizeof job->job.digest, ~number);
}

void test_job_init_ended(test_job *job, cuzk_job_no number)
{
    test_job_init(job, number);
    bool good = number % 2 == 0;
    job->job.ended_unix_ms = job->job.submitted_unix_ms + 5;
    job->job.state = good ? CUZK_JOB_COMPLETED : CUZK_JOB_FAILED;
    if (good) {
        fill(job->proof, sizeof job->proof, number + 1);
        job->job.proof = job->proof;
        job->job.proof_size = 1 + (size_t)(number % (sizeof job->proof - 1));
    } else {
        snprintf(job->error, sizeof job->error, "device 0's fault; %" PRIu64, number);
        job->job.error = job->error;
        job->job.error_code = CUZK_ERR_DEVICE;
    }
}

cuzk_status test_job_add(cuzk_store *store, cuzk_job_no number, cuzk_error *err)
{
    test_job job;
    test_job_init(&job, number);
    const cuzk_store_job *one = &job.job;
    return cuzk_store_add(store, &one, 1, err);
}

cuzk_status test_job_end(cuzk_store *store, cuzk_job_no number, cuzk_error *err)
{
    test_job job;
    test_job_init_ended(&job, number);
    const cuzk_store_job *one = &job.job;
    return cuzk_store_end(store, &one, 1, err);
}

static bool same_row(const cuzk_store_job *found, const cuzk_store_job *expected)
{
    return strcmp(found->request_id, expected->request_id) == 0 &&
           memcmp(found->digest, expected->digest, sizeof found->digest) == 0 &&
           found->kind == expected->kind && found->class_ == expected->class_ &&
           found->deadline_unix_ms == expected->deadline_unix_ms &&
           found->submitted_unix_ms == expected->submitted_unix_ms &&
           found->ended_unix_ms == expected->ended_unix_ms && found->state == expected->state &&
           found->payload == NULL && found->payload_size == expected->payload_size &&
           found->proof == NULL && found->proof_size == expected->proof_size &&
           strcmp(found->error, expected->error) == 0 && found->error_code == expected->error_code;
}

static bool same_bytes(cuzk_status status, void *found, size_t size, const void *expected,
                       size_t expected_size)
{
    bool same = status == CUZK_OK && size == expected_size && memcmp(found, expected, size) == 0;
    free(found);
    return same;
}

struct reading {
    cuzk_store *store;
    test_presences *found;
    cuzk_job_no last;
    bool good;
};

static bool read_one(void *context, const cuzk_store_job *job)
{
    struct reading *reading = context;
    test_job expected;
    cuzk_error err = {0};
    void *bytes = NULL;
    size_t size = 0;
    if (job->ended_unix_ms == 0)
        test_job_init(&expected, job->job);
    else
        test_job_init_ended(&expected, job->job);
    bool good =
        job->job > reading->last && job->job < TEST_JOBS_MAX && same_row(job, &expected.job);
    if (good && job->ended_unix_ms == 0) {
        cuzk_status status = cuzk_store_payload(reading->store, job->job, &bytes, &size, &err);
        good = same_bytes(status, bytes, size, expected.payload, expected.job.payload_size);
    } else if (good && job->state == CUZK_JOB_COMPLETED) {
        cuzk_status status = cuzk_store_proof(reading->store, job->job, &bytes, &size, &err);
        good = same_bytes(status, bytes, size, expected.proof, expected.job.proof_size);
    }
    if (!good) {
        fprintf(stderr, "job %" PRIu64 " is not whole: %s\n", job->job, err.message);
        reading->good = false;
        return false;
    }
    reading->last = job->job;
    reading->found->of[job->job] = job->ended_unix_ms == 0 ? TEST_JOB_WAITS : TEST_JOB_ENDED;
    reading->found->total++;
    return true;
}

bool test_store_read(cuzk_store *store, test_presences *found)
{
    struct reading reading = {store, found, 0, true};
    cuzk_error err = {0};
    cuzk_job_no last = 0;
    memset(found, 0, sizeof *found);
    if (cuzk_store_each(store, read_one, &reading, &err) != CUZK_OK ||
        cuzk_store_last_job(store, &last, &err) != CUZK_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    if (last < reading.last)
        fprintf(stderr, "the last number is %" PRIu64 ", below %" PRIu64 "\n", last, reading.last);
    return reading.good && last >= reading.last;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

void test_store_remove(const char *folder)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
