/* A proof in one queue of kernels: nothing waits between the upload and the last sum. c is taken to
 * be a*b, as it is for every witness that satisfies the circuit; for any other the proof is false,
 * and its verification says so. */
#include "groth16/cuda/gpu_prove.h"

#include "base/random.h"

#include <string.h>

/* --- start --- */

/* Copies through the slot's page-locked memory from *at on. */
static cuzk_status upload(cuzk_gpu_slot *slot, size_t *at, void *device, const void *from,
                          size_t bytes, cuzk_error *err)
{
    unsigned char *pinned = slot->pinned + *at;
    CUZK_ASSERT(*at + bytes <= slot->pinned_bytes);
    memcpy(pinned, from, bytes);
    *at += bytes;
    return cuzk_cuda_upload(device, pinned, bytes, slot->stream, err);
}

static cuzk_status upload_assignment(cuzk_gpu_slot *slot, const cuzk_assignment *assignment,
                                     cuzk_error *err)
{
    const cuzk_gpu_key *key = slot->key;
    const cuzk_packed_scalars *packed = assignment->packed;
    size_t at = 0, n = key->pk->vars;
    const cuzk_scalar *value = assignment->z;
    if (packed != NULL) {
        const size_t words = cuzk_cuda_bit_words(key->map.n - key->map.head);
        CUZK_TRY(upload(slot, &at, slot->bits, packed->bits, words * sizeof *packed->bits, err));
        n = key->map.wide;
        value = packed->value;
    }
    CUZK_TRY(upload(slot, &at, slot->value, value, n * sizeof *value, err));
    return cuzk_cuda_fr_import(key->pk->vk.curve, slot->value_fr, slot->value, n, slot->stream,
                               err);
}

static cuzk_status multiply_rows(cuzk_gpu_slot *slot, cuzk_error *err)
{
    const cuzk_gpu_key *key = slot->key;
    const size_t m = (size_t)1 << key->pk->log_m;
    if (key->map.n > 0)
        return cuzk_cuda_products(&key->rows, slot->bits, slot->value_fr, slot->product[0],
                                  slot->product[1], NULL, m, slot->stream, err);
    for (int i = 0; i < 2; i++) {
        if (key->matrix[i].rows > 0)
            CUZK_TRY(cuzk_cuda_matrix_mul(&key->matrix[i], slot->product[i], slot->value_fr, m,
                                          slot->stream, err));
        else
            CUZK_TRY(cuzk_cuda_fill(slot->product[i], 0, m * sizeof(cuzk_fr), slot->stream, err));
    }
    return CUZK_OK;
}

static cuzk_status divide(cuzk_gpu_slot *slot, cuzk_error *err)
{
    const cuzk_gpu_key *key = slot->key;
    return cuzk_cuda_quotient(&key->plan, key->pk->h_kind, slot->h, slot->product[0],
                              slot->product[1], NULL, slot->stream, err);
}

/* The sum over a query whose scalars are an array: all, or those that index names. */
static cuzk_status add_array(cuzk_gpu_slot *slot, cuzk_query_id id, cuzk_error *err)
{
    const cuzk_gpu_query *query = &slot->key->query[id];
    const cuzk_scalar *scalars = id == CUZK_QUERY_H ? slot->h : slot->value;
    const cuzk_cuda_msm_job job = {
        .bases = query->points,
        .scalars = query->range.index != NULL ? scalars : scalars + query->range.first,
        .index = query->range.index,
        .points = slot->results + slot->sum[id].msm_at};
    return cuzk_cuda_msm(&slot->sum[id].msm, &job, slot->scratch, NULL, slot->stream, err);
}

static cuzk_status add_packed(cuzk_gpu_slot *slot, cuzk_query_id id, cuzk_error *err)
{
    const cuzk_gpu_key *key = slot->key;
    const cuzk_gpu_query *query = &key->query[id];
    const cuzk_gpu_sum_plan *sum = &slot->sum[id];
    CUZK_TRY(cuzk_cuda_query_bits(&key->map, &query->range, slot->bits, slot->query_bits,
                                  slot->stream, err));
    CUZK_TRY(cuzk_cuda_sum_bits(&sum->bits, query->points, slot->query_bits,
                                slot->results + sum->bits_at, slot->scratch, slot->stream, err));
    if (!sum->has_msm)
        return CUZK_OK;
    CUZK_TRY(cuzk_cuda_query_values(query->which, query->n_wide, slot->value, slot->query_value,
                                    slot->stream, err));
    const cuzk_cuda_msm_job job = {.bases = query->points,
                                   .scalars = slot->query_value,
                                   .pick = query->place,
                                   .points = slot->results + sum->msm_at};
    return cuzk_cuda_msm(&sum->msm, &job, slot->scratch, NULL, slot->stream, err);
}

