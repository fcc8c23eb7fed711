/* Constants of BLS12-381. Written by tools/gen_constants.py from the formulas beside them.
 * Field elements and generators are in Montgomery form.
 * x = -0xd201000000010000, xi = 1 + u. */
#ifndef CUZK_CURVE_BLS12_381_CONSTANTS_H
#define CUZK_CURVE_BLS12_381_CONSTANTS_H

/* (x - 1)^2 r / 3 + x, x = -0xd201000000010000 */
#define BLS12_381_P \
    { 0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, \
      0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a }

/* x^4 - x^2 + 1, x = -0xd201000000010000 */
#define BLS12_381_R \
    { 0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48 }

/* 1 */
#define BLS12_381_FR_ONE \
    { { 0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f } }

/* b of y^2 = x^3 + b */
#define BLS12_381_G1_B \
    { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f, 0xb1d37ebee6ba24d7, \
        0x8ec9733bbf78ab2f, 0x09d645513d83de7e } }

/* 4 xi */
#define BLS12_381_G2_B \
    { { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f, 0xb1d37ebee6ba24d7, \
        0x8ec9733bbf78ab2f, 0x09d645513d83de7e } }, \
      { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f, 0xb1d37ebee6ba24d7, \
        0x8ec9733bbf78ab2f, 0x09d645513d83de7e } } }

/* published: x, y */
#define BLS12_381_G1_GENERATOR \
    { 0x5cb38790fd530c16, 0x7817fc679976fff5, 0x154f95c7143ba1c1, 0xf0ae6acdf3d0e747, \
      0xedce6ecc21dbf440, 0x120177419e0bfb75, 0xbaac93d50ce72271, 0x8c22631a7918fd8e, \
      0xdd595f13570725ce, 0x51ac582950405194, 0x0e1c8c3fad0059c0, 0x0bbc3efc5008a26a }

/* published: x.c0, x.c1, y.c0, y.c1 */
#define BLS12_381_G2_GENERATOR \
    { 0xf5f28fa202940a10, 0xb3f5fb2687b4961a, 0xa1a893b53e2ae580, 0x9894999d1a3caee9, \
      0x6f67b7631863366b, 0x058191924350bcd7, 0xa5a9c0759e23f606, 0xaaa0c59dbccd60c3, \
      0x3bb17e18e2867806, 0x1b1ab6cc8541b367, 0xc2b6ed0ef2158547, 0x11922a097360edf3, \
      0x4c730af860494c4a, 0x597cfa1f5e369c5a, 0xe7e6856caa0a635a, 0xbbefb5e96e0d495f, \
      0x07d3a975f0ef25a2, 0x0083fd8e7e80dae5, 0xadc0fc92df64b05d, 0x18aa270a2b1461dc, \
      0x86adac6a3be4eba0, 0x79495c4ec93da33a, 0xe7175850a43ccaed, 0x0b2bc2a163de1bf2 }

/* 2^((p-1)/3), a cube root of 1; it acts as -x^2 */
#define BLS12_381_BETA \
    { { 0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7, 0xc26a2ff874fd029b, \
        0x3636b76660701c6e, 0x051ba4ab241b6160 } }

/* 1 / xi^((p-1)/3) */
#define BLS12_381_PSI_X \
    { { { 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, \
        0x0000000000000000, 0x0000000000000000 } }, \
      { { 0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c, 0xa20d1b8c7e881024, \
        0x14e4f04fe2db9068, 0x14e56d3f1564853a } } }

/* 1 / xi^((p-1)/2) */
#define BLS12_381_PSI_Y \
    { { { 0x3e2f585da55c9ad1, 0x4294213d86c18183, 0x382844c88b623732, 0x92ad2afd19103e18, \
        0x1d794e4fac7cf0b9, 0x0bd592fc7d825ec8 } }, \
      { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1, 0xd1ca2087da74d4a7, \
        0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } } }

