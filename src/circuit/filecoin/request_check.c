#include "circuit/filecoin/request_state.h"

#include <pthread.h>

/* Partitions or sectors, checked each on its own. */
typedef struct checking {
    const cuzk_fil_request *request;
    pthread_mutex_t lock;
    size_t failed;    /* the first one that does not hold; SIZE_MAX: none so far */
    cuzk_error error; /* its */
} checking;

static size_t pieces(const cuzk_fil_request *request)
{
    switch (request->proof.kind) {
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        return request->n_sectors;
    case CUZK_FIL_POREP:
    case CUZK_FIL_SNAP:
        break;
    }
    return request->proof.partitions;
}

static cuzk_status check_piece(const cuzk_fil_request *r, size_t i, cuzk_error *err)
{
    switch (r->proof.kind) {
    case CUZK_FIL_POREP:
        return cuzk_porep_check_partition(&r->proof, &r->c1, i, err);
    case CUZK_FIL_SNAP:
        return cuzk_snap_check_partition(&r->proof, &r->comms, &r->snap[i], i, err);
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        break;
    }
    return cuzk_post_check_sector(&r->proof, &r->claim, &r->sector[i], i, err);
}

static void run_piece(void *context, size_t i, unsigned worker)
{
    (void)worker;
    checking *all = context;
    cuzk_error error;
    pthread_mutex_lock(&all->lock);
    const int in_vain = i > all->failed;
    pthread_mutex_unlock(&all->lock);
    if (in_vain || check_piece(all->request, i, &error) == CUZK_OK)
        return;
    pthread_mutex_lock(&all->lock);
    if (i < all->failed) {
        all->failed = i;
        all->error = error;
    }
    pthread_mutex_unlock(&all->lock);
}

cuzk_status cuzk_fil_request_check(const cuzk_fil_request *request, cuzk_pool *pool,
                                   cuzk_error *err)
{
    checking all = {.request = request, .failed = SIZE_MAX};
    if (request->proof.kind == CUZK_FIL_POREP)
        CUZK_TRY(cuzk_porep_check_head(&request->proof, &request->c1, request->miner_id,
                                       request->sector_number, err));
    pthread_mutex_init(&all.lock, NULL);
    cuzk_pool_run(pool, pieces(request), run_piece, &all);
    pthread_mutex_destroy(&all.lock);
    if (all.failed == SIZE_MAX)
        return CUZK_OK;
    return cuzk_fail(err, all.error.status, "%s", all.error.message);
}
