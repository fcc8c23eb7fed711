/* Recording: allocations become steps, rows become entries, in the frame under way. */
#include "circuit/compile_record.h"

#include <stdlib.h>
#include <string.h>

void cuzk_record_no_memory(cuzk_recorder *r)
{
    cuzk_cs_fail(&r->cs, CUZK_ERR_MEMORY, "no memory to compile a circuit");
}

static const char *frame_name(const cuzk_recorder *r)
{
    return r->frame->gadget != NULL ? r->frame->gadget : "the circuit";
}

bool cuzk_record_slot(cuzk_recorder *r, cuzk_var var, uint32_t *slot)
{
    const cuzk_frame *f = r->frame;
    const uint32_t number = var & ~CUZK_VAR_SPACE, space = var & CUZK_VAR_SPACE;
    bool known = false;
    if (space == 0) {
        *slot = f->base + number;
        known = number < f->locals;
    } else if (space == CUZK_VAR_INPUT) {
        *slot = number;
        known = number == 0 || (f->gadget == NULL && number < f->inputs);
    } else if (space == CUZK_VAR_PORT) {
        *slot = 1 + number;
        known = f->gadget != NULL && number < f->ports;
    }
    if (known)
        return true;
    *slot = 0;
    cuzk_cs_fail(&r->cs, CUZK_ERR_ARGUMENT,
                 "%s uses variable 0x%x, which it did not make and was not given", frame_name(r),
                 (unsigned)var);
    return false;
}

bool cuzk_record_is_wide(const cuzk_recorder *r, uint32_t slot)
{
    const cuzk_frame *f = r->frame;
    if (slot >= f->base)
        return cuzk_wide_has(&f->wide, slot - f->base);
    if (slot == 0)
        return false;
    return f->gadget == NULL || f->port_wide[slot - 1] != 0;
}

static bool put(cuzk_recorder *r, uint32_t value)
{
    if (cuzk_blob_add(&r->frame->arg, sizeof value, &value, 1) != NULL)
        return true;
    cuzk_record_no_memory(r);
    return false;
}

/* Appends a reference to a bit. */
static bool put_bit(cuzk_recorder *r, cuzk_bit b)
{
    uint32_t slot;
    if (b.kind == CUZK_BIT_0 || b.kind == CUZK_BIT_1)
        return put(r, b.kind == CUZK_BIT_1 ? CUZK_REF_ONE : CUZK_REF_ZERO);
    if (!cuzk_record_slot(r, b.var, &slot))
        return false;
    if (!cuzk_record_is_wide(r, slot))
        return put(r, 2 * slot + (b.kind == CUZK_BIT_NOT));
    cuzk_cs_fail(&r->cs, CUZK_ERR_UNSUPPORTED, "%s uses a field element as a bit", frame_name(r));
    return false;
}

static bool put_bits(cuzk_recorder *r, const cuzk_bit *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!put_bit(r, b[i]))
            return false;
    }
    return true;
}

static bool put_pair(cuzk_recorder *r, cuzk_bit a, cuzk_bit b)
{
    return put_bit(r, a) && put_bit(r, b);
}

static bool put_terms(cuzk_recorder *r, cuzk_blob *to, const cuzk_lc *lc)
{
    for (size_t i = 0; i < lc->n; i++) {
        cuzk_entry e;
        cuzk_error err;
        if (!cuzk_record_slot(r, lc->term[i].var, &e.slot))
            return false;
        if (cuzk_coef_intern(r->coefs, &lc->term[i].coef, &e.coef, &err) != CUZK_OK) {
            cuzk_cs_fail(&r->cs, err.status, "%s", err.message);
            return false;
        }
        const uint32_t pair[2] = {e.slot, e.coef};
        if (cuzk_blob_add(to, sizeof pair[0], pair, 2) == NULL) {
            cuzk_record_no_memory(r);
            return false;
        }
    }
    return true;
}

/* A copy of a combination, normalised; NULL is the empty one. */
static const cuzk_lc *tidy(cuzk_recorder *r, const cuzk_lc *lc, cuzk_lc *to)
{
    cuzk_fr one;
    cuzk_lc_clear(to);
    if (lc != NULL) {
        one = *cuzk_coef_value(r->coefs, CUZK_COEF_ONE);
        cuzk_lc_add_lc(to, lc, &one);
    }
    cuzk_lc_normalise(to);
    if (to->broken)
        cuzk_record_no_memory(r);
    return to;
}

