/* What the parts of the CUDA device share. */
#ifndef CUZK_ENGINE_CUDA_CARD_H
#define CUZK_ENGINE_CUDA_CARD_H

#include "compute/cuda/cuda.h"
#include "engine/device.h"

#include <stdatomic.h>

/* A card, which is used from any thread. */
typedef struct cuzk_card {
    int number;
    cuzk_cuda_info info;
    atomic_bool doubtful; /* a call has failed since it was known to be well */
} cuzk_card;

/* Makes the card that of the calling thread: before anything else is done there. If it is doubtful
 * it is asked first, and CUZK_ERR_DEVICE is that it cannot be used any more. */
cuzk_status cuzk_card_use(cuzk_card *card, cuzk_error *err);

/* After a failed call: waits for what was enqueued, so that nothing of it is written to any more,
 * and marks the card. Returns status, which err is about. */
cuzk_status cuzk_card_failed(cuzk_card *card, cuzk_status status);

/* Begins a key on the card, which outlives it. */
cuzk_status cuzk_card_key_new(cuzk_card *card, cuzk_device_key **key, cuzk_error *err);

/* *sums := those of a proof with this key; the assignment was checked. One at a time: others wait.
 */
cuzk_status cuzk_card_prove(cuzk_device_key *key, const cuzk_assignment *assignment,
                            cuzk_sums *sums, cuzk_error *err);

#endif
