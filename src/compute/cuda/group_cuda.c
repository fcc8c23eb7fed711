/* Multiples on a device: while the caller's sink takes one piece, the device makes the next. */
#include "compute/cuda/group_cuda.h"

#include "compute/cuda/fixed_base.h"

#include <stdlib.h>

#define MOST ((size_t)1 << 30) /* points of a job: tables are not larger for more */

/* A piece's way through the device. */
typedef struct lane {
    cuzk_stream stream;
    cuzk_scalar *scalars;
    uint64_t *points;
    uint8_t *bytes;
    void *scratch;
    void *host; /* pinned */
} lane;

typedef struct group_cuda {
    cuzk_group_ops ops;
    int device;
    size_t piece;
    void *memory, *table;
    lane lane[2];
} group_cuda;

/* The largest points are those of BLS12-381's G2. */
static size_t lay_out(group_cuda *g, void *memory, size_t size)
{
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_cuda_arena arena = {memory, 0, size};
    g->table = cuzk_cuda_arena_take(&arena, cuzk_cuda_fixed_base_bytes(curve, CUZK_G2, MOST));
    for (int i = 0; i < 2; i++) {
        lane *l = &g->lane[i];
        l->scalars = cuzk_cuda_arena_take(&arena, g->piece * sizeof *l->scalars);
        l->points = cuzk_cuda_arena_take(&arena, g->piece * sizeof(cuzk_g2));
        l->bytes = cuzk_cuda_arena_take(&arena, g->piece * sizeof(cuzk_g2));
        l->scratch =
            cuzk_cuda_arena_take(&arena, cuzk_cuda_fixed_base_scratch(curve, CUZK_G2, g->piece));
    }
    return arena.used;
}

/* Points of piece i of a job; 0: it has none. */
static size_t size_of(const group_cuda *g, const cuzk_multiples_job *job, size_t i)
{
    const size_t first = i * g->piece;
    if (first >= job->n)
        return 0;
    return job->n - first < g->piece ? job->n - first : g->piece;
}

/* Enqueues piece i of a job. */
static cuzk_status start(const group_cuda *g, const cuzk_cuda_fixed_base *fixed,
                         const cuzk_multiples_job *job, size_t i, cuzk_error *err)
{
    const lane *l = &g->lane[i % 2];
    const size_t n = size_of(g, job, i), bytes = n * cuzk_multiples_bytes(job);
    const void *made = l->points;
    if (n == 0)
        return CUZK_OK;
    CUZK_TRY(cuzk_cuda_upload(l->scalars, job->scalars + i * g->piece, n * sizeof *l->scalars,
                              l->stream, err));
    CUZK_TRY(
        cuzk_cuda_fixed_base_multiply(fixed, l->points, l->scalars, n, l->scratch, l->stream, err));
    if (job->zcash) {
        CUZK_TRY(cuzk_cuda_points_encode(job->curve, job->group, l->bytes, l->points, n, l->stream,
                                         err));
        made = l->bytes;
    }
    return cuzk_cuda_download(l->host, made, bytes, l->stream, err);
}

static cuzk_status run(const group_cuda *g, const cuzk_multiples_job *job, cuzk_error *err)
{
    cuzk_cuda_fixed_base fixed;
    CUZK_TRY(cuzk_cuda_use(g->device, err));
    CUZK_TRY(cuzk_cuda_fixed_base_make(&fixed, job->curve, job->group, job->base, job->n, g->table,
                                       g->lane[0].stream, err));
    CUZK_TRY(cuzk_cuda_stream_wait(g->lane[0].stream, err)); /* both lanes read the table */
    CUZK_TRY(start(g, &fixed, job, 0, err));
    for (size_t i = 0; size_of(g, job, i) != 0; i++) {
        const lane *l = &g->lane[i % 2];
        CUZK_TRY(start(g, &fixed, job, i + 1, err));
        CUZK_TRY(cuzk_cuda_stream_wait(l->stream, err));
        CUZK_TRY(job->sink(job->context, l->host, size_of(g, job, i), err));
    }
    return CUZK_OK;
}

static cuzk_status multiples(const cuzk_group_ops *ops, const cuzk_multiples_job *job,
                             cuzk_error *err)
{
    const group_cuda *g = (const group_cuda *)ops;
    const cuzk_status status = run(g, job, err);
    /* What a failure left under way must not go on in the job's memory. */
    for (int i = 0; status != CUZK_OK && i < 2; i++)
        (void)cuzk_cuda_stream_wait(g->lane[i].stream, NULL);
    return status;
}

static cuzk_status open_device(group_cuda *g, cuzk_error *err)
{
    CUZK_TRY(cuzk_cuda_use(g->device, err));
    const size_t size = lay_out(g, NULL, 0);
    CUZK_TRY(cuzk_cuda_alloc(&g->memory, size, err));
    (void)lay_out(g, g->memory, size);
    for (int i = 0; i < 2; i++) {
        CUZK_TRY(cuzk_cuda_stream_new(&g->lane[i].stream, err));
        CUZK_TRY(cuzk_cuda_pinned_alloc(&g->lane[i].host, g->piece * sizeof(cuzk_g2), err));
    }
    return CUZK_OK;
}

cuzk_status cuzk_group_cuda_open(cuzk_group_ops **ops, int device, size_t piece, cuzk_error *err)
{
    group_cuda *g = calloc(1, sizeof *g);
    if (g == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the description of a device");
    g->ops.multiples = multiples;
    g->device = device;
    g->piece = piece;
    const cuzk_status status = open_device(g, err);
    if (status == CUZK_OK)
        *ops = &g->ops;
    else
        cuzk_group_cuda_close(&g->ops);
    return status;
}

void cuzk_group_cuda_close(cuzk_group_ops *ops)
{
    group_cuda *g = (group_cuda *)ops;
    if (g == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        cuzk_cuda_stream_free(g->lane[i].stream);
        if (g->lane[i].host != NULL)
            cuzk_cuda_pinned_free(g->lane[i].host);
    }
    cuzk_cuda_free(g->memory);
    free(g);
}
