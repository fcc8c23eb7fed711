/* Where `cuzk setup` makes points. */
#ifndef CUZK_CMD_SETUP_DEVICE_H
#define CUZK_CMD_SETUP_DEVICE_H

#include "compute/group_ops.h"

typedef struct cuzk_setup_device {
    cuzk_group_host host;
    cuzk_group_ops *cuda;
    const cuzk_group_ops *ops; /* one of the two */
} cuzk_setup_device;

/* name: "cpu" (the pool's threads), or "cuda" (the first device): CUZK_ERR_UNSUPPORTED if this
 * program was built without it. */
cuzk_status cuzk_setup_device_open(cuzk_setup_device *device, const char *name, cuzk_pool *pool,
                                   cuzk_error *err);
void cuzk_setup_device_close(cuzk_setup_device *device);

#endif
