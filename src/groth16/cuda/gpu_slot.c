/* Laying out the memory of a proof. */
#include "groth16/cuda/gpu_prove.h"

#include "base/memory.h"

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How many scalars are uploaded. */
static size_t values(const cuzk_gpu_key *key)
{
    return key->map.n > 0 ? key->map.wide : key->pk->vars;
}

static size_t bit_bytes(const cuzk_gpu_key *key)
{
    return key->map.n > 0 ? cuzk_cuda_bit_words(key->map.n - key->map.head) * sizeof(uint64_t) : 0;
}

static cuzk_status plan_sum(cuzk_gpu_slot *slot, cuzk_query_id id, const cuzk_cuda_info *device,
                            size_t limit, cuzk_error *err)
{
    const cuzk_gpu_key *key = slot->key;
    const cuzk_gpu_query *query = &key->query[id];
    const cuzk_curve_id curve = key->pk->vk.curve->id;
    cuzk_gpu_sum_plan *sum = &slot->sum[id];
    const bool packed = key->map.n > 0 && id != CUZK_QUERY_H;
    const size_t n = packed ? query->n_wide : query->n;
    sum->has_bits = packed && query->n > 0;
    sum->has_msm = n > 0;
    if (sum->has_bits)
        CUZK_TRY(cuzk_cuda_bits_plan_make(&sum->bits, curve, query->group, query->n, limit, device,
                                          err));
    if (sum->has_msm)
        CUZK_TRY(cuzk_cuda_msm_plan_make(&sum->msm, curve, query->group, n, limit, device, err));
    sum->bits_at = slot->results_bytes;
    slot->results_bytes += cuzk_align_up(sum->has_bits ? sum->bits.bytes : 0);
    sum->msm_at = slot->results_bytes;
    slot->results_bytes += cuzk_align_up(sum->has_msm ? sum->msm.bytes : 0);
    return CUZK_OK;
}

/* Scratch of the greediest sum, and its scalars. */
typedef struct needs {
    size_t query_bits, query_values, scratch;
} needs;

static needs find_needs(const cuzk_gpu_slot *slot)
{
    needs most = {0};
    for (int id = 0; id < CUZK_QUERIES; id++) {
        const cuzk_gpu_sum_plan *sum = &slot->sum[id];
        if (sum->has_bits) {
            most.query_bits = larger(most.query_bits, cuzk_cuda_bit_words(sum->bits.n));
            most.scratch = larger(most.scratch, sum->bits.scratch);
        }
        if (sum->has_msm) {
            most.query_values = larger(most.query_values, sum->has_bits ? sum->msm.n : 0);
            most.scratch = larger(most.scratch, sum->msm.scratch);
        }
    }
    return most;
}

/* Takes all parts from the arena; with a base of NULL it counts. */
static size_t lay_out(cuzk_gpu_slot *slot, cuzk_cuda_arena arena)
{
    const cuzk_gpu_key *key = slot->key;
    const size_t m = (size_t)1 << key->pk->log_m;
    const needs most = find_needs(slot);
    slot->bits = cuzk_cuda_arena_take(&arena, bit_bytes(key));
    slot->value = cuzk_cuda_arena_take(&arena, values(key) * sizeof *slot->value);
    slot->value_fr = cuzk_cuda_arena_take(&arena, values(key) * sizeof *slot->value_fr);
    slot->h = cuzk_cuda_arena_take(&arena, m * sizeof *slot->h);
    slot->results = cuzk_cuda_arena_take(&arena, slot->results_bytes);
    cuzk_cuda_arena products = arena, sums = arena;
    for (int i = 0; i < 3; i++)
        slot->product[i] = cuzk_cuda_arena_take(&products, m * sizeof *slot->product[i]);
    slot->query_bits = cuzk_cuda_arena_take(&sums, most.query_bits * sizeof *slot->query_bits);
    slot->query_value = cuzk_cuda_arena_take(&sums, most.query_values * sizeof *slot->query_value);
    slot->scratch = cuzk_cuda_arena_take(&sums, most.scratch);
    return larger(products.used, sums.used);
}

static cuzk_status make_plans(cuzk_gpu_slot *slot, const cuzk_cuda_info *device, size_t limit,
                              cuzk_error *err)
{
    slot->results_bytes = 0;
    for (int id = 0; id < CUZK_QUERIES; id++)
        CUZK_TRY(plan_sum(slot, (cuzk_query_id)id, device, limit, err));
    slot->bytes = lay_out(slot, (cuzk_cuda_arena){0});
    return CUZK_OK;
}

/* The sums' scratch is what the limit leaves beside everything else. */
static cuzk_status plan_within(cuzk_gpu_slot *slot, const cuzk_cuda_info *device, size_t limit,
                               cuzk_error *err)
{
    CUZK_TRY(make_plans(slot, device, 0, err));
    if (limit == 0 || slot->bytes <= limit)
        return CUZK_OK;
    const size_t others = slot->bytes - find_needs(slot).scratch;
    if (others < limit)
        CUZK_TRY(make_plans(slot, device, limit - others, err));
    if (slot->bytes <= limit)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MEMORY,
                     "a proof with this key needs %zu bytes of device memory beside the key; %zu "
                     "are allowed: use a larger card or limit",
                     slot->bytes, limit);
}

cuzk_status cuzk_gpu_slot_init(cuzk_gpu_slot *slot, const cuzk_gpu_key *key,
                               const cuzk_cuda_info *device, size_t limit, cuzk_error *err)
{
    slot->key = key;
    CUZK_TRY(plan_within(slot, device, limit, err));
    CUZK_TRY(cuzk_cuda_stream_new(&slot->stream, err));
    CUZK_TRY(cuzk_cuda_alloc((void **)&slot->memory, slot->bytes, err));
    lay_out(slot, (cuzk_cuda_arena){.base = slot->memory, .size = slot->bytes});
    slot->pinned_bytes =
        larger(bit_bytes(key) + values(key) * sizeof *slot->value, slot->results_bytes);
    return cuzk_cuda_pinned_alloc((void **)&slot->pinned, slot->pinned_bytes, err);
}

void cuzk_gpu_slot_release(cuzk_gpu_slot *slot)
{
    cuzk_cuda_free(slot->memory);
    cuzk_cuda_pinned_free(slot->pinned);
    cuzk_cuda_stream_free(slot->stream);
    *slot = (cuzk_gpu_slot){0};
}
