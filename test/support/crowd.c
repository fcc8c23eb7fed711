#include "support/crowd.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WITNESSES 8u

static struct {
    const char *fixture;
    uint8_t *bytes;
    size_t size;
} witnesses[WITNESSES];

static size_t witness_of(const char *fixture)
{
    size_t i = 0;
    while (i < WITNESSES && witnesses[i].fixture != NULL &&
           strcmp(witnesses[i].fixture, fixture) != 0)
        i++;
    assert_in_range(i, 0, WITNESSES - 1);
    if (witnesses[i].fixture == NULL) {
        char name[256];
        snprintf(name, sizeof name, "circom/%s/witness.wtns", fixture);
        witnesses[i].fixture = fixture;
        witnesses[i].bytes = test_read_data(name, &witnesses[i].size);
    }
    return i;
}

void test_crowd_forget_witnesses(void)
{
    for (size_t i = 0; i < WITNESSES; i++)
        free(witnesses[i].bytes);
    memset(witnesses, 0, sizeof witnesses);
}

void test_crowd_init(test_crowd *c, cuzk_engine *engine)
{
    memset(c, 0, sizeof *c);
    c->engine = engine;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
}

void test_crowd_wait(test_crowd *c, unsigned ended)
{
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->ended) < ended && atomic_load(&c->bad) == 0)
        pthread_cond_wait(&c->more, &c->lock);
    pthread_mutex_unlock(&c->lock);
    assert_int_equal(atomic_load(&c->bad), 0);
}

static void await_verdicts(test_crowd *c)
{
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->accepted) + atomic_load(&c->refused) + atomic_load(&c->bad) <
           atomic_load(&c->handed_in))
        pthread_cond_wait(&c->more, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void test_crowd_release(test_crowd *c)
{
    await_verdicts(c);
    test_crowd_wait(c, atomic_load(&c->accepted));
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->more);
}

static void count(test_crowd *c, atomic_uint *counter)
{
    pthread_mutex_lock(&c->lock);
    atomic_fetch_add(counter, 1);
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
}

static void ended(void *context, const cuzk_await_reply *reply)
{
    test_crowd *c = context;
    const bool good = reply->known && reply->state == CUZK_JOB_COMPLETED;
    if (!good)
        fprintf(stderr, "%s: %s: %s\n", reply->job_id, cuzk_job_state_name(reply->state),
                reply->message);
    count(c, good ? &c->ended : &c->bad);
}

static void answered(void *context, const cuzk_submit_reply *reply)
{
    test_crowd *c = context;
    if (reply->status != CUZK_OK || (reply->submitted.verdict != CUZK_VERDICT_NEW &&
                                     reply->submitted.verdict != CUZK_VERDICT_FULL)) {
        fprintf(stderr, "verdict %d: %s\n", (int)reply->submitted.verdict, reply->message);
        count(c, &c->bad);
    } else if (reply->submitted.verdict == CUZK_VERDICT_FULL) {
        count(c, &c->refused);
    } else {
        cuzk_engine_await(c->engine, reply->job_id, 0, ended, c);
        count(c, &c->accepted);
    }
}

void test_crowd_hand_in(test_crowd *c, const char *fixture, const char *key, cuzk_class class_)
{
    const size_t i = witness_of(fixture), size = witnesses[i].size;
    void *payload = malloc(size);
    assert_non_null(payload);
    memcpy(payload, witnesses[i].bytes, size);
    const cuzk_job_request request = {.request_id = "",
                                      .kind = CUZK_KIND_CIRCUIT,
                                      .class_ = class_,
                                      .key = key,
                                      .payload = payload,
                                      .payload_size = size};
    atomic_fetch_add(&c->handed_in, 1);
    cuzk_engine_submit(c->engine, &request, answered, c);
}

void test_crowd_submit(test_crowd *c, const char *fixture, const char *key)
{
    for (unsigned before = atomic_load(&c->accepted); atomic_load(&c->accepted) == before;) {
        const unsigned refused = atomic_load(&c->refused);
        test_crowd_hand_in(c, fixture, key, CUZK_CLASS_NORMAL);
        await_verdicts(c);
        assert_int_equal(atomic_load(&c->bad), 0);
        if (atomic_load(&c->refused) > refused)
            usleep(2000);
    }
}
