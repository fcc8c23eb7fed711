/* Making witnesses: level by level, batches of a level on all threads. */
#include "circuit/witness.h"

#include "base/memory.h"
#include "circuit/witness_run.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>

/* The most of each kind that a bench needs. */
typedef struct needs {
    size_t bits, values, terms;
} needs;

static void need_terms(const cuzk_compiled *c, size_t number, needs *n)
{
    const cuzk_template *t = &c->template[number];
    for (uint32_t i = 0; i < t->steps; i++) {
        const cuzk_step *s = &c->step[t->first_step + i];
        const uint32_t *arg = c->arg + t->first_arg + s->arg;
        if (s->kind != CUZK_STEP_QUAD)
            continue;
        const size_t terms = (size_t)arg[0] + arg[1] + arg[2];
        n->terms = terms > n->terms ? terms : n->terms;
    }
}

static needs find_needs(const cuzk_compiled *c)
{
    needs n = {1, 1, 1};
    for (size_t t = 0; t < c->templates; t++) {
        const cuzk_template_plan *p = &c->plan[t];
        const size_t values = (size_t)p->wides * p->lanes;
        n.bits = p->bits > n.bits ? p->bits : n.bits;
        n.values = values > n.values ? values : n.values;
        need_terms(c, t, &n);
    }
    n.values = n.terms + 1 > n.values ? n.terms + 1 : n.values; /* the root brings them together */
    return n;
}

static size_t bench_bytes(const needs *n)
{
    return cuzk_align_up(n->bits * sizeof(cuzk_lane_bits)) +
           cuzk_align_up(n->values * sizeof(cuzk_fr)) +
           cuzk_align_up(n->terms * sizeof(cuzk_entry)) +
           2 * cuzk_align_up(n->terms * sizeof(uint32_t));
}

static void lay_out(cuzk_bench *b, uint8_t *at, const needs *n)
{
    b->bit = (void *)at;
    at += cuzk_align_up(n->bits * sizeof(cuzk_lane_bits));
    b->frame = (void *)at;
    at += cuzk_align_up(n->values * sizeof(cuzk_fr));
    b->term = (void *)at;
    at += cuzk_align_up(n->terms * sizeof(cuzk_entry));
    b->bit_place = (void *)at;
    at += cuzk_align_up(n->terms * sizeof(uint32_t));
    b->bit_coef = (void *)at;
}

static size_t bit_words(const cuzk_compiled *c)
{
    return (size_t)c->counts->aux / 64 + 1;
}

size_t cuzk_witness_bytes(const cuzk_compiled *compiled)
{
    return bit_words(compiled) * sizeof(uint64_t) +
           (compiled->wides + compiled->counts->inputs) * sizeof(cuzk_fr);
}

size_t cuzk_witness_scratch(const cuzk_compiled *compiled, unsigned threads)
{
    const needs n = find_needs(compiled);
    return threads * (bench_bytes(&n) + sizeof(cuzk_bench));
}

static void run_tile(void *context, size_t tile, unsigned worker)
{
    const cuzk_run *run = context;
    const cuzk_batch *batch = &run->batch[tile];
    if (batch->template == 0)
        cuzk_run_root(run, &run->bench[worker], batch);
    else
        cuzk_run_instances(run, &run->bench[worker], batch);
}

static cuzk_status run_all(cuzk_run *run, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_schedule *s = &run->c->schedule;
    const size_t threads = pool != NULL ? cuzk_pool_threads(pool) : 1;
    const needs n = find_needs(run->c);
    uint8_t *scratch = cuzk_memory_new(threads, bench_bytes(&n));
    run->bench = calloc(threads, sizeof *run->bench);
    if (scratch == NULL || run->bench == NULL) {
        free(scratch);
        free(run->bench);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to make a witness on %zu threads",
                         threads);
    }
    for (size_t i = 0; i < threads; i++)
        lay_out(&run->bench[i], scratch + i * bench_bytes(&n), &n);
    for (size_t level = 0; level < s->levels; level++) {
        run->batch = s->batch + s->level_start[level];
        cuzk_pool_run(pool, s->level_start[level + 1] - s->level_start[level], run_tile, run);
    }
    explicit_bzero(scratch, threads * bench_bytes(&n));
    free(scratch);
    free(run->bench);
    return CUZK_OK;
}

