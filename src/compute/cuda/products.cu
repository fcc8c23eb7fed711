/* Products: copying rows to the device, and choosing the curve's kernels. */
#include "compute/cuda/products.h"

#include <stdlib.h>

#include "compute/cuda/launch.cuh"
#include "compute/cuda/products_kernels.h"

#define SMALL (2 * CUZK_LIGHT_MAX + 1)

static const cuzk_products_ops *ops_for(const cuzk_curve *curve)
{
    return curve->id == CUZK_BN254 ? &cuzk_products_bn254 : &cuzk_products_bls12_381;
}

/* --- shared rows --- */

/* Where everything goes; pointers are NULL while memory is only counted. */
typedef struct places {
    cuzk_fr *coef, *small;
    cuzk_shared_instance *instance;
    uint32_t *port;
    cuzk_cuda_group *light[3], *heavy[3];
    cuzk_shared_line *line[3];
    cuzk_shared_term *term[3];
} places;

static void lay_out(places *p, const cuzk_shared_rows *rows, cuzk_cuda_arena *arena)
{
#define TAKE(type, n) (type *)cuzk_cuda_arena_take(arena, (n) * sizeof(type))
    p->coef = TAKE(cuzk_fr, rows->coefs);
    p->small = TAKE(cuzk_fr, SMALL);
    p->instance = TAKE(cuzk_shared_instance, rows->instances);
    p->port = TAKE(uint32_t, rows->ports);
    for (int i = 0; i < 3; i++) {
        const cuzk_shared_side *side = &rows->side[i];
        p->light[i] = TAKE(cuzk_cuda_group, side->n_light);
        p->heavy[i] = TAKE(cuzk_cuda_group, side->n_heavy);
        p->line[i] = TAKE(cuzk_shared_line, side->lines + 1);
        p->term[i] = TAKE(cuzk_shared_term, side->terms);
    }
#undef TAKE
}

size_t cuzk_cuda_rows_bytes(const cuzk_shared_rows *rows)
{
    places p;
    cuzk_cuda_arena arena = {NULL, 0, 0};
    lay_out(&p, rows, &arena);
    return arena.used;
}

