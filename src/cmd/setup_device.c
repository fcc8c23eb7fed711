#include "cmd/setup_device.h"

#ifdef CUZK_HAVE_CUDA
#include "compute/cuda/group_cuda.h"
#endif

#include <string.h>

#ifdef CUZK_HAVE_CUDA

static cuzk_status open_cuda(cuzk_group_ops **ops, cuzk_error *err)
{
    return cuzk_group_cuda_open(ops, 0, CUZK_GROUP_CUDA_PIECE, err);
}

static void close_cuda(cuzk_group_ops *ops)
{
    cuzk_group_cuda_close(ops);
}

#else

static cuzk_status open_cuda(cuzk_group_ops **ops, cuzk_error *err)
{
    *ops = NULL;
    return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                     "this program was built without CUDA; build it where nvcc is found, or take "
                     "--device=cpu");
}

static void close_cuda(cuzk_group_ops *ops)
{
    (void)ops;
}

#endif

cuzk_status cuzk_setup_device_open(cuzk_setup_device *device, const char *name, cuzk_pool *pool,
                                   cuzk_error *err)
{
    *device = (cuzk_setup_device){0};
    cuzk_group_host_init(&device->host, pool);
    device->ops = &device->host.ops;
    if (strcmp(name, "cuda") != 0)
        return CUZK_OK;
    CUZK_TRY(open_cuda(&device->cuda, err));
    device->ops = device->cuda;
    return CUZK_OK;
}

void cuzk_setup_device_close(cuzk_setup_device *device)
{
    close_cuda(device->cuda);
}
