/* Short linear combinations that need no memory: for rows of a few terms. */
#ifndef CUZK_CIRCUIT_GADGET_SMALL_H
#define CUZK_CIRCUIT_GADGET_SMALL_H

#include "base/status.h"
#include "circuit/cs.h"
#include "field/bls12_381_fr.h"

#define CUZK_SMALL_TERMS 5

/* Starts as {0}. Hand out cuzk_small_lc: it may be normalised, but nobody adds to it or releases
 * it. */
typedef struct cuzk_small {
    cuzk_term term[CUZK_SMALL_TERMS];
    size_t n;
    cuzk_lc lc;
} cuzk_small;

/* Adds coef * var; coef is 1, -1, 2 or -2. */
static inline void cuzk_small_add(cuzk_small *s, cuzk_var var, int coef)
{
    CUZK_ASSERT(s->n < CUZK_SMALL_TERMS);
    cuzk_term *t = &s->term[s->n++];
    t->var = var;
    bls12_381_fr_set_one(&t->coef);
    if (coef == 2 || coef == -2)
        bls12_381_fr_dbl(&t->coef, &t->coef);
    if (coef < 0)
        bls12_381_fr_neg(&t->coef, &t->coef);
}

/* Adds coef * b. */
static inline void cuzk_small_add_bit(cuzk_small *s, cuzk_bit b, int coef)
{
    if (b.kind == CUZK_BIT_1 || b.kind == CUZK_BIT_NOT)
        cuzk_small_add(s, CUZK_VAR_ONE, coef);
    if (b.kind == CUZK_BIT_VAR || b.kind == CUZK_BIT_NOT)
        cuzk_small_add(s, b.var, b.kind == CUZK_BIT_NOT ? -coef : coef);
}

static inline cuzk_lc *cuzk_small_lc(cuzk_small *s)
{
    s->lc = (cuzk_lc){.term = s->term, .n = s->n, .room = CUZK_SMALL_TERMS};
    return &s->lc;
}

static inline void cuzk_small_enforce(cuzk_cs *cs, cuzk_small *a, cuzk_small *b, cuzk_small *c)
{
    cuzk_cs_enforce(cs, cuzk_small_lc(a), cuzk_small_lc(b), cuzk_small_lc(c));
}

#endif
