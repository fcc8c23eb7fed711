#include "circuit/direct_state.h"

#include "field/bls12_381_fr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_A = 1, SEEN_B = 2 };

static cuzk_direct *self(cuzk_cs *cs)
{
    return (cuzk_direct *)cs; /* its first member */
}

/* Makes room for place n in an array of flags. */
static bool reserve_flags(uint8_t **flags, size_t *room, size_t n)
{
    if (n < *room)
        return true;
    const size_t more = n < 512 ? 1024 : 2 * n;
    uint8_t *fresh = realloc(*flags, more);
    if (fresh == NULL)
        return false;
    memset(fresh + *room, 0, more - *room);
    *flags = fresh;
    *room = more;
    return true;
}

static cuzk_var alloc(cuzk_cs *cs, const cuzk_op *op)
{
    cuzk_direct *d = self(cs);
    const size_t first = d->counts.aux;
    if (first + op->n > ~CUZK_VAR_SPACE) {
        cuzk_cs_fail(cs, CUZK_ERR_ARGUMENT, "circuit: more than %u aux variables",
                     (unsigned)~CUZK_VAR_SPACE);
        return 0;
    }
    d->counts.aux += op->n;
    if (!reserve_flags(&d->seen, &d->seen_room, d->counts.aux))
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for %zu aux variables", d->counts.aux);
    else if (d->options.inputs != NULL)
        cuzk_direct_evaluate(d, &d->aux, op);
    else if (op->kind == CUZK_OP_FIELD)
        d->next_field++;
    return (cuzk_var)first;
}

static cuzk_var alloc_input(cuzk_cs *cs, const cuzk_op *op)
{
    cuzk_direct *d = self(cs);
    const size_t place = d->counts.inputs++;
    if (!reserve_flags(&d->seen_input, &d->seen_input_room, place))
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for %zu public inputs", place);
    else if (d->options.inputs != NULL)
        cuzk_direct_evaluate(d, &d->input, op);
    return CUZK_VAR_INPUT | (cuzk_var)place;
}

static uint32_t take_word(cuzk_cs *cs)
{
    cuzk_direct *d = self(cs);
    const cuzk_circuit_inputs *inputs = d->options.inputs;
    if (inputs != NULL && d->next_word >= inputs->n_word) {
        cuzk_cs_fail(cs, CUZK_ERR_FORMAT, "circuit inputs: %zu words, the circuit takes more",
                     inputs->n_word);
        return 0;
    }
    return (uint32_t)d->next_word++;
}

static void call(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports, cuzk_bit *results)
{
    cuzk_direct *d = self(cs);
    if (d->depth < CUZK_DIRECT_DEPTH)
        d->path[d->depth] = gadget->name;
    d->depth++;
    gadget->fn(cs, gadget->params, ports, results);
    d->depth--;
}

static void count_a(cuzk_direct *d, const cuzk_lc *lc)
{
    d->counts.nnz_a += lc->n;
    for (size_t i = 0; i < lc->n; i++) {
        const cuzk_var var = lc->term[i].var;
        if ((var & CUZK_VAR_SPACE) == 0 && (d->seen[var] & SEEN_A) == 0) {
            d->seen[var] |= SEEN_A;
            d->counts.a_aux++;
        }
    }
}

static void count_b(cuzk_direct *d, const cuzk_lc *lc)
{
    d->counts.nnz_b += lc->n;
    for (size_t i = 0; i < lc->n; i++) {
        const cuzk_var var = lc->term[i].var;
        const bool aux = (var & CUZK_VAR_SPACE) == 0;
        uint8_t *seen = aux ? &d->seen[var] : &d->seen_input[var & ~CUZK_VAR_SPACE];
        if ((*seen & SEEN_B) == 0) {
            *seen |= SEEN_B;
            ++*(aux ? &d->counts.b_aux : &d->counts.b_input);
        }
    }
}

static void write_path(char *text, size_t room, const cuzk_direct *d)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < d->depth && i < CUZK_DIRECT_DEPTH && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", i > 0 ? " / " : "", d->path[i]);
}

static void evaluate_row(cuzk_direct *d, const cuzk_lc *const lc[3])
{
    cuzk_fr v[3], product;
    for (int i = 0; i < 3; i++)
        cuzk_direct_dot(d, &v[i], lc[i]);
    if (d->options.on_row != NULL)
        d->options.on_row(d->options.user, &v[0], &v[1], &v[2]);
    bls12_381_fr_mul(&product, &v[0], &v[1]);
    if (d->violated || bls12_381_fr_equal(&product, &v[2]))
        return;
    d->violated = true;
    d->violation = (cuzk_row_violation){.row = d->counts.rows, .a = v[0], .b = v[1], .c = v[2]};
    write_path(d->violation.path, sizeof d->violation.path, d);
}

