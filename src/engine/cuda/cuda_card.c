#include "engine/cuda/cuda_card.h"

cuzk_status cuzk_card_use(cuzk_card *card, cuzk_error *err)
{
    CUZK_TRY(cuzk_cuda_use(card->number, err));
    if (!atomic_load(&card->doubtful))
        return CUZK_OK;
    cuzk_error why;
    if (cuzk_cuda_health(&why) != CUZK_OK)
        return cuzk_fail(err, CUZK_ERR_DEVICE,
                         "cuda %d: it has failed and cannot be used by this process any more: "
                         "restart the service: %.600s",
                         card->number, why.message);
    atomic_store(&card->doubtful, false);
    return CUZK_OK;
}

cuzk_status cuzk_card_failed(cuzk_card *card, cuzk_status status)
{
    atomic_store(&card->doubtful, true);
    (void)cuzk_cuda_health(NULL); /* waits; asked again before the next use */
    return status;
}
