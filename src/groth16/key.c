/* Making a proving key: the order is cheap checks first, then the queries one at a time (query.c),
 * so that a bad file is refused before gigabytes are touched. */
#include "groth16/key.h"

#include "base/memory.h"
#include "groth16/key_check.h"
#include "groth16/query.h"
#include "groth16/verify.h"

#include <stdlib.h>
#include <string.h>

void cuzk_pk_source_release(cuzk_pk_source *source)
{
    cuzk_vk_release(&source->vk);
    free(source->coefs.value);
    source->coefs = (cuzk_coefs){0};
    cuzk_matrix_release(&source->mat_a);
    cuzk_matrix_release(&source->mat_b);
    cuzk_matrix_release(&source->mat_c);
}

void cuzk_pk_free(cuzk_pk *pk)
{
    if (pk == NULL)
        return;
    cuzk_verifier_free(pk->verifier);
    free(pk->plan_memory);
    cuzk_query_release(&pk->a);
    cuzk_query_release(&pk->b1);
    cuzk_query_release(&pk->b2);
    cuzk_query_release(&pk->l);
    cuzk_query_release(&pk->h);
    cuzk_vk_release(&pk->vk);
    free(pk->coefs.value);
    cuzk_matrix_release(&pk->mat_a);
    cuzk_matrix_release(&pk->mat_b);
    cuzk_matrix_release(&pk->mat_c);
    free(pk);
}

static cuzk_status load_queries(cuzk_pk *pk, const cuzk_pk_source *source, uint32_t flags,
                                cuzk_pool *pool, cuzk_error *err)
{
    bool check = (flags & CUZK_PK_SKIP_CHECK) == 0;
    uint32_t first_private = (uint32_t)source->vk.n_public + 1;
    const struct {
        cuzk_query *query;
        const struct cuzk_query_source *from;
        const char *what;
        cuzk_group group;
        uint32_t offset;
    } parts[] = {{&pk->a, &source->a, "a", CUZK_G1, 0},
                 {&pk->b1, &source->b1, "b1", CUZK_G1, 0},
                 {&pk->b2, &source->b2, "b2", CUZK_G2, 0},
                 {&pk->l, &source->l, "l", CUZK_G1, first_private},
                 {&pk->h, &source->h, "h", CUZK_G1, 0}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        cuzk_query_place place = {.curve = source->vk.curve,
                                  .group = parts[i].group,
                                  .offset = parts[i].offset,
                                  .name = source->name,
                                  .what = parts[i].what,
                                  .check = check};
        CUZK_TRY(cuzk_query_load(parts[i].query, &pk->bytes, parts[i].from, &place, pool, err));
    }
    return CUZK_OK;
}

/* How much scratch a proof takes depends on it. */
static void count_wide(cuzk_pk *pk, const cuzk_packed_map *map)
{
    cuzk_query *queries[] = {&pk->a, &pk->b1, &pk->b2, &pk->l};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        cuzk_query *query = queries[i];
        const cuzk_packed_range range = {query->index, query->offset, query->n};
        query->n_wide = cuzk_packed_count(map, &range);
    }
}

static cuzk_status make_plan(cuzk_pk *pk, const cuzk_pk_source *source, cuzk_pool *pool,
                             cuzk_error *err)
{
    const cuzk_curve *curve = source->vk.curve;
    size_t bytes = cuzk_ntt_plan_bytes(curve, source->log_m);
    pk->plan_memory = cuzk_memory_new(bytes, 1);
    if (pk->plan_memory == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu bytes of transform tables",
                         source->name, bytes);
    pk->plan = cuzk_ntt_plan_init(pk->plan_memory, curve, source->log_m, &source->omega, pool);
    pk->bytes += bytes;
    return CUZK_OK;
}

static size_t matrix_bytes(const cuzk_matrix *matrix)
{
    if (matrix->rows == 0)
        return 0;
    return (matrix->rows + 1) * sizeof *matrix->row_start +
           matrix->row_start[matrix->rows] * (sizeof *matrix->col + sizeof *matrix->coef);
}

/* Cannot fail: from here on the key owns what the source owned. */
static void move_source(cuzk_pk *pk, cuzk_pk_source *source)
{
    pk->vk = source->vk;
    pk->coefs = source->coefs;
    pk->mat_a = source->mat_a;
    pk->mat_b = source->mat_b;
    pk->mat_c = source->mat_c;
    pk->beta_g1 = source->beta_g1;
    pk->delta_g1 = source->delta_g1;
    pk->h_kind = source->h_kind;
    pk->log_m = source->log_m;
    pk->omega = source->omega;
    pk->coset = source->coset;
    pk->vars = source->vars;
    pk->rows = source->rows;
    pk->packed = source->packed;
    memcpy(pk->digest, source->digest, sizeof pk->digest);
    pk->bytes += sizeof *pk + matrix_bytes(&pk->mat_a) + matrix_bytes(&pk->mat_b) +
                 matrix_bytes(&pk->mat_c) + pk->coefs.count * sizeof *pk->coefs.value +
                 (pk->vk.n_public + 1) * pk->vk.curve->g1_words * sizeof(uint64_t);
    memset(source, 0, sizeof *source);
}

cuzk_status cuzk_pk_new(cuzk_pk **pk, cuzk_pk_source *source, uint32_t flags, cuzk_pool *pool,
                        cuzk_error *err)
{
    CUZK_TRY(cuzk_pk_source_check(source, (flags & CUZK_PK_ALLOW_INSECURE) != 0, err));
    cuzk_pk *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the key", source->name);
    cuzk_status status = load_queries(made, source, flags, pool, err);
    if (status == CUZK_OK && source->packed != NULL)
        count_wide(made, source->packed);
    if (status == CUZK_OK)
        status = make_plan(made, source, pool, err);
    if (status == CUZK_OK)
        status = cuzk_verifier_new(&made->verifier, &source->vk, pool, err);
    if (status != CUZK_OK) {
        cuzk_pk_free(made);
        return status;
    }
    move_source(made, source);
    *pk = made;
    return CUZK_OK;
}
