/* u_i, v_i, w_i interpolate column i of A, B, C on the domain, so their values at tau are the
 * columns' products with the vector of Lagrange values L_j(tau) = Z(tau)/m * x_j/(tau - x_j). */
#include "groth16/qap.h"

#include "base/memory.h"
#include "base/random.h"
#include "groth16/lagrange.h"

#include <stdlib.h>
#include <string.h>

#define TILE 4096u

/* The secrets and what follows from them, Montgomery. */
typedef struct secrets {
    cuzk_fr tau, alpha, beta, gamma_inv, delta_inv, z; /* z = tau^m - 1 */
} secrets;

typedef struct making {
    const cuzk_columns *cs;
    const cuzk_curve *curve;
    cuzk_setup_kind kind;
    cuzk_pool *pool;
    unsigned log_m;
    size_t m;
    cuzk_fr omega;
    secrets s;
    cuzk_fr *x;         /* Lagrange values, then h; m */
    cuzk_fr *u, *v, *w; /* vars each */
} making;

void cuzk_qap_release(cuzk_qap *qap)
{
    cuzk_scalar *arrays[] = {qap->u, qap->v, qap->k, qap->h};
    const size_t sizes[] = {qap->vars, qap->vars, qap->vars, qap->n_h};
    for (size_t i = 0; i < 4; i++) {
        if (arrays[i] != NULL)
            cuzk_wipe(arrays[i], sizes[i] * sizeof *arrays[i]);
        free(arrays[i]);
    }
    *qap = (cuzk_qap){0};
}

static void raise_to_domain(const making *work, cuzk_fr *r, const cuzk_fr *a)
{
    work->curve->fr_pow(r, a, (uint64_t)work->m);
}

static void import_secrets(making *work, const cuzk_toxic *toxic)
{
    const cuzk_curve *curve = work->curve;
    secrets *s = &work->s;
    curve->fr_from_scalar(&s->tau, &toxic->tau);
    curve->fr_from_scalar(&s->alpha, &toxic->alpha);
    curve->fr_from_scalar(&s->beta, &toxic->beta);
    curve->fr_from_scalar(&s->gamma_inv, &toxic->gamma);
    curve->fr_inv(&s->gamma_inv, &s->gamma_inv);
    curve->fr_from_scalar(&s->delta_inv, &toxic->delta);
    curve->fr_inv(&s->delta_inv, &s->delta_inv);
    raise_to_domain(work, &s->z, &s->tau);
    curve->fr_sub(&s->z, &s->z, &curve->fr_one);
}

static void divide_by_m(const making *work, cuzk_fr *r)
{
    const cuzk_scalar m = {{work->m}};
    cuzk_fr inverse;
    work->curve->fr_from_scalar(&inverse, &m);
    work->curve->fr_inv(&inverse, &inverse);
    work->curve->fr_mul(r, r, &inverse);
}

static cuzk_status tau_on_domain(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "tau is a point of the evaluation domain; take another one");
}

/* u, v, w at tau: the rows, then the row {i: 1} in A for every input i. */
static cuzk_status evaluate_columns(making *work, cuzk_error *err)
{
    const cuzk_columns *cs = work->cs;
    cuzk_fr *const out[3] = {work->u, work->v, work->w};
    cuzk_fr scale = work->s.z;
    divide_by_m(work, &scale);
    if (!cuzk_lagrange_at(work->curve, work->x, work->m, &scale, &work->curve->fr_one, &work->omega,
                          &work->s.tau, work->pool))
        return tau_on_domain(err);
    CUZK_TRY(cs->multiply(cs, out, work->x, work->pool, err));
    for (size_t i = 0; i <= cs->n_public; i++)
        work->curve->fr_add(&work->u[i], &work->u[i], &work->x[cs->rows + i]);
    return CUZK_OK;
}

/* w_i := (beta u_i + alpha v_i + w_i) / (gamma or delta). */
static void combine_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const making *work = context;
    const cuzk_curve *curve = work->curve;
    size_t vars = work->cs->vars, first = tile * TILE;
    size_t end = vars - first < TILE ? vars : first + TILE;
    for (size_t i = first; i < end; i++) {
        cuzk_fr sum, term;
        curve->fr_mul(&sum, &work->s.beta, &work->u[i]);
        curve->fr_mul(&term, &work->s.alpha, &work->v[i]);
        curve->fr_add(&sum, &sum, &term);
        curve->fr_add(&sum, &sum, &work->w[i]);
        const cuzk_fr *divisor = i <= work->cs->n_public ? &work->s.gamma_inv : &work->s.delta_inv;
        curve->fr_mul(&work->w[i], &sum, divisor);
    }
}

