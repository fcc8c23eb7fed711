/* Rows of a compiled circuit: where they come from, and what they say. */
#include "circuit/compile_rows.h"

#include <stdlib.h>

/* The number plus 1 of the last instance whose rows start at or before a row; 0: none. */
static size_t instance_at(const cuzk_compiled *c, size_t row)
{
    size_t low = 0, high = c->instances;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->instance[middle].first_row <= row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cuzk_stretch cuzk_compiled_stretch(const cuzk_compiled *c, size_t row)
{
    const size_t number = instance_at(c, row);
    const size_t next = number < c->instances ? c->instance[number].first_row : c->counts->rows;
    cuzk_stretch s = {0, row, next - row, 0, (uint32_t)row};
    if (number == 0)
        return s;
    const cuzk_instance *in = &c->instance[number - 1];
    const size_t end = (size_t)in->first_row + c->template[in->template].rows;
    if (row < end) {
        s = (cuzk_stretch){number, row, end - row, in->template, (uint32_t)(row - in->first_row)};
    } else {
        s.row = (uint32_t)(in->root_row + (row - end));
    }
    return s;
}

size_t cuzk_compiled_longest(const cuzk_compiled *c)
{
    uint32_t longest = 0;
    for (size_t t = 0; t < c->templates; t++) {
        const uint32_t *start = c->row_start + c->template[t].first_start;
        for (size_t i = 0; i < 3 * (size_t)c->template[t].rows; i++)
            longest = start[i + 1] - start[i] > longest ? start[i + 1] - start[i] : longest;
    }
    return longest;
}

size_t cuzk_stretch_terms(const cuzk_compiled *c, const cuzk_stretch *s, size_t i, int side,
                          cuzk_entry *out)
{
    const cuzk_template *t = &c->template[s->template];
    const uint32_t *start = c->row_start + t->first_start + 3 * (s->row + i) + (size_t)side;
    const cuzk_entry *e = c->entry + t->first_entry + start[0];
    const size_t n = start[1] - start[0];
    size_t j = 0;
    if (s->instance == 0) {
        for (; j < n; j++)
            out[j] = e[j];
        return n;
    }
    const cuzk_instance *in = &c->instance[s->instance - 1];
    const uint32_t *binding = c->binding + in->first_binding;
    for (; j < n && e[j].slot < t->base; j++) { /* ONE and ports: in the order of what is bound */
        const cuzk_entry bound = {e[j].slot == 0 ? 0 : binding[e[j].slot - 1], e[j].coef};
        size_t k = j;
        for (; k > 0 && out[k - 1].slot > bound.slot; k--)
            out[k] = out[k - 1];
        out[k] = bound;
    }
    const uint32_t shift = CUZK_ROOT_BASE + in->first_aux - t->base;
    for (; j < n; j++)
        out[j] = (cuzk_entry){e[j].slot + shift, e[j].coef};
    return n;
}

void cuzk_compiled_place(const cuzk_compiled *compiled, size_t row, cuzk_row_place *place)
{
    const cuzk_stretch s = cuzk_compiled_stretch(compiled, row);
    *place = (cuzk_row_place){s.instance == 0 ? "" : cuzk_template_name(compiled, s.template),
                              s.instance, s.row};
}

static void set_lc(const cuzk_compiled *c, cuzk_lc *lc, const cuzk_entry *e, size_t n)
{
    cuzk_lc_clear(lc);
    for (size_t i = 0; i < n; i++)
        cuzk_lc_add(lc, cuzk_root_var(e[i].slot), &c->coef[e[i].coef]);
}

cuzk_status cuzk_compiled_row(const cuzk_compiled *compiled, size_t row, cuzk_lc *a, cuzk_lc *b,
                              cuzk_lc *c, cuzk_error *err)
{
    const cuzk_stretch s = cuzk_compiled_stretch(compiled, row);
    cuzk_entry *e = malloc((cuzk_compiled_longest(compiled) + 1) * sizeof *e);
    cuzk_lc *side[3] = {a, b, c};
    bool broken = e == NULL;
    for (int i = 0; i < 3 && e != NULL; i++) {
        set_lc(compiled, side[i], e, cuzk_stretch_terms(compiled, &s, 0, i, e));
        broken = broken || side[i]->broken;
    }
    free(e);
    return broken ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for row %zu", row) : CUZK_OK;
}

/* Terms of the three sides over all rows of a template. */
static void count_terms(const cuzk_compiled *c, size_t template, uint64_t nnz[3])
{
    const uint32_t *start = c->row_start + c->template[template].first_start;
    for (size_t i = 0; i < 3 * (size_t)c->template[template].rows; i++)
        nnz[i % 3] += start[i + 1] - start[i];
}

void cuzk_compiled_describe(const cuzk_compiled *compiled, cuzk_compiled_info *info)
{
    const cuzk_compiled *c = compiled;
    *info = (cuzk_compiled_info){
        .name = c->names,
        .inputs = c->counts->inputs,
        .aux = c->counts->aux,
        .wide = c->wides,
        .rows = c->counts->rows,
        .field = c->counts->field,
        .word = c->counts->word,
        .templates = c->templates,
        .instances = c->instances,
        .levels = c->schedule.levels,
    };
    for (size_t t = 0; t < c->templates; t++) {
        uint64_t nnz[3] = {0}, calls = t == 0;
        count_terms(c, t, nnz);
        calls += c->plan[t].calls;
        info->nnz_a += calls * nnz[0];
        info->nnz_b += calls * nnz[1];
        info->nnz_c += calls * nnz[2];
    }
    for (int i = 0; i < CUZK_SECTIONS; i++)
        info->bytes += c->section[i].n * cuzk_section_size[i];
}

void cuzk_compiled_template(const cuzk_compiled *compiled, size_t number, cuzk_template_info *info)
{
    CUZK_ASSERT(number < compiled->templates);
    const cuzk_template *t = &compiled->template[number];
    *info = (cuzk_template_info){
        .name = number == 0 ? "" : cuzk_template_name(compiled, (uint32_t)number),
        .instances = number == 0 ? 1 : compiled->plan[number].calls,
        .rows = t->rows,
        .aux = t->locals,
    };
    for (size_t i = 0; i < compiled->instances && number == 0; i++)
        info->aux -= compiled->template[compiled->instance[i].template].locals;
}
