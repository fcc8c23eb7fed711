/* Products of a Filecoin circuit's rows with a packed witness, on a card: checked against the host,
 * then timed. Usage: products_bench [circuit...]; default: porep-32g update-32g winning-32g. */
#include "support/timing.h"

#include "circuit/filecoin/registry.h"
#include "circuit/product.h"
#include "circuit/product_shared.h"
#include "compute/cuda/cuda_ntt.h"
#include "compute/cuda/products.h"
#include "compute/cuda/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_RATE 4.3e9 /* bytes per millisecond: a copy on an H200 */
#define CHUNK       ((size_t)1 << 22)

typedef struct run {
    cuzk_compiled *circuit;
    cuzk_compiled_info info;
    cuzk_witness witness;
    cuzk_cuda_rows rows;
    size_t size; /* of the domain */
    const cuzk_packed_map *map;
    cuzk_scalar *host_value;
    uint64_t *bits;
    cuzk_scalar *canonical;
    cuzk_fr *value, *out[3];
} run;

/* A request of random elements and words: its witness is shaped like a true one. */
static void make_witness(run *r, cuzk_pool *pool)
{
    uint64_t state = 88172645463325252;
    const cuzk_compiled_info *info = &r->info;
    cuzk_scalar *field = bench_host(info->field * sizeof *field);
    uint64_t *word = bench_host(info->word * sizeof *word);
    for (size_t i = 0; i < 4 * info->field; i++)
        ((uint64_t *)field)[i] = bench_random(&state) >> (i % 4 == 3 ? 2 : 0);
    for (size_t i = 0; i < info->word; i++)
        word[i] = bench_random(&state);
    const cuzk_circuit_inputs request = {field, info->field, word, info->word};
    BENCH_OK(cuzk_witness_make(&r->witness, r->circuit, &request, pool, &error));
    free(field);
    free(word);
    r->host_value = bench_host(r->map->wide * sizeof *r->host_value);
    cuzk_witness_values(r->circuit, &r->witness, r->host_value);
}

static void count_terms(const cuzk_shared_rows *shared)
{
    for (int s = 0; s < 3; s++) {
        const cuzk_shared_side *side = &shared->side[s];
        double lines[2] = {0}, terms[2] = {0};
        for (size_t i = 0; i < side->n_light + side->n_heavy; i++) {
            const int heavy = i >= side->n_light;
            const cuzk_shared_group *g = heavy ? &side->heavy[i - side->n_light] : &side->light[i];
            lines[heavy] += (double)g->lines * g->instances;
            terms[heavy] +=
                (double)g->instances * (side->line[g->first_line + g->lines].first_term -
                                        side->line[g->first_line].first_term);
        }
        printf("  %c: light lines %.1f M, terms %.1f M; heavy lines %.2f M, terms %.1f M\n",
               "ABC"[s], lines[0] / 1e6, terms[0] / 1e6, lines[1] / 1e6, terms[1] / 1e6);
    }
}

static void load(run *r, cuzk_stream stream)
{
    cuzk_shared_rows shared;
    BENCH_OK(cuzk_compiled_shared_rows(r->circuit, &shared, &error));
    const size_t bytes = cuzk_cuda_rows_bytes(&shared);
    printf("  %zu rows, %zu bits, %zu values; rows on the device %.1f MB\n", shared.rows,
           r->info.aux, r->map->wide, (double)bytes / 1e6);
    count_terms(&shared);
    BENCH_OK(cuzk_cuda_rows_load(&r->rows, &shared, bench_alloc(bytes), stream, &error));
    cuzk_shared_rows_release(&shared);
    for (r->size = 1; r->size < r->rows.rows;)
        r->size *= 2;
    r->bits = bench_alloc((r->info.aux + 63) / 64 * 8);
    r->canonical = bench_alloc(r->map->wide * sizeof *r->canonical);
    r->value = bench_alloc(r->map->wide * sizeof *r->value);
    for (int i = 0; i < 3; i++)
        r->out[i] = bench_alloc(r->size * sizeof *r->out[i]);
}

static void upload(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(
        cuzk_cuda_upload(r->bits, r->witness.bits, (r->info.aux + 63) / 64 * 8, stream, &error));
    BENCH_OK(cuzk_cuda_upload(r->canonical, r->host_value, r->map->wide * sizeof *r->canonical,
                              stream, &error));
}

