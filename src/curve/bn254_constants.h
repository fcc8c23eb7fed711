/* Constants of BN254. Written by tools/gen_constants.py from the formulas beside them.
 * Field elements and generators are in Montgomery form.
 * u = 4965661367192848881, xi = 9 + u' with u'^2 = -1. */
#ifndef CUZK_CURVE_BN254_CONSTANTS_H
#define CUZK_CURVE_BN254_CONSTANTS_H

/* 36u^4 + 36u^3 + 24u^2 + 6u + 1, u = 4965661367192848881 */
#define BN254_P \
    { 0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029 }

/* 36u^4 + 36u^3 + 18u^2 + 6u + 1, u = 4965661367192848881 */
#define BN254_R \
    { 0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029 }

/* 1 */
#define BN254_FR_ONE \
    { { 0xac96341c4ffffffb, 0x36fc76959f60cd29, 0x666ea36f7879462e, 0x0e0a77c19a07df2f } }

/* b of y^2 = x^3 + b */
#define BN254_G1_B \
    { { 0x7a17caa950ad28d7, 0x1f6ac17ae15521b9, 0x334bea4e696bd284, 0x2a1f6744ce179d8e } }

/* 3/xi */
#define BN254_G2_B \
    { { { 0x3bf938e377b802a8, 0x020b1b273633535d, 0x26b7edf049755260, 0x2514c6324384a86d } }, \
      { { 0x38e7ecccd1dcff67, 0x65f0b37d93ce0d3e, 0xd749d0dd22ac00aa, 0x0141b9ce4a688d4d } } }

/* published: x, y */
#define BN254_G1_GENERATOR \
    { 0xd35d438dc58f0d9d, 0x0a78eb28f5c70b3d, 0x666ea36f7879462c, 0x0e0a77c19a07df2f, \
      0xa6ba871b8b1e1b3a, 0x14f1d651eb8e167b, 0xccdd46def0f28c58, 0x1c14ef83340fbe5e }

/* published: x.c0, x.c1, y.c0, y.c1 */
#define BN254_G2_GENERATOR \
    { 0x8e83b5d102bc2026, 0xdceb1935497b0172, 0xfbb8264797811adf, 0x19573841af96503b, \
      0xafb4737da84c6140, 0x6043dd5a5802d8c4, 0x09e950fc52a02f86, 0x14fef0833aea7b6b, \
      0x619dfa9d886be9f6, 0xfe7fd297f59e9b78, 0xff9e1a62231b7dfe, 0x28fd7eebae9e4206, \
      0x64095b56c71856ee, 0xdc57f922327d3cbb, 0x55f935be33351076, 0x0da4a0e693fd6482 }

/* 18u^3 + 18u^2 + 9u + 1, a cube root of 1; it acts as 36u^3 + 18u^2 + 6u + 1 */
#define BN254_BETA \
    { { 0x71930c11d782e155, 0xa6bb947cffbe3323, 0xaa303344d4741444, 0x2c3b3f0d26594943 } }

/* xi^((p-1)/3) */
#define BN254_PSI_X \
    { { { 0xb5773b104563ab30, 0x347f91c8a9aa6454, 0x7a007127242e0991, 0x1956bcd8118214ec } }, \
      { { 0x6e849f1ea0aa4757, 0xaa1c7b6d89f89141, 0xb6e713cdfae0ca3a, 0x26694fbb4e82ebc3 } } }

/* xi^((p-1)/2) */
#define BN254_PSI_Y \
    { { { 0xe4bbdd0c2936b629, 0xbb30f162e133bacb, 0x31a9d1b6f9645366, 0x253570bea500f8dd } }, \
      { { 0xa1d77ce45ffe77c7, 0x07affd117826d1db, 0x6d16bd27bb7edc6b, 0x2c87200285defecc } } }

/* 5^((r-1)/2^28) */
#define BN254_ROOT_IDEN3 \
    { { 0x636e735580d13d9c, 0xa22bf3742445ffd6, 0x56452ac01eb203d8, 0x1860ef942963f9e7 } }

/* 7^((r-1)/2^28) */
#define BN254_ROOT_ZCASH \
    { { 0x9632c7c5b639feb8, 0x985ce3400d0ff299, 0xb2dd880001b0ecd8, 0x1d69070d6d98ce29 } }

/* 7 */
#define BN254_COSET_ZCASH \
    { { 0x3057819e4fffffdb, 0x307f6d866832bb01, 0x5c65ec9f484e3a89, 0x0180a96573d3d9f8 } }

