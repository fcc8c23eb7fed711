/* Between S-boxes the state's elements are linear combinations of the same variables, the basis:
 * ONE (the tag's element after the first S-box is a constant) and S-boxes' outputs. They are kept
 * as vectors of coefficients over it, so that mixing is plain arithmetic and emitting is in order.
 */
#include "circuit/gadget/poseidon_gadget.h"

#include "circuit/gadget/bit.h"
#include "circuit/gadget/small.h"
#include "hash/poseidon.h"

#include <stdlib.h>

#define PARTIAL_ROUNDS 64 /* at least as many as any arity has */
#define MAX_BASIS      (CUZK_POSEIDON_MAX_WIDTH + PARTIAL_ROUNDS)
#define HALF           (CUZK_POSEIDON_FULL_ROUNDS / 2)

typedef struct poseidon_params {
    uint64_t arity, tag;
} poseidon_params;

typedef struct poseidon_state {
    cuzk_cs *cs;
    const cuzk_poseidon *p;
    const cuzk_fr *next; /* of the compressed constants */
    size_t n;            /* of the basis */
    cuzk_var basis[MAX_BASIS];
    cuzk_fr coef[CUZK_POSEIDON_MAX_WIDTH][MAX_BASIS];
    cuzk_lc lc;
} poseidon_state;

/* x^2 for a number that is lc: a * a = z. */
static cuzk_var square(cuzk_cs *cs, const cuzk_lc *lc)
{
    cuzk_term terms[2][2];
    cuzk_small c = {0};
    cuzk_lc a = {.term = terms[0], .n = lc->n, .room = 2};
    cuzk_lc b = {.term = terms[1], .n = lc->n, .room = 2};
    for (size_t i = 0; i < lc->n; i++)
        terms[0][i] = terms[1][i] = lc->term[i];
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .la = lc, .lb = lc};
    const cuzk_var z = cuzk_cs_alloc(cs, &op);
    cuzk_small_add(&c, z, 1);
    cuzk_cs_enforce(cs, &a, &b, cuzk_small_lc(&c));
    return z;
}

/* x^5 + post for x = var + pre; pre and post may be NULL for 0. Rows: x * x = l2; l2 * l2 = l4;
 * x * l4 = y - post. */
static cuzk_var sbox(cuzk_cs *cs, cuzk_var var, const cuzk_fr *pre, const cuzk_fr *post)
{
    cuzk_term x_terms[2], y_terms[2];
    cuzk_small s2 = {0}, s4 = {0};
    cuzk_lc x = {.term = x_terms, .n = pre != NULL ? 2 : 1, .room = 2};
    cuzk_lc y = {.term = y_terms, .n = post != NULL ? 1 : 0, .room = 2};
    if (pre != NULL)
        x_terms[0] = (cuzk_term){CUZK_VAR_ONE, *pre};
    x_terms[x.n - 1].var = var;
    bls12_381_fr_set_one(&x_terms[x.n - 1].coef);
    cuzk_small_add(&s2, square(cs, &x), 1);
    cuzk_small_add(&s4, square(cs, cuzk_small_lc(&s2)), 1);
    if (post != NULL)
        y_terms[0] = (cuzk_term){CUZK_VAR_ONE, *post};
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .la = &x, .lb = cuzk_small_lc(&s4), .lc = &y};
    const cuzk_var out = cuzk_cs_alloc(cs, &op);
    if (post != NULL)
        bls12_381_fr_neg(&y_terms[0].coef, post);
    y_terms[y.n].var = out;
    bls12_381_fr_set_one(&y_terms[y.n].coef);
    y.n++;
    cuzk_cs_enforce(cs, &x, cuzk_small_lc(&s4), &y);
    return out;
}

/* Element e as a variable. */
static cuzk_var settle(poseidon_state *s, size_t e)
{
    cuzk_small one = {0}, c = {0};
    cuzk_lc_clear(&s->lc);
    for (size_t i = 0; i < s->n; i++)
        cuzk_lc_add(&s->lc, s->basis[i], &s->coef[e][i]);
    const cuzk_op op = {.kind = CUZK_OP_QUAD, .n = 1, .lc = &s->lc};
    const cuzk_var x = cuzk_cs_alloc(s->cs, &op);
    cuzk_small_add(&one, CUZK_VAR_ONE, 1);
    cuzk_small_add(&c, x, 1);
    cuzk_cs_enforce(s->cs, &s->lc, cuzk_small_lc(&one), cuzk_small_lc(&c));
    return x;
}

/* Makes the S-boxes' outputs the basis, multiplied by a matrix: new[j] = sum of state[i] * m[i][j].
 */
static void mix(poseidon_state *s, const cuzk_var *out, const cuzk_fr *m)
{
    const size_t t = s->p->width;
    s->n = t;
    for (size_t i = 0; i < t; i++) {
        s->basis[i] = out[i];
        for (size_t j = 0; j < t; j++)
            s->coef[j][i] = m[i * t + j];
    }
}