static bool put_quad(cuzk_recorder *r, const cuzk_op *op)
{
    const cuzk_lc *side[3] = {op->la, op->lb, op->lc};
    const size_t at = r->frame->arg.n;
    if (!put(r, 0) || !put(r, 0) || !put(r, 0))
        return false;
    for (int i = 0; i < 3; i++) {
        const cuzk_lc *lc = tidy(r, side[i], &r->scratch);
        if (lc->broken || !put_terms(r, &r->frame->arg, lc))
            return false;
        ((uint32_t *)r->frame->arg.data)[at + (size_t)i] = (uint32_t)lc->n;
    }
    return true;
}

static bool put_sum(cuzk_recorder *r, const cuzk_op *op)
{
    return put(r, (uint32_t)op->n_words) && put_bits(r, op->words, 32 * op->n_words);
}

/* The step's kind and arguments. */
static bool put_step(cuzk_recorder *r, const cuzk_op *op, cuzk_step *step)
{
    const cuzk_bit a = {CUZK_BIT_VAR, op->a}, b = {CUZK_BIT_VAR, op->b};
    const cuzk_bit not_a = {CUZK_BIT_NOT, op->a}, not_b = {CUZK_BIT_NOT, op->b};
    uint32_t slot;
    step->arg = (uint32_t)r->frame->arg.n;
    switch (op->kind) {
    case CUZK_OP_FIELD:
        step->kind = CUZK_STEP_FIELD;
        step->arg = r->frame->field++;
        return true;
    case CUZK_OP_WORD_BITS:
        step->kind = CUZK_STEP_WORD;
        return put(r, op->word) && put(r, op->first);
    case CUZK_OP_XOR:
        step->kind = CUZK_STEP_XOR;
        return put_pair(r, a, b);
    case CUZK_OP_AND:
        step->kind = CUZK_STEP_AND;
        return put_pair(r, a, b);
    case CUZK_OP_AND_NOT:
        step->kind = CUZK_STEP_AND;
        return put_pair(r, a, not_b);
    case CUZK_OP_NOR:
        step->kind = CUZK_STEP_AND;
        return put_pair(r, not_a, not_b);
    case CUZK_OP_CH:
    case CUZK_OP_MAJ:
        step->kind = op->kind == CUZK_OP_CH ? CUZK_STEP_CH : CUZK_STEP_MAJ;
        return put_pair(r, op->x, op->y) && put_bit(r, op->z);
    case CUZK_OP_SUM:
        step->kind = CUZK_STEP_SUM;
        return put_sum(r, op);
    case CUZK_OP_BITS:
        step->kind = CUZK_STEP_BITS;
        return cuzk_record_slot(r, op->a, &slot) && put(r, slot);
    case CUZK_OP_QUAD:
        step->kind = CUZK_STEP_QUAD;
        return put_quad(r, op);
    }
    cuzk_cs_fail(&r->cs, CUZK_ERR_ARGUMENT, "%s makes variables by operation %d, which is none",
                 frame_name(r), (int)op->kind);
    return false;
}

/* How many variables an operation may make at once. */
static bool check_count(cuzk_recorder *r, const cuzk_op *op)
{
    unsigned most = 1;
    if (op->kind == CUZK_OP_WORD_BITS)
        most = op->first < 64 ? 64 - op->first : 0;
    else if (op->kind == CUZK_OP_SUM)
        most = op->n_words >= 1 && op->n_words <= 16 ? 36 : 0;
    else if (op->kind == CUZK_OP_BITS)
        most = 256;
    if (op->n >= 1 && op->n <= most && r->frame->locals < CUZK_AUX_MAX - op->n)
        return true;
    cuzk_cs_fail(&r->cs, CUZK_ERR_UNSUPPORTED,
                 "%s makes %u variables by one operation of kind %d after %u others: expected "
                 "1 to %u",
                 frame_name(r), op->n, (int)op->kind, (unsigned)r->frame->locals, most);
    return false;
}

static bool is_wide_kind(cuzk_op_kind kind)
{
    return kind == CUZK_OP_FIELD || kind == CUZK_OP_QUAD;
}

