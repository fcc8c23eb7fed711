#include "circuit/gadget/bit.h"

#include "circuit/gadget/small.h"

void cuzk_bits_alloc(cuzk_cs *cs, cuzk_bit *bits, const cuzk_op *op)
{
    const cuzk_var first = cuzk_cs_alloc(cs, op);
    for (unsigned i = 0; i < op->n; i++) {
        cuzk_small a = {0}, b = {0}, c = {0}; /* (1 - x) * x = 0 */
        cuzk_small_add(&a, CUZK_VAR_ONE, 1);
        cuzk_small_add(&a, first + i, -1);
        cuzk_small_add(&b, first + i, 1);
        cuzk_small_enforce(cs, &a, &b, &c);
        bits[i] = cuzk_bit_of(first + i);
    }
}

void cuzk_bits_take(cuzk_cs *cs, cuzk_bit *bits, unsigned n)
{
    const cuzk_op op = {.kind = CUZK_OP_WORD_BITS, .n = n, .word = cuzk_cs_word(cs)};
    cuzk_bits_alloc(cs, bits, &op);
}

static cuzk_bit negate_if(cuzk_bit b, bool negate)
{
    return negate ? cuzk_bit_not(b) : b;
}

static cuzk_var alloc_pair(cuzk_cs *cs, cuzk_op_kind kind, cuzk_var a, cuzk_var b)
{
    const cuzk_op op = {.kind = kind, .n = 1, .a = a, .b = b};
    return cuzk_cs_alloc(cs, &op);
}

/* 2a * b = a + b - z */
static cuzk_bit xor_vars(cuzk_cs *cs, cuzk_var va, cuzk_var vb)
{
    cuzk_small a = {0}, b = {0}, c = {0};
    const cuzk_var z = alloc_pair(cs, CUZK_OP_XOR, va, vb);
    cuzk_small_add(&a, va, 2);
    cuzk_small_add(&b, vb, 1);
    cuzk_small_add(&c, va, 1);
    cuzk_small_add(&c, vb, 1);
    cuzk_small_add(&c, z, -1);
    cuzk_small_enforce(cs, &a, &b, &c);
    return cuzk_bit_of(z);
}

cuzk_bit cuzk_bit_xor(cuzk_cs *cs, cuzk_bit a, cuzk_bit b)
{
    if (cuzk_bit_is_constant(a))
        return negate_if(b, a.kind == CUZK_BIT_1);
    if (cuzk_bit_is_constant(b))
        return negate_if(a, b.kind == CUZK_BIT_1);
    if (a.kind == b.kind)
        return xor_vars(cs, a.var, b.var);
    return cuzk_bit_not(a.kind == CUZK_BIT_VAR ? xor_vars(cs, a.var, b.var)
                                               : xor_vars(cs, b.var, a.var));
}

/* a * b = z of two booleans, of which a negated one comes last. */
static cuzk_bit and_bits(cuzk_cs *cs, cuzk_op_kind kind, cuzk_bit x, cuzk_bit y)
{
    cuzk_small a = {0}, b = {0}, c = {0};
    const cuzk_var z = alloc_pair(cs, kind, x.var, y.var);
    cuzk_small_add_bit(&a, x, 1);
    cuzk_small_add_bit(&b, y, 1);
    cuzk_small_add(&c, z, 1);
    cuzk_small_enforce(cs, &a, &b, &c);
    return cuzk_bit_of(z);
}

cuzk_bit cuzk_bit_and(cuzk_cs *cs, cuzk_bit a, cuzk_bit b)
{
    if (a.kind == CUZK_BIT_0 || b.kind == CUZK_BIT_0)
        return cuzk_bit_constant(false);
    if (a.kind == CUZK_BIT_1)
        return b;
    if (b.kind == CUZK_BIT_1)
        return a;
    if (a.kind == b.kind)
        return and_bits(cs, a.kind == CUZK_BIT_VAR ? CUZK_OP_AND : CUZK_OP_NOR, a, b);
    return a.kind == CUZK_BIT_VAR ? and_bits(cs, CUZK_OP_AND_NOT, a, b)
                                  : and_bits(cs, CUZK_OP_AND_NOT, b, a);
}