static void import(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(
        cuzk_cuda_fr_import(r->rows.curve, r->value, r->canonical, r->map->wide, stream, &error));
}

static void multiply_a(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(cuzk_cuda_products(&r->rows, r->bits, r->value, r->out[0], NULL, NULL, r->size, stream,
                                &error));
}

static void multiply_b(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(cuzk_cuda_products(&r->rows, r->bits, r->value, NULL, r->out[1], NULL, r->size, stream,
                                &error));
}

static void multiply_c(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(cuzk_cuda_products(&r->rows, r->bits, r->value, NULL, NULL, r->out[2], r->size, stream,
                                &error));
}

static void multiply_both(void *context, cuzk_stream stream)
{
    const run *r = context;
    BENCH_OK(cuzk_cuda_products(&r->rows, r->bits, r->value, r->out[0], r->out[1], NULL, r->size,
                                stream, &error));
}

/* Every row of A, B and C against the host's. */
static void compare(const run *r, cuzk_pool *pool, cuzk_stream stream)
{
    cuzk_fr *host[3], *device = bench_host(CHUNK * sizeof *device);
    for (int s = 0; s < 3; s++)
        host[s] = bench_host(CHUNK * sizeof *host[s]);
    for (size_t first = 0; first < r->rows.rows; first += CHUNK) {
        const size_t rest = r->rows.rows - first, n = rest < CHUNK ? rest : CHUNK;
        BENCH_OK(cuzk_compiled_products(r->circuit, &r->witness, first, n, host[0], host[1],
                                        host[2], pool, &error));
        for (int s = 0; s < 3; s++) {
            BENCH_OK(
                cuzk_cuda_download(device, r->out[s] + first, n * sizeof *device, stream, &error));
            BENCH_OK(cuzk_cuda_stream_wait(stream, &error));
            if (memcmp(device, host[s], n * sizeof *device) != 0) {
                fprintf(stderr, "side %d differs among rows %zu ...\n", s, first);
                exit(1);
            }
        }
    }
    printf("  all rows equal those of the host\n");
    for (int s = 0; s < 3; s++)
        free(host[s]);
    free(device);
}

static void bench_circuit(const char *name, cuzk_pool *pool, cuzk_stream stream)
{
    run r = {0};
    cuzk_fil_proof proof;
    printf("%s\n", name);
    BENCH_OK(cuzk_fil_circuit_find(&proof, name, &error));
    BENCH_OK(cuzk_fil_circuit_compile(&r.circuit, &proof, &error));
    cuzk_compiled_describe(r.circuit, &r.info);
    r.map = cuzk_compiled_packed_map(r.circuit);
    make_witness(&r, pool);
    load(&r, stream);
    const double values = (double)r.map->wide, rows = (double)r.rows.rows;
    const double column = 32 * (double)r.size / MEMORY_RATE;
    bench_report("upload of bits and values, pageable", values, bench_time(upload, &r, stream), 0);
    bench_report("values to Montgomery form", values, bench_time(import, &r, stream),
                 64 * values / MEMORY_RATE);
    bench_report("products A", rows, bench_time(multiply_a, &r, stream), column);
    bench_report("products B", rows, bench_time(multiply_b, &r, stream), column);
    bench_report("products C", rows, bench_time(multiply_c, &r, stream), column);
    bench_report("products A and B", 2 * rows, bench_time(multiply_both, &r, stream), 2 * column);
    compare(&r, pool, stream);
    BENCH_OK(cuzk_cuda_health(&error));
    for (int i = 0; i < 3; i++)
        cuzk_cuda_free(r.out[i]);
    cuzk_cuda_free(r.bits);
    cuzk_cuda_free(r.canonical);
    cuzk_cuda_free(r.value);
    cuzk_witness_release(&r.witness);
    cuzk_compiled_free(r.circuit);
    free(r.host_value);
}

int main(int argc, char **argv)
{
    const char *usual[] = {"porep-32g", "update-32g", "winning-32g"};
    cuzk_pool *pool = cuzk_pool_new(0);
    cuzk_stream stream = bench_open();
    for (int i = 1; i < argc; i++)
        bench_circuit(argv[i], pool, stream);
    for (size_t i = 0; argc == 1 && i < sizeof usual / sizeof *usual; i++)
        bench_circuit(usual[i], pool, stream);
    cuzk_cuda_stream_free(stream);
    cuzk_pool_free(pool);
    return 0;
}
