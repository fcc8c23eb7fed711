/* Which device computes. CUZK_HAVE_CUDA is defined where the CUDA back end is built; without it, or
 * without a card, the same program computes on the processors and says so. */
#include "engine/device.h"

#include "base/log.h"

#ifdef CUZK_HAVE_CUDA
#include "compute/cuda/cuda.h"
#include "engine/cuda/device_cuda.h"

static cuzk_status open_card(cuzk_device **device, uint64_t number, cuzk_pool *pool,
                             cuzk_error *err)
{
    cuzk_error why = {.message = "none is there"};
    const int cards = cuzk_cuda_count(&why);
    if (cards <= 0)
        return cuzk_fail(err, CUZK_ERR_DEVICE, "no GPU can be used: %.600s", why.message);
    if (number >= (uint64_t)cards)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "gpus.devices: there is no GPU %llu: this machine has %d, numbered from 0",
                         (unsigned long long)number, cards);
    CUZK_TRY(cuzk_device_cuda_open(device, (unsigned)number, pool, err));
    cuzk_log(CUZK_LOG_INFO, "computing on %s", (*device)->name);
    return CUZK_OK;
}

cuzk_status cuzk_device_choose(cuzk_device **device, const cuzk_gpu_choice *choice, cuzk_pool *pool,
                               cuzk_error *err)
{
    cuzk_error why;
    if (choice->n > 1)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "gpus.devices names %zu GPUs; this version computes on one: name one, and "
                         "run a service for each",
                         choice->n);
    if (choice->n == 1) {
        if (open_card(device, choice->number[0], pool, &why) == CUZK_OK)
            return CUZK_OK;
        return cuzk_fail(err, why.status, "%.700s; gpus.devices = [] computes on the processors",
                         why.message);
    }
    if (choice->automatic) {
        if (open_card(device, 0, pool, &why) == CUZK_OK)
            return CUZK_OK;
        cuzk_log(CUZK_LOG_WARN, "computing on the processors: %s", why.message);
    } else {
        cuzk_log(CUZK_LOG_INFO, "computing on the processors: gpus.devices is empty");
    }
    return cuzk_device_cpu_open(device, pool, err);
}
#else
cuzk_status cuzk_device_choose(cuzk_device **device, const cuzk_gpu_choice *choice, cuzk_pool *pool,
                               cuzk_error *err)
{
    cuzk_log(choice->n > 0 ? CUZK_LOG_WARN : CUZK_LOG_INFO,
             "computing on the processors: this program was built without CUDA%s",
             choice->n > 0 ? ", so that gpus.devices has no effect" : "");
    return cuzk_device_cpu_open(device, pool, err);
}
#endif
