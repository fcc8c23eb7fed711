/* Recording of calls: finds the template that is the same, or records it, and adds an instance. */
#include "circuit/compile_record.h"

#include <stdlib.h>
#include <string.h>

#define PORT_WIDE     4u /* in a key's code of a port, beside cuzk_bit_kind */
#define PORT_SHIFT    3
#define PORT_ONE      UINT32_C(0x1fffffff) /* number of "the port is the variable ONE" */
#define FIRST_BUCKETS 64

static uint64_t hash_key(cuzk_gadget_fn *fn, const uint8_t *key, size_t n)
{
    uint64_t h = (uint64_t)(uintptr_t)fn * UINT64_C(0x9e3779b97f4a7c15);
    for (; n >= 8; n -= 8, key += 8) {
        uint64_t w;
        memcpy(&w, key, 8);
        h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    for (; n > 0; n--, key++)
        h = (h ^ *key) * UINT64_C(0x100000001b3);
    return h ^ (h >> 29);
}

/* The number of a variable among the distinct ones of this call. */
static bool number_port(cuzk_recorder *r, uint32_t slot, size_t mask, uint32_t *number)
{
    size_t at = (slot * UINT32_C(2654435761)) & mask;
    for (; r->mark[at] != 0; at = (at + 1) & mask) {
        *number = r->mark[at] - 1;
        if (((const uint32_t *)r->distinct.data)[*number] == slot)
            return true;
    }
    const uint8_t wide = cuzk_record_is_wide(r, slot);
    *number = (uint32_t)r->distinct.n;
    r->mark[at] = *number + 1;
    return cuzk_blob_add(&r->distinct, sizeof slot, &slot, 1) != NULL &&
           cuzk_blob_add(&r->wide_port, 1, &wide, 1) != NULL;
}

/* A port's code, and what it is inside the frame. */
static bool code_port(cuzk_recorder *r, const cuzk_bit *port, size_t mask, uint32_t *code,
                      cuzk_bit *inner)
{
    uint32_t slot, number = 0;
    *code = (uint32_t)port->kind;
    *inner = (cuzk_bit){port->kind, 0};
    if (port->kind == CUZK_BIT_0 || port->kind == CUZK_BIT_1)
        return true;
    if (!cuzk_record_slot(r, port->var, &slot))
        return false;
    if (slot == 0) {
        *code |= PORT_ONE << PORT_SHIFT;
        inner->var = CUZK_VAR_ONE;
        return true;
    }
    if (!number_port(r, slot, mask, &number)) {
        cuzk_record_no_memory(r);
        return false;
    }
    if (((const uint8_t *)r->wide_port.data)[number] != 0)
        *code |= PORT_WIDE;
    *code |= number << PORT_SHIFT;
    inner->var = CUZK_VAR_PORT | number;
    return true;
}

/* Fills key, distinct, wide_port and inner_port for a call. */
static bool make_key(cuzk_recorder *r, const cuzk_gadget *gadget, const cuzk_bit *ports)
{
    size_t marks = 16;
    while (marks < 2 * gadget->n_ports)
        marks *= 2;
    uint32_t *mark = realloc(r->mark, marks * sizeof *mark);
    if (mark != NULL)
        r->mark = mark;
    r->key.n = r->distinct.n = r->wide_port.n = r->inner_port.n = 0;
    if (mark == NULL || cuzk_blob_add(&r->key, 1, gadget->params, gadget->params_size) == NULL ||
        cuzk_blob_add(&r->key, 1, NULL, 4 * gadget->n_ports) == NULL ||
        cuzk_blob_add(&r->inner_port, sizeof(cuzk_bit), NULL, gadget->n_ports) == NULL) {
        cuzk_record_no_memory(r);
        return false;
    }
    memset(r->mark, 0, marks * sizeof *mark);
    for (size_t i = 0; i < gadget->n_ports; i++) {
        uint32_t code;
        if (!code_port(r, &ports[i], marks - 1, &code, (cuzk_bit *)r->inner_port.data + i))
            return false;
        memcpy((uint8_t *)r->key.data + gadget->params_size + 4 * i, &code, 4);
    }
    return true;
}

static uint32_t find_template(const cuzk_recorder *r, const cuzk_gadget *gadget, uint64_t hash)
{
    if (r->buckets == 0)
        return 0;
    for (size_t i = hash & (r->buckets - 1); r->bucket[i] != 0; i = (i + 1) & (r->buckets - 1)) {
        const cuzk_template_record *t = &r->record[r->bucket[i]];
        if (t->hash == hash && t->fn == gadget->fn && t->key_size == r->key.n &&
            t->n_results == gadget->n_results && memcmp(t->key, r->key.data, r->key.n) == 0)
            return r->bucket[i];
    }
    return 0;
}

/* Room for one more template in the records and the hash table. */
static bool reserve_template(cuzk_recorder *r)
{
    if (r->records + 1 > r->records_room) {
        const size_t room = 2 * r->records_room + 16;
        cuzk_template_record *record = realloc(r->record, room * sizeof *record);
        if (record == NULL)
            return false;
        r->record = record;
        r->records_room = room;
    }
    if (2 * (r->records + 1) <= r->buckets)
        return true;
    const size_t buckets = r->buckets == 0 ? FIRST_BUCKETS : 2 * r->buckets;
    uint32_t *bucket = calloc(buckets, sizeof *bucket);
    if (bucket == NULL)
        return false;
    for (uint32_t t = 1; t < r->records; t++) {
        size_t i = r->record[t].hash & (buckets - 1);
        while (bucket[i] != 0)
            i = (i + 1) & (buckets - 1);
        bucket[i] = t;
    }
    free(r->bucket);
    r->bucket = bucket;
    r->buckets = buckets;
    return true;
}

bool cuzk_recorder_keep(cuzk_recorder *r, const cuzk_frame *frame)
{
    cuzk_blob *s = r->section;
    const char *name = frame->gadget;
    const uint32_t end = (uint32_t)(frame->entry.n / 2);
    const cuzk_template t = {
        .name = name == NULL ? 0 : (uint32_t)s[CUZK_SECTION_NAMES].n,
        .base = frame->base,
        .ports = frame->ports,
        .locals = frame->locals,
        .field = frame->field,
        .word = frame->word,
        .rows = frame->rows,
        .steps = (uint32_t)frame->step.n,
        .args = (uint32_t)frame->arg.n,
        .entries = end,
        .first_port = (uint32_t)s[CUZK_SECTION_PORTS].n,
        .first_step = (uint32_t)s[CUZK_SECTION_STEPS].n,
        .first_arg = (uint32_t)s[CUZK_SECTION_ARGS].n,
        .first_start = (uint32_t)s[CUZK_SECTION_ROW_STARTS].n,
        .first_entry = (uint32_t)s[CUZK_SECTION_ENTRIES].n,
    };
    if (s[CUZK_SECTION_ENTRIES].n + end > UINT32_MAX ||
        s[CUZK_SECTION_ARGS].n + frame->arg.n > UINT32_MAX) {
        cuzk_cs_fail(&r->cs, CUZK_ERR_UNSUPPORTED,
                     "a compiled circuit of more than 2^32 distinct terms");
        return false;
    }
    if ((name != NULL &&
         cuzk_blob_add(&s[CUZK_SECTION_NAMES], 1, name, strlen(name) + 1) == NULL) ||
        cuzk_blob_add(&s[CUZK_SECTION_TEMPLATES], sizeof t, &t, 1) == NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_PORTS], 1, frame->port_wide, frame->ports) == NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_STEPS], sizeof(cuzk_step), frame->step.data, frame->step.n) ==
            NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_ARGS], 4, frame->arg.data, frame->arg.n) == NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_ROW_STARTS], 4, frame->start.data, frame->start.n) == NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_ROW_STARTS], 4, &end, 1) == NULL ||
        cuzk_blob_add(&s[CUZK_SECTION_ENTRIES], sizeof(cuzk_entry), frame->entry.data, end) ==
            NULL) {
        cuzk_record_no_memory(r);
        return false;
    }
    return true;
}

