/* Upload looks at the assignment, which needs no card; compute copies it to page-locked memory,
 * enqueues everything and waits for the sums; finish blinds them on the processor. */
#include "engine/cuda/device_cuda.h"

#include "engine/cuda/cuda_card.h"
#include "engine/device_proof.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct cuda_device {
    cuzk_device base;
    cuzk_card card;
    cuzk_pool *pool;
    char name[200];
} cuda_device;

static cuda_device *self(cuzk_device *device)
{
    return (cuda_device *)(void *)device;
}

/* For a false proof, so none at all for most keys; but buffers are not empty. */
static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    (void)device;
    const size_t bytes = cuzk_prove_violation_scratch(pk);
    return bytes > 0 ? bytes : 64;
}

/* The witness, which may be longer than the domain, and three vectors of the domain. */
static size_t work_bound(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts)
{
    (void)device;
    (void)curve;
    const size_t m = (size_t)1 << counts->log_m;
    const size_t longest = counts->vars > m ? counts->vars : m;
    return counts->packed ? 64 : (longest + 3 * m) * sizeof(cuzk_fr) + 4 * 64;
}

static cuzk_status key_new(cuzk_device *device, cuzk_device_key **key, cuzk_error *err)
{
    return cuzk_card_key_new(&self(device)->card, key, err);
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)device;
    CUZK_TRY(cuzk_device_go_on(work, err));
    return cuzk_assignment_check(work->pk, &work->assignment, err);
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)device;
    CUZK_TRY(cuzk_device_go_on(work, err));
    return cuzk_card_prove(work->key, &work->assignment, &work->sums, err);
}

static cuzk_status make_again(void *context, const cuzk_assignment *assignment, cuzk_sums *sums,
                              cuzk_error *err)
{
    return cuzk_card_prove(context, assignment, sums, err);
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    const cuzk_sums_maker maker = {make_again, work->key};
    return cuzk_prove_check_device(work->pk, &work->assignment, &work->sums, &work->proof, &maker,
                                   work->scratch, self(device)->pool, err);
}

static void close_cuda(cuzk_device *device)
{
    free(device);
}

static cuzk_status open_card(cuda_device *d, unsigned number, cuzk_error *err)
{
    d->card.number = (int)number;
    CUZK_TRY(cuzk_card_use(&d->card, err));
    CUZK_TRY(cuzk_cuda_info_get(&d->card.info, d->card.number, err));
    snprintf(d->name, sizeof d->name, "cuda %u, %s, %zu MiB", number, d->card.info.name,
             d->card.info.memory >> 20);
    return CUZK_OK;
}

cuzk_status cuzk_device_cuda_open(cuzk_device **device, unsigned number, cuzk_pool *pool,
                                  cuzk_error *err)
{
    static const cuzk_device_ops ops = {.upload = upload,
                                        .compute = compute,
                                        .finish = cuzk_device_finish,
                                        .check = check,
                                        .encode = cuzk_device_encode,
                                        .answer = cuzk_device_answer,
                                        .drop = cuzk_device_drop,
                                        .work_bytes = work_bytes,
                                        .work_bound = work_bound,
                                        .key_new = key_new,
                                        .close = close_cuda};
    cuda_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the device cuda %u", number);
    const cuzk_status status = open_card(made, number, err);
    if (status != CUZK_OK) {
        free(made);
        return status;
    }
    made->base = (cuzk_device){.ops = &ops, .name = made->name, .keeps_keys = true};
    made->pool = pool;
    *device = &made->base;
    return CUZK_OK;
}
