/* The base field of BLS12-381. Written by tools/gen_constants.py. */
#ifndef CUZK_FIELD_BLS12_381_FP_H
#define CUZK_FIELD_BLS12_381_FP_H

#define FIELD            bls12_381_fp
#define FIELD_LIMBS      6
/* p = (x - 1)^2 r / 3 + x, x = -0xd201000000010000 */
#define FIELD_MODULUS \
    { 0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, \
      0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a }
/* 2^384 mod p */
#define FIELD_ONE \
    { 0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745, \
      0x5c071a97a256ec6d, 0x15f65ec3fa80e493 }
/* 2^768 mod p */
#define FIELD_R2 \
    { 0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5, 0x67eb88a9939d83c0, \
      0x9a793e85b519952d, 0x11988fe592cae3aa }
/* -1/p mod 2^64 */
#define FIELD_N0         0x89f3fffcfffcfffd
#include "field/field_tmpl.h"

#endif
