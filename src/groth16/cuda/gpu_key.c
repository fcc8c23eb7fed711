#include "groth16/cuda/gpu_key.h"

static cuzk_status allocate(cuzk_gpu_key *key, void **memory, size_t bytes, cuzk_error *err)
{
    CUZK_TRY(cuzk_cuda_alloc(memory, bytes, err));
    key->bytes += bytes;
    return CUZK_OK;
}

/* --- the sink --- */

static cuzk_status begin(cuzk_base_sink *sink, const cuzk_curve *curve, cuzk_query_id query,
                         size_t n, cuzk_error *err)
{
    cuzk_gpu_key *key = (cuzk_gpu_key *)(void *)sink;
    cuzk_gpu_query *filling = &key->query[query];
    filling->group = query == CUZK_QUERY_B2 ? CUZK_G2 : CUZK_G1;
    key->words = cuzk_point_words(curve, filling->group);
    key->filling = filling;
    key->room = n;
    return allocate(key, &filling->points, (n + 1) * key->words * sizeof(uint64_t), err);
}

static cuzk_status put(cuzk_base_sink *sink, const uint64_t *points, size_t n, cuzk_error *err)
{
    cuzk_gpu_key *key = (cuzk_gpu_key *)(void *)sink;
    cuzk_gpu_query *filling = key->filling;
    CUZK_ASSERT(n <= key->room - filling->n);
    const size_t size = key->words * sizeof(uint64_t);
    CUZK_TRY(cuzk_gpu_staging_put(&key->staging,
                                  (unsigned char *)filling->points + filling->n * size, points,
                                  n * size, err));
    filling->n += n;
    return CUZK_OK;
}

cuzk_status cuzk_gpu_key_init(cuzk_gpu_key *key, cuzk_error *err)
{
    key->sink = (cuzk_base_sink){begin, put};
    return cuzk_gpu_staging_init(&key->staging, err);
}

/* --- completion --- */

/* A copy of an array on the device. */
static cuzk_status copy_up(cuzk_gpu_key *key, void **to, const void *from, size_t bytes,
                           cuzk_error *err)
{
    CUZK_TRY(allocate(key, to, bytes + 1, err));
    return cuzk_gpu_staging_put(&key->staging, *to, from, bytes, err);
}

static cuzk_status add_map(cuzk_gpu_key *key, cuzk_error *err)
{
    const cuzk_packed_map *map = key->pk->packed;
    if (map == NULL)
        return CUZK_OK;
    const size_t words = cuzk_cuda_bit_words(map->n - map->head);
    CUZK_TRY(copy_up(key, &key->map_memory[0], map->is_wide, words * sizeof *map->is_wide, err));
    CUZK_TRY(copy_up(key, &key->map_memory[1], map->rank, words * sizeof *map->rank, err));
    key->map = (cuzk_cuda_map){.n = map->n,
                               .head = map->head,
                               .wide = map->wide,
                               .is_wide = key->map_memory[0],
                               .rank = key->map_memory[1]};
    return CUZK_OK;
}

/* Finds the wide scalars of a query, which needs scratch once. */
static cuzk_status find_wide(cuzk_gpu_key *key, cuzk_gpu_query *query, cuzk_error *err)
{
    void *scratch;
    cuzk_stream stream = key->staging.stream;
    CUZK_TRY(allocate(key, (void **)&query->place, query->n_wide * sizeof *query->place, err));
    CUZK_TRY(allocate(key, (void **)&query->which, query->n_wide * sizeof *query->which, err));
    CUZK_TRY(cuzk_cuda_alloc(&scratch, cuzk_cuda_query_wide_scratch(query->n), err));
    cuzk_status status = cuzk_cuda_query_wide(&key->map, &query->range, query->n_wide, query->place,
                                              query->which, scratch, stream, err);
    if (status == CUZK_OK)
        status = cuzk_cuda_stream_wait(stream, err);
    cuzk_cuda_free(scratch);
    return status;
}

