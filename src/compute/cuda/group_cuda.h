/* Multiples of one point (compute/group_ops.h) on a device. */
#ifndef CUZK_COMPUTE_CUDA_GROUP_CUDA_H
#define CUZK_COMPUTE_CUDA_GROUP_CUDA_H

#include "compute/group_ops.h"

/* Points in flight at a time; two such pieces take about 1.7 GB of the device's memory, and 0.4 GB
 * of pinned memory. */
#define CUZK_GROUP_CUDA_PIECE ((size_t)1 << 20)

/* Takes a device and its memory for multiples, in pieces of that many points. On success *ops is
 * the caller's (cuzk_group_cuda_close); one thread uses it at a time. CUZK_ERR_DEVICE,
 * CUZK_ERR_MEMORY. */
cuzk_status cuzk_group_cuda_open(cuzk_group_ops **ops, int device, size_t piece, cuzk_error *err);
void cuzk_group_cuda_close(cuzk_group_ops *ops); /* NULL: nothing */

#endif