static cuzk_var record_alloc(cuzk_cs *cs, const cuzk_op *op)
{
    cuzk_recorder *r = (cuzk_recorder *)cs;
    cuzk_frame *f = r->frame;
    cuzk_step step = {.n = op->n, .dst = f->base + f->locals};
    if (!check_count(r, op) || !put_step(r, op, &step))
        return 0;
    if (cuzk_blob_add(&f->step, sizeof step, &step, 1) == NULL ||
        !cuzk_wide_push(&f->wide, is_wide_kind(op->kind), op->n)) {
        cuzk_record_no_memory(r);
        return 0;
    }
    const cuzk_var var = f->locals;
    f->locals += op->n;
    return var;
}

static cuzk_var record_alloc_input(cuzk_cs *cs, const cuzk_op *op)
{
    cuzk_recorder *r = (cuzk_recorder *)cs;
    cuzk_frame *f = r->frame;
    cuzk_step step = {.n = 1, .dst = f->inputs};
    if (f->gadget != NULL || op->kind != CUZK_OP_QUAD || f->inputs + 1 >= CUZK_ROOT_BASE) {
        cuzk_cs_fail(cs, CUZK_ERR_UNSUPPORTED,
                     "%s makes public input %u by operation %d: only circuits can, by QUAD",
                     frame_name(r), (unsigned)f->inputs, (int)op->kind);
        return CUZK_VAR_ONE;
    }
    if (!put_step(r, op, &step))
        return CUZK_VAR_ONE;
    if (cuzk_blob_add(&f->step, sizeof step, &step, 1) == NULL) {
        cuzk_record_no_memory(r);
        return CUZK_VAR_ONE;
    }
    return CUZK_VAR_INPUT | f->inputs++;
}

static void record_enforce(cuzk_cs *cs, const cuzk_lc *a, const cuzk_lc *b, const cuzk_lc *c)
{
    cuzk_recorder *r = (cuzk_recorder *)cs;
    cuzk_frame *f = r->frame;
    const cuzk_lc *side[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        const uint32_t start = (uint32_t)(f->entry.n / 2);
        if (!put_terms(r, &f->entry, side[i]))
            return;
        if (cuzk_blob_add(&f->start, sizeof start, &start, 1) == NULL) {
            cuzk_record_no_memory(r);
            return;
        }
    }
    f->rows++;
}

static uint32_t record_word(cuzk_cs *cs)
{
    cuzk_recorder *r = (cuzk_recorder *)cs;
    return r->frame->word++;
}

static const cuzk_cs_ops ops = {record_alloc, record_alloc_input, record_enforce, record_word,
                                cuzk_record_call};

cuzk_status cuzk_recorder_init(cuzk_recorder *r, const char *name, cuzk_error *err)
{
    const cuzk_template none = {0};
    *r = (cuzk_recorder){.cs.ops = &ops, .records = 1};
    r->frame = &r->root;
    r->root.base = CUZK_ROOT_BASE;
    r->root.inputs = 1;
    CUZK_TRY(cuzk_coef_table_new(&r->coefs, cuzk_curve_get(CUZK_BLS12_381), err));
    if (cuzk_blob_add(&r->section[CUZK_SECTION_NAMES], 1, name, strlen(name) + 1) == NULL ||
        cuzk_blob_add(&r->section[CUZK_SECTION_TEMPLATES], sizeof none, &none, 1) == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory to compile circuit %s", name);
    return CUZK_OK;
}

void cuzk_frame_release(cuzk_frame *frame)
{
    cuzk_wide_release(&frame->wide);
    free(frame->step.data);
    free(frame->arg.data);
    free(frame->start.data);
    free(frame->entry.data);
    *frame = (cuzk_frame){0};
}

void cuzk_recorder_release(cuzk_recorder *r)
{
    cuzk_frame_release(&r->root);
    cuzk_frame_release(&r->inner);
    cuzk_coef_table_free(r->coefs);
    for (int i = 0; i < CUZK_SECTIONS; i++)
        free(r->section[i].data);
    for (size_t i = 1; i < r->records; i++) {
        free(r->record[i].key);
        free(r->record[i].result);
        cuzk_wide_release(&r->record[i].wide);
    }
    free(r->record);
    free(r->bucket);
    free(r->key.data);
    free(r->distinct.data);
    free(r->wide_port.data);
    free(r->inner_port.data);
    free(r->mark);
    cuzk_lc_release(&r->scratch);
}
