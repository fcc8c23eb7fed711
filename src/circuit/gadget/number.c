#include "circuit/gadget/number.h"

#include "circuit/gadget/small.h"

cuzk_var cuzk_number_take(cuzk_cs *cs)
{
    const cuzk_op op = {.kind = CUZK_OP_FIELD, .n = 1};
    return cuzk_cs_alloc(cs, &op);
}

void cuzk_number_take_many(cuzk_cs *cs, cuzk_var *vars, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vars[i] = cuzk_number_take(cs);
}

void cuzk_number_equal_lc(cuzk_cs *cs, cuzk_lc *lc, cuzk_var y)
{
    cuzk_small one = {0}, c = {0};
    cuzk_small_add(&one, CUZK_VAR_ONE, 1);
    cuzk_small_add(&c, y, 1);
    cuzk_cs_enforce(cs, lc, cuzk_small_lc(&one), cuzk_small_lc(&c));
}

static cuzk_var expose_lc(cuzk_cs *cs, const cuzk_lc *lc)
{
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .lc = lc};
    return cuzk_cs_alloc_input(cs, &op);
}

void cuzk_number_expose(cuzk_cs *cs, cuzk_var x)
{
    cuzk_small lc = {0};
    cuzk_small_add(&lc, x, 1);
    const cuzk_var input = expose_lc(cs, cuzk_small_lc(&lc));
    cuzk_number_equal(cs, input, x);
}

void cuzk_number_equal(cuzk_cs *cs, cuzk_var x, cuzk_var y)
{
    cuzk_small a = {0};
    cuzk_small_add(&a, x, 1);
    cuzk_number_equal_lc(cs, cuzk_small_lc(&a), y);
}

cuzk_var cuzk_number_mul(cuzk_cs *cs, cuzk_var x, cuzk_var y)
{
    cuzk_small a = {0}, b = {0}, c = {0};
    cuzk_small_add(&a, x, 1);
    cuzk_small_add(&b, y, 1);
    const cuzk_op op = {
        .kind = CUZK_OP_QUAD, .n = 1, .la = cuzk_small_lc(&a), .lb = cuzk_small_lc(&b)};
    const cuzk_var z = cuzk_cs_alloc(cs, &op);
    cuzk_small_add(&c, z, 1);
    cuzk_small_enforce(cs, &a, &b, &c);
    return z;
}

cuzk_var cuzk_number_of_lc(cuzk_cs *cs, cuzk_lc *lc)
{
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .lc = lc};
    const cuzk_var z = cuzk_cs_alloc(cs, &op);
    cuzk_number_equal_lc(cs, lc, z);
    return z;
}

cuzk_var cuzk_number_add(cuzk_cs *cs, cuzk_var x, cuzk_var y)
{
    cuzk_small sum = {0};
    cuzk_small_add(&sum, x, 1);
    cuzk_small_add(&sum, y, 1);
    return cuzk_number_of_lc(cs, cuzk_small_lc(&sum));
}

/* z = (x - y) * c + y; the row is (y - x) * c = y - z. */
cuzk_var cuzk_number_pick(cuzk_cs *cs, cuzk_bit c, cuzk_var x, cuzk_var y)
{
    cuzk_small x_less_y = {0}, y_less_x = {0}, choice = {0}, other = {0};
    cuzk_small_add(&x_less_y, x, 1);
    cuzk_small_add(&x_less_y, y, -1);
    cuzk_small_add_bit(&choice, c, 1);
    cuzk_small_add(&other, y, 1);
    const cuzk_op op = {.kind = CUZK_OP_QUAD,
                        .n = 1,
                        .la = cuzk_small_lc(&x_less_y),
                        .lb = cuzk_small_lc(&choice),
                        .lc = cuzk_small_lc(&other)};
    const cuzk_var z = cuzk_cs_alloc(cs, &op);
    cuzk_small_add(&y_less_x, y, 1);
    cuzk_small_add(&y_less_x, x, -1);
    cuzk_small_add(&other, z, -1);
    cuzk_small_enforce(cs, &y_less_x, &choice, &other);
    return z;
}

void cuzk_lc_add_bits(cuzk_lc *lc, const cuzk_bit *bits, size_t n)
{
    cuzk_fr weight;
    bls12_381_fr_set_one(&weight);
    for (size_t i = 0; i < n; i++) {
        cuzk_lc_add_bit(lc, bits[i], &weight);
        bls12_381_fr_dbl(&weight, &weight);
    }
}

static void decompose(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const cuzk_number_row *row = params;
    const cuzk_op op = {.kind = CUZK_OP_BITS, .n = CUZK_NUMBER_BITS, .a = ports[0].var};
    cuzk_lc sum = {0};
    cuzk_bits_alloc(cs, results, &op);
    cuzk_lc_add_bits(&sum, results, CUZK_NUMBER_BITS);
    if (*row == CUZK_NUMBER_SNAP) {
        cuzk_number_equal_lc(cs, &sum, ports[0].var);
    } else {
        cuzk_lc_add_small(&sum, ports[0].var, -1);
        cuzk_cs_enforce(cs, NULL, NULL, &sum);
    }
    cuzk_lc_release(&sum);
}

void cuzk_number_bits(cuzk_cs *cs, cuzk_bit bits[CUZK_NUMBER_BITS], cuzk_var x, cuzk_number_row row)
{
    const cuzk_gadget gadget = {.name = "bits of a number",
                                .fn = decompose,
                                .params = &row,
                                .params_size = sizeof row,
                                .n_ports = 1,
                                .n_results = CUZK_NUMBER_BITS};
    const cuzk_bit port = cuzk_bit_of(x);
    cuzk_cs_call(cs, &gadget, &port, bits);
}

cuzk_var cuzk_bits_pack(cuzk_cs *cs, const cuzk_bit *bits, size_t n)
{
    cuzk_lc sum = {0};
    CUZK_ASSERT(n <= CUZK_PACKED_BITS);
    cuzk_lc_add_bits(&sum, bits, n);
    const cuzk_var x = cuzk_number_of_lc(cs, &sum);
    cuzk_lc_release(&sum);
    return x;
}

void cuzk_bits_expose(cuzk_cs *cs, const cuzk_bit *bits, size_t n)
{
    for (size_t at = 0; at < n; at += CUZK_PACKED_BITS) {
        cuzk_lc sum = {0};
        cuzk_lc_add_bits(&sum, bits + at, n - at < CUZK_PACKED_BITS ? n - at : CUZK_PACKED_BITS);
        const cuzk_var input = expose_lc(cs, &sum);
        cuzk_number_equal_lc(cs, &sum, input);
        cuzk_lc_release(&sum);
    }
}
