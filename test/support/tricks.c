#include "support/tricks.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct trick_device {
    cuzk_device base;
    cuzk_device *inner;
    test_tricks *tricks;
    unsigned index;
} trick_device;

static trick_device *self(const cuzk_device *device)
{
    return (trick_device *)(uintptr_t)device;
}

void test_tricks_init(test_tricks *tricks)
{
    *tricks = (test_tricks){.open = 0};
    pthread_mutex_init(&tricks->lock, NULL);
    pthread_cond_init(&tricks->changed, NULL);
}

void test_tricks_plan(test_tricks *tricks, unsigned device, test_trick trick, unsigned steps)
{
    pthread_mutex_lock(&tricks->lock);
    tricks->next[device][trick] = steps;
    pthread_mutex_unlock(&tricks->lock);
}

void test_tricks_await_hanging(test_tricks *tricks, unsigned steps)
{
    pthread_mutex_lock(&tricks->lock);
    while (tricks->hanging != steps)
        pthread_cond_wait(&tricks->changed, &tricks->lock);
    pthread_mutex_unlock(&tricks->lock);
}

void test_tricks_release(test_tricks *tricks)
{
    pthread_mutex_lock(&tricks->lock);
    tricks->releases++;
    pthread_cond_broadcast(&tricks->changed);
    pthread_mutex_unlock(&tricks->lock);
}

void test_tricks_await_closed(test_tricks *tricks)
{
    pthread_mutex_lock(&tricks->lock);
    while (tricks->open > 0)
        pthread_cond_wait(&tricks->changed, &tricks->lock);
    pthread_mutex_unlock(&tricks->lock);
}

/* Under the lock. */
static bool is_due(trick_device *d, test_trick trick)
{
    if (d->tricks->next[d->index][trick] == 0)
        return false;
    d->tricks->next[d->index][trick]--;
    return true;
}

/* A sanitizer sees whether it is still there. */
static uint64_t read_all(const cuzk_device_work *work)
{
    uint64_t sum = work->pk->vars + atomic_load(work->cancelled);
    for (size_t i = 0; i < work->assignment.n; i++)
        sum += work->assignment.z[i].l[0];
    return sum;
}

static void hang(cuzk_device *device, const cuzk_device_work *work, test_trick trick)
{
    trick_device *d = self(device);
    test_tricks *tricks = d->tricks;
    pthread_mutex_lock(&tricks->lock);
    if (is_due(d, trick)) {
        const unsigned releases = tricks->releases;
        tricks->hanging++;
        pthread_cond_broadcast(&tricks->changed);
        while (tricks->releases == releases)
            pthread_cond_wait(&tricks->changed, &tricks->lock);
        tricks->hanging--;
        tricks->read += read_all(work);
        pthread_cond_broadcast(&tricks->changed);
    }
    pthread_mutex_unlock(&tricks->lock);
}

static void spoil(cuzk_device *device, uint64_t *word, test_trick trick)
{
    trick_device *d = self(device);
    pthread_mutex_lock(&d->tricks->lock);
    if (is_due(d, trick))
        *word ^= 1;
    pthread_mutex_unlock(&d->tricks->lock);
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    cuzk_device *inner = self(device)->inner;
    hang(device, work, TRICK_HANG_UPLOAD);
    return inner->ops->upload(inner, work, err);
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    cuzk_device *inner = self(device)->inner;
    hang(device, work, TRICK_HANG_COMPUTE);
    const cuzk_status status = inner->ops->compute(inner, work, err);
    if (status == CUZK_OK)
        spoil(device, &work->sums.l.l[0], TRICK_SPOIL_SUMS);
    return status;
}

static cuzk_status finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    cuzk_device *inner = self(device)->inner;
    hang(device, work, TRICK_HANG_FINISH);
    const cuzk_status status = inner->ops->finish(inner, work, err);
    if (status == CUZK_OK)
        spoil(device, &work->proof.c.l[0], TRICK_SPOIL_PROOF);
    return status;
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    cuzk_device *inner = self(device)->inner;
    return inner->ops->check(inner, work, err);
}

static void encode(const cuzk_device *device, const cuzk_device_work *work,
                   uint8_t out[CUZK_PROOF_BYTES])
{
    const cuzk_device *inner = self(device)->inner;
    inner->ops->encode(inner, work, out);
}

static cuzk_status answer(cuzk_device *device, const cuzk_device_work *work, char **text,
                          cuzk_error *err)
{
    cuzk_device *inner = self(device)->inner;
    return inner->ops->answer(inner, work, text, err);
}

static void drop(cuzk_device *device, cuzk_device_work *work)
{
    cuzk_device *inner = self(device)->inner;
    inner->ops->drop(inner, work);
}

static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    const cuzk_device *inner = self(device)->inner;
    return inner->ops->work_bytes(inner, pk);
}

static size_t work_bound(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts)
{
    const cuzk_device *inside = self(device)->inner;
    return inside->ops->work_bound(inside, curve, counts);
}

static cuzk_status key_new(cuzk_device *device, cuzk_device_key **key, cuzk_error *err)
{
    cuzk_device *inside = self(device)->inner;
    return inside->ops->key_new(inside, key, err);
}

static void close_trick(cuzk_device *device)
{
    trick_device *d = self(device);
    test_tricks *tricks = d->tricks;
    d->inner->ops->close(d->inner);
    free(d);
    pthread_mutex_lock(&tricks->lock);
    tricks->open--;
    pthread_cond_broadcast(&tricks->changed);
    pthread_mutex_unlock(&tricks->lock);
}

cuzk_device *test_tricks_wrap(void *context, unsigned index, cuzk_device *device)
{
    static const cuzk_device_ops ops = {.upload = upload,
                                        .compute = compute,
                                        .finish = finish,
                                        .check = check,
                                        .encode = encode,
                                        .answer = answer,
                                        .drop = drop,
                                        .work_bytes = work_bytes,
                                        .work_bound = work_bound,
                                        .key_new = key_new,
                                        .close = close_trick};
    test_tricks *tricks = context;
    trick_device *made = calloc(1, sizeof *made);
    CUZK_ASSERT(made != NULL && index < TRICK_DEVICES);
    made->base = *device;
    made->base.ops = &ops;
    made->base.quick_upload = false; /* it may hang */
    made->inner = device;
    made->tricks = tricks;
    made->index = index;
    pthread_mutex_lock(&tricks->lock);
    tricks->open++;
    pthread_mutex_unlock(&tricks->lock);
    return &made->base;
}