static void enforce(cuzk_cs *cs, const cuzk_lc *a, const cuzk_lc *b, const cuzk_lc *c)
{
    cuzk_direct *d = self(cs);
    const cuzk_lc *const lc[3] = {a, b, c};
    count_a(d, a);
    count_b(d, b);
    d->counts.nnz_c += c->n;
    if (d->options.inputs != NULL)
        evaluate_row(d, lc);
    if (d->options.hash_of != NULL) {
        for (int i = 0; i < 3; i++)
            cuzk_direct_hash_lc(d, lc[i]);
    }
    if (d->options.r1cs)
        cuzk_direct_matrices_row(d, lc);
    d->counts.rows++;
}

static const cuzk_cs_ops direct_ops = {alloc, alloc_input, enforce, take_word, call};

static cuzk_status start(cuzk_direct *d, cuzk_error *err)
{
    cuzk_fr one;
    d->counts.inputs = 1;
    bls12_381_fr_set_one(&one);
    if (!reserve_flags(&d->seen_input, &d->seen_input_room, 0) ||
        !cuzk_value_append(&d->input, &one))
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a constraint system");
    if (d->options.hash_of != NULL)
        CUZK_TRY(cuzk_direct_hash_start(d, err));
    if (d->options.r1cs)
        CUZK_TRY(cuzk_direct_matrices_start(d, err));
    return CUZK_OK;
}

cuzk_status cuzk_direct_new(cuzk_direct **direct, const cuzk_direct_options *options,
                            cuzk_error *err)
{
    cuzk_direct *d = calloc(1, sizeof *d);
    if (d == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a constraint system");
    d->cs.ops = &direct_ops;
    d->options = *options;
    if (options->hash_of != NULL)
        d->hash_of = *options->hash_of;
    const cuzk_status status = start(d, err);
    if (status != CUZK_OK) {
        cuzk_direct_free(d);
        return status;
    }
    *direct = d;
    return CUZK_OK;
}

void cuzk_direct_free(cuzk_direct *direct)
{
    if (direct == NULL)
        return;
    free(direct->seen);
    free(direct->seen_input);
    free(direct->aux.value);
    free(direct->input.value);
    cuzk_direct_hash_release(direct);
    cuzk_direct_matrices_release(direct);
    free(direct);
}

cuzk_status cuzk_direct_run(cuzk_direct *direct, const cuzk_circuit *circuit, cuzk_error *err)
{
    const cuzk_circuit_inputs *inputs = direct->options.inputs;
    circuit->build(&direct->cs, circuit->params);
    if (direct->cs.error.status != CUZK_OK) {
        (void)cuzk_fail_context(&direct->cs.error, "circuit %s", circuit->name);
        return cuzk_cs_status(&direct->cs, err);
    }
    if (inputs != NULL &&
        (direct->next_field != inputs->n_field || direct->next_word != inputs->n_word))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "circuit %s: inputs: %zu field elements and %zu words, the circuit takes "
                         "%zu and %zu",
                         circuit->name, inputs->n_field, inputs->n_word, direct->next_field,
                         direct->next_word);
    return CUZK_OK;
}

cuzk_cs *cuzk_direct_cs(cuzk_direct *direct)
{
    return &direct->cs;
}

const cuzk_circuit_counts *cuzk_direct_counts(const cuzk_direct *direct)
{
    return &direct->counts;
}

const cuzk_fr *cuzk_direct_aux(const cuzk_direct *direct)
{
    return direct->aux.value;
}

const cuzk_fr *cuzk_direct_inputs(const cuzk_direct *direct)
{
    return direct->input.value;
}

const cuzk_row_violation *cuzk_direct_violation(const cuzk_direct *direct)
{
    return direct->violated ? &direct->violation : NULL;
}

cuzk_status cuzk_circuit_count(const cuzk_circuit *circuit, cuzk_circuit_counts *counts,
                               cuzk_error *err)
{
    cuzk_direct *d;
    CUZK_TRY(cuzk_direct_new(&d, &(cuzk_direct_options){0}, err));
    const cuzk_status status = cuzk_direct_run(d, circuit, err);
    if (status == CUZK_OK)
        *counts = d->counts;
    cuzk_direct_free(d);
    return status;
}
