#include "circuit/gadget/insert.h"

#include "circuit/gadget/number.h"

/* The three circuits below are those of 2, 4 and 8; a is the element, b .. h are the others, p0 ..
 * the places. */

static void insert_2(cuzk_cs *cs, cuzk_var p[2], cuzk_var a, const cuzk_bit *bit, const cuzk_var *o)
{
    p[0] = cuzk_number_pick(cs, bit[0], o[0], a);
    p[1] = cuzk_number_pick(cs, bit[0], a, o[0]);
}

static void insert_4(cuzk_cs *cs, cuzk_var p[4], cuzk_var a, const cuzk_bit *bit, const cuzk_var *o)
{
    const cuzk_var b = o[0], c = o[1], d = o[2];
    cuzk_var t = cuzk_number_pick(cs, bit[0], b, a);
    p[0] = cuzk_number_pick(cs, bit[1], b, t);
    t = cuzk_number_pick(cs, bit[0], a, b);
    p[1] = cuzk_number_pick(cs, bit[1], c, t);
    t = cuzk_number_pick(cs, bit[0], d, a);
    p[2] = cuzk_number_pick(cs, bit[1], t, c);
    t = cuzk_number_pick(cs, bit[0], a, d);
    p[3] = cuzk_number_pick(cs, bit[1], t, d);
}

static void insert_8(cuzk_cs *cs, cuzk_var p[8], cuzk_var a, const cuzk_bit *bit, const cuzk_var *o)
{
    const cuzk_var b = o[0], c = o[1], d = o[2], e = o[3], f = o[4], g = o[5], h = o[6];
    const cuzk_bit nor = cuzk_bit_and(cs, cuzk_bit_not(bit[0]), cuzk_bit_not(bit[1]));
    const cuzk_bit and = cuzk_bit_and(cs, bit[0], bit[1]);
    cuzk_var t = cuzk_number_pick(cs, nor, a, b);
    p[0] = cuzk_number_pick(cs, bit[2], b, t);
    t = cuzk_number_pick(cs, bit[0], a, b);
    t = cuzk_number_pick(cs, bit[1], c, t);
    p[1] = cuzk_number_pick(cs, bit[2], c, t);
    t = cuzk_number_pick(cs, bit[0], d, a);
    t = cuzk_number_pick(cs, bit[1], t, c);
    p[2] = cuzk_number_pick(cs, bit[2], d, t);
    t = cuzk_number_pick(cs, and, a, d);
    p[3] = cuzk_number_pick(cs, bit[2], e, t);
    t = cuzk_number_pick(cs, nor, a, f);
    p[4] = cuzk_number_pick(cs, bit[2], t, e);
    t = cuzk_number_pick(cs, bit[0], a, f);
    t = cuzk_number_pick(cs, bit[1], g, t);
    p[5] = cuzk_number_pick(cs, bit[2], t, f);
    t = cuzk_number_pick(cs, bit[0], h, a);
    t = cuzk_number_pick(cs, bit[1], t, g);
    p[6] = cuzk_number_pick(cs, bit[2], t, g);
    t = cuzk_number_pick(cs, and, a, h);
    p[7] = cuzk_number_pick(cs, bit[2], t, h);
}

/* Each place is chosen among what it holds for each place of the element. */
static void insert_any(cuzk_cs *cs, cuzk_var *p, uint32_t n, cuzk_var a, const cuzk_bit *bit,
                       const cuzk_var *o)
{
    cuzk_var held[CUZK_INSERT_MAX];
    for (uint32_t place = 0; place < n; place++) {
        for (uint32_t at = 0; at < n; at++)
            held[at] = at == place ? a : o[place < at ? place : place - 1];
        p[place] = cuzk_select(cs, held, n, bit);
    }
}

void cuzk_insert(cuzk_cs *cs, cuzk_var *out, uint32_t n, cuzk_var el, const cuzk_bit *bits,
                 const cuzk_var *others)
{
    CUZK_ASSERT(n >= 2 && n <= CUZK_INSERT_MAX);
    switch (n) {
    case 2:
        insert_2(cs, out, el, bits, others);
        break;
    case 4:
        insert_4(cs, out, el, bits, others);
        break;
    case 8:
        insert_8(cs, out, el, bits, others);
        break;
    default:
        insert_any(cs, out, n, el, bits, others);
        break;
    }
}

cuzk_var cuzk_select(cuzk_cs *cs, cuzk_var *list, size_t n, const cuzk_bit *bits)
{
    size_t bit = cuzk_arity_bits((uint32_t)n);
    for (size_t half = n / 2; half > 0; half /= 2) {
        bit--;
        for (size_t j = 0; j < half; j++)
            list[j] = cuzk_number_pick(cs, bits[bit], list[half + j], list[j]);
    }
    return list[0];
}
