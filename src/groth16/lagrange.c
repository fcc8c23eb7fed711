/* One inversion per tile (Montgomery's trick): forwards the running products of tau - x_i,
 * backwards their inverses. */
#include "groth16/lagrange.h"

#include <stdatomic.h>
#include <string.h>

#define TILE 512u

typedef struct lagrange {
    const cuzk_curve *curve;
    cuzk_fr *out;
    size_t n;
    const cuzk_fr *scale, *shift, *omega, *tau;
    atomic_bool met; /* tau is one of the points */
} lagrange;

static bool is_zero(const cuzk_fr *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

static void fill_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    lagrange *work = context;
    const cuzk_curve *curve = work->curve;
    size_t first = tile * TILE;
    size_t n = work->n - first < TILE ? work->n - first : TILE;
    cuzk_fr *out = work->out + first;
    cuzk_fr x[TILE], difference[TILE], inverse, term;

    curve->fr_pow(&x[0], work->omega, first);
    curve->fr_mul(&x[0], &x[0], work->shift);
    cuzk_fr product = curve->fr_one;
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            curve->fr_mul(&x[i], &x[i - 1], work->omega);
        curve->fr_sub(&difference[i], work->tau, &x[i]);
        out[i] = product;
        curve->fr_mul(&product, &product, &difference[i]);
    }
    if (is_zero(&product)) {
        atomic_store(&work->met, true);
        return;
    }
    curve->fr_inv(&inverse, &product);
    curve->fr_mul(&inverse, &inverse, work->scale);
    for (size_t i = n; i-- > 0;) {
        curve->fr_mul(&term, &out[i], &inverse);
        curve->fr_mul(&out[i], &term, &x[i]);
        curve->fr_mul(&inverse, &inverse, &difference[i]);
    }
}

bool cuzk_lagrange_at(const cuzk_curve *curve, cuzk_fr *out, size_t n, const cuzk_fr *scale,
                      const cuzk_fr *shift, const cuzk_fr *omega, const cuzk_fr *tau,
                      cuzk_pool *pool)
{
    lagrange work = {.curve = curve,
                     .out = out,
                     .n = n,
                     .scale = scale,
                     .shift = shift,
                     .omega = omega,
                     .tau = tau};
    cuzk_pool_run(pool, (n + TILE - 1) / TILE, fill_tile, &work);
    return !atomic_load(&work.met);
}
