/* Carry chains on NVIDIA's 32-bit multipliers: what mont_ptx.h is made of. Each function is one
 * chain or a few, in PTX on a GPU; the C bodies compute the same on a host, so that tests there
 * reach all that stands on them. Arrays of 32-bit limbs hold n = 8 or 12 of them, and arrays of
 * 64-bit limbs 4 or 6.
 *
 * A 32 x 32 -> 64 bit product with carry in and out (mad.lo.cc, madc.hi.cc) is one instruction if
 * its halves land in an even and the next odd register. */
#ifndef CUZK_FIELD_MONT_PTX_ROWS_H
#define CUZK_FIELD_MONT_PTX_ROWS_H

#include "field/hd.h"

#if defined(__CUDA_ARCH__)
#define CUZK_PTX static __device__ __forceinline__
#else
#define CUZK_PTX static inline
#endif

/* clang-format off */
#define PTX_FIRST(lo, hi, x, y) "mad.lo.cc.u32 " lo "," x "," y "," lo ";\n\tmadc.hi.cc.u32 " hi "," x "," y "," hi ";\n\t"
#define PTX_NEXT(lo, hi, x, y) "madc.lo.cc.u32 " lo "," x "," y "," lo ";\n\tmadc.hi.cc.u32 " hi "," x "," y "," hi ";\n\t"
#define PTX_LAST(lo, hi, x, y) "madc.lo.cc.u32 " lo "," x "," y ",0;\n\tmadc.hi.u32 " hi "," x "," y ",0;\n\t"
#define PTX_PAIR(acc, i) "+r"((acc)[i]), "+r"((acc)[(i) + 1])
/* clang-format on */

/* acc := x[0] y, x[2] y, ...: so many products, side by side. */
CUZK_PTX void cuzk_ptx_mul_row(int products, uint32_t *acc, const uint32_t *x, uint32_t y)
{
    CUZK_UNROLL
    for (int i = 0; i < 2 * products; i += 2) {
        uint64_t product = (uint64_t)x[i] * y;
        acc[i] = (uint32_t)product;
        acc[i + 1] = (uint32_t)(product >> 32);
    }
}

#if !defined(__CUDA_ARCH__)
/* acc += x[0] y, x[2] y, ... + carry; returns the carry out, 0 or 1. */
CUZK_PTX uint32_t cuzk_ptx_chain(int products, uint32_t *acc, const uint32_t *x, uint32_t y,
                                 uint32_t carry)
{
    for (int i = 0; i < 2 * products; i += 2) {
        uint64_t old = (uint64_t)acc[i + 1] << 32 | acc[i];
        cuzk_u128 sum = (cuzk_u128)((uint64_t)x[i] * y) + old + carry;
        acc[i] = (uint32_t)sum;
        acc[i + 1] = (uint32_t)(sum >> 32);
        carry = (uint32_t)(sum >> 64);
    }
    return carry;
}
#endif

