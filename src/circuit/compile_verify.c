#include "circuit/compile_verify.h"

#include "field/bls12_381_fr.h"

#define MAX_SUM_WORDS 16
#define MAX_SUM_BITS  36
#define MAX_BITS      256

static bool visit_refs(const uint32_t *ref, size_t n, cuzk_slot_fn *visit, void *user)
{
    for (size_t i = 0; i < n; i++) {
        if (!visit(user, ref[i] / 2, true))
            return false;
    }
    return true;
}

bool cuzk_step_visit(const cuzk_step *step, const uint32_t *arg, cuzk_slot_fn *visit, void *user)
{
    switch ((cuzk_step_kind)step->kind) {
    case CUZK_STEP_XOR:
    case CUZK_STEP_AND:
        return visit_refs(arg, 2, visit, user);
    case CUZK_STEP_CH:
    case CUZK_STEP_MAJ:
        return visit_refs(arg, 3, visit, user);
    case CUZK_STEP_SUM:
        return visit_refs(arg + 1, 32 * (size_t)arg[0], visit, user);
    case CUZK_STEP_BITS:
        return visit(user, arg[0], false);
    case CUZK_STEP_QUAD:
        for (size_t i = 0; i < (size_t)arg[0] + arg[1] + arg[2]; i++) {
            if (!visit(user, arg[3 + 2 * i], false))
                return false;
        }
        return true;
    case CUZK_STEP_FIELD:
    case CUZK_STEP_WORD:
    case CUZK_STEP_CALL:
    case CUZK_STEP_KINDS:
        break;
    }
    return true;
}

/* A frame under verification: what has been made so far. */
typedef struct verifier {
    const cuzk_compiled *c;
    const cuzk_template *t;
    uint32_t number;           /* of the template */
    uint32_t next, next_input; /* slots */
    uint32_t next_instance;
    uint64_t instance_rows;
    uint32_t root_row;
} verifier;

static bool is_made(void *user, uint32_t slot, bool as_bit)
{
    const verifier *v = user;
    (void)as_bit;
    return slot >= v->t->base ? slot < v->next : slot < v->next_input;
}

/* How many numbers a step's arguments have; SIZE_MAX: they do not fit into n. */
static size_t count_args(const cuzk_step *s, const uint32_t *arg, size_t n)
{
    switch ((cuzk_step_kind)s->kind) {
    case CUZK_STEP_WORD:
    case CUZK_STEP_XOR:
    case CUZK_STEP_AND:
        return 2;
    case CUZK_STEP_CH:
    case CUZK_STEP_MAJ:
        return 3;
    case CUZK_STEP_SUM:
        return n < 1 || arg[0] < 1 || arg[0] > MAX_SUM_WORDS ? SIZE_MAX : 1 + 32 * (size_t)arg[0];
    case CUZK_STEP_BITS:
        return 1;
    case CUZK_STEP_QUAD:
        return n < 3 ? SIZE_MAX : 3 + 2 * ((size_t)arg[0] + arg[1] + arg[2]);
    case CUZK_STEP_FIELD:
    case CUZK_STEP_CALL:
    case CUZK_STEP_KINDS:
        break;
    }
    return 0;
}

static bool good_width(const verifier *v, const cuzk_step *s, const uint32_t *arg)
{
    switch ((cuzk_step_kind)s->kind) {
    case CUZK_STEP_WORD:
        return arg[0] < v->t->word && arg[1] < 64 && s->n >= 1 && s->n <= 64 - arg[1];
    case CUZK_STEP_SUM:
        return s->n >= 1 && s->n <= MAX_SUM_BITS;
    case CUZK_STEP_BITS:
        return s->n >= 1 && s->n <= MAX_BITS;
    case CUZK_STEP_FIELD:
        return s->n == 1 && s->arg < v->t->field;
    default:
        return s->n == 1;
    }
}

static bool good_coefs(const cuzk_compiled *c, const cuzk_step *s, const uint32_t *arg)
{
    const size_t terms = s->kind == CUZK_STEP_QUAD ? (size_t)arg[0] + arg[1] + arg[2] : 0;
    for (size_t i = 0; i < terms; i++) {
        if (arg[3 + 2 * i + 1] >= c->coefs)
            return false;
    }
    return true;
}