static cuzk_status check_request(const cuzk_compiled *c, const cuzk_circuit_inputs *request,
                                 cuzk_error *err)
{
    if (request->n_field != c->counts->field || request->n_word != c->counts->word)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "circuit %s: the request brings %zu field elements and %zu words; "
                         "expected %u and %u",
                         c->names, request->n_field, request->n_word, c->counts->field,
                         c->counts->word);
    for (size_t i = 0; i < request->n_field; i++) {
        if (!bls12_381_fr_limbs_valid(request->field[i].l))
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "circuit %s: field element %zu of the request is not below the order",
                             c->names, i);
    }
    return CUZK_OK;
}

static bool allocate(cuzk_witness *w, const cuzk_compiled *c)
{
    *w = (cuzk_witness){c->counts->inputs, c->counts->aux, c->wides, NULL, NULL, NULL};
    w->input = calloc(w->inputs, sizeof *w->input);
    w->bits = calloc(bit_words(c), sizeof *w->bits);
    w->value = cuzk_memory_new(w->wide, sizeof *w->value);
    if (w->input == NULL || w->bits == NULL || w->value == NULL)
        return false;
    bls12_381_fr_set_one(&w->input[0]);
    return true;
}

cuzk_status cuzk_witness_make(cuzk_witness *witness, const cuzk_compiled *compiled,
                              const cuzk_circuit_inputs *request, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_run run = {
        .c = compiled, .request = request, .ops = cuzk_dot_ops_selected(), .w = witness};
    *witness = (cuzk_witness){0};
    CUZK_TRY(check_request(compiled, request, err));
    cuzk_status status = CUZK_ERR_MEMORY;
    if (allocate(witness, compiled))
        status = run_all(&run, pool, err);
    else
        cuzk_fail(err, status, "no memory for a witness of %zu bytes",
                  cuzk_witness_bytes(compiled));
    if (status != CUZK_OK)
        cuzk_witness_release(witness);
    return status;
}

void cuzk_witness_release(cuzk_witness *witness)
{
    if (witness->input != NULL)
        explicit_bzero(witness->input, witness->inputs * sizeof *witness->input);
    if (witness->bits != NULL)
        explicit_bzero(witness->bits, (witness->aux / 64 + 1) * sizeof *witness->bits);
    if (witness->value != NULL)
        explicit_bzero(witness->value, witness->wide * sizeof *witness->value);
    free(witness->input);
    free(witness->bits);
    free(witness->value);
    *witness = (cuzk_witness){0};
}

void cuzk_compiled_wide(const cuzk_compiled *compiled, uint32_t *index)
{
    for (size_t i = 0; i * 64 < compiled->counts->aux; i++) {
        for (uint64_t word = compiled->wide.word[i]; word != 0; word &= word - 1)
            *index++ = (uint32_t)(64 * i + (size_t)__builtin_ctzll(word));
    }
}

const cuzk_packed_map *cuzk_compiled_packed_map(const cuzk_compiled *compiled)
{
    return &compiled->packed;
}

void cuzk_witness_values(const cuzk_compiled *compiled, const cuzk_witness *witness,
                         cuzk_scalar *value)
{
    for (size_t i = 0; i < witness->inputs; i++)
        bls12_381_fr_to_canon(value++, &witness->input[i]);
    for (size_t i = 0; i < compiled->wides; i++)
        bls12_381_fr_to_canon(value++, &witness->value[i]);
}

void cuzk_witness_get(const cuzk_compiled *compiled, const cuzk_witness *witness, size_t aux,
                      cuzk_fr *value)
{
    const uint32_t slot = CUZK_ROOT_BASE + (uint32_t)aux;
    if (cuzk_wide_has(&compiled->wide, aux))
        *value = *cuzk_wide_value(compiled, witness, slot);
    else
        bls12_381_fr_from_u64(value, cuzk_read_bit(witness, slot));
}

void cuzk_witness_expand(const cuzk_compiled *compiled, const cuzk_witness *witness, cuzk_scalar *z)
{
    const cuzk_fr *value = witness->value;
    for (size_t i = 0; i < witness->inputs; i++)
        bls12_381_fr_to_canon(z++, &witness->input[i]);
    for (size_t i = 0; i < witness->aux; i++, z++) {
        if (cuzk_wide_has(&compiled->wide, i))
            bls12_381_fr_to_canon(z, value++);
        else
            *z = (cuzk_scalar){{witness->bits[i / 64] >> (i % 64) & 1, 0, 0, 0}};
    }
}
