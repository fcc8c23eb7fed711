/* A key on a card, with one place for proofs beside it: memory is taken when the key is loaded,
 * none while it proves. */
#include "engine/cuda/cuda_card.h"

#include "groth16/cuda/gpu_prove.h"

#include <pthread.h>
#include <stdlib.h>

/* Of the card's memory, for what the driver takes as kernels run for the first time. */
#define RESERVE ((size_t)256 << 20)

typedef struct card_key {
    cuzk_device_key base;
    cuzk_card *card;
    cuzk_gpu_key key;
    cuzk_gpu_slot slot;
    pthread_mutex_t lock; /* of the slot */
} card_key;

static card_key *self(cuzk_device_key *key)
{
    return (card_key *)(void *)key;
}

static cuzk_status make_slot(card_key *k, cuzk_error *err)
{
    cuzk_cuda_info now;
    CUZK_TRY(cuzk_cuda_info_get(&now, k->card->number, err));
    const size_t share = now.memory / 16, reserve = share < RESERVE ? share : RESERVE;
    if (now.memory_free <= reserve)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%zu of its %zu bytes are free", now.memory_free,
                         now.memory);
    return cuzk_gpu_slot_init(&k->slot, &k->key, &now, now.memory_free - reserve, err);
}

static cuzk_status fill(card_key *k, const cuzk_pk *pk, const cuzk_shared_rows *rows,
                        cuzk_error *err)
{
    CUZK_TRY(cuzk_gpu_key_complete(&k->key, pk, rows, err));
    return make_slot(k, err);
}

static cuzk_status complete(cuzk_device_key *key, const cuzk_pk *pk, const cuzk_shared_rows *rows,
                            cuzk_error *err)
{
    card_key *k = self(key);
    cuzk_error why;
    CUZK_TRY(cuzk_card_use(k->card, err));
    const cuzk_status status = fill(k, pk, rows, &why);
    if (status == CUZK_OK) {
        key->device_bytes = k->key.bytes + k->slot.bytes;
        key->host_bytes = k->slot.pinned_bytes;
        return CUZK_OK;
    }
    cuzk_fail(err, status, "cuda %d, after %zu bytes of the key were there: %.700s",
              k->card->number, k->key.bytes, why.message);
    return cuzk_card_failed(k->card, status);
}

static void release(cuzk_device_key *key)
{
    card_key *k = self(key);
    (void)cuzk_cuda_use(k->card->number, NULL);
    if (k->base.device_bytes == 0) /* not complete: maybe the sink has failed */
        atomic_store(&k->card->doubtful, true);
    cuzk_gpu_slot_release(&k->slot);
    cuzk_gpu_key_release(&k->key);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

cuzk_status cuzk_card_key_new(cuzk_card *card, cuzk_device_key **key, cuzk_error *err)
{
    CUZK_TRY(cuzk_card_use(card, err));
    card_key *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "cuda %d: no memory for a key", card->number);
    made->base = (cuzk_device_key){.sink = &made->key.sink, .complete = complete, .free = release};
    made->card = card;
    pthread_mutex_init(&made->lock, NULL);
    const cuzk_status status = cuzk_gpu_key_init(&made->key, err);
    if (status != CUZK_OK) {
        release(&made->base);
        return cuzk_card_failed(card, status);
    }
    *key = &made->base;
    return CUZK_OK;
}

static cuzk_status prove(card_key *k, const cuzk_assignment *assignment, cuzk_sums *sums,
                         cuzk_error *err)
{
    CUZK_TRY(cuzk_card_use(k->card, err));
    cuzk_status status = cuzk_gpu_prove_start(&k->slot, assignment, err);
    if (status == CUZK_OK)
        status = cuzk_gpu_prove_collect(&k->slot, sums, err);
    return status == CUZK_OK ? status : cuzk_card_failed(k->card, status);
}

cuzk_status cuzk_card_prove(cuzk_device_key *key, const cuzk_assignment *assignment,
                            cuzk_sums *sums, cuzk_error *err)
{
    card_key *k = self(key);
    pthread_mutex_lock(&k->lock);
    const cuzk_status status = prove(k, assignment, sums, err);
    pthread_mutex_unlock(&k->lock);
    return status;
}