static bool good_step(verifier *v, const cuzk_step *s)
{
    const bool direct = s->kind == CUZK_STEP_FIELD;
    const uint32_t *arg = v->c->arg + v->t->first_arg + (direct ? 0 : s->arg);
    const size_t n = direct || s->arg > v->t->args ? 0 : v->t->args - s->arg;
    if (s->kind >= CUZK_STEP_CALL || (!direct && s->arg > v->t->args) ||
        count_args(s, arg, n) > n || !good_width(v, s, arg) || !good_coefs(v->c, s, arg) ||
        !cuzk_step_visit(s, arg, is_made, v))
        return false;
    if (v->number == 0 && s->dst == v->next_input && s->kind == CUZK_STEP_QUAD &&
        v->next_input < v->c->counts->inputs) {
        v->next_input++;
        return true;
    }
    if (s->dst != v->next || s->n > v->t->base + v->t->locals - v->next)
        return false;
    v->next += s->n;
    return true;
}

static bool good_call(verifier *v, const cuzk_step *s)
{
    const cuzk_compiled *c = v->c;
    if (v->number != 0 || s->arg != v->next_instance || s->arg >= c->instances)
        return false;
    const cuzk_instance *in = &c->instance[s->arg];
    if (in->template == 0 || in->template >= c->templates)
        return false;
    const cuzk_template *t = &c->template[in->template];
    if (s->dst != v->next || s->n != t->locals || s->n > v->t->base + v->t->locals - v->next ||
        in->first_aux != v->next - v->t->base || in->root_row < v->root_row ||
        in->root_row > v->t->rows || in->first_row != in->root_row + v->instance_rows ||
        (uint64_t)in->first_field + t->field > c->counts->field ||
        (uint64_t)in->first_word + t->word > c->counts->word ||
        (uint64_t)in->first_binding + t->ports > c->section[CUZK_SECTION_BINDINGS].n)
        return false;
    for (uint32_t i = 0; i < t->ports; i++) {
        if (!is_made(v, c->binding[in->first_binding + i], false))
            return false;
    }
    v->next += s->n;
    v->next_instance++;
    v->instance_rows += t->rows;
    v->root_row = in->root_row;
    return v->instance_rows <= UINT32_MAX;
}

/* Slots that rows may name, once all steps are known; they rise in each side. */
static bool good_rows(const verifier *v)
{
    const uint32_t *start = v->c->row_start + v->t->first_start;
    const cuzk_entry *entry = v->c->entry + v->t->first_entry;
    for (size_t i = 0; i < 3 * (size_t)v->t->rows; i++) {
        if (start[i] > start[i + 1] || start[i + 1] > v->t->entries)
            return false;
        for (uint32_t j = start[i]; j < start[i + 1]; j++) {
            const cuzk_entry e = entry[j];
            if (e.coef >= v->c->coefs || (j > start[i] && e.slot <= entry[j - 1].slot) ||
                (e.slot >= v->t->base ? e.slot >= v->next : e.slot >= v->next_input))
                return false;
        }
    }
    return true;
}

static bool within(uint64_t first, uint64_t n, const cuzk_compiled *c, cuzk_section section)
{
    return first + n <= c->section[section].n;
}

static bool good_head(const cuzk_compiled *c, const cuzk_template *t, bool root)
{
    const cuzk_counts *k = c->counts;
    const bool shape = root ? t->base == CUZK_ROOT_BASE && t->ports == 0 && t->locals == k->aux &&
                                  t->field == k->field && t->word == k->word
                            : t->base == (uint64_t)t->ports + 1 && t->base < CUZK_ROOT_BASE;
    return shape && t->locals < CUZK_AUX_MAX && t->name < c->section[CUZK_SECTION_NAMES].n &&
           within(t->first_port, t->ports, c, CUZK_SECTION_PORTS) &&
           within(t->first_step, t->steps, c, CUZK_SECTION_STEPS) &&
           within(t->first_arg, t->args, c, CUZK_SECTION_ARGS) &&
           within(t->first_start, 3 * (uint64_t)t->rows + 1, c, CUZK_SECTION_ROW_STARTS) &&
           within(t->first_entry, t->entries, c, CUZK_SECTION_ENTRIES);
}

