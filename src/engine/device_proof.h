/* What devices do alike with the sums of a proof, on the processor: ops of device.h. */
#ifndef CUZK_ENGINE_DEVICE_PROOF_H
#define CUZK_ENGINE_DEVICE_PROOF_H

#include "engine/device.h"

/* CUZK_ERR_CANCELLED if the work is in vain. */
cuzk_status cuzk_device_go_on(const cuzk_device_work *work, cuzk_error *err);

cuzk_status cuzk_device_finish(cuzk_device *device, cuzk_device_work *work, cuzk_error *err);
void cuzk_device_encode(const cuzk_device *device, const cuzk_device_work *work,
                        uint8_t out[CUZK_PROOF_BYTES]);
cuzk_status cuzk_device_answer(cuzk_device *device, const cuzk_device_work *work, char **text,
                               cuzk_error *err);
/* Wipes the sums; the scratch is without secrets. */
void cuzk_device_drop(cuzk_device *device, cuzk_device_work *work);

#endif
