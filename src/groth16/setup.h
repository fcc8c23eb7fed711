/* Making keys from a constraint system, with toxic waste that this process knows: for tests,
 * benchmarks and development. A production key comes from a ceremony. */
#ifndef CUZK_GROTH16_SETUP_H
#define CUZK_GROTH16_SETUP_H

#include "compute/group_ops.h"
#include "groth16/key.h"

/* The secrets of a setup, canonical, none 0. Whoever knows them can forge. */
typedef struct cuzk_toxic {
    cuzk_scalar tau, alpha, beta, gamma, delta;
} cuzk_toxic;
cuzk_status cuzk_toxic_random(cuzk_toxic *toxic, const cuzk_curve *curve, cuzk_error *err);

/* Which conventions the key follows. */
typedef enum cuzk_setup_kind {
    CUZK_SETUP_SNARKJS,   /* .zkey: root 5^t, odd Lagrange H, gamma = 1 enforced, unfiltered queries
                           */
    CUZK_SETUP_BELLPERSON /* .params: root 7^t, monomial H, queries without infinity; BLS12-381 only
                           */
} cuzk_setup_kind;

/* A key's points in memory form, all arrays owned: n_a etc. as the file formats want them. */
typedef struct cuzk_setup {
    const cuzk_curve *curve;
    cuzk_setup_kind kind;
    size_t vars, n_public, log_m;
    cuzk_vk vk;
    cuzk_g1 beta_g1, delta_g1;
    uint64_t *a, *b1, *b2, *l, *h;
    size_t n_a, n_b, n_l, n_h;
    /* How delta came about, as section 10 of a .zkey tells it (iden3/ceremony.h); owned, NULL: not
     * recorded. */
    uint8_t *history;
    size_t history_bytes;
} cuzk_setup;
void cuzk_setup_release(cuzk_setup *setup);

/* cuzk_setup_make evaluates the QAP of cs at toxic->tau and makes all points. Errors: no rows and
 * no public inputs; a domain beyond the curve's two-adicity; tau on the domain (CUZK_ERR_ARGUMENT);
 * for bellperson an aux variable in no constraint (its l point would be infinity). */
cuzk_status cuzk_setup_make(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                            cuzk_setup_kind kind, cuzk_pool *pool, cuzk_error *err);

/* The same with the points made by ops, maybe on a device. */
cuzk_status cuzk_setup_make_by(cuzk_setup *setup, const cuzk_r1cs *cs, const cuzk_toxic *toxic,
                               cuzk_setup_kind kind, const cuzk_group_ops *ops, cuzk_pool *pool,
                               cuzk_error *err);

/* Rows that a setup appends: for every input i <= n_public a row with A = {i: 1}. Returns new
 * matrices (c may be NULL) that the caller owns; coefs are cs's. */
cuzk_status cuzk_append_input_rows(const cuzk_r1cs *cs, cuzk_matrix *a, cuzk_matrix *b,
                                   cuzk_matrix *c, cuzk_error *err);

/* log2 of the domain: the smallest 2^k >= rows + n_public + 1 (both conventions agree). */
unsigned cuzk_domain_log(size_t rows, size_t n_public);

#endif
