/* Additions and Montgomery products with mulx, adcx and adox, for 4 and 6 limbs.
 *
 * A row of a product is two interleaved carry chains: low halves on CF (adcx), high halves on OF
 * (adox). A row is followed by its reduction row, which clears the lowest limb; that register then
 * is the top limb of the next row, so the window of n + 1 registers rotates by one per row. The
 * final subtraction is by cmov. The modulus is read from memory, relative to the instruction. */
#ifndef CUZK_FIELD_MONT_ADX_H
#define CUZK_FIELD_MONT_ADX_H

#include <stdint.h>

/* Some compilers count the length of the assembly text. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"

/* clang-format off: it does not agree with itself on these */
/* One product: *rdx times source, low half to acc0 on CF, high half to acc1 on OF. */
#define ADX_STEP(source, acc0, acc1)                                                               \
    "mulxq " source ", %[lo], %[hi]\n\t"                                                           \
    "adcxq %[lo], " acc0 "\n\t"                                                                    \
    "adoxq %[hi], " acc1 "\n\t"

/* Ends a row: the last carry of the CF chain. OF is clear: the top limb has room. */
#define ADX_ROW_END(top)                                                                           \
    "movl $0, %k[lo]\n\t"                                                                          \
    "adcxq %[lo], " top "\n\t"

#define ADX_ROW_BEGIN(b)      "movq " b "(%[b]), %%rdx\n\txorl %k[lo], %k[lo]\n\t"
#define ADX_REDUCE_BEGIN(low) "movq " low ", %%rdx\n\timulq %[n0], %%rdx\n\txorl %k[lo], %k[lo]\n\t"

#define ADX_STEPS4(s0, s1, s2, s3, t0, t1, t2, t3, t4)                                             \
    ADX_STEP(s0, t0, t1)                                                                           \
    ADX_STEP(s1, t1, t2) ADX_STEP(s2, t2, t3) ADX_STEP(s3, t3, t4) ADX_ROW_END(t4)

#define ADX_REDUCE4(t0, t1, t2, t3, t4)                                                            \
    ADX_REDUCE_BEGIN(t0)                                                                           \
    ADX_STEPS4("%[p0]", "%[p1]", "%[p2]", "%[p3]", t0, t1, t2, t3, t4)

#define ADX_ROW4(b, t0, t1, t2, t3, t4)                                                            \
    ADX_ROW_BEGIN(b)                                                                               \
    ADX_STEPS4("(%[a])", "8(%[a])", "16(%[a])", "24(%[a])", t0, t1, t2, t3, t4)                    \
    ADX_REDUCE4(t0, t1, t2, t3, t4)

#define ADX_STEPS6(s0, s1, s2, s3, s4, s5, t0, t1, t2, t3, t4, t5, t6)                             \
    ADX_STEP(s0, t0, t1)                                                                           \
    ADX_STEP(s1, t1, t2)                                                                           \
    ADX_STEP(s2, t2, t3)                                                                           \
    ADX_STEP(s3, t3, t4) ADX_STEP(s4, t4, t5) ADX_STEP(s5, t5, t6) ADX_ROW_END(t6)

#define ADX_REDUCE6(t0, t1, t2, t3, t4, t5, t6)                                                    \
    ADX_REDUCE_BEGIN(t0)                                                                           \
    ADX_STEPS6("%[p0]", "%[p1]", "%[p2]", "%[p3]", "%[p4]", "%[p5]", t0, t1, t2, t3, t4, t5, t6)

#define ADX_ROW6(b, t0, t1, t2, t3, t4, t5, t6)                                                    \
    ADX_ROW_BEGIN(b)                                                                               \
    ADX_STEPS6("(%[a])", "8(%[a])", "16(%[a])", "24(%[a])", "32(%[a])", "40(%[a])", t0, t1, t2,    \
               t3, t4, t5, t6)                                                                     \
    ADX_REDUCE6(t0, t1, t2, t3, t4, t5, t6)

