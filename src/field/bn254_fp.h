/* The base field of BN254. Written by tools/gen_constants.py. */
#ifndef CUZK_FIELD_BN254_FP_H
#define CUZK_FIELD_BN254_FP_H

#define FIELD            bn254_fp
#define FIELD_LIMBS      4
/* p = 36u^4 + 36u^3 + 24u^2 + 6u + 1, u = 4965661367192848881 */
#define FIELD_MODULUS \
    { 0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029 }
/* 2^256 mod p */
#define FIELD_ONE \
    { 0xd35d438dc58f0d9d, 0x0a78eb28f5c70b3d, 0x666ea36f7879462c, 0x0e0a77c19a07df2f }
/* 2^512 mod p */
#define FIELD_R2 \
    { 0xf32cfc5b538afa89, 0xb5e71911d44501fb, 0x47ab1eff0a417ff6, 0x06d89f71cab8351f }
/* -1/p mod 2^64 */
#define FIELD_N0         0x87d20782e4866389
#include "field/field_tmpl.h"

#endif
