/* A compiled circuit's rows as shared rows: each template's sides become lines, light ones first;
 * the root, with the rows for public inputs, is a template of one instance whose numbers are those
 * of the circuit. */
#include "circuit/product_shared.h"

#include "circuit/compile_state.h"

#include <stdlib.h>

typedef struct maker {
    const cuzk_compiled *c;
    cuzk_shared_rows *rows;
    uint32_t *root_row;       /* in the circuit, of each row of the root */
    uint32_t *first_instance; /* of each template, in the new order */
} maker;

static uint32_t value_number(const cuzk_compiled *c, uint32_t slot)
{
    if (slot < CUZK_ROOT_BASE)
        return slot;
    return c->counts->inputs + (uint32_t)cuzk_wide_before(&c->wide, slot - CUZK_ROOT_BASE);
}

/* --- instances, ports, the root's rows --- */

static void set_instance(const maker *m, const cuzk_instance *in, cuzk_shared_instance *to)
{
    const cuzk_compiled *c = m->c;
    const cuzk_template *t = &c->template[in->template];
    *to = (cuzk_shared_instance){.first_row = in->first_row,
                                 .first_bit = in->first_aux,
                                 .first_value = value_number(c, CUZK_ROOT_BASE + in->first_aux),
                                 .first_port = in->first_binding};
    for (uint32_t i = 0; i < t->ports; i++) {
        const uint32_t slot = c->binding[in->first_binding + i];
        uint32_t *port = &m->rows->port[in->first_binding + i];
        if (c->port[t->first_port + i] != 0)
            *port = value_number(c, slot);
        else
            *port = slot < CUZK_ROOT_BASE ? CUZK_PORT_ONE : slot - CUZK_ROOT_BASE;
    }
}

/* Instances by template, the root last. */
static void set_instances(const maker *m)
{
    const cuzk_compiled *c = m->c;
    for (uint32_t t = 1, first = 0; t < c->templates; t++) {
        m->first_instance[t] = first;
        first += c->plan[t].calls;
    }
    m->first_instance[0] = (uint32_t)c->instances;
    m->rows->instance[c->instances] = (cuzk_shared_instance){0};
    for (size_t i = 0; i < c->instances; i++)
        set_instance(m, &c->instance[i],
                     &m->rows->instance[m->first_instance[c->instance[i].template]++]);
    for (uint32_t t = 1; t < c->templates; t++)
        m->first_instance[t] -= c->plan[t].calls;
}

/* Instance i comes after root_row rows of the root. */
static void set_root_rows(const maker *m)
{
    const cuzk_compiled *c = m->c;
    uint32_t shift = 0;
    size_t next = 0;
    for (uint32_t row = 0; row < c->template[0].rows; row++) {
        while (next < c->instances && c->instance[next].root_row <= row)
            shift += c->template[c->instance[next++].template].rows;
        m->root_row[row] = row + shift;
    }
}

/* --- lines --- */

/* What a slot of a template or the root reads. */
static cuzk_shared_term operand(const cuzk_compiled *c, uint32_t template, uint32_t slot)
{
    const cuzk_template *t = &c->template[template];
    if (slot == 0)
        return (cuzk_shared_term){0, CUZK_TERM_ONE};
    if (template == 0) {
        const bool bit = slot >= CUZK_ROOT_BASE && !cuzk_wide_has(&c->wide, slot - CUZK_ROOT_BASE);
        return bit ? (cuzk_shared_term){slot - CUZK_ROOT_BASE, CUZK_TERM_BIT}
                   : (cuzk_shared_term){value_number(c, slot), CUZK_TERM_VALUE};
    }
    const cuzk_template_plan *p = &c->plan[template];
    const bool wide = (p->place[slot] & CUZK_PLACE_WIDE) != 0;
    if (slot < t->base)
        return (cuzk_shared_term){slot - 1, wide ? CUZK_TERM_PORT_VALUE : CUZK_TERM_PORT_BIT};
    if (!wide)
        return (cuzk_shared_term){slot - t->base, CUZK_TERM_BIT};
    return (cuzk_shared_term){(p->place[slot] & ~CUZK_PLACE_WIDE) - 1 - p->wide_ports,
                              CUZK_TERM_VALUE};
}

static bool is_light(const cuzk_compiled *c, uint32_t template, const cuzk_entry *e, size_t n)
{
    int64_t sum = 0;
    if (n > CUZK_LIGHT_TERMS)
        return false;
    for (size_t i = 0; i < n; i++) {
        const int64_t coef = c->small[e[i].coef];
        const uint32_t kind = operand(c, template, e[i].slot).coef;
        sum += coef < 0 ? -coef : coef;
        if (coef == 0 || kind == CUZK_TERM_VALUE || kind == CUZK_TERM_PORT_VALUE)
            return false;
    }
    return sum <= CUZK_LIGHT_MAX;
}

