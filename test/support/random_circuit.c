#include "support/random_circuit.h"

#include "field/bls12_381_fr.h"
#include "support/test.h"

#define MOST 64 /* variables that a gadget chooses from */

/* A gadget under construction: what it may use. */
typedef struct world {
    cuzk_cs *cs;
    test_rng rng;
    cuzk_bit bit[MOST];
    cuzk_var wide[MOST];
    size_t bits, wides;
    bool honest;
} world;

typedef struct gadget_params {
    uint64_t seed;
    uint32_t wide_ports, bit_ports, steps, honest;
} gadget_params;

static uint64_t below(world *w, uint64_t n)
{
    return test_rng_below(&w->rng, n);
}

static cuzk_bit some_bit(world *w)
{
    cuzk_bit b = {below(w, 2) != 0 ? CUZK_BIT_1 : CUZK_BIT_0, 0};
    if (w->bits != 0 && below(w, 8) != 0) {
        b = w->bit[below(w, w->bits)];
        if (b.kind == CUZK_BIT_VAR && below(w, 3) == 0)
            b.kind = CUZK_BIT_NOT;
    }
    return b;
}

/* A variable that is a bit; false: there is none. */
static bool some_bit_var(world *w, cuzk_var *var)
{
    for (size_t i = 0; i < 8 && w->bits != 0; i++) {
        const cuzk_bit b = w->bit[below(w, w->bits)];
        *var = b.var;
        if (b.kind == CUZK_BIT_VAR || b.kind == CUZK_BIT_NOT)
            return true;
    }
    return false;
}

static void keep_bit(world *w, cuzk_bit b)
{
    w->bit[w->bits < MOST ? w->bits++ : below(w, MOST)] = b;
}

static void keep_wide(world *w, cuzk_var var)
{
    w->wide[w->wides < MOST ? w->wides++ : below(w, MOST)] = var;
}

static cuzk_fr some_coef(world *w)
{
    cuzk_fr c;
    cuzk_scalar s = {{test_rng_next(&w->rng), test_rng_next(&w->rng), test_rng_next(&w->rng),
                      test_rng_next(&w->rng) >> 2}};
    bls12_381_fr_from_u64(&c, 1 + below(w, 3));
    if (below(w, 4) == 0)
        bls12_381_fr_from_canon(&c, &s);
    if (below(w, 2) == 0)
        bls12_381_fr_neg(&c, &c);
    return c;
}

static void random_lc(world *w, cuzk_lc *lc, bool bits_only)
{
    cuzk_lc_clear(lc);
    for (uint64_t n = below(w, 12); n > 0; n--) {
        const cuzk_fr coef = some_coef(w);
        if (bits_only || w->wides == 0 || below(w, 2) == 0)
            cuzk_lc_add_bit(lc, some_bit(w), &coef);
        else
            cuzk_lc_add(lc, w->wide[below(w, w->wides)], &coef);
    }
}

/* z = A * B + C, with the row that says so. */
static cuzk_var quad_and_row(world *w, bool input)
{
    cuzk_lc a = {0}, b = {0}, c = {0};
    cuzk_fr minus_one;
    random_lc(w, &a, below(w, 2) == 0);
    random_lc(w, &b, below(w, 2) == 0);
    random_lc(w, &c, below(w, 2) == 0);
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .la = &a, .lb = &b, .lc = &c};
    const cuzk_var z = input ? cuzk_cs_alloc_input(w->cs, &op) : cuzk_cs_alloc(w->cs, &op);
    bls12_381_fr_set_one(&minus_one);
    bls12_381_fr_neg(&minus_one, &minus_one);
    for (size_t i = 0; i < c.n; i++)
        bls12_381_fr_neg(&c.term[i].coef, &c.term[i].coef);
    cuzk_lc_add_small(&c, z, 1);
    if (!w->honest && below(w, 8) == 0)
        random_lc(w, &c, false);
    cuzk_cs_enforce(w->cs, &a, &b, &c);
    cuzk_lc_release(&a);
    cuzk_lc_release(&b);
    cuzk_lc_release(&c);
    return z;
}

/* A row of bits: b * (1 - b) = 0, or a sum of bits with large coefficients that equals itself. */
static void bit_row(world *w)
{
    cuzk_lc a = {0}, b = {0}, c = {0};
    cuzk_fr one;
    bls12_381_fr_set_one(&one);
    const cuzk_bit x = some_bit(w);
    const cuzk_bit_kind other[] = {CUZK_BIT_1, CUZK_BIT_0, CUZK_BIT_NOT, CUZK_BIT_VAR};
    if (below(w, 2) == 0) {
        cuzk_lc_add_bit(&a, x, &one);
        cuzk_lc_add_bit(&b, (cuzk_bit){other[x.kind], x.var}, &one);
    } else {
        random_lc(w, &a, true);
        cuzk_lc_add_lc(&c, &a, &one);
        cuzk_lc_add_small(&b, CUZK_VAR_ONE, 1);
    }
    cuzk_cs_enforce(w->cs, &a, &b, &c);
    cuzk_lc_release(&a);
    cuzk_lc_release(&b);
    cuzk_lc_release(&c);
}