static cuzk_status add_up(cuzk_gpu_slot *slot, cuzk_error *err)
{
    for (int id = CUZK_QUERIES - 1; id >= 0; id--) {
        const cuzk_gpu_sum_plan *sum = &slot->sum[id];
        if (sum->has_bits)
            CUZK_TRY(add_packed(slot, (cuzk_query_id)id, err));
        else if (sum->has_msm)
            CUZK_TRY(add_array(slot, (cuzk_query_id)id, err));
    }
    return cuzk_cuda_download(slot->pinned, slot->results, slot->results_bytes, slot->stream, err);
}

static cuzk_status enqueue(cuzk_gpu_slot *slot, const cuzk_assignment *assignment, cuzk_error *err)
{
    CUZK_TRY(upload_assignment(slot, assignment, err));
    CUZK_TRY(multiply_rows(slot, err));
    CUZK_TRY(divide(slot, err));
    return add_up(slot, err);
}

/* Waits, so that nothing is written to afterwards. */
static cuzk_status wipe_device(cuzk_gpu_slot *slot, cuzk_error *err)
{
    CUZK_TRY(cuzk_cuda_fill(slot->memory, 0, slot->bytes, slot->stream, err));
    return cuzk_cuda_stream_wait(slot->stream, err);
}

static void wipe(cuzk_gpu_slot *slot)
{
    (void)wipe_device(slot, NULL);
    cuzk_wipe(slot->pinned, slot->pinned_bytes);
}

cuzk_status cuzk_gpu_prove_start(cuzk_gpu_slot *slot, const cuzk_assignment *assignment,
                                 cuzk_error *err)
{
    CUZK_ASSERT((assignment->packed != NULL) == (slot->key->map.n > 0));
    const cuzk_status status = enqueue(slot, assignment, err);
    if (status != CUZK_OK)
        wipe(slot);
    return status;
}

/* --- collect --- */

static void join(const cuzk_gpu_slot *slot, cuzk_query_id id, uint64_t *result)
{
    const cuzk_curve *curve = slot->key->pk->vk.curve;
    const cuzk_gpu_sum_plan *sum = &slot->sum[id];
    const bool is_g2 = slot->key->query[id].group == CUZK_G2;
    uint64_t part[CUZK_G2_MAX_WORDS];
    if (sum->has_bits) {
        cuzk_cuda_bits_finish(&sum->bits, slot->pinned + sum->bits_at, part);
        (is_g2 ? curve->g2_add : curve->g1_add)(result, result, part);
    }
    if (sum->has_msm) {
        cuzk_cuda_msm_finish(&sum->msm, slot->pinned + sum->msm_at, part);
        (is_g2 ? curve->g2_add : curve->g1_add)(result, result, part);
    }
    cuzk_wipe(part, sizeof part);
}

cuzk_status cuzk_gpu_prove_collect(cuzk_gpu_slot *slot, cuzk_sums *sums, cuzk_error *err)
{
    cuzk_sums made = {0};
    const cuzk_status status = wipe_device(slot, err); /* after what was enqueued before */
    if (status != CUZK_OK) {
        wipe(slot); /* where the failure was that of one call, it can be done now */
        return status;
    }
    join(slot, CUZK_QUERY_H, made.h.l);
    join(slot, CUZK_QUERY_L, made.l.l);
    join(slot, CUZK_QUERY_A, made.a.l);
    join(slot, CUZK_QUERY_B1, made.b1.l);
    join(slot, CUZK_QUERY_B2, made.b2.l);
    cuzk_wipe(slot->pinned, slot->pinned_bytes);
    *sums = made;
    cuzk_wipe(&made, sizeof made);
    return CUZK_OK;
}
