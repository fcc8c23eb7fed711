/* The quadratic arithmetic program of a constraint system, at the secret point tau of a setup. */
#ifndef CUZK_GROTH16_QAP_H
#define CUZK_GROTH16_QAP_H

#include "compute/columns.h"
#include "groth16/setup.h"

/* What every point of a key is made from, canonical. Wiped and freed by cuzk_qap_release. */
typedef struct cuzk_qap {
    size_t vars, n_h;
    cuzk_scalar *u, *v; /* u_i(tau), v_i(tau); vars each */
    cuzk_scalar *k;     /* K_i / gamma for i <= n_public, then K_i / delta; vars */
    cuzk_scalar *h;     /* n_h */
} cuzk_qap;

/* kind decides root and form of h. toxic has been checked. Fails with CUZK_ERR_ARGUMENT when tau
 * lies on the domain (or the coset of h). */
cuzk_status cuzk_qap_make(cuzk_qap *qap, const cuzk_columns *cs, const cuzk_toxic *toxic,
                          cuzk_setup_kind kind, cuzk_pool *pool, cuzk_error *err);
void cuzk_qap_release(cuzk_qap *qap);

/* A setup as far as it goes without making queries: *setup gets its head and the lengths of all
 * queries (no arrays), *qap the scalars of the points, in the order and number that the queries
 * have. Both are the caller's on success. */
cuzk_status cuzk_setup_start(cuzk_setup *setup, cuzk_qap *qap, const cuzk_columns *cs,
                             const cuzk_toxic *toxic, cuzk_setup_kind kind, cuzk_pool *pool,
                             cuzk_error *err);
/* *out = generator * scalars[i], i < n; the caller's also after a failure. */
cuzk_status cuzk_setup_make_points(uint64_t **out, const cuzk_curve *curve, cuzk_group group,
                                   const cuzk_scalar *scalars, size_t n, const cuzk_group_ops *ops,
                                   cuzk_error *err);
/* Makes setup->vk.ic, after cuzk_setup_start. */
cuzk_status cuzk_setup_make_ic(cuzk_setup *setup, const cuzk_qap *qap, const cuzk_group_ops *ops,
                               cuzk_error *err);

#endif