/* x_i := tau^i Z(tau) / delta, i < m - 1. */
static void powers_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    const making *work = context;
    const cuzk_curve *curve = work->curve;
    const size_t first = tile * TILE, rest = work->m - 1 - first;
    cuzk_fr value;
    curve->fr_pow(&value, &work->s.tau, first);
    curve->fr_mul(&value, &value, &work->s.z);
    curve->fr_mul(&value, &value, &work->s.delta_inv);
    for (size_t i = 0; i < TILE && i < rest; i++) {
        work->x[first + i] = value;
        curve->fr_mul(&value, &value, &work->s.tau);
    }
}

static void make_monomial_h(making *work)
{
    cuzk_pool_run(work->pool, (work->m - 1 + TILE - 1) / TILE, powers_tile, work);
}

/* x_i := the value at tau, over delta, of the Lagrange polynomial of g omega^i among the domain and
 * its coset by g. With P(X) = (X^m - 1)(X^m - g^m) that is P(tau) / (P'(x_i) (tau - x_i)), and
 * P'(x_i) = (g^m - 1) m g^m / x_i. For g^2 = omega these are the odd points of the doubled domain.
 */
static cuzk_status make_lagrange_h(making *work, cuzk_error *err)
{
    const cuzk_curve *curve = work->curve;
    cuzk_fr g, g_m, scale, t;
    if (work->log_m == curve->two_adicity)
        g = curve->coset_iden3_max;
    else
        cuzk_root_of_unity(&g, curve, &curve->root_iden3, work->log_m + 1);
    raise_to_domain(work, &g_m, &g);
    curve->fr_sub(&scale, &g_m, &curve->fr_one);
    curve->fr_mul(&scale, &scale, &g_m);
    curve->fr_inv(&scale, &scale);
    divide_by_m(work, &scale);
    curve->fr_mul(&scale, &scale, &work->s.z);
    raise_to_domain(work, &t, &work->s.tau);
    curve->fr_sub(&t, &t, &g_m);
    curve->fr_mul(&scale, &scale, &t);
    curve->fr_mul(&scale, &scale, &work->s.delta_inv);
    if (!cuzk_lagrange_at(curve, work->x, work->m, &scale, &g, &work->omega, &work->s.tau,
                          work->pool))
        return tau_on_domain(err);
    return CUZK_OK;
}

static cuzk_status compute(making *work, cuzk_qap *qap, cuzk_error *err)
{
    const cuzk_curve *curve = work->curve;
    CUZK_TRY(evaluate_columns(work, err));
    cuzk_fr_export(curve, qap->u, work->u, qap->vars, work->pool);
    cuzk_fr_export(curve, qap->v, work->v, qap->vars, work->pool);
    cuzk_pool_run(work->pool, (qap->vars + TILE - 1) / TILE, combine_tile, work);
    cuzk_fr_export(curve, qap->k, work->w, qap->vars, work->pool);
    if (work->kind == CUZK_SETUP_BELLPERSON)
        make_monomial_h(work);
    else
        CUZK_TRY(make_lagrange_h(work, err));
    cuzk_fr_export(curve, qap->h, work->x, qap->n_h, work->pool);
    return CUZK_OK;
}

static bool allocate(cuzk_qap *qap, size_t vars, size_t n_h)
{
    qap->vars = vars;
    qap->n_h = n_h;
    qap->u = cuzk_memory_new(vars, sizeof *qap->u);
    qap->v = cuzk_memory_new(vars, sizeof *qap->v);
    qap->k = cuzk_memory_new(vars, sizeof *qap->k);
    qap->h = cuzk_memory_new(n_h, sizeof *qap->h);
    return qap->u != NULL && qap->v != NULL && qap->k != NULL && qap->h != NULL;
}

cuzk_status cuzk_qap_make(cuzk_qap *qap, const cuzk_columns *cs, const cuzk_toxic *toxic,
                          cuzk_setup_kind kind, cuzk_pool *pool, cuzk_error *err)
{
    making work = {.cs = cs, .curve = cs->curve, .kind = kind, .pool = pool};
    work.log_m = cuzk_domain_log(cs->rows, cs->n_public);
    work.m = (size_t)1 << work.log_m;
    bool bellperson = kind == CUZK_SETUP_BELLPERSON;
    cuzk_root_of_unity(&work.omega, cs->curve,
                       bellperson ? &cs->curve->root_zcash : &cs->curve->root_iden3, work.log_m);
    import_secrets(&work, toxic);

    size_t elements = work.m + 3 * cs->vars;
    cuzk_fr *block = cuzk_memory_new(elements, sizeof *block);
    cuzk_qap made = {0};
    cuzk_status status;
    if (!allocate(&made, cs->vars, bellperson ? work.m - 1 : work.m) || block == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a setup of %zu rows", cs->rows);
    } else {
        work.x = block;
        work.u = work.x + work.m;
        work.v = work.u + cs->vars;
        work.w = work.v + cs->vars;
        status = compute(&work, &made, err);
    }
    if (block != NULL)
        cuzk_wipe(block, elements * sizeof *block);
    free(block);
    cuzk_wipe(&work.s, sizeof work.s);
    if (status == CUZK_OK)
        *qap = made;
    else
        cuzk_qap_release(&made);
    return status;
}