/* Takes over what calls of the template need: key, results, which locals are wide. */
static bool keep_record(cuzk_recorder *r, const cuzk_gadget *gadget, uint8_t *key, size_t key_size,
                        uint64_t hash, const cuzk_bit *results)
{
    cuzk_template_record t = {gadget->fn,        key,          key_size, hash, NULL,
                              gadget->n_results, r->inner.wide};
    t.result = malloc((gadget->n_results + 1) * sizeof *t.result);
    if (t.result == NULL)
        return false;
    if (gadget->n_results != 0)
        memcpy(t.result, results, gadget->n_results * sizeof *results);
    r->inner.wide = (cuzk_wide_map){0};
    size_t i = hash & (r->buckets - 1);
    while (r->bucket[i] != 0)
        i = (i + 1) & (r->buckets - 1);
    r->bucket[i] = (uint32_t)r->records;
    r->record[r->records++] = t;
    return true;
}

/* Every result is a constant or a variable of the frame. */
static bool check_results(cuzk_recorder *r, const cuzk_bit *results, size_t n)
{
    uint32_t slot;
    for (size_t i = 0; i < n; i++) {
        if ((results[i].kind == CUZK_BIT_VAR || results[i].kind == CUZK_BIT_NOT) &&
            !cuzk_record_slot(r, results[i].var, &slot))
            return false;
    }
    return true;
}

/* Runs the gadget in a frame of its own. Returns the new template's number, 0 after an error.
 * results are those of the frame. */