/* acc += x[0] y, x[2] y, ...: 1 to 6 products; *top += the carry out. */
CUZK_PTX void cuzk_ptx_mad_row(int products, uint32_t *acc, uint32_t *top, const uint32_t *x,
                               uint32_t y)
{
#if defined(__CUDA_ARCH__)
    if (products == 6)
        asm(PTX_FIRST("%0", "%1", "%13", "%19") PTX_NEXT("%2", "%3", "%14", "%19")
                PTX_NEXT("%4", "%5", "%15", "%19") PTX_NEXT("%6", "%7", "%16", "%19")
                    PTX_NEXT("%8", "%9", "%17", "%19")
                        PTX_NEXT("%10", "%11", "%18", "%19") "addc.u32 %12, %12, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6),
              PTX_PAIR(acc, 8), PTX_PAIR(acc, 10), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(x[8]), "r"(x[10]), "r"(y));
    else if (products == 5)
        asm(PTX_FIRST("%0", "%1", "%11", "%16") PTX_NEXT("%2", "%3", "%12", "%16")
                PTX_NEXT("%4", "%5", "%13", "%16") PTX_NEXT("%6", "%7", "%14", "%16")
                    PTX_NEXT("%8", "%9", "%15", "%16") "addc.u32 %10, %10, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6),
              PTX_PAIR(acc, 8), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(x[8]), "r"(y));
    else if (products == 4)
        asm(PTX_FIRST("%0", "%1", "%9", "%13") PTX_NEXT("%2", "%3", "%10", "%13")
                PTX_NEXT("%4", "%5", "%11", "%13")
                    PTX_NEXT("%6", "%7", "%12", "%13") "addc.u32 %8, %8, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(y));
    else if (products == 3)
        asm(PTX_FIRST("%0", "%1", "%7", "%10") PTX_NEXT("%2", "%3", "%8", "%10")
                PTX_NEXT("%4", "%5", "%9", "%10") "addc.u32 %6, %6, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(y));
    else if (products == 2)
        asm(PTX_FIRST("%0", "%1", "%5", "%7") PTX_NEXT("%2", "%3", "%6", "%7") "addc.u32 %4, %4, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(y));
    else
        asm(PTX_FIRST("%0", "%1", "%3", "%4") "addc.u32 %2, %2, 0;"
            : PTX_PAIR(acc, 0), "+r"(*top)
            : "r"(x[0]), "r"(y));
#else
    *top += cuzk_ptx_chain(products, acc, x, y, 0);
#endif
}

/* The same where nothing carries out of acc. */
CUZK_PTX void cuzk_ptx_mad_row_closed(int products, uint32_t *acc, const uint32_t *x, uint32_t y)
{
    uint32_t none = 0;
    cuzk_ptx_mad_row(products, acc, &none, x, y);
}

/* Begins a row after a division by 2^32: old is the former E, whose limb 0 is 0. *low, limb 0 of
 * the new E, += old[1]; acc := old / 2^64 + x[0] y, x[2] y, ... + that carry. */
CUZK_PTX void cuzk_ptx_shift_row(int n, uint32_t *acc, uint32_t *low, const uint32_t *old,
                                 const uint32_t *x, uint32_t y)
{
    uint32_t one = old[1];
    CUZK_UNROLL
    for (int i = 0; i < n - 2; i++)
        acc[i] = old[i + 2];
#if defined(__CUDA_ARCH__)
    if (n == 12)
        asm("add.cc.u32 %12, %12, %20;\n\t" PTX_NEXT("%0", "%1", "%13", "%19")
                PTX_NEXT("%2", "%3", "%14", "%19") PTX_NEXT("%4", "%5", "%15", "%19")
                    PTX_NEXT("%6", "%7", "%16", "%19") PTX_NEXT("%8", "%9", "%17", "%19")
                        PTX_LAST("%10", "%11", "%18", "%19")
            : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
              "+r"(acc[6]), "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "=&r"(acc[10]),
              "=&r"(acc[11]), "+r"(*low)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(x[8]), "r"(x[10]), "r"(y), "r"(one));
    else
        asm("add.cc.u32 %8, %8, %14;\n\t" PTX_NEXT("%0", "%1", "%9", "%13")
                PTX_NEXT("%2", "%3", "%10", "%13") PTX_NEXT("%4", "%5", "%11", "%13")
                    PTX_LAST("%6", "%7", "%12", "%13")
            : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
              "=&r"(acc[6]), "=&r"(acc[7]), "+r"(*low)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(y), "r"(one));
#else
    acc[n - 2] = acc[n - 1] = 0;
    *low += one;
    cuzk_ptx_chain(n / 2, acc, x, y, *low < one);
#endif
}

/* Begins a reduction row after a division by 2^32, where no product is added: as
 * cuzk_ptx_shift_row, with y = *low n0, which is returned. */
CUZK_PTX uint32_t cuzk_ptx_shift_reduce(int n, uint32_t *acc, uint32_t *low, const uint32_t *old,
                                        const uint32_t *x, uint32_t n0)
{
    uint32_t one = old[1], m;
    CUZK_UNROLL
    for (int i = 0; i < n - 2; i++)
        acc[i] = old[i + 2];
#if defined(__CUDA_ARCH__)
    if (n == 12)
        asm("add.cc.u32 %12, %12, %21;\n\tmul.lo.u32 %13, %12, %20;\n\t" PTX_NEXT(
                "%0", "%1", "%14", "%13") PTX_NEXT("%2", "%3", "%15", "%13")
                PTX_NEXT("%4", "%5", "%16", "%13") PTX_NEXT("%6", "%7", "%17", "%13")
                    PTX_NEXT("%8", "%9", "%18", "%13") PTX_LAST("%10", "%11", "%19", "%13")
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6),
              PTX_PAIR(acc, 8), "=&r"(acc[10]), "=&r"(acc[11]), "+r"(*low), "=&r"(m)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(x[8]), "r"(x[10]), "r"(n0), "r"(one));
    else
        asm("add.cc.u32 %8, %8, %15;\n\tmul.lo.u32 %9, %8, %14;\n\t" PTX_NEXT(
                "%0", "%1", "%10", "%9") PTX_NEXT("%2", "%3", "%11", "%9")
                PTX_NEXT("%4", "%5", "%12", "%9") PTX_LAST("%6", "%7", "%13", "%9")
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), "=&r"(acc[6]), "=&r"(acc[7]),
              "+r"(*low), "=&r"(m)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(n0), "r"(one));
#else
    acc[n - 2] = acc[n - 1] = 0;
    *low += one;
    m = *low * n0;
    cuzk_ptx_chain(n / 2, acc, x, m, *low < one);
#endif
    return m;
}

/* acc += x[0]^2, x[1]^2, ...: n / 2 squares side by side, and *carry, 0 or 1, which becomes the
 * carry out. */
CUZK_PTX void cuzk_ptx_square_row(int n, uint32_t *acc, uint32_t *carry, const uint32_t *x)
{
#if defined(__CUDA_ARCH__)
    if (n == 12)
        asm("add.cc.u32 %12, %12, 0xffffffff;\n\t" PTX_NEXT("%0", "%1", "%13", "%13")
                PTX_NEXT("%2", "%3", "%14", "%14") PTX_NEXT("%4", "%5", "%15", "%15")
                    PTX_NEXT("%6", "%7", "%16", "%16") PTX_NEXT("%8", "%9", "%17", "%17")
                        PTX_NEXT("%10", "%11", "%18", "%18") "addc.u32 %12, 0, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6),
              PTX_PAIR(acc, 8), PTX_PAIR(acc, 10), "+r"(*carry)
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]));
    else
        asm("add.cc.u32 %8, %8, 0xffffffff;\n\t" PTX_NEXT("%0", "%1", "%9", "%9")
                PTX_NEXT("%2", "%3", "%10", "%10") PTX_NEXT("%4", "%5", "%11", "%11")
                    PTX_NEXT("%6", "%7", "%12", "%12") "addc.u32 %8, 0, 0;"
            : PTX_PAIR(acc, 0), PTX_PAIR(acc, 2), PTX_PAIR(acc, 4), PTX_PAIR(acc, 6), "+r"(*carry)
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]));
#else
    for (int i = 0; i < n / 2; i++)
        *carry = cuzk_ptx_chain(1, acc + 2 * i, x + i, x[i], *carry);
