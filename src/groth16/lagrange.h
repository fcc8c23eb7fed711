/* Values of Lagrange bases at one point. */
#ifndef CUZK_GROTH16_LAGRANGE_H
#define CUZK_GROTH16_LAGRANGE_H

#include "base/pool.h"
#include "curve/curve.h"

#include <stdbool.h>

/* The basis polynomials of n points x_i = shift * omega^i, omega of order n or more, take at tau
 * the values scale * x_i / (tau - x_i); scale is the caller's and depends on the whole set of
 * points. Returns false if tau is one of the x_i; out is then undefined. */
bool cuzk_lagrange_at(const cuzk_curve *curve, cuzk_fr *out, size_t n, const cuzk_fr *scale,
                      const cuzk_fr *shift, const cuzk_fr *omega, const cuzk_fr *tau,
                      cuzk_pool *pool);

#endif