/* Numbers the groups' blocks, and copies the groups; waits for the copy. */
static cuzk_status copy_groups(cuzk_cuda_group *to, uint32_t *blocks,
                               const cuzk_shared_group *groups, size_t n, bool light,
                               cuzk_stream stream, cuzk_error *err)
{
    size_t used = 0;
    *blocks = 0;
    if (n == 0)
        return CUZK_OK;
    cuzk_cuda_group *numbered = (cuzk_cuda_group *)malloc(n * sizeof *numbered);
    if (numbered == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu groups of rows", n);
    for (size_t i = 0; i < n; i++) {
        numbered[i].first_block = (uint32_t)used;
        numbered[i].g = groups[i];
        used += cuzk_products_blocks(&groups[i], light);
    }
    *blocks = (uint32_t)used;
    cuzk_status status = cuzk_cuda_upload(to, numbered, n * sizeof *numbered, stream, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_stream_wait(stream, err);
    free(numbered);
    return status;
}

static cuzk_status copy_small(cuzk_fr *to, const cuzk_curve *curve, cuzk_stream stream,
                              cuzk_error *err)
{
    cuzk_fr small[SMALL], *zero = &small[CUZK_LIGHT_MAX];
    *zero = cuzk_fr{{0, 0, 0, 0}};
    for (int i = 1; i <= CUZK_LIGHT_MAX; i++) {
        curve->fr_add(zero + i, zero + i - 1, &curve->fr_one);
        curve->fr_neg(zero - i, zero + i);
    }
    CUZK_TRY(cuzk_cuda_upload(to, small, sizeof small, stream, err));
    return cuzk_cuda_stream_wait(stream, err);
}

static cuzk_status copy_side(cuzk_cuda_lines *lines, const places *p, int i,
                             const cuzk_shared_side *side, cuzk_stream stream, cuzk_error *err)
{
    CUZK_TRY(copy_groups(p->light[i], &lines->light_blocks, side->light, side->n_light, true,
                         stream, err));
    CUZK_TRY(copy_groups(p->heavy[i], &lines->heavy_blocks, side->heavy, side->n_heavy, false,
                         stream, err));
    CUZK_TRY(cuzk_cuda_upload(p->line[i], side->line, (side->lines + 1) * sizeof *side->line,
                              stream, err));
    if (side->terms != 0)
        CUZK_TRY(cuzk_cuda_upload(p->term[i], side->term, side->terms * sizeof *side->term, stream,
                                  err));
    lines->light = p->light[i];
    lines->heavy = p->heavy[i];
    lines->n_light = (uint32_t)side->n_light;
    lines->n_heavy = (uint32_t)side->n_heavy;
    lines->line = p->line[i];
    lines->term = p->term[i];
    return CUZK_OK;
}

cuzk_status cuzk_cuda_rows_load(cuzk_cuda_rows *device, const cuzk_shared_rows *rows, void *memory,
                                cuzk_stream stream, cuzk_error *err)
{
    places p;
    cuzk_cuda_arena arena = {(unsigned char *)memory, 0, cuzk_cuda_rows_bytes(rows)};
    lay_out(&p, rows, &arena);
    CUZK_TRY(copy_small(p.small, rows->curve, stream, err));
    CUZK_TRY(cuzk_cuda_upload(p.coef, rows->coef, rows->coefs * sizeof *p.coef, stream, err));
    CUZK_TRY(cuzk_cuda_upload(p.instance, rows->instance, rows->instances * sizeof *p.instance,
                              stream, err));
    if (rows->ports != 0)
        CUZK_TRY(cuzk_cuda_upload(p.port, rows->port, rows->ports * sizeof *p.port, stream, err));
    for (int i = 0; i < 3; i++)
        CUZK_TRY(copy_side(&device->side[i], &p, i, &rows->side[i], stream, err));
    device->curve = rows->curve;
    device->rows = rows->rows;
    device->coef = p.coef;
    device->small = p.small;
    device->instance = p.instance;
    device->port = p.port;
    return cuzk_cuda_stream_wait(stream, err);
}

static cuzk_status pad(cuzk_fr *out, size_t rows, size_t size, cuzk_stream stream, cuzk_error *err)
{
    if (rows == size)
        return CUZK_OK;
    return cuzk_cuda_fill(out + rows, 0, (size - rows) * sizeof *out, stream, err);
}

cuzk_status cuzk_cuda_products(const cuzk_cuda_rows *rows, const uint64_t *bits,
                               const cuzk_fr *value, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                               size_t size, cuzk_stream stream, cuzk_error *err)
{
    const cuzk_products_ops *ops = ops_for(rows->curve);
    cuzk_fr *const out[3] = {a, b, c};
    CUZK_ASSERT(size >= rows->rows);
    for (int i = 0; i < 3; i++) {
        const cuzk_cuda_lines *side = &rows->side[i];
        if (out[i] == NULL)
            continue;
        if (side->heavy_blocks != 0)
            CUZK_TRY(ops->heavy(rows, side, bits, value, out[i], stream, err));
        if (side->light_blocks != 0)
            CUZK_TRY(ops->light(rows, side, bits, out[i], stream, err));
        CUZK_TRY(pad(out[i], rows->rows, size, stream, err));
    }
    return CUZK_OK;
}

/* --- plain rows --- */

/* Numbers of the long rows to `list` (NULL: only count them); returns how many. */
static size_t find_long(const cuzk_matrix *m, uint32_t *list)
{
    size_t n = 0;
    for (size_t i = 0; i < m->rows; i++) {
        if (m->row_start[i + 1] - m->row_start[i] <= CUZK_LONG_ROW)
            continue;
        if (list != NULL)
            list[n] = (uint32_t)i;
        n++;
    }
    return n;
}

static void lay_out_matrix(cuzk_cuda_matrix *device, const cuzk_matrix *m, cuzk_cuda_arena *arena)
{
    const size_t entries = m->rows == 0 ? 0 : m->row_start[m->rows];
#define TAKE(type, n) (type *)cuzk_cuda_arena_take(arena, (n) * sizeof(type))
    device->row_start = TAKE(uint64_t, m->rows + 1);
    device->col = TAKE(uint32_t, entries);
    device->coef = TAKE(uint32_t, entries);
    device->long_row = TAKE(uint32_t, device->n_long);
#undef TAKE
}

size_t cuzk_cuda_matrix_bytes(const cuzk_matrix *matrix)
{
    cuzk_cuda_arena arena = {NULL, 0, 0};
    cuzk_cuda_matrix m;
    m.n_long = find_long(matrix, NULL);
    lay_out_matrix(&m, matrix, &arena);
    return arena.used;
}

static cuzk_status copy_long(const cuzk_cuda_matrix *device, const cuzk_matrix *matrix,
                             cuzk_stream stream, cuzk_error *err)
{
    if (device->n_long == 0)
        return CUZK_OK;
    uint32_t *list = (uint32_t *)malloc(device->n_long * sizeof *list);
    if (list == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu numbers of rows", device->n_long);
    find_long(matrix, list);
    cuzk_status status = cuzk_cuda_upload((void *)device->long_row, list,
                                          device->n_long * sizeof *list, stream, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_stream_wait(stream, err);
    free(list);
    return status;
}

cuzk_status cuzk_cuda_matrix_load(cuzk_cuda_matrix *device, const cuzk_curve *curve,
                                  const cuzk_matrix *matrix, const cuzk_fr *value, void *memory,
                                  cuzk_stream stream, cuzk_error *err)
{
    const size_t entries = matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
    cuzk_cuda_arena arena = {(unsigned char *)memory, 0, cuzk_cuda_matrix_bytes(matrix)};
    device->curve = curve;
    device->rows = matrix->rows;
    device->value = value;
    device->n_long = find_long(matrix, NULL);
    lay_out_matrix(device, matrix, &arena);
    if (matrix->rows == 0)
        return CUZK_OK;
    CUZK_TRY(cuzk_cuda_upload((void *)device->row_start, matrix->row_start,
                              (matrix->rows + 1) * sizeof(uint64_t), stream, err));
    if (entries != 0) {
        CUZK_TRY(cuzk_cuda_upload((void *)device->col, matrix->col, entries * sizeof(uint32_t),
                                  stream, err));
        CUZK_TRY(cuzk_cuda_upload((void *)device->coef, matrix->coef, entries * sizeof(uint32_t),
                                  stream, err));
    }
    CUZK_TRY(copy_long(device, matrix, stream, err));
    return cuzk_cuda_stream_wait(stream, err);
}

cuzk_status cuzk_cuda_matrix_mul(const cuzk_cuda_matrix *matrix, cuzk_fr *out, const cuzk_fr *z,
                                 size_t size, cuzk_stream stream, cuzk_error *err)
{
    CUZK_ASSERT(size >= matrix->rows);
    CUZK_TRY(ops_for(matrix->curve)->matrix(matrix, out, z, stream, err));
    return pad(out, matrix->rows, size, stream, err);
}