static uint32_t record_template(cuzk_recorder *r, const cuzk_gadget *gadget, uint64_t hash,
                                cuzk_bit *results)
{
    const size_t key_size = r->key.n;
    uint8_t *key = malloc(key_size + 1);
    uint32_t made = 0;
    if (key == NULL || !reserve_template(r)) {
        cuzk_record_no_memory(r);
        goto out;
    }
    if (key_size != 0)
        memcpy(key, r->key.data, key_size);
    r->inner.gadget = gadget->name;
    r->inner.ports = (uint32_t)r->distinct.n;
    r->inner.base = r->inner.ports + 1;
    r->inner.port_wide = r->wide_port.data;
    r->frame = &r->inner;
    gadget->fn(&r->cs, gadget->params, r->inner_port.data, results);
    if (r->cs.error.status == CUZK_OK && check_results(r, results, gadget->n_results) &&
        cuzk_recorder_keep(r, &r->inner)) {
        if (keep_record(r, gadget, key, key_size, hash, results)) {
            key = NULL;
            made = (uint32_t)r->records - 1;
        } else {
            cuzk_record_no_memory(r);
        }
    }
    r->frame = &r->root;
out:
    cuzk_frame_release(&r->inner);
    free(key);
    return made;
}

/* Adds an instance of the template with the ports of this call; its variables come next. */
static bool add_instance(cuzk_recorder *r, uint32_t template)
{
    const cuzk_template *t =
        (const cuzk_template *)r->section[CUZK_SECTION_TEMPLATES].data + template;
    cuzk_frame *root = &r->root;
    cuzk_blob *instances = &r->section[CUZK_SECTION_INSTANCES];
    cuzk_blob *bindings = &r->section[CUZK_SECTION_BINDINGS];
    const cuzk_instance instance = {
        template,    root->locals, root->rows + r->instance_rows, root->rows,
        root->field, root->word,   (uint32_t)bindings->n,
    };
    const cuzk_step call = {CUZK_STEP_CALL, t->locals, root->base + root->locals,
                            (uint32_t)instances->n};
    if (root->locals >= CUZK_AUX_MAX - t->locals || bindings->n + t->ports > UINT32_MAX ||
        (uint64_t)root->rows + r->instance_rows + t->rows > UINT32_MAX) {
        cuzk_cs_fail(&r->cs, CUZK_ERR_UNSUPPORTED, "a circuit of more than 2^30 variables");
        return false;
    }
    if (cuzk_blob_add(instances, sizeof instance, &instance, 1) == NULL ||
        cuzk_blob_add(bindings, 4, r->distinct.data, r->distinct.n) == NULL ||
        cuzk_blob_add(&root->step, sizeof call, &call, 1) == NULL ||
        !cuzk_wide_append(&root->wide, &r->record[template].wide)) {
        cuzk_record_no_memory(r);
        return false;
    }
    root->locals += t->locals;
    root->field += t->field;
    root->word += t->word;
    r->instance_rows += t->rows;
    return true;
}

/* A result of the template as a variable of the circuit. */
static cuzk_bit outer(const cuzk_recorder *r, cuzk_bit b, uint32_t first_aux)
{
    if (b.kind == CUZK_BIT_0 || b.kind == CUZK_BIT_1 || b.var == CUZK_VAR_ONE)
        return b;
    const uint32_t number = b.var & ~CUZK_VAR_SPACE;
    if ((b.var & CUZK_VAR_SPACE) == CUZK_VAR_PORT)
        b.var = cuzk_root_var(((const uint32_t *)r->distinct.data)[number]);
    else
        b.var = first_aux + number;
    return b;
}

/* The template of this call, recorded if need be; 0 after an error. */
static uint32_t get_template(cuzk_recorder *r, const cuzk_gadget *gadget, cuzk_bit *results)
{
    const uint64_t hash = hash_key(gadget->fn, r->key.data, r->key.n);
    const uint32_t found = find_template(r, gadget, hash);
    return found != 0 ? found : record_template(r, gadget, hash, results);
}

void cuzk_record_call(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports,
                      cuzk_bit *results)
{
    cuzk_recorder *r = (cuzk_recorder *)cs;
    if (r->frame != &r->root) {
        gadget->fn(cs, gadget->params, ports, results);
        return;
    }
    const uint32_t first_aux = r->root.locals;
    const uint32_t template = make_key(r, gadget, ports) ? get_template(r, gadget, results) : 0;
    if (template != 0 && add_instance(r, template)) {
        for (size_t i = 0; i < gadget->n_results; i++)
            results[i] = outer(r, r->record[template].result[i], first_aux);
    } else {
        for (size_t i = 0; i < gadget->n_results; i++)
            results[i] = (cuzk_bit){CUZK_BIT_0, 0};
    }
}