static cuzk_status complete_query(cuzk_gpu_key *key, cuzk_query_id id, const cuzk_query *from,
                                  cuzk_error *err)
{
    cuzk_gpu_query *query = &key->query[id];
    CUZK_ASSERT(query->n == from->n);
    query->range = (cuzk_cuda_range){.first = from->offset, .n = from->n};
    if (from->index != NULL) {
        void *index = NULL;
        const cuzk_status status =
            copy_up(key, &index, from->index, from->n * sizeof *from->index, err);
        query->range.index = index; /* also if it could not be filled: to be freed */
        CUZK_TRY(status);
    }
    if (key->pk->packed == NULL || id == CUZK_QUERY_H || from->n_wide == 0)
        return CUZK_OK;
    query->n_wide = from->n_wide;
    return find_wide(key, query, err);
}

static cuzk_status add_shared_rows(cuzk_gpu_key *key, const cuzk_shared_rows *rows, cuzk_error *err)
{
    CUZK_ASSERT(rows->rows == key->pk->rows);
    CUZK_TRY(allocate(key, &key->row_memory[0], cuzk_cuda_rows_bytes(rows), err));
    return cuzk_cuda_rows_load(&key->rows, rows, key->row_memory[0], key->staging.stream, err);
}

static cuzk_status add_matrices(cuzk_gpu_key *key, cuzk_error *err)
{
    const cuzk_pk *pk = key->pk;
    const cuzk_matrix *const from[3] = {&pk->mat_a, &pk->mat_b, &pk->mat_c};
    CUZK_TRY(
        copy_up(key, &key->coefs, pk->coefs.value, pk->coefs.count * sizeof *pk->coefs.value, err));
    for (int i = 0; i < 3; i++) {
        if (from[i]->rows == 0)
            continue;
        CUZK_TRY(allocate(key, &key->row_memory[i], cuzk_cuda_matrix_bytes(from[i]), err));
        CUZK_TRY(cuzk_cuda_matrix_load(&key->matrix[i], pk->vk.curve, from[i], key->coefs,
                                       key->row_memory[i], key->staging.stream, err));
    }
    return CUZK_OK;
}

static cuzk_status add_plan(cuzk_gpu_key *key, cuzk_error *err)
{
    const cuzk_pk *pk = key->pk;
    CUZK_TRY(allocate(key, &key->plan_memory, cuzk_cuda_ntt_plan_bytes(pk->log_m), err));
    return cuzk_cuda_ntt_plan_init(&key->plan, key->plan_memory, pk->vk.curve, pk->log_m,
                                   &pk->omega, &pk->coset, key->staging.stream, err);
}

cuzk_status cuzk_gpu_key_complete(cuzk_gpu_key *key, const cuzk_pk *pk,
                                  const cuzk_shared_rows *rows, cuzk_error *err)
{
    const cuzk_query *const from[CUZK_QUERIES] = {
        [CUZK_QUERY_A] = &pk->a, [CUZK_QUERY_B1] = &pk->b1, [CUZK_QUERY_B2] = &pk->b2,
        [CUZK_QUERY_L] = &pk->l, [CUZK_QUERY_H] = &pk->h,
    };
    CUZK_ASSERT((pk->packed != NULL) == (rows != NULL));
    key->pk = pk;
    CUZK_TRY(add_map(key, err));
    for (int id = 0; id < CUZK_QUERIES; id++)
        CUZK_TRY(complete_query(key, (cuzk_query_id)id, from[id], err));
    CUZK_TRY(rows != NULL ? add_shared_rows(key, rows, err) : add_matrices(key, err));
    CUZK_TRY(add_plan(key, err));
    CUZK_TRY(cuzk_cuda_stream_wait(key->staging.stream, err));
    cuzk_gpu_staging_release(&key->staging);
    return CUZK_OK;
}

void cuzk_gpu_key_release(cuzk_gpu_key *key)
{
    cuzk_gpu_staging_release(&key->staging);
    for (int id = 0; id < CUZK_QUERIES; id++) {
        cuzk_cuda_free(key->query[id].points);
        cuzk_cuda_free((void *)(uintptr_t)key->query[id].range.index);
        cuzk_cuda_free(key->query[id].place);
        cuzk_cuda_free(key->query[id].which);
    }
    cuzk_cuda_free(key->map_memory[0]);
    cuzk_cuda_free(key->map_memory[1]);
    for (int i = 0; i < 3; i++)
        cuzk_cuda_free(key->row_memory[i]);
    cuzk_cuda_free(key->coefs);
    cuzk_cuda_free(key->plan_memory);
    *key = (cuzk_gpu_key){0};
}