#endif
}

/* A reduction row for p = ... 2^64 + 2^64 - 2^32 + 1, as BLS12-381's r is: there -1/p mod 2^32 is
 * -1, and the products of the two lowest limbs are sums. t = even[0], m = -t:
 * even += 1 m, p[2] m, ...: limb 0 becomes 0; odd += (2^32 - 1) m, p[3] m, ... */
CUZK_PTX void cuzk_ptx_reduce_row_r(uint32_t *even, uint32_t *odd, const uint32_t *p)
{
#if defined(__CUDA_ARCH__)
    uint32_t t = even[0], m, m_less; /* (2^32 - 1) m = m_less 2^32 + t */
    asm("sub.cc.u32 %0, 0, %2;\n\tsubc.u32 %1, %0, 0;" : "=&r"(m), "=&r"(m_less) : "r"(t));
    asm("add.cc.u32 %0, %0, %8;\n\taddc.cc.u32 %1, %1, %9;\n\t" PTX_NEXT("%2", "%3", "%10", "%13")
            PTX_NEXT("%4", "%5", "%11", "%13") PTX_NEXT("%6", "%7", "%12", "%13")
        : "+r"(odd[0]), "+r"(odd[1]), "+r"(odd[2]), "+r"(odd[3]), "+r"(odd[4]), "+r"(odd[5]),
          "+r"(odd[6]), "+r"(odd[7])
        : "r"(t), "r"(m_less), "r"(p[3]), "r"(p[5]), "r"(p[7]), "r"(m));
    asm("add.cc.u32 %0, %0, %12;\n\taddc.cc.u32 %1, %1, 0;\n\t" PTX_NEXT("%2", "%3", "%9", "%12")
            PTX_NEXT("%4", "%5", "%10", "%12")
                PTX_NEXT("%6", "%7", "%11", "%12") "addc.u32 %8, %8, 0;"
        : "+r"(even[0]), "+r"(even[1]), "+r"(even[2]), "+r"(even[3]), "+r"(even[4]), "+r"(even[5]),
          "+r"(even[6]), "+r"(even[7]), "+r"(odd[7])
        : "r"(p[2]), "r"(p[4]), "r"(p[6]), "r"(m));
#else
    uint32_t m = 0 - even[0];
    cuzk_ptx_chain(4, odd, p + 1, m, 0);
    odd[7] += cuzk_ptx_chain(4, even, p, m, 0);
#endif
}

