/* The cuzk_curve of each curve and CPU level. For curve.c, and for tests that compare levels; all
 * others call cuzk_curve_get. The levels compute the same; they differ in the instructions they may
 * use. */
#ifndef CUZK_CURVE_TABLES_H
#define CUZK_CURVE_TABLES_H

#include "curve/curve.h"

extern const cuzk_curve cuzk_curve_bn254_portable;
extern const cuzk_curve cuzk_curve_bls12_381_portable;

#if CUZK_X86_LEVELS
extern const cuzk_curve cuzk_curve_bn254_adx;
extern const cuzk_curve cuzk_curve_bls12_381_adx;
#endif

#endif
