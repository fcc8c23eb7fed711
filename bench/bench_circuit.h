/* A satisfied circuit of any size, with rows like those of hash circuits. */
#ifndef CUZK_BENCH_CIRCUIT_H
#define CUZK_BENCH_CIRCUIT_H

#include "compute/sparse.h"

/* Makes a circuit that fills a domain of 2^log_rows, one public signal, about `bits` percent of
 * whose variables are bits, and an assignment that satisfies it. Rows, each with a variable of its
 * own: b * (1 - b) = 0        a free bit (a quarter of all rows, as in SHA-256 circuits), 2a * b =
 * a + b - c     an exclusive or of an earlier bit a and a free bit b, x * y = z              of two
 * earlier wide variables. The caller releases cs and frees z. */
cuzk_status cuzk_bench_circuit(cuzk_r1cs *cs, cuzk_scalar **z, const cuzk_curve *curve,
                               unsigned log_rows, unsigned bits, cuzk_error *err);

#endif
