/* A GPU as a device: keys live in its memory, sums are made there, the rest on the processor. */
#ifndef CUZK_ENGINE_DEVICE_CUDA_H
#define CUZK_ENGINE_DEVICE_CUDA_H

#include "engine/device.h"

/* pool: verifies proofs, and finds out why one is false. */
cuzk_status cuzk_device_cuda_open(cuzk_device **device, unsigned number, cuzk_pool *pool,
                                  cuzk_error *err);

#endif
