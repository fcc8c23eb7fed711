#include "curve/tables.h"

#define CURVE_TABLE cuzk_curve_bls12_381_adx
#include "curve/bls12_381_curve.h"
