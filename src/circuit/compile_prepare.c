/* What follows from a compiled circuit's sections: where values live, which are wide, which rows
 * are small. */
#include "circuit/compile_state.h"

#include "field/bls12_381_fr.h"

#include <stdlib.h>

#define WIDE_BUDGET                                                                                \
    ((size_t)1 << 20) /* bytes of wide values of a batch: they should stay in L2                   \
                       */
#define LANES_MAX 256
#define LANES_MIN 8

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a compiled circuit");
}

/* The value as a small signed integer, 0 if it is none. */
static int32_t small_value(const cuzk_fr *value)
{
    cuzk_fr minus;
    cuzk_scalar s;
    bls12_381_fr_to_canon(&s, value);
    if (((s.l[1] | s.l[2] | s.l[3]) == 0) && s.l[0] <= (uint64_t)CUZK_SMALL_MAX)
        return (int32_t)s.l[0];
    bls12_381_fr_neg(&minus, value);
    bls12_381_fr_to_canon(&s, &minus);
    if (((s.l[1] | s.l[2] | s.l[3]) == 0) && s.l[0] <= (uint64_t)CUZK_SMALL_MAX)
        return -(int32_t)s.l[0];
    return 0;
}

static cuzk_status prepare_coefs(cuzk_compiled *c, cuzk_error *err)
{
    c->small = malloc((c->coefs + 1) * sizeof *c->small);
    c->canonical = malloc((c->coefs + 1) * sizeof *c->canonical);
    if (c->small == NULL || c->canonical == NULL)
        return no_memory(err);
    for (size_t i = 0; i < c->coefs; i++) {
        cuzk_scalar s;
        bls12_381_fr_to_canon(&s, &c->coef[i]);
        c->small[i] = small_value(&c->coef[i]);
        for (int j = 0; j < 8; j++)
            c->canonical[i][j] = (uint32_t)(s.l[j / 2] >> (32 * (j % 2)));
    }
    return CUZK_OK;
}

static bool is_wide_step(const cuzk_step *step)
{
    return step->kind == CUZK_STEP_FIELD || step->kind == CUZK_STEP_QUAD;
}

static unsigned choose_lanes(size_t wides)
{
    size_t lanes = LANES_MAX;
    if (WIDE_BUDGET / (32 * wides) < LANES_MAX)
        lanes = WIDE_BUDGET / (32 * wides) / LANES_MIN * LANES_MIN;
    return (unsigned)(lanes < LANES_MIN ? LANES_MIN : lanes);
}

static cuzk_status plan_template(cuzk_compiled *c, uint32_t number, cuzk_error *err)
{
    const cuzk_template *t = &c->template[number];
    cuzk_template_plan *p = &c->plan[number];
    p->place = malloc(((size_t)t->base + t->locals) * sizeof *p->place);
    if (p->place == NULL)
        return no_memory(err);
    p->place[0] = p->bits++;
    p->wides = 1; /* number 0 is ONE, as it is among the bits */
    for (uint32_t i = 0; i < t->ports; i++)
        p->place[1 + i] =
            c->port[t->first_port + i] != 0 ? CUZK_PLACE_WIDE | p->wides++ : p->bits++;
    p->wide_ports = p->wides - 1;
    for (uint32_t i = 0; i < t->steps; i++) {
        const cuzk_step *s = &c->step[t->first_step + i];
        const bool wide = is_wide_step(s);
        if (!cuzk_wide_push(&p->wide, wide, s->n))
            return no_memory(err);
        for (uint32_t j = 0; j < s->n; j++)
            p->place[s->dst + j] = wide ? CUZK_PLACE_WIDE | p->wides++ : p->bits++;
    }
    p->lanes = choose_lanes(p->wides);
    return CUZK_OK;
}

/* The map of all aux variables; counts calls on the way. */
static cuzk_status map_wide(cuzk_compiled *c, cuzk_error *err)
{
    const cuzk_template *root = &c->template[0];
    bool good = true;
    for (uint32_t i = 0; i < root->steps && good; i++) {
        const cuzk_step *s = &c->step[root->first_step + i];
        if (s->kind == CUZK_STEP_CALL) {
            cuzk_template_plan *p = &c->plan[c->instance[s->arg].template];
            p->calls++;
            good = cuzk_wide_append(&c->wide, &p->wide);
        } else if (s->dst >= root->base) {
            good = cuzk_wide_push(&c->wide, is_wide_step(s), s->n);
        }
    }
    if (!good || !cuzk_wide_rank(&c->wide))
        return no_memory(err);
    c->wides = cuzk_wide_before(&c->wide, c->counts->aux);
    c->packed = (cuzk_packed_map){.n = (size_t)c->counts->inputs + c->counts->aux,
                                  .head = c->counts->inputs,
                                  .wide = c->counts->inputs + c->wides,
                                  .is_wide = c->wide.word,
                                  .rank = c->wide.rank};
    return CUZK_OK;
}

static bool is_wide_slot(const cuzk_compiled *c, uint32_t template, uint32_t slot)
{
    if (template != 0)
        return (c->plan[template].place[slot] & CUZK_PLACE_WIDE) != 0;
    if (slot < CUZK_ROOT_BASE)
        return slot != 0;
    return cuzk_wide_has(&c->wide, slot - CUZK_ROOT_BASE);
}

static cuzk_row_kind kind_of_side(const cuzk_compiled *c, uint32_t template,
                                  const cuzk_entry *entry, size_t n)
{
    int64_t sum = 0;
    bool small = true;
    for (size_t i = 0; i < n; i++) {
        const int64_t coef = c->small[entry[i].coef];
        if (is_wide_slot(c, template, entry[i].slot))
            return CUZK_ROW_WIDE;
        sum += coef < 0 ? -coef : coef;
        small = small && coef != 0 && sum <= CUZK_SMALL_MAX;
    }
    return small ? CUZK_ROW_SMALL : CUZK_ROW_BITS;
}

static void classify_rows(cuzk_compiled *c, uint32_t template)
{
    const cuzk_template *t = &c->template[template];
    const uint32_t *start = c->row_start + t->first_start;
    for (uint32_t row = 0; row < t->rows; row++) {
        cuzk_row_kind kind = CUZK_ROW_SMALL;
        for (uint32_t side = 3 * row; side < 3 * row + 3; side++) {
            const cuzk_row_kind one =
                kind_of_side(c, template, c->entry + t->first_entry + start[side],
                             start[side + 1] - start[side]);
            kind = one > kind ? one : kind;
        }
        c->row_kind[t->first_start + row] = (uint8_t)kind;
    }
}

cuzk_status cuzk_compiled_prepare(cuzk_compiled *c, cuzk_error *err)
{
    CUZK_TRY(prepare_coefs(c, err));
    c->plan = calloc(c->templates, sizeof *c->plan);
    c->row_kind = malloc(c->section[CUZK_SECTION_ROW_STARTS].n);
    if (c->plan == NULL || c->row_kind == NULL)
        return no_memory(err);
    for (uint32_t t = 1; t < c->templates; t++)
        CUZK_TRY(plan_template(c, t, err));
    CUZK_TRY(map_wide(c, err));
    for (uint32_t t = 0; t < c->templates; t++)
        classify_rows(c, t);
    return cuzk_compiled_schedule(c, err);
}