/* 25 */
#define BN254_COSET_IDEN3_MAX \
    { { 0xff7d5fb83fffff7c, 0x453c3aa13c61f518, 0xf69c0de5394e6ff7, 0x0c478cc3e2696a7c } }

/* xi^(i(p-1)/6), i = 1 to 5 */
#define BN254_FROBENIUS \
    { { { { 0xaf9ba69633144907, 0xca6b1d7387afb78a, 0x11bded5ef08a2087, 0x02f34d751a1f3a7c } }, \
      { { 0xa222ae234c492d72, 0xd00f02a4565de15b, 0xdc2ff3a253dfc926, 0x10a75716b3899551 } } }, \
      { { { 0xb5773b104563ab30, 0x347f91c8a9aa6454, 0x7a007127242e0991, 0x1956bcd8118214ec } }, \
      { { 0x6e849f1ea0aa4757, 0xaa1c7b6d89f89141, 0xb6e713cdfae0ca3a, 0x26694fbb4e82ebc3 } } }, \
      { { { 0xe4bbdd0c2936b629, 0xbb30f162e133bacb, 0x31a9d1b6f9645366, 0x253570bea500f8dd } }, \
      { { 0xa1d77ce45ffe77c7, 0x07affd117826d1db, 0x6d16bd27bb7edc6b, 0x2c87200285defecc } } }, \
      { { { 0x7361d77f843abe92, 0xa5bb2bd3273411fb, 0x9c941f314b3e2399, 0x15df9cddbb9fd3ec } }, \
      { { 0x5dddfd154bd8c949, 0x62cb29a5a4445b60, 0x37bc870a0c7dd2b9, 0x24830a9d3171f0fd } } }, \
      { { { 0xc970692f41690fe7, 0xe240342127694b0b, 0x32bee66b83c459e8, 0x12aabced0ab08841 } }, \
      { { 0x0d485d2340aebfa9, 0x05193418ab2fcc57, 0xd3b0a40b8a4910f5, 0x2f21ebb535d2925a } } } }

/* xi^(i(p^2-1)/6), i = 1 to 5 */
#define BN254_FROBENIUS2 \
    { { { 0xca8d800500fa1bf2, 0xf0c5d61468b39769, 0x0e201271ad0d4418, 0x04290f65bad856e6 } }, \
      { { 0x3350c88e13e80b9c, 0x7dce557cdb5e56b9, 0x6001b4b8b615564a, 0x2682e617020217e0 } }, \
      { { 0x68c3488912edefaa, 0x8d087f6872aabf4f, 0x51e1a24709081231, 0x2259d6b14729c0fa } }, \
      { { 0x71930c11d782e155, 0xa6bb947cffbe3323, 0xaa303344d4741444, 0x2c3b3f0d26594943 } }, \
      { { 0x08cfc388c494f1ab, 0x19b315148d1373d4, 0x584e90fdcb6c0213, 0x09e1685bdf2f8849 } } }

/* the number of digits below the leading one */
#define BN254_LOOP_DIGITS \
    65

/* lines of one Miller loop */
#define BN254_LOOP_LINES \
    88

/* 6u + 2 in non-adjacent form, from the top */
#define BN254_LOOP \
    { 0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 0, -1, 0, 1, 0, -1, 0, 0, -1, 0, 0, 0, \
      0, 0, 1, 0, 0, -1, 0, 1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, -1, 0, -1, \
      0, 0, 1, 0, 0, 0, -1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 0 }

/* 6u^2 + 4u + 1 */
#define BN254_GLV_A \
    { 0x0be4e1541221250b, 0x6f4d8248eeb859fd }

/* 2u + 1 */
#define BN254_GLV_B \
    { 0x89d3256894d213e3, 0x0000000000000000 }

/* 6u^2 + 2u */
#define BN254_GLV_C \
    { 0x8211bbeb7d4f1128, 0x6f4d8248eeb859fc }

/* floor(2^256 (6u^2 + 2u) / r) */
#define BN254_GLV_C_OVER_R \
    { 0x7a7bd9d4391eb18d, 0x4ccef014a773d2cf, 0x0000000000000002 }

/* floor(2^256 (2u + 1) / r) */
#define BN254_GLV_B_OVER_R \
    { 0xd91d232ec7e0b3d7, 0x0000000000000002, 0x0000000000000000 }

/* 6u^2: psi acts so on G2 */
#define BN254_PSI_EIGENVALUE \
    { 0xf83e9682e87cfd46, 0x6f4d8248eeb859fb }

#endif