#define ADX_T0 "%[t0]"
#define ADX_T1 "%[t1]"
#define ADX_T2 "%[t2]"
#define ADX_T3 "%[t3]"
#define ADX_T4 "%[t4]"
#define ADX_T5 "%[t5]"
#define ADX_T6 "%[t6]"

/* Keeps t where subtracting p from it borrowed, else takes the difference d. */
#define ADX_KEEP(t, d) "cmovcq " t ", " d "\n\t"

/* clang-format on */

/* r = t if t < p, else t - p; t < 2p. */
static inline void cuzk_adx_reduce_4(uint64_t *r, const uint64_t *t, const uint64_t *p)
{
    uint64_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
    uint64_t d0, d1, d2, d3;
    __asm__("movq %[t0], %[d0]\n\tsubq %[p0], %[d0]\n\t"
            "movq %[t1], %[d1]\n\tsbbq %[p1], %[d1]\n\t"
            "movq %[t2], %[d2]\n\tsbbq %[p2], %[d2]\n\t"
            "movq %[t3], %[d3]\n\tsbbq %[p3], %[d3]\n\t" ADX_KEEP("%[t0]", "%[d0]")
                ADX_KEEP("%[t1]", "%[d1]") ADX_KEEP("%[t2]", "%[d2]") ADX_KEEP("%[t3]", "%[d3]")
            : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3)
            : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [p0] "m"(p[0]),
              [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3])
            : "cc");
    r[0] = d0;
    r[1] = d1;
    r[2] = d2;
    r[3] = d3;
}

static inline void cuzk_adx_mul_4(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p, uint64_t n0)
{
    uint64_t t0, t1, t2, t3, t4, lo, hi;
    __asm__("movq (%[b]), %%rdx\n\t"
            "mulxq (%[a]), %[t0], %[t1]\n\t"
            "mulxq 8(%[a]), %[lo], %[t2]\n\t"
            "addq %[lo], %[t1]\n\t"
            "mulxq 16(%[a]), %[lo], %[t3]\n\t"
            "adcq %[lo], %[t2]\n\t"
            "mulxq 24(%[a]), %[lo], %[t4]\n\t"
            "adcq %[lo], %[t3]\n\t"
            "adcq $0, %[t4]\n\t" ADX_REDUCE4(ADX_T0, ADX_T1, ADX_T2, ADX_T3, ADX_T4)
                ADX_ROW4("8", ADX_T1, ADX_T2, ADX_T3, ADX_T4, ADX_T0)
                    ADX_ROW4("16", ADX_T2, ADX_T3, ADX_T4, ADX_T0, ADX_T1)
                        ADX_ROW4("24", ADX_T3, ADX_T4, ADX_T0, ADX_T1, ADX_T2)
            : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4),
              [lo] "=&r"(lo), [hi] "=&r"(hi)
            : [a] "r"(a), [b] "r"(b), [n0] "m"(n0), [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]),
              [p3] "m"(p[3]), "m"(*(const uint64_t(*)[4])a), "m"(*(const uint64_t(*)[4])b)
            : "rdx", "cc");
    const uint64_t t[4] = {t4, t0, t1, t2};
    cuzk_adx_reduce_4(r, t, p);
}

/* r = a + b mod p */
static inline void cuzk_adx_add_4(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p)
{
    uint64_t t[4] = {a[0], a[1], a[2], a[3]};
    __asm__("addq 0(%[b]), %[t0]\n\t"
            "adcq 8(%[b]), %[t1]\n\t"
            "adcq 16(%[b]), %[t2]\n\t"
            "adcq 24(%[b]), %[t3]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3])
            : [b] "r"(b), "m"(*(const uint64_t(*)[4])b)
            : "cc");
    cuzk_adx_reduce_4(r, t, p);
}

