/* The scalar field of BN254. Written by tools/gen_constants.py. */
#ifndef CUZK_FIELD_BN254_FR_H
#define CUZK_FIELD_BN254_FR_H

#include "field/scalar.h"

#define FIELD            bn254_fr
#define FIELD_LIMBS      4
#define FIELD_TYPE       cuzk_fr
#define FIELD_CANON_TYPE cuzk_scalar
/* r = 36u^4 + 36u^3 + 18u^2 + 6u + 1, u = 4965661367192848881 */
#define FIELD_MODULUS \
    { 0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029 }
/* 2^256 mod r */
#define FIELD_ONE \
    { 0xac96341c4ffffffb, 0x36fc76959f60cd29, 0x666ea36f7879462e, 0x0e0a77c19a07df2f }
/* 2^512 mod r */
#define FIELD_R2 \
    { 0x1bb8e645ae216da7, 0x53fe3ab1e35c59e3, 0x8c49833d53bb8085, 0x0216d0b17f4e44a5 }
/* -1/r mod 2^64 */
#define FIELD_N0         0xc2e1f593efffffff
#include "field/field_tmpl.h"

#endif
