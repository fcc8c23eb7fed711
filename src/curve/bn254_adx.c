#include "curve/tables.h"

#define CURVE_TABLE cuzk_curve_bn254_adx
#include "curve/bn254_curve.h"