/* r = a - b mod p */
static inline void cuzk_adx_sub_4(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p)
{
    uint64_t t[4] = {a[0], a[1], a[2], a[3]};
    uint64_t mask;
    __asm__(
        "subq 0(%[b]), %[t0]\n\t"
        "sbbq 8(%[b]), %[t1]\n\t"
        "sbbq 16(%[b]), %[t2]\n\t"
        "sbbq 24(%[b]), %[t3]\n\t"
        "sbbq %[mask], %[mask]\n\t"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [mask] "=&r"(mask)
        : [b] "r"(b), "m"(*(const uint64_t(*)[4])b)
        : "cc");
    __asm__("addq %[m0], %[t0]\n\t"
            "adcq %[m1], %[t1]\n\t"
            "adcq %[m2], %[t2]\n\t"
            "adcq %[m3], %[t3]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3])
            : [m0] "rm"(p[0] & mask), [m1] "rm"(p[1] & mask), [m2] "rm"(p[2] & mask),
              [m3] "rm"(p[3] & mask)
            : "cc");
    r[0] = t[0];
    r[1] = t[1];
    r[2] = t[2];
    r[3] = t[3];
}

/* r = t if t < p, else t - p; t < 2p. */
static inline void cuzk_adx_reduce_6(uint64_t *r, const uint64_t *t, const uint64_t *p)
{
    uint64_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3], t4 = t[4], t5 = t[5];
    uint64_t d0, d1, d2, d3, d4, d5;
    __asm__("movq %[t0], %[d0]\n\tsubq %[p0], %[d0]\n\t"
            "movq %[t1], %[d1]\n\tsbbq %[p1], %[d1]\n\t"
            "movq %[t2], %[d2]\n\tsbbq %[p2], %[d2]\n\t"
            "movq %[t3], %[d3]\n\tsbbq %[p3], %[d3]\n\t"
            "movq %[t4], %[d4]\n\tsbbq %[p4], %[d4]\n\t"
            "movq %[t5], %[d5]\n\tsbbq %[p5], %[d5]\n\t" ADX_KEEP("%[t0]", "%[d0]")
                ADX_KEEP("%[t1]", "%[d1]") ADX_KEEP("%[t2]", "%[d2]") ADX_KEEP("%[t3]", "%[d3]")
                    ADX_KEEP("%[t4]", "%[d4]") ADX_KEEP("%[t5]", "%[d5]")
            : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4),
              [d5] "=&r"(d5)
            : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [t4] "r"(t4), [t5] "r"(t5),
              [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3]), [p4] "m"(p[4]),
              [p5] "m"(p[5])
            : "cc");
    r[0] = d0;
    r[1] = d1;
    r[2] = d2;
    r[3] = d3;
    r[4] = d4;
    r[5] = d5;
}

