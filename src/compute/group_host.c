/* Multiples on the host: pieces of cuzk_fixed_base, encoded by all threads. */
#include "base/memory.h"
#include "compute/group_ops.h"
#include "compute/msm.h"

#include <stdlib.h>

#define PIECE ((size_t)1 << 20) /* its table, made anew, costs a hundredth of it */
#define TILE  1024u

typedef struct piece {
    const cuzk_multiples_job *job;
    uint64_t *points;
    size_t n;
} piece;

/* Memory form to bytes, in place. */
static void encode_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const piece *p = context;
    const cuzk_curve *curve = p->job->curve;
    const unsigned words = cuzk_point_words(curve, p->job->group);
    const size_t end = (tile + 1) * TILE < p->n ? (tile + 1) * TILE : p->n;
    for (size_t i = tile * TILE; i < end; i++) {
        uint64_t *point = p->points + i * words;
        if (p->job->group == CUZK_G1)
            curve->g1_encode((uint8_t *)point, point, CUZK_ENC_ZCASH);
        else
            curve->g2_encode((uint8_t *)point, point, CUZK_ENC_ZCASH);
    }
}

static cuzk_status multiples(const cuzk_group_ops *ops, const cuzk_multiples_job *job,
                             cuzk_error *err)
{
    cuzk_pool *pool = ((const cuzk_group_host *)ops)->pool;
    const unsigned threads = pool == NULL ? 1 : cuzk_pool_threads(pool);
    const size_t most = job->n < PIECE ? job->n : PIECE;
    piece p = {.job = job, .points = cuzk_memory_new(most, cuzk_multiples_bytes(job))};
    void *scratch =
        cuzk_memory_new(cuzk_fixed_base_scratch(job->curve, job->group, most, threads), 1);
    cuzk_status status = CUZK_OK;
    if (p.points == NULL || scratch == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu points of the key", most);
    for (size_t first = 0; status == CUZK_OK && first < job->n; first += PIECE) {
        p.n = job->n - first < PIECE ? job->n - first : PIECE;
        cuzk_fixed_base(job->curve, job->group, p.points, job->base, job->scalars + first, p.n,
                        scratch, pool);
        if (job->zcash)
            cuzk_pool_run(pool, (p.n + TILE - 1) / TILE, encode_tile, &p);
        status = job->sink(job->context, p.points, p.n, err);
    }
    free(p.points);
    free(scratch);
    return status;
}

void cuzk_group_host_init(cuzk_group_host *host, cuzk_pool *pool)
{
    *host = (cuzk_group_host){.ops = {multiples}, .pool = pool};
}