static cuzk_status verify_template(const cuzk_compiled *c, uint32_t number, const char *name,
                                   cuzk_error *err)
{
    const cuzk_template *t = &c->template[number];
    verifier v = {.c = c, .t = t, .number = number, .next = t->base};
    v.next_input = number == 0 ? 1 : t->base;
    for (uint32_t i = 0; i < t->steps; i++) {
        const cuzk_step *s = &c->step[t->first_step + i];
        if (s->kind == CUZK_STEP_CALL ? !good_call(&v, s) : !good_step(&v, s))
            return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: template %u: step %u makes no sense", name,
                             number, i);
    }
    if (v.next != t->base + t->locals ||
        (number == 0 && (v.next_input != c->counts->inputs || v.next_instance != c->instances ||
                         v.instance_rows + t->rows != c->counts->rows)))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: template %u: its steps do not make what its head says", name, number);
    if (!good_rows(&v))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: template %u: a row makes no sense", name,
                         number);
    return CUZK_OK;
}

static cuzk_status verify_coefs(const cuzk_compiled *c, const char *name, cuzk_error *err)
{
    cuzk_fr one, minus_one;
    bls12_381_fr_set_one(&one);
    bls12_381_fr_neg(&minus_one, &one);
    if (c->coefs < 2 || !bls12_381_fr_equal(&c->coef[CUZK_COEF_ONE], &one) ||
        !bls12_381_fr_equal(&c->coef[CUZK_COEF_MINUS_ONE], &minus_one))
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the first coefficients are not 1 and -1", name);
    for (size_t i = 0; i < c->coefs; i++) {
        if (!bls12_381_fr_limbs_valid(c->coef[i].l) || bls12_381_fr_is_zero(&c->coef[i]))
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: coefficient %zu is zero or not below the order", name, i);
    }
    return CUZK_OK;
}

cuzk_status cuzk_compiled_verify(const cuzk_compiled *c, const char *name, cuzk_error *err)
{
    const size_t names = c->section[CUZK_SECTION_NAMES].n;
    if (c->section[CUZK_SECTION_COUNTS].n != 1 || names == 0 || c->names[names - 1] != '\0' ||
        c->templates == 0 || c->templates > UINT32_MAX || c->counts->inputs == 0 ||
        c->counts->inputs >= CUZK_ROOT_BASE)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: counts or names make no sense", name);
    CUZK_TRY(verify_coefs(c, name, err));
    for (uint32_t t = 0; t < c->templates; t++) {
        if (!good_head(c, &c->template[t], t == 0))
            return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: template %u: its head makes no sense", name,
                             t);
    }
    for (uint32_t t = 0; t < c->templates; t++)
        CUZK_TRY(verify_template(c, t, name, err));
    return CUZK_OK;
}

/* Whether a slot of a template is a field element. */
typedef struct kinds {
    const cuzk_compiled *c;
    uint32_t template;
} kinds;

static bool is_wide(const kinds *k, uint32_t slot)
{
    if (k->template != 0)
        return (k->c->plan[k->template].place[slot] & CUZK_PLACE_WIDE) != 0;
    if (slot < CUZK_ROOT_BASE)
        return slot != 0;
    return cuzk_wide_has(&k->c->wide, slot - CUZK_ROOT_BASE);
}

static bool good_kind(void *user, uint32_t slot, bool as_bit)
{
    return !as_bit || !is_wide(user, slot);
}

cuzk_status cuzk_compiled_verify_kinds(const cuzk_compiled *c, const char *name, cuzk_error *err)
{
    for (uint32_t number = 0; number < c->templates; number++) {
        const cuzk_template *t = &c->template[number];
        kinds k = {c, number};
        for (uint32_t i = 0; i < t->steps; i++) {
            const cuzk_step *s = &c->step[t->first_step + i];
            if (!cuzk_step_visit(s, c->arg + t->first_arg + s->arg, good_kind, &k))
                return cuzk_fail(err, CUZK_ERR_FORMAT,
                                 "%s: template %u: step %u uses a field element as a bit", name,
                                 number, i);
        }
    }
    const kinds root = {c, 0};
    for (size_t i = 0; i < c->instances; i++) {
        const cuzk_instance *in = &c->instance[i];
        const cuzk_template *t = &c->template[in->template];
        for (uint32_t p = 0; p < t->ports; p++) {
            const bool wide = is_wide(&root, c->binding[in->first_binding + p]);
            if (wide != (c->port[t->first_port + p] != 0))
                return cuzk_fail(err, CUZK_ERR_FORMAT,
                                 "%s: call %zu: port %u takes another kind of variable", name,
                                 i + 1, p);
        }
    }
    return CUZK_OK;
}