#if !defined(__CUDA_ARCH__)
CUZK_PTX uint32_t cuzk_ptx_add_limbs(int n, uint64_t *r, const uint64_t *a, const uint64_t *b,
                                     uint32_t carry)
{
    for (int i = 0; i < n; i++) {
        cuzk_u128 sum = (cuzk_u128)a[i] + b[i] + carry;
        r[i] = (uint64_t)sum;
        carry = (uint32_t)(sum >> 64);
    }
    return carry;
}

/* The borrow, in and out, is 0 or all ones. */
CUZK_PTX uint32_t cuzk_ptx_sub_limbs(int n, uint64_t *r, const uint64_t *a, const uint64_t *b,
                                     uint32_t borrow)
{
    for (int i = 0; i < n; i++) {
        cuzk_u128 difference = (cuzk_u128)a[i] - b[i] - (borrow & 1);
        r[i] = (uint64_t)difference;
        borrow = (uint32_t)(difference >> 64);
    }
    return borrow;
}
#endif

/* r = a + b without a carry out; n: 64-bit limbs, 4 or 6, here and below. */
CUZK_PTX void cuzk_ptx_add(int n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
#if defined(__CUDA_ARCH__)
    if (n == 6)
        asm("add.cc.u64 %0, %6, %12;\n\t"
            "addc.cc.u64 %1, %7, %13;\n\t"
            "addc.cc.u64 %2, %8, %14;\n\t"
            "addc.cc.u64 %3, %9, %15;\n\t"
            "addc.cc.u64 %4, %10, %16;\n\t"
            "addc.u64 %5, %11, %17;\n\t"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5])
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("add.cc.u64 %0, %4, %8;\n\t"
            "addc.cc.u64 %1, %5, %9;\n\t"
            "addc.cc.u64 %2, %6, %10;\n\t"
            "addc.u64 %3, %7, %11;\n\t"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3])
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
#else
    cuzk_ptx_add_limbs(n, r, a, b, 0);
#endif
}

