/* A sum of 512 bits and one product added to it, with mulx, adcx and adox; in the manner of
 * field/mont_adx.h, whose macros it uses. */
#ifndef CUZK_CIRCUIT_DOT_PRODUCT_ADX_H
#define CUZK_CIRCUIT_DOT_PRODUCT_ADX_H

#include "field/mont_adx.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* clang-format off: it does not agree with itself on these */
#define DOT_ROW(b, t0, t1, t2, t3, t4)                                                             \
    ADX_ROW_BEGIN(b)                                                                               \
    ADX_STEP("(%[a])", t0, t1)                                                                     \
    ADX_STEP("8(%[a])", t1, t2)                                                                    \
    ADX_STEP("16(%[a])", t2, t3) ADX_STEP("24(%[a])", t3, t4) ADX_ROW_END(t4)
/* The carries of both chains into the next limb: OF from below, then CF. */
#define DOT_CARRY(t) "adoxq %[lo], " t "\n\tadcxq %[lo], " t "\n\t"
#define DOT_T7       "%[t7]"
/* clang-format on */

/* t += a * b; no carry leaves t. */
static inline void cuzk_dot_add_product(uint64_t t[8], const uint64_t *a, const uint64_t *b)
{
    uint64_t lo, hi;
    __asm__(
        DOT_ROW("0", ADX_T0, ADX_T1, ADX_T2, ADX_T3, ADX_T4) DOT_CARRY(ADX_T5) DOT_CARRY(ADX_T6)
            DOT_CARRY(DOT_T7) DOT_ROW("8", ADX_T1, ADX_T2, ADX_T3, ADX_T4, ADX_T5) DOT_CARRY(ADX_T6)
                DOT_CARRY(DOT_T7) DOT_ROW("16", ADX_T2, ADX_T3, ADX_T4, ADX_T5, ADX_T6)
                    DOT_CARRY(DOT_T7) DOT_ROW("24", ADX_T3, ADX_T4, ADX_T5, ADX_T6, DOT_T7)
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "+&r"(t[7]), [lo] "=&r"(lo), [hi] "=&r"(hi)
        : [a] "r"(a), [b] "r"(b), "m"(*(const uint64_t(*)[4])a), "m"(*(const uint64_t(*)[4])b)
        : "rdx", "cc");
}

/* The upper half of t, below 2 r, becomes less than r. */
static inline void cuzk_dot_lower(uint64_t t[8])
{
    static const uint64_t r[4] = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                                  0x73eda753299d7d48};
    cuzk_adx_reduce_4(t + 4, t + 4, r);
}

#pragma GCC diagnostic pop
#endif