/* 5^((r-1)/2^32) */
#define BLS12_381_ROOT_IDEN3 \
    { { 0x9cab6d5c0c17f47c, 0x1ce1e93dfd4b71e5, 0x0d6db230471dd505, 0x3f0ee990743a3b6a } }

/* 7^((r-1)/2^32) */
#define BLS12_381_ROOT_ZCASH \
    { { 0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64, 0x5bf3adda19e9b27b } }

/* 7 */
#define BLS12_381_COSET_ZCASH \
    { { 0x0000000efffffff1, 0x17e363d300189c0f, 0xff9c57876f8457b0, 0x351332208fc5a8c4 } }

/* 25 */
#define BLS12_381_COSET_IDEN3_MAX \
    { { 0x00000036ffffffc9, 0x0241c35b005a3c37, 0xfe929645ee3a96db, 0x17f10d220f2a157c } }

/* xi^(i(p-1)/6), i = 1 to 5 */
#define BLS12_381_FROBENIUS \
    { { { { 0x07089552b319d465, 0xc6695f92b50a8313, 0x97e83cccd117228f, 0xa35baecab2dc29ee, \
        0x1ce393ea5daace4d, 0x08f2220fb0fb66eb } }, \
      { { 0xb2f66aad4ce5d646, 0x5842a06bfc497cec, 0xcf4895d42599d394, 0xc11b9cba40a8e8d0, \
        0x2e3813cbe5a0de89, 0x110eefda88847faf } } }, \
      { { { 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, \
        0x0000000000000000, 0x0000000000000000 } }, \
      { { 0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95, 0x8eb60ebe01bacb9e, \
        0x03f97d6e83d050d2, 0x18f0206554638741 } } }, \
      { { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1, 0xd1ca2087da74d4a7, \
        0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } }, \
      { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1, 0xd1ca2087da74d4a7, \
        0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } } }, \
      { { { 0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c, 0xa20d1b8c7e881024, \
        0x14e4f04fe2db9068, 0x14e56d3f1564853a } }, \
      { { 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, \
        0x0000000000000000, 0x0000000000000000 } } }, \
      { { { 0x82d83cf50dbce43f, 0xa2813e53df9d018f, 0xc6f0caa53c65e181, 0x7525cf528d50fe95, \
        0x4a85ed50f4798a6b, 0x171da0fd6cf8eebd } }, \
      { { 0x3726c30af242c66c, 0x7c2ac1aad1b6fe70, 0xa04007fbba4b14a2, 0xef517c3266341429, \
        0x0095ba654ed2226b, 0x02e370eccc86f7dd } } } }

/* xi^(i(p^2-1)/6), i = 1 to 5 */
#define BLS12_381_FROBENIUS2 \
    { { { 0xecfb361b798dba3a, 0xc100ddb891865a2c, 0x0ec08ff1232bda8e, 0xd5c13cc6f1ca4721, \
        0x47222a47bf7b5c04, 0x0110f184e51c5f59 } }, \
      { { 0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7, 0xc26a2ff874fd029b, \
        0x3636b76660701c6e, 0x051ba4ab241b6160 } }, \
      { { 0x43f5fffffffcaaae, 0x32b7fff2ed47fffd, 0x07e83a49a2e99d69, 0xeca8f3318332bb7a, \
        0xef148d1ea0f4c069, 0x040ab3263eff0206 } }, \
      { { 0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95, 0x8eb60ebe01bacb9e, \
        0x03f97d6e83d050d2, 0x18f0206554638741 } }, \
      { { 0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c, 0xa20d1b8c7e881024, \
        0x14e4f04fe2db9068, 0x14e56d3f1564853a } } }

/* the number of digits below the leading one */
#define BLS12_381_LOOP_DIGITS \
    63

/* lines of one Miller loop */
#define BLS12_381_LOOP_LINES \
    68

/* -x in binary, from the top */
#define BLS12_381_LOOP \
    { 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* x^2 */
#define BLS12_381_X_SQUARED \
    { 0x0000000100000000, 0xac45a4010001a402 }

#endif