static void make_sum(world *w)
{
    cuzk_bit words[10 * 32];
    const size_t n = 1 + below(w, 10);
    for (size_t i = 0; i < 32 * n; i++)
        words[i] = some_bit(w);
    const cuzk_op op = {
        .kind = CUZK_OP_SUM, .n = (unsigned)(1 + below(w, 36)), .words = words, .n_words = n};
    const cuzk_var first = cuzk_cs_alloc(w->cs, &op);
    for (uint32_t i = 0; i < op.n; i++)
        keep_bit(w, (cuzk_bit){CUZK_BIT_VAR, first + i});
}

static void make_bits(world *w)
{
    cuzk_op op = {.kind = CUZK_OP_BITS, .n = (unsigned)(1 + below(w, 255))};
    if (w->wides == 0 || below(w, 4) == 0) {
        op = (cuzk_op){.kind = CUZK_OP_WORD_BITS,
                       .n = (unsigned)(1 + below(w, 30)),
                       .first = (unsigned)below(w, 34)};
        op.word = cuzk_cs_word(w->cs);
    } else {
        op.a = w->wide[below(w, w->wides)];
    }
    const cuzk_var first = cuzk_cs_alloc(w->cs, &op);
    for (uint32_t i = 0; i < op.n && i < 16; i++)
        keep_bit(w, (cuzk_bit){CUZK_BIT_VAR, first + (uint32_t)below(w, op.n)});
}

static void make_one_bit(world *w)
{
    const cuzk_op_kind kinds[] = {CUZK_OP_XOR, CUZK_OP_AND, CUZK_OP_AND_NOT,
                                  CUZK_OP_NOR, CUZK_OP_CH,  CUZK_OP_MAJ};
    cuzk_op op = {
        .kind = kinds[below(w, 6)], .n = 1, .x = some_bit(w), .y = some_bit(w), .z = some_bit(w)};
    if (op.kind != CUZK_OP_CH && op.kind != CUZK_OP_MAJ &&
        !(some_bit_var(w, &op.a) && some_bit_var(w, &op.b)))
        return;
    keep_bit(w, (cuzk_bit){CUZK_BIT_VAR, cuzk_cs_alloc(w->cs, &op)});
}

static void random_step(world *w)
{
    switch (below(w, 12)) {
    case 0:
        keep_wide(w, cuzk_cs_alloc(w->cs, &(cuzk_op){.kind = CUZK_OP_FIELD, .n = 1}));
        break;
    case 1:
        make_bits(w);
        break;
    case 2:
        make_sum(w);
        break;
    case 3:
    case 4:
    case 5:
        keep_wide(w, quad_and_row(w, false));
        break;
    case 6:
        bit_row(w);
        break;
    default:
        make_one_bit(w);
    }
}

static void call_random(world *w, unsigned steps);

static void run_gadget(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const gadget_params *p = params;
    world w = {.cs = cs, .rng = {p->seed * 2 + 1}, .honest = p->honest != 0};
    for (uint32_t i = 0; i < p->wide_ports; i++)
        keep_wide(&w, ports[i].var);
    for (uint32_t i = 0; i < p->bit_ports; i++)
        keep_bit(&w, ports[p->wide_ports + i]);
    for (uint32_t i = 0; i < p->steps; i++)
        random_step(&w);
    if (p->steps > 4)
        call_random(&w, p->steps / 4);
    results[0] = some_bit(&w);
    results[1] = w.wides != 0 ? (cuzk_bit){CUZK_BIT_VAR, w.wide[below(&w, w.wides)]}
                              : (cuzk_bit){CUZK_BIT_0, 0};
}

/* A call of one of a few gadgets, with random ports. */
static void call_random(world *w, unsigned steps)
{
    cuzk_bit ports[12], results[2];
    gadget_params p = {.seed = below(w, 3), .steps = steps, .honest = w->honest};
    p.wide_ports = w->wides != 0 ? (uint32_t)below(w, 3) : 0;
    p.bit_ports = (uint32_t)below(w, 6);
    for (uint32_t i = 0; i < p.wide_ports; i++)
        ports[i] = (cuzk_bit){CUZK_BIT_VAR, w->wide[below(w, w->wides < 4 ? w->wides : 4)]};
    for (uint32_t i = 0; i < p.bit_ports; i++)
        ports[p.wide_ports + i] = some_bit(w);
    const cuzk_gadget gadget = {.name = "random gadget",
                                .fn = run_gadget,
                                .params = &p,
                                .params_size = sizeof p,
                                .n_ports = p.wide_ports + p.bit_ports,
                                .n_results = 2};
    cuzk_cs_call(w->cs, &gadget, ports, results);
    keep_bit(w, results[0]);
    if (results[1].kind == CUZK_BIT_VAR)
        keep_wide(w, results[1].var);
}

void test_random_build(cuzk_cs *cs, const void *params)
{
    const test_random_circuit *p = params;
    world w = {.cs = cs, .rng = {p->seed * 2 + 1}, .honest = p->honest};
    for (unsigned i = 0; i < p->calls; i++) {
        if (below(&w, 3) == 0)
            random_step(&w);
        if (below(&w, 20) == 0)
            keep_wide(&w, quad_and_row(&w, true));
        call_random(&w, p->steps);
    }
}
