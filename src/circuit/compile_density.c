/* Which variables occur in A and in B, from templates: found once for each, then shifted. */
#include "circuit/compile_state.h"

#include <stdlib.h>
#include <string.h>

/* Slots of a template that occur: its aux as bits, its ports as bytes. */
typedef struct occurrence {
    uint64_t *aux;
    uint8_t *port;
} occurrence;

static void set_bit(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static void mark_template(const cuzk_compiled *c, size_t number, size_t side, occurrence *o)
{
    const cuzk_template *t = &c->template[number];
    const uint32_t *start = c->row_start + t->first_start;
    for (size_t row = 0; row < t->rows; row++) {
        for (uint32_t i = start[3 * row + side]; i < start[3 * row + side + 1]; i++) {
            const uint32_t slot = c->entry[t->first_entry + i].slot;
            if (slot >= t->base)
                set_bit(o->aux, slot - t->base);
            else
                o->port[slot] = 1;
        }
    }
}

static bool occurrence_new(occurrence *o, const cuzk_template *t)
{
    o->aux = calloc(t->locals / 64 + 1, sizeof *o->aux);
    o->port = calloc(t->ports + (size_t)1, 1);
    return o->aux != NULL && o->port != NULL;
}

static void add_shifted(uint64_t *to, const uint64_t *from, size_t bits, size_t at)
{
    const unsigned shift = at % 64;
    to += at / 64;
    for (size_t i = 0; i * 64 < bits; i++) {
        to[i] |= from[i] << shift;
        if (shift != 0 && from[i] >> (64 - shift) != 0)
            to[i + 1] |= from[i] >> (64 - shift);
    }
}

/* Sets bits for what an instance's rows hold. input may be NULL. */
static void mark_instance(const cuzk_compiled *c, const cuzk_instance *in, const occurrence *o,
                          uint64_t *aux, uint64_t *input)
{
    const cuzk_template *t = &c->template[in->template];
    add_shifted(aux, o->aux, t->locals, in->first_aux);
    for (uint32_t i = 0; i < t->ports; i++) {
        const uint32_t slot = c->binding[in->first_binding + i];
        if (o->port[1 + i] == 0)
            continue;
        if (slot >= CUZK_ROOT_BASE)
            set_bit(aux, slot - CUZK_ROOT_BASE);
        else if (input != NULL)
            set_bit(input, slot);
    }
    if (o->port[0] != 0 && input != NULL)
        set_bit(input, 0);
}

static void mark_root(const cuzk_compiled *c, size_t side, uint64_t *aux, uint64_t *input)
{
    const cuzk_template *t = &c->template[0];
    const uint32_t *start = c->row_start + t->first_start;
    for (size_t row = 0; row < t->rows; row++) {
        for (uint32_t i = start[3 * row + side]; i < start[3 * row + side + 1]; i++) {
            const uint32_t slot = c->entry[t->first_entry + i].slot;
            if (slot >= CUZK_ROOT_BASE)
                set_bit(aux, slot - CUZK_ROOT_BASE);
            else if (input != NULL)
                set_bit(input, slot);
        }
    }
}

static bool mark_side(const cuzk_compiled *c, size_t side, uint64_t *aux, uint64_t *input)
{
    occurrence *o = calloc(c->templates, sizeof *o);
    bool good = o != NULL;
    for (size_t t = 1; t < c->templates && good; t++) {
        good = occurrence_new(&o[t], &c->template[t]);
        if (good)
            mark_template(c, t, side, &o[t]);
    }
    for (size_t i = 0; i < c->instances && good; i++)
        mark_instance(c, &c->instance[i], &o[c->instance[i].template], aux, input);
    if (good)
        mark_root(c, side, aux, input);
    for (size_t t = 1; t < c->templates && o != NULL; t++) {
        free(o[t].aux);
        free(o[t].port);
    }
    free(o);
    return good;
}

cuzk_status cuzk_compiled_densities(const cuzk_compiled *compiled, uint64_t *a_aux, uint64_t *b_aux,
                                    uint64_t *b_input, cuzk_error *err)
{
    const size_t words = ((size_t)compiled->counts->aux + 63) / 64;
    memset(a_aux, 0, words * sizeof *a_aux);
    memset(b_aux, 0, words * sizeof *b_aux);
    memset(b_input, 0, ((size_t)compiled->counts->inputs + 63) / 64 * sizeof *b_input);
    if (!mark_side(compiled, 0, a_aux, NULL) || !mark_side(compiled, 1, b_aux, b_input))
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit's densities");
    return CUZK_OK;
}
