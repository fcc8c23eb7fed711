#include "support/slow_device.h"

#include "support/test.h"

#include "base/clock.h"

#include <stdlib.h>
#include <unistd.h>

#define TIMES 10u

typedef struct slow_device {
    cuzk_device base;
    cuzk_device *inner;
} slow_device;

static cuzk_device *inner(const cuzk_device *device)
{
    return ((const slow_device *)(const void *)device)->inner;
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    return inner(device)->ops->upload(inner(device), work, err);
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    const uint64_t begin = cuzk_clock_ns();
    const cuzk_status status = inner(device)->ops->compute(inner(device), work, err);
    const uint64_t us = (TIMES - 1) * (cuzk_clock_ns() - begin) / 1000;
    for (uint64_t left = us; left > 0; left -= left < 500000 ? left : 500000)
        usleep(left < 500000 ? (useconds_t)left : 500000);
    return status;
}

static cuzk_status finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    return inner(device)->ops->finish(inner(device), work, err);
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    return inner(device)->ops->check(inner(device), work, err);
}

static void encode(const cuzk_device *device, const cuzk_device_work *work,
                   uint8_t out[CUZK_PROOF_BYTES])
{
    inner(device)->ops->encode(inner(device), work, out);
}

static cuzk_status answer(cuzk_device *device, const cuzk_device_work *work, char **text,
                          cuzk_error *err)
{
    return inner(device)->ops->answer(inner(device), work, text, err);
}

static void drop(cuzk_device *device, cuzk_device_work *work)
{
    inner(device)->ops->drop(inner(device), work);
}

static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    return inner(device)->ops->work_bytes(inner(device), pk);
}

static size_t work_bound(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts)
{
    const cuzk_device *inside = inner(device);
    return inside->ops->work_bound(inside, curve, counts);
}

static cuzk_status key_new(cuzk_device *device, cuzk_device_key **key, cuzk_error *err)
{
    cuzk_device *inside = inner(device);
    return inside->ops->key_new(inside, key, err);
}

static void close_slow(cuzk_device *device)
{
    inner(device)->ops->close(inner(device));
    free(device);
}

cuzk_device *test_slow_wrap(void *context, unsigned index, cuzk_device *device)
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
                                        .close = close_slow};
    (void)context;
    (void)index;
    slow_device *slow = calloc(1, sizeof *slow);
    assert_non_null(slow);
    slow->base = *device;
    slow->base.ops = &ops;
    slow->inner = device;
    return &slow->base;
}
