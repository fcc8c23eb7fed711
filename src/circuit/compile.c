/* Compiling: a recording run, then what follows from it. */
#include "circuit/compile_record.h"

#include <stdlib.h>

const size_t cuzk_section_size[CUZK_SECTIONS] = {
    [CUZK_SECTION_COUNTS] = sizeof(cuzk_counts),
    [CUZK_SECTION_NAMES] = 1,
    [CUZK_SECTION_TEMPLATES] = sizeof(cuzk_template),
    [CUZK_SECTION_PORTS] = 1,
    [CUZK_SECTION_STEPS] = sizeof(cuzk_step),
    [CUZK_SECTION_ARGS] = sizeof(uint32_t),
    [CUZK_SECTION_ROW_STARTS] = sizeof(uint32_t),
    [CUZK_SECTION_ENTRIES] = sizeof(cuzk_entry),
    [CUZK_SECTION_COEFS] = sizeof(cuzk_fr),
    [CUZK_SECTION_INSTANCES] = sizeof(cuzk_instance),
    [CUZK_SECTION_BINDINGS] = sizeof(uint32_t),
};

void cuzk_compiled_bind(cuzk_compiled *c)
{
    const cuzk_blob *s = c->section;
    c->counts = s[CUZK_SECTION_COUNTS].data;
    c->names = s[CUZK_SECTION_NAMES].data;
    c->template = s[CUZK_SECTION_TEMPLATES].data;
    c->port = s[CUZK_SECTION_PORTS].data;
    c->step = s[CUZK_SECTION_STEPS].data;
    c->arg = s[CUZK_SECTION_ARGS].data;
    c->row_start = s[CUZK_SECTION_ROW_STARTS].data;
    c->entry = s[CUZK_SECTION_ENTRIES].data;
    c->coef = s[CUZK_SECTION_COEFS].data;
    c->instance = s[CUZK_SECTION_INSTANCES].data;
    c->binding = s[CUZK_SECTION_BINDINGS].data;
    c->templates = s[CUZK_SECTION_TEMPLATES].n;
    c->instances = s[CUZK_SECTION_INSTANCES].n;
    c->coefs = s[CUZK_SECTION_COEFS].n;
}

/* Gives back what a list has room for beyond its elements. */
static void shrink(cuzk_blob *blob, size_t size)
{
    void *data = blob->n != 0 ? realloc(blob->data, blob->n * size) : NULL;
    if (data != NULL) {
        blob->data = data;
        blob->room = blob->n;
    }
}

/* Completes the sections and moves them out. */
static cuzk_status finish(cuzk_recorder *r, cuzk_compiled *c, cuzk_error *err)
{
    const cuzk_frame *root = &r->root;
    const cuzk_counts counts = {root->inputs, root->locals, root->rows + r->instance_rows,
                                root->field, root->word};
    cuzk_blob *templates = &r->section[CUZK_SECTION_TEMPLATES];
    cuzk_coefs coefs;
    r->root.ports = 0;
    if (!cuzk_recorder_keep(r, root))
        return cuzk_cs_status(&r->cs, err);
    cuzk_template *t = templates->data;
    t[0] = t[--templates->n]; /* the root came last */
    if (cuzk_blob_add(&r->section[CUZK_SECTION_COUNTS], sizeof counts, &counts, 1) == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to compile a circuit");
    cuzk_coef_table_take(r->coefs, &coefs);
    r->section[CUZK_SECTION_COEFS] = (cuzk_blob){coefs.value, coefs.count, coefs.count};
    for (int i = 0; i < CUZK_SECTIONS; i++) {
        shrink(&r->section[i], cuzk_section_size[i]);
        c->section[i] = r->section[i];
        r->section[i] = (cuzk_blob){0};
    }
    cuzk_compiled_bind(c);
    return CUZK_OK;
}

cuzk_status cuzk_compile(cuzk_compiled **compiled, const cuzk_circuit *circuit, cuzk_error *err)
{
    cuzk_recorder *r = calloc(1, sizeof *r);
    cuzk_compiled *c = calloc(1, sizeof *c);
    cuzk_status status = CUZK_ERR_MEMORY;
    *compiled = NULL;
    if (r == NULL || c == NULL) {
        free(r);
        free(c);
        return cuzk_fail(err, status, "no memory to compile circuit %s", circuit->name);
    }
    status = cuzk_recorder_init(r, circuit->name, err);
    if (status == CUZK_OK) {
        circuit->build(&r->cs, circuit->params);
        status = cuzk_cs_status(&r->cs, err);
    }
    if (status == CUZK_OK)
        status = finish(r, c, err);
    cuzk_recorder_release(r);
    free(r);
    if (status == CUZK_OK)
        status = cuzk_compiled_prepare(c, err);
    if (status == CUZK_OK)
        *compiled = c;
    else
        cuzk_compiled_free(c);
    return status;
}

void cuzk_compiled_free(cuzk_compiled *compiled)
{
    if (compiled == NULL)
        return;
    for (int i = 0; i < CUZK_SECTIONS && compiled->map == NULL; i++)
        free(compiled->section[i].data);
    cuzk_map_close(compiled->map);
    for (size_t t = 0; t < compiled->templates && compiled->plan != NULL; t++) {
        free(compiled->plan[t].place);
        cuzk_wide_release(&compiled->plan[t].wide);
    }
    free(compiled->plan);
    cuzk_wide_release(&compiled->wide);
    free(compiled->row_kind);
    free(compiled->small);
    free(compiled->canonical);
    cuzk_schedule_release(&compiled->schedule);
    free(compiled);
}