/* not (not a and not b) */
static cuzk_bit or_bits(cuzk_cs *cs, cuzk_bit a, cuzk_bit b)
{
    return cuzk_bit_not(cuzk_bit_and(cs, cuzk_bit_not(a), cuzk_bit_not(b)));
}

static bool all_constant(cuzk_bit a, cuzk_bit b, cuzk_bit c)
{
    return cuzk_bit_is_constant(a) && cuzk_bit_is_constant(b) && cuzk_bit_is_constant(c);
}

static cuzk_var alloc_three(cuzk_cs *cs, cuzk_op_kind kind, cuzk_bit x, cuzk_bit y, cuzk_bit z)
{
    const cuzk_op op = {.kind = kind, .n = 1, .x = x, .y = y, .z = z};
    return cuzk_cs_alloc(cs, &op);
}

/* (y - z) * x = r - z */
static cuzk_bit choose_bits(cuzk_cs *cs, cuzk_bit x, cuzk_bit y, cuzk_bit z)
{
    cuzk_small a = {0}, b = {0}, c = {0};
    const cuzk_var r = alloc_three(cs, CUZK_OP_CH, x, y, z);
    cuzk_small_add_bit(&a, y, 1);
    cuzk_small_add_bit(&a, z, -1);
    cuzk_small_add_bit(&b, x, 1);
    cuzk_small_add(&c, r, 1);
    cuzk_small_add_bit(&c, z, -1);
    cuzk_small_enforce(cs, &a, &b, &c);
    return cuzk_bit_of(r);
}

cuzk_bit cuzk_bit_choose(cuzk_cs *cs, cuzk_bit a, cuzk_bit b, cuzk_bit c)
{
    if (all_constant(a, b, c))
        return a.kind == CUZK_BIT_1 ? b : c;
    if (a.kind == CUZK_BIT_0)
        return c;
    if (b.kind == CUZK_BIT_0)
        return cuzk_bit_and(cs, cuzk_bit_not(a), c);
    if (c.kind == CUZK_BIT_0)
        return cuzk_bit_and(cs, a, b);
    if (c.kind == CUZK_BIT_1)
        return cuzk_bit_not(cuzk_bit_and(cs, a, cuzk_bit_not(b)));
    if (b.kind == CUZK_BIT_1)
        return or_bits(cs, a, c);
    return choose_bits(cs, a, b, c);
}

/* (2t - y - z) * x = t - r, t = y and z; r is allocated before t. */
static cuzk_bit majority_bits(cuzk_cs *cs, cuzk_bit x, cuzk_bit y, cuzk_bit z)
{
    cuzk_small a = {0}, b = {0}, c = {0};
    const cuzk_var r = alloc_three(cs, CUZK_OP_MAJ, x, y, z);
    const cuzk_bit t = cuzk_bit_and(cs, y, z);
    cuzk_small_add_bit(&a, t, 2);
    cuzk_small_add_bit(&a, y, -1);
    cuzk_small_add_bit(&a, z, -1);
    cuzk_small_add_bit(&b, x, 1);
    cuzk_small_add_bit(&c, t, 1);
    cuzk_small_add(&c, r, -1);
    cuzk_small_enforce(cs, &a, &b, &c);
    return cuzk_bit_of(r);
}

cuzk_bit cuzk_bit_majority(cuzk_cs *cs, cuzk_bit a, cuzk_bit b, cuzk_bit c)
{
    if (all_constant(a, b, c))
        return a.kind == b.kind ? a : c;
    if (a.kind == CUZK_BIT_0)
        return cuzk_bit_and(cs, b, c);
    if (b.kind == CUZK_BIT_0)
        return cuzk_bit_and(cs, a, c);
    if (c.kind == CUZK_BIT_0)
        return cuzk_bit_and(cs, a, b);
    if (c.kind == CUZK_BIT_1)
        return or_bits(cs, a, b);
    if (b.kind == CUZK_BIT_1)
        return or_bits(cs, a, c);
    if (a.kind == CUZK_BIT_1)
        return or_bits(cs, b, c);
    return majority_bits(cs, a, b, c);
}
