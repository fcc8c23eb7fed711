/* How the direct system makes values: each operation as soon as it comes. */
#include "circuit/direct_state.h"

#include "field/bls12_381_fr.h"

#include <stdlib.h>

bool cuzk_value_append(cuzk_value_list *list, const cuzk_fr *value)
{
    if (list->n == list->room) {
        const size_t room = list->room == 0 ? 256 : 2 * list->room;
        cuzk_fr *fresh = realloc(list->value, room * sizeof *fresh);
        if (fresh == NULL)
            return false;
        list->value = fresh;
        list->room = room;
    }
    list->value[list->n++] = *value;
    return true;
}

const cuzk_fr *cuzk_direct_value(const cuzk_direct *direct, cuzk_var var)
{
    const bool input = (var & CUZK_VAR_INPUT) != 0;
    const cuzk_value_list *list = input ? &direct->input : &direct->aux;
    const size_t place = var & ~CUZK_VAR_SPACE;
    CUZK_ASSERT(place < list->n); /* else a gadget uses what it has not made */
    return &list->value[place];
}

bool cuzk_direct_bit(const cuzk_direct *direct, cuzk_bit b)
{
    if (b.kind == CUZK_BIT_0 || b.kind == CUZK_BIT_1)
        return b.kind == CUZK_BIT_1;
    return bls12_381_fr_is_zero(cuzk_direct_value(direct, b.var)) == (b.kind == CUZK_BIT_NOT);
}

void cuzk_direct_dot(const cuzk_direct *d, cuzk_fr *r, const cuzk_lc *lc)
{
    cuzk_fr one, minus, sum, t;
    bls12_381_fr_set_one(&one);
    bls12_381_fr_neg(&minus, &one);
    bls12_381_fr_set_zero(&sum);
    for (size_t i = 0; lc != NULL && i < lc->n; i++) {
        const cuzk_fr *coef = &lc->term[i].coef, *value = cuzk_direct_value(d, lc->term[i].var);
        if (bls12_381_fr_equal(coef, &one)) {
            bls12_381_fr_add(&sum, &sum, value);
        } else if (bls12_381_fr_equal(coef, &minus)) {
            bls12_381_fr_sub(&sum, &sum, value);
        } else {
            bls12_381_fr_mul(&t, coef, value);
            bls12_381_fr_add(&sum, &sum, &t);
        }
    }
    *r = sum;
}

static void append(cuzk_direct *d, cuzk_value_list *list, const cuzk_fr *value)
{
    if (!cuzk_value_append(list, value))
        cuzk_cs_fail(&d->cs, CUZK_ERR_MEMORY, "no memory for the values of %zu variables", list->n);
}

static void append_bit(cuzk_direct *d, cuzk_value_list *list, bool bit)
{
    cuzk_fr v;
    bls12_381_fr_set_zero(&v);
    if (bit)
        bls12_381_fr_set_one(&v);
    append(d, list, &v);
}

static void evaluate_field(cuzk_direct *d, cuzk_value_list *list)
{
    const cuzk_circuit_inputs *inputs = d->options.inputs;
    cuzk_fr v;
    if (d->next_field >= inputs->n_field) {
        cuzk_cs_fail(&d->cs, CUZK_ERR_FORMAT,
                     "circuit inputs: %zu field elements, the circuit takes more", inputs->n_field);
        return;
    }
    if (!bls12_381_fr_from_limbs(&v, &inputs->field[d->next_field])) {
        cuzk_cs_fail(&d->cs, CUZK_ERR_FORMAT,
                     "circuit inputs: field element %zu is not below the field's order",
                     d->next_field);
        return;
    }
    d->next_field++;
    append(d, list, &v);
}

static void evaluate_sum(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < 32 * op->n_words; i++)
        sum += (uint64_t)cuzk_direct_bit(d, op->words[i]) << (i % 32);
    for (unsigned i = 0; i < op->n; i++)
        append_bit(d, list, sum >> i & 1);
}

static void evaluate_bits(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op)
{
    cuzk_scalar v;
    bls12_381_fr_to_canon(&v, cuzk_direct_value(d, op->a));
    for (unsigned i = 0; i < op->n; i++)
        append_bit(d, list, v.l[i / 64] >> (i % 64) & 1);
}

static void evaluate_word(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op)
{
    const uint64_t word = d->options.inputs->word[op->word];
    for (unsigned i = 0; i < op->n; i++)
        append_bit(d, list, word >> (op->first + i) & 1);
}

static void evaluate_quad(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op)
{
    cuzk_fr a, b, c;
    cuzk_direct_dot(d, &a, op->la);
    cuzk_direct_dot(d, &b, op->lb);
    cuzk_direct_dot(d, &c, op->lc);
    bls12_381_fr_mul(&a, &a, &b);
    bls12_381_fr_add(&c, &c, &a);
    append(d, list, &c);
}

/* Operations on one or two variables that are bits. */
static bool combine(const cuzk_direct *d, const cuzk_op *op)
{
    const bool a = !bls12_381_fr_is_zero(cuzk_direct_value(d, op->a));
    const bool b = !bls12_381_fr_is_zero(cuzk_direct_value(d, op->b));
    switch (op->kind) {
    case CUZK_OP_XOR:
        return a != b;
    case CUZK_OP_AND:
        return a && b;
    case CUZK_OP_AND_NOT:
        return a && !b;
    default:
        CUZK_ASSERT(op->kind == CUZK_OP_NOR);
        return !a && !b;
    }
}

/* Operations on three booleans. */
static bool choose(const cuzk_direct *d, const cuzk_op *op)
{
    const bool x = cuzk_direct_bit(d, op->x), y = cuzk_direct_bit(d, op->y);
    const bool z = cuzk_direct_bit(d, op->z);
    return op->kind == CUZK_OP_CH ? (x ? y : z) : (x && y) || (x && z) || (y && z);
}

void cuzk_direct_evaluate(cuzk_direct *d, cuzk_value_list *list, const cuzk_op *op)
{
    switch (op->kind) {
    case CUZK_OP_FIELD:
        evaluate_field(d, list);
        break;
    case CUZK_OP_WORD_BITS:
        evaluate_word(d, list, op);
        break;
    case CUZK_OP_SUM:
        evaluate_sum(d, list, op);
        break;
    case CUZK_OP_BITS:
        evaluate_bits(d, list, op);
        break;
    case CUZK_OP_QUAD:
        evaluate_quad(d, list, op);
        break;
    case CUZK_OP_CH:
    case CUZK_OP_MAJ:
        append_bit(d, list, choose(d, op));
        break;
    default:
        append_bit(d, list, combine(d, op));
        break;
    }
}