/* The tag is a constant: its S-box's output is that many times ONE. */
static void first_round(poseidon_state *s, uint64_t tag, const cuzk_bit *preimage)
{
    const size_t t = s->p->width;
    cuzk_var out[CUZK_POSEIDON_MAX_WIDTH];
    cuzk_fr c, c5;
    bls12_381_fr_from_u64(&c, tag);
    bls12_381_fr_add(&c, &c, &s->next[0]);
    bls12_381_fr_sqr(&c5, &c);
    bls12_381_fr_sqr(&c5, &c5);
    bls12_381_fr_mul(&c5, &c5, &c);
    bls12_381_fr_add(&c5, &c5, &s->next[t]);
    out[0] = CUZK_VAR_ONE;
    for (size_t i = 1; i < t; i++)
        out[i] = sbox(s->cs, preimage[i - 1].var, &s->next[i], &s->next[t + i]);
    s->next += 2 * t;
    mix(s, out, s->p->mds);
    for (size_t j = 0; j < t; j++)
        bls12_381_fr_mul(&s->coef[j][0], &s->coef[j][0], &c5);
}

static void full_round(poseidon_state *s, const cuzk_fr *m, bool with_constants)
{
    const size_t t = s->p->width;
    cuzk_var out[CUZK_POSEIDON_MAX_WIDTH];
    for (size_t i = 0; i < t; i++)
        out[i] = sbox(s->cs, settle(s, i), NULL, with_constants ? &s->next[i] : NULL);
    if (with_constants)
        s->next += t;
    mix(s, out, m);
}

/* The S-box's output becomes one more variable of the basis. */
static void partial_round(poseidon_state *s, const cuzk_fr *w_hat, const cuzk_fr *v_rest)
{
    const size_t t = s->p->width, n = s->n;
    cuzk_fr product;
    s->basis[n] = sbox(s->cs, settle(s, 0), NULL, s->next++);
    for (size_t i = 0; i < n; i++) {
        bls12_381_fr_set_zero(&s->coef[0][i]);
        for (size_t j = 1; j < t; j++) {
            bls12_381_fr_mul(&product, &w_hat[j], &s->coef[j][i]);
            bls12_381_fr_add(&s->coef[0][i], &s->coef[0][i], &product);
        }
    }
    s->coef[0][n] = w_hat[0];
    for (size_t j = 1; j < t; j++)
        s->coef[j][n] = v_rest[j - 1];
    s->n++;
}

static void permute(poseidon_state *s, uint64_t tag, const cuzk_bit *preimage)
{
    const cuzk_poseidon *p = s->p;
    first_round(s, tag, preimage);
    for (size_t r = 1; r < HALF; r++)
        full_round(s, r == HALF - 1 ? p->pre : p->mds, true);
    for (size_t r = 0; r < p->partial_rounds; r++)
        partial_round(s, p->w_hat + r * p->width, p->v_rest + r * (p->width - 1));
    for (size_t r = 0; r < HALF; r++)
        full_round(s, p->mds, r < HALF - 1);
}

static void run_poseidon(cuzk_cs *cs, const void *params, const cuzk_bit *ports, cuzk_bit *results)
{
    const poseidon_params *given = params;
    results[0] = cuzk_bit_of(0);
    poseidon_state *s = malloc(sizeof *s);
    if (s == NULL) {
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for a Poseidon circuit");
        return;
    }
    s->cs = cs;
    s->p = cuzk_poseidon_get((unsigned)given->arity);
    CUZK_ASSERT(s->p != NULL && s->p->partial_rounds <= PARTIAL_ROUNDS);
    s->next = s->p->compressed;
    s->lc = (cuzk_lc){0};
    permute(s, given->tag, ports);
    results[0] = cuzk_bit_of(settle(s, 1));
    cuzk_lc_release(&s->lc);
    free(s);
}

cuzk_var cuzk_poseidon_number(cuzk_cs *cs, uint32_t arity, uint64_t tag, const cuzk_var *preimage)
{
    const poseidon_params params = {arity, tag};
    const cuzk_gadget gadget = {.name = "poseidon",
                                .fn = run_poseidon,
                                .params = &params,
                                .params_size = sizeof params,
                                .n_ports = arity,
                                .n_results = 1};
    cuzk_bit ports[CUZK_POSEIDON_MAX_ARITY], result;
    for (uint32_t i = 0; i < arity; i++)
        ports[i] = cuzk_bit_of(preimage[i]);
    cuzk_cs_call(cs, &gadget, ports, &result);
    return result.var;
}

cuzk_var cuzk_poseidon_node(cuzk_cs *cs, uint32_t arity, const cuzk_var *preimage)
{
    return cuzk_poseidon_number(cs, arity, cuzk_poseidon_tag_merkle(arity), preimage);
}
