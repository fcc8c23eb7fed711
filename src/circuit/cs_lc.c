/* Linear combinations: appended to as they come, put in order when a row needs them so. */
#include "circuit/cs.h"

#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>

#define FEW 24 /* terms that are sorted by insertion */

void cuzk_lc_release(cuzk_lc *lc)
{
    free(lc->term);
    *lc = (cuzk_lc){0};
}

void cuzk_lc_clear(cuzk_lc *lc)
{
    lc->n = 0;
}

static bool reserve(cuzk_lc *lc, size_t more)
{
    if (lc->broken)
        return false;
    if (lc->room - lc->n >= more)
        return true;
    size_t room = lc->room == 0 ? 8 : 2 * lc->room;
    while (room - lc->n < more)
        room *= 2;
    cuzk_term *term = realloc(lc->term, room * sizeof *term);
    if (term == NULL) {
        lc->broken = true;
        return false;
    }
    lc->term = term;
    lc->room = room;
    return true;
}

void cuzk_lc_add(cuzk_lc *lc, cuzk_var var, const cuzk_fr *coef)
{
    if (reserve(lc, 1))
        lc->term[lc->n++] = (cuzk_term){var, *coef};
}

void cuzk_lc_add_small(cuzk_lc *lc, cuzk_var var, int64_t coef)
{
    cuzk_fr c;
    if (coef == 1 || coef == -1)
        bls12_381_fr_set_one(&c);
    else
        bls12_381_fr_from_u64(&c, coef < 0 ? 0 - (uint64_t)coef : (uint64_t)coef);
    if (coef < 0)
        bls12_381_fr_neg(&c, &c);
    cuzk_lc_add(lc, var, &c);
}

void cuzk_lc_add_bit(cuzk_lc *lc, cuzk_bit b, const cuzk_fr *coef)
{
    cuzk_fr minus;
    if (b.kind == CUZK_BIT_1 || b.kind == CUZK_BIT_NOT)
        cuzk_lc_add(lc, CUZK_VAR_ONE, coef);
    if (b.kind == CUZK_BIT_VAR)
        cuzk_lc_add(lc, b.var, coef);
    if (b.kind == CUZK_BIT_NOT) {
        bls12_381_fr_neg(&minus, coef);
        cuzk_lc_add(lc, b.var, &minus);
    }
}

void cuzk_lc_add_lc(cuzk_lc *lc, const cuzk_lc *other, const cuzk_fr *coef)
{
    lc->broken = lc->broken || other->broken;
    const size_t n = other->n; /* they may be the same */
    if (!reserve(lc, n))
        return;
    for (size_t i = 0; i < n; i++) {
        cuzk_term *to = &lc->term[lc->n + i];
        to->var = other->term[i].var;
        bls12_381_fr_mul(&to->coef, &other->term[i].coef, coef);
    }
    lc->n += n;
}

/* Rises in the order that rows have: inputs, ports, aux. */
static uint32_t place(cuzk_var var)
{
    return ((2u - (var >> 30)) << 30) | (var & ~CUZK_VAR_SPACE);
}

static int compare_terms(const void *a, const void *b)
{
    const uint32_t x = place(((const cuzk_term *)a)->var), y = place(((const cuzk_term *)b)->var);
    return (x > y) - (x < y);
}

static bool is_normal(const cuzk_lc *lc)
{
    for (size_t i = 0; i < lc->n; i++) {
        if (bls12_381_fr_is_zero(&lc->term[i].coef))
            return false;
        if (i > 0 && place(lc->term[i - 1].var) >= place(lc->term[i].var))
            return false;
    }
    return true;
}

static void sort_few(cuzk_term *term, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const cuzk_term t = term[i];
        size_t j = i;
        for (; j > 0 && place(term[j - 1].var) > place(t.var); j--)
            term[j] = term[j - 1];
        term[j] = t;
    }
}

void cuzk_lc_normalise(cuzk_lc *lc)
{
    if (lc->broken || is_normal(lc))
        return;
    if (lc->n <= FEW)
        sort_few(lc->term, lc->n);
    else
        qsort(lc->term, lc->n, sizeof *lc->term, compare_terms);
    size_t to = 0;
    for (size_t i = 0; i < lc->n;) {
        cuzk_term sum = lc->term[i++];
        for (; i < lc->n && lc->term[i].var == sum.var; i++)
            bls12_381_fr_add(&sum.coef, &sum.coef, &lc->term[i].coef);
        if (!bls12_381_fr_is_zero(&sum.coef))
            lc->term[to++] = sum;
    }
    lc->n = to;
}
