/* The scalar field of BLS12-381. Written by tools/gen_constants.py. */
#ifndef CUZK_FIELD_BLS12_381_FR_H
#define CUZK_FIELD_BLS12_381_FR_H

#include "field/scalar.h"

#define FIELD            bls12_381_fr
#define FIELD_LIMBS      4
#define FIELD_TYPE       cuzk_fr
#define FIELD_CANON_TYPE cuzk_scalar
/* r = x^4 - x^2 + 1, x = -0xd201000000010000 */
#define FIELD_MODULUS \
    { 0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48 }
/* 2^256 mod r */
#define FIELD_ONE \
    { 0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f }
/* 2^512 mod r */
#define FIELD_R2 \
    { 0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f, 0x0748d9d99f59ff11 }
/* -1/r mod 2^64 */
#define FIELD_N0         0xfffffffeffffffff
#include "field/field_tmpl.h"

#endif