static void add_line(const maker *m, cuzk_shared_side *side, uint32_t template, uint32_t row,
                     bool light, const cuzk_entry *e, size_t n)
{
    const cuzk_compiled *c = m->c;
    side->line[side->lines++] = (cuzk_shared_line){row, (uint32_t)side->terms};
    for (size_t i = 0; i < n; i++) {
        cuzk_shared_term term = operand(c, template, e[i].slot);
        term.coef |= light ? (uint32_t)(c->small[e[i].coef] + CUZK_LIGHT_MAX) : e[i].coef;
        side->term[side->terms++] = term;
    }
}

/* The light or the heavy lines of one side of a template's rows. */
static void add_lines(const maker *m, int number, uint32_t template, bool light)
{
    const cuzk_compiled *c = m->c;
    const cuzk_template *t = &c->template[template];
    const uint32_t *start = c->row_start + t->first_start + number;
    cuzk_shared_side *side = &m->rows->side[number];
    const uint32_t first = (uint32_t)side->lines;
    for (uint32_t row = 0; row < t->rows; row++) {
        const cuzk_entry *e = c->entry + t->first_entry + start[3 * row];
        const size_t n = start[3 * row + 1] - start[3 * row];
        if (is_light(c, template, e, n) == light)
            add_line(m, side, template, template == 0 ? m->root_row[row] : row, light, e, n);
    }
    for (uint32_t i = 0; template == 0 && i < c->counts->inputs; i++) {
        const cuzk_entry input = {i, CUZK_COEF_ONE};
        const size_t n = number == 0 ? 1 : 0;
        if (is_light(c, 0, &input, n) == light)
            add_line(m, side, 0, c->counts->rows + i, light, &input, n);
    }
    const cuzk_shared_group group = {first, (uint32_t)side->lines - first,
                                     m->first_instance[template],
                                     template == 0 ? 1 : c->plan[template].calls};
    if (group.lines == 0 || group.instances == 0)
        return;
    if (light)
        side->light[side->n_light++] = group;
    else
        side->heavy[side->n_heavy++] = group;
}

static cuzk_status allocate(maker *m, cuzk_error *err)
{
    const cuzk_compiled *c = m->c;
    cuzk_shared_rows *r = m->rows;
    size_t lines = c->counts->inputs;
    bool good = true;
    for (size_t t = 0; t < c->templates; t++)
        lines += c->template[t].rows;
    r->ports = c->section[CUZK_SECTION_BINDINGS].n;
    r->port = malloc((r->ports + 1) * sizeof *r->port);
    r->instances = c->instances + 1;
    r->instance = malloc(r->instances * sizeof *r->instance);
    m->root_row = malloc(((size_t)c->template[0].rows + 1) * sizeof *m->root_row);
    m->first_instance = malloc(c->templates * sizeof *m->first_instance);
    for (int i = 0; i < 3; i++) {
        cuzk_shared_side *side = &r->side[i];
        side->light = malloc(c->templates * sizeof *side->light);
        side->heavy = malloc(c->templates * sizeof *side->heavy);
        side->line = malloc((lines + 1) * sizeof *side->line);
        side->term =
            malloc((c->section[CUZK_SECTION_ENTRIES].n + c->counts->inputs) * sizeof *side->term);
        good = good && side->light != NULL && side->heavy != NULL && side->line != NULL &&
               side->term != NULL;
    }
    if (!good || r->port == NULL || r->instance == NULL || m->root_row == NULL ||
        m->first_instance == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the rows of %s", c->names);
    return CUZK_OK;
}

cuzk_status cuzk_compiled_shared_rows(const cuzk_compiled *compiled, cuzk_shared_rows *rows,
                                      cuzk_error *err)
{
    cuzk_shared_rows made = {.curve = cuzk_curve_get(CUZK_BLS12_381)};
    maker m = {.c = compiled, .rows = &made};
    if (compiled->coefs > CUZK_TERM_COEFS)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED, "%s has %zu coefficients; at most 2^29 fit",
                         compiled->names, compiled->coefs);
    made.rows = (size_t)compiled->counts->rows + compiled->counts->inputs;
    made.coef = compiled->coef;
    made.coefs = compiled->coefs;
    cuzk_status status = allocate(&m, err);
    if (status == CUZK_OK) {
        set_instances(&m);
        set_root_rows(&m);
        for (int number = 0; number < 3; number++) {
            cuzk_shared_side *side = &made.side[number];
            for (uint32_t t = 0; t < 2 * compiled->templates; t++)
                add_lines(&m, number, t / 2, t % 2 == 0);
            side->line[side->lines] = (cuzk_shared_line){0, (uint32_t)side->terms};
        }
    }
    free(m.root_row);
    free(m.first_instance);
    if (status == CUZK_OK)
        *rows = made;
    else
        cuzk_shared_rows_release(&made);
    return status;
}