static inline void cuzk_adx_mul_6(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p, uint64_t n0)
{
    uint64_t t0, t1, t2, t3, t4, t5, t6, lo, hi;
    __asm__("movq (%[b]), %%rdx\n\t"
            "mulxq (%[a]), %[t0], %[t1]\n\t"
            "mulxq 8(%[a]), %[lo], %[t2]\n\t"
            "addq %[lo], %[t1]\n\t"
            "mulxq 16(%[a]), %[lo], %[t3]\n\t"
            "adcq %[lo], %[t2]\n\t"
            "mulxq 24(%[a]), %[lo], %[t4]\n\t"
            "adcq %[lo], %[t3]\n\t"
            "mulxq 32(%[a]), %[lo], %[t5]\n\t"
            "adcq %[lo], %[t4]\n\t"
            "mulxq 40(%[a]), %[lo], %[t6]\n\t"
            "adcq %[lo], %[t5]\n\t"
            "adcq $0, %[t6]\n\t" ADX_REDUCE6(ADX_T0, ADX_T1, ADX_T2, ADX_T3, ADX_T4, ADX_T5, ADX_T6)
                ADX_ROW6("8", ADX_T1, ADX_T2, ADX_T3, ADX_T4, ADX_T5, ADX_T6, ADX_T0)
                    ADX_ROW6("16", ADX_T2, ADX_T3, ADX_T4, ADX_T5, ADX_T6, ADX_T0, ADX_T1) ADX_ROW6(
                        "24", ADX_T3, ADX_T4, ADX_T5, ADX_T6, ADX_T0, ADX_T1, ADX_T2)
                        ADX_ROW6("32", ADX_T4, ADX_T5, ADX_T6, ADX_T0, ADX_T1, ADX_T2, ADX_T3)
                            ADX_ROW6("40", ADX_T5, ADX_T6, ADX_T0, ADX_T1, ADX_T2, ADX_T3, ADX_T4)
            : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4),
              [t5] "=&r"(t5), [t6] "=&r"(t6), [lo] "=&r"(lo), [hi] "=&r"(hi)
            : [a] "r"(a), [b] "r"(b), [n0] "m"(n0), [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]),
              [p3] "m"(p[3]), [p4] "m"(p[4]), [p5] "m"(p[5]), "m"(*(const uint64_t(*)[6])a),
              "m"(*(const uint64_t(*)[6])b)
            : "rdx", "cc");
    const uint64_t t[6] = {t6, t0, t1, t2, t3, t4};
    cuzk_adx_reduce_6(r, t, p);
}

/* r = a + b mod p */
static inline void cuzk_adx_add_6(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p)
{
    uint64_t t[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
    __asm__("addq 0(%[b]), %[t0]\n\t"
            "adcq 8(%[b]), %[t1]\n\t"
            "adcq 16(%[b]), %[t2]\n\t"
            "adcq 24(%[b]), %[t3]\n\t"
            "adcq 32(%[b]), %[t4]\n\t"
            "adcq 40(%[b]), %[t5]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
              [t4] "+&r"(t[4]), [t5] "+&r"(t[5])
            : [b] "r"(b), "m"(*(const uint64_t(*)[6])b)
            : "cc");
    cuzk_adx_reduce_6(r, t, p);
}

/* r = a - b mod p */
static inline void cuzk_adx_sub_6(uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  const uint64_t *p)
{
    uint64_t t[6] = {a[0], a[1], a[2], a[3], a[4], a[5]};
    uint64_t mask;
    __asm__("subq 0(%[b]), %[t0]\n\t"
            "sbbq 8(%[b]), %[t1]\n\t"
            "sbbq 16(%[b]), %[t2]\n\t"
            "sbbq 24(%[b]), %[t3]\n\t"
            "sbbq 32(%[b]), %[t4]\n\t"
            "sbbq 40(%[b]), %[t5]\n\t"
            "sbbq %[mask], %[mask]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
              [t4] "+&r"(t[4]), [t5] "+&r"(t[5]), [mask] "=&r"(mask)
            : [b] "r"(b), "m"(*(const uint64_t(*)[6])b)
            : "cc");
    __asm__("addq %[m0], %[t0]\n\t"
            "adcq %[m1], %[t1]\n\t"
            "adcq %[m2], %[t2]\n\t"
            "adcq %[m3], %[t3]\n\t"
            "adcq %[m4], %[t4]\n\t"
            "adcq %[m5], %[t5]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]),
              [t4] "+&r"(t[4]), [t5] "+&r"(t[5])
            : [m0] "rm"(p[0] & mask), [m1] "rm"(p[1] & mask), [m2] "rm"(p[2] & mask),
              [m3] "rm"(p[3] & mask), [m4] "rm"(p[4] & mask), [m5] "rm"(p[5] & mask)
            : "cc");
    r[0] = t[0];
    r[1] = t[1];
    r[2] = t[2];
    r[3] = t[3];
    r[4] = t[4];
    r[5] = t[5];
}

#pragma GCC diagnostic pop

#endif
