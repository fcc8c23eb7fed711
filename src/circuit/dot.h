/* Sums of products of field elements, for each level of the processor: files dot_<level>.c. */
#ifndef CUZK_CIRCUIT_DOT_H
#define CUZK_CIRCUIT_DOT_H

#include "circuit/compile_state.h"

typedef struct cuzk_dot_ops {
    /* *r += sum of coef[term.coef] * frame[term.slot]; frame[0] is 1. r is below the order. */
    void (*dot)(cuzk_fr *r, const cuzk_fr *frame, const cuzk_entry *term, size_t n,
                const cuzk_fr *coef);
    /* *r = a * b + c */
    void (*mul_add)(cuzk_fr *r, const cuzk_fr *a, const cuzk_fr *b, const cuzk_fr *c);
    /* *r = the number in 32-bit limbs sum[0 .. 8], each below 2^63, mod the order. */
    void (*reduce)(cuzk_fr *r, const uint64_t sum[8]);
} cuzk_dot_ops;

extern const cuzk_dot_ops cuzk_dot_ops_portable, cuzk_dot_ops_adx;

/* Those of the level in use. */
const cuzk_dot_ops *cuzk_dot_ops_selected(void);

#endif