/* r = a + b; returns the carry out. */
CUZK_PTX uint32_t cuzk_ptx_add_out(int n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
#if defined(__CUDA_ARCH__)
    uint32_t carry;
    if (n == 6)
        asm("add.cc.u64 %0, %7, %13;\n\t"
            "addc.cc.u64 %1, %8, %14;\n\t"
            "addc.cc.u64 %2, %9, %15;\n\t"
            "addc.cc.u64 %3, %10, %16;\n\t"
            "addc.cc.u64 %4, %11, %17;\n\t"
            "addc.cc.u64 %5, %12, %18;\n\t"
            "addc.u32 %6, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5]),
              "=r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("add.cc.u64 %0, %5, %9;\n\t"
            "addc.cc.u64 %1, %6, %10;\n\t"
            "addc.cc.u64 %2, %7, %11;\n\t"
            "addc.cc.u64 %3, %8, %12;\n\t"
            "addc.u32 %4, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
    return carry;
#else
    return cuzk_ptx_add_limbs(n, r, a, b, 0);
#endif
}

/* r = a + b + carry without a carry out; carry is 0 or 1. */
CUZK_PTX void cuzk_ptx_add_in(int n, uint64_t *r, const uint64_t *a, const uint64_t *b,
                              uint32_t carry)
{
#if defined(__CUDA_ARCH__)
    if (n == 6)
        asm("add.cc.u32 %6, %6, 0xffffffff;\n\t"
            "addc.cc.u64 %0, %7, %13;\n\t"
            "addc.cc.u64 %1, %8, %14;\n\t"
            "addc.cc.u64 %2, %9, %15;\n\t"
            "addc.cc.u64 %3, %10, %16;\n\t"
            "addc.cc.u64 %4, %11, %17;\n\t"
            "addc.u64 %5, %12, %18;\n\t"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5]),
              "+r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("add.cc.u32 %4, %4, 0xffffffff;\n\t"
            "addc.cc.u64 %0, %5, %9;\n\t"
            "addc.cc.u64 %1, %6, %10;\n\t"
            "addc.cc.u64 %2, %7, %11;\n\t"
            "addc.u64 %3, %8, %12;\n\t"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "+r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
#else
    cuzk_ptx_add_limbs(n, r, a, b, carry);
#endif
}

/* r = a - b modulo 2^(64n); returns all ones if it borrowed, else 0. */
CUZK_PTX uint32_t cuzk_ptx_sub(int n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
#if defined(__CUDA_ARCH__)
    uint32_t carry;
    if (n == 6)
        asm("sub.cc.u64 %0, %7, %13;\n\t"
            "subc.cc.u64 %1, %8, %14;\n\t"
            "subc.cc.u64 %2, %9, %15;\n\t"
            "subc.cc.u64 %3, %10, %16;\n\t"
            "subc.cc.u64 %4, %11, %17;\n\t"
            "subc.cc.u64 %5, %12, %18;\n\t"
            "subc.u32 %6, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5]),
              "=r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("sub.cc.u64 %0, %5, %9;\n\t"
            "subc.cc.u64 %1, %6, %10;\n\t"
            "subc.cc.u64 %2, %7, %11;\n\t"
            "subc.cc.u64 %3, %8, %12;\n\t"
            "subc.u32 %4, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
    return carry;
#else
    return cuzk_ptx_sub_limbs(n, r, a, b, 0);
#endif
}

/* r = a - b - 1 if carry is all ones, a - b if it is 0; returns the borrow in the same way. */
CUZK_PTX uint32_t cuzk_ptx_sub_in(int n, uint64_t *r, const uint64_t *a, const uint64_t *b,
                                  uint32_t carry)
{
#if defined(__CUDA_ARCH__)
    if (n == 6)
        asm("sub.cc.u32 %6, 0, %6;\n\t"
            "subc.cc.u64 %0, %7, %13;\n\t"
            "subc.cc.u64 %1, %8, %14;\n\t"
            "subc.cc.u64 %2, %9, %15;\n\t"
            "subc.cc.u64 %3, %10, %16;\n\t"
            "subc.cc.u64 %4, %11, %17;\n\t"
            "subc.cc.u64 %5, %12, %18;\n\t"
            "subc.u32 %6, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5]),
              "+r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("sub.cc.u32 %4, 0, %4;\n\t"
            "subc.cc.u64 %0, %5, %9;\n\t"
            "subc.cc.u64 %1, %6, %10;\n\t"
            "subc.cc.u64 %2, %7, %11;\n\t"
            "subc.cc.u64 %3, %8, %12;\n\t"
            "subc.u32 %4, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "+r"(carry)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
    return carry;
#else
    return cuzk_ptx_sub_limbs(n, r, a, b, carry);
#endif
}

#undef PTX_FIRST
#undef PTX_NEXT
#undef PTX_LAST
#undef PTX_PAIR

#endif
