/* The device that proves nothing; see device.h. */
#include "engine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct fake_device {
    cuzk_device base;
    cuzk_fake_script script;
    atomic_uint_fast64_t computed, checked;
    char name[32];
} fake_device;

static fake_device *fake(cuzk_device *device)
{
    return (fake_device *)(void *)device;
}

static void take(uint64_t us)
{
    const struct timespec time = {.tv_sec = (time_t)(us / 1000000),
                                  .tv_nsec = (long)(us % 1000000) * 1000};
    if (us > 0)
        nanosleep(&time, NULL);
}

static bool is_due(atomic_uint_fast64_t *counter, uint64_t every)
{
    return every > 0 && (atomic_fetch_add(counter, 1) + 1) % every == 0;
}

static size_t work_bytes(const cuzk_device *device, const cuzk_pk *pk)
{
    (void)device;
    (void)pk;
    return 4096;
}

static size_t work_bound(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts)
{
    (void)curve;
    (void)counts;
    return work_bytes(device, NULL);
}

static cuzk_status upload(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)work;
    (void)err;
    take(fake(device)->script.upload_us);
    return CUZK_OK;
}

static cuzk_status compute(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    fake_device *f = fake(device);
    take(f->script.compute_us);
    if (is_due(&f->computed, f->script.fault_every))
        return cuzk_fail(err, CUZK_ERR_DEVICE, "%s: %s: a fault, as scripted",
                         work->assignment.name, f->name);
    return CUZK_OK;
}

static cuzk_status finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    (void)work;
    (void)err;
    take(fake(device)->script.finish_us);
    return CUZK_OK;
}

static cuzk_status check(cuzk_device *device, cuzk_device_work *work, cuzk_error *err)
{
    fake_device *f = fake(device);
    if (is_due(&f->checked, f->script.false_every))
        return cuzk_fail(err, CUZK_ERR_DEVICE, "%s: %s: a false proof, as scripted",
                         work->assignment.name, f->name);
    return CUZK_OK;
}

static void encode(const cuzk_device *device, const cuzk_device_work *work,
                   uint8_t out[CUZK_PROOF_BYTES])
{
    static const char text[CUZK_PROOF_BYTES] = "no proof: made by a device for tests";
    (void)device;
    (void)work;
    memcpy(out, text, sizeof text);
}

static cuzk_status answer(cuzk_device *device, const cuzk_device_work *work, char **text,
                          cuzk_error *err)
{
    (void)device;
    (void)work;
    *text = strdup("{\"fake\": \"no proof: made by a device for tests\"}");
    return *text != NULL ? CUZK_OK : cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for an answer");
}

static void drop(cuzk_device *device, cuzk_device_work *work)
{
    (void)device;
    (void)work;
}

static void close_fake(cuzk_device *device)
{
    free(device);
}

cuzk_status cuzk_device_fake_open(cuzk_device **device, unsigned index,
                                  const cuzk_fake_script *script, cuzk_error *err)
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
                                        .close = close_fake};
    fake_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a device");
    snprintf(made->name, sizeof made->name, "fake %u", index);
    made->base =
        (cuzk_device){.ops = &ops, .name = made->name, .quick_upload = script->upload_us == 0};
    made->script = *script;
    *device = &made->base;
    return CUZK_OK;
}
