/* Additions and Montgomery products on NVIDIA's 32-bit multipliers, for 8 and 12 limbs of 32 bits.
 *
 * A 32 x 32 -> 64 bit product with carry in and out (mad.lo.cc, madc.hi.cc) is one instruction if
 * its halves land in an even and the next odd register. So a running sum is kept as two numbers, E
 * and O, with value E + 2^32 O: products of even limbs go to E, those of odd limbs to O, each row
 * one unbroken carry chain. Dividing by 2^32 after a reduction row swaps the two: O becomes E, and
 * E without its two lowest limbs becomes O. As 2p < R, the sum between rows stays below 2p; no
 * chain carries out of the topmost limb. */
#ifndef CUZK_FIELD_MONT_PTX_H
#define CUZK_FIELD_MONT_PTX_H

#include <stdint.h>

#define CUZK_PTX static __device__ __forceinline__

/* clang-format off */
#define PTX_FIRST(lo, hi, x, y) "mad.lo.cc.u32 " lo "," x "," y "," lo ";\n\tmadc.hi.cc.u32 " hi "," x "," y "," hi ";\n\t"
#define PTX_NEXT(lo, hi, x, y) "madc.lo.cc.u32 " lo "," x "," y "," lo ";\n\tmadc.hi.cc.u32 " hi "," x "," y "," hi ";\n\t"
#define PTX_LAST(lo, hi, x, y) "madc.lo.cc.u32 " lo "," x "," y ",0;\n\tmadc.hi.u32 " hi "," x "," y ",0;\n\t"
/* clang-format on */

/* acc := x[0] y, x[2] y, ... at limbs 0, 2, ...; n is 8 or 12, here and below. */
CUZK_PTX void cuzk_ptx_mul_row(int n, uint32_t *acc, const uint32_t *x, uint32_t y)
{
    CUZK_UNROLL
    for (int i = 0; i < n; i += 2) {
        uint64_t product = (uint64_t)x[i] * y;
        acc[i] = (uint32_t)product;
        acc[i + 1] = (uint32_t)(product >> 32);
    }
}

/* acc += x[0] y, x[2] y, ... at limbs 0, 2, ...; *top += the carry out. */
CUZK_PTX void cuzk_ptx_mad_row(int n, uint32_t *acc, uint32_t *top, const uint32_t *x, uint32_t y)
{
    if (n == 12)
        asm(PTX_FIRST("%0", "%1", "%13", "%19") PTX_NEXT("%2", "%3", "%14", "%19")
                PTX_NEXT("%4", "%5", "%15", "%19") PTX_NEXT("%6", "%7", "%16", "%19")
                    PTX_NEXT("%8", "%9", "%17", "%19")
                        PTX_NEXT("%10", "%11", "%18", "%19") "addc.u32 %12, %12, 0;"
            : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
              "+r"(acc[6]), "+r"(acc[7]), "+r"(acc[8]), "+r"(acc[9]), "+r"(acc[10]), "+r"(acc[11]),
              "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(x[8]), "r"(x[10]), "r"(y));
    else
        asm(PTX_FIRST("%0", "%1", "%9", "%13") PTX_NEXT("%2", "%3", "%10", "%13")
                PTX_NEXT("%4", "%5", "%11", "%13")
                    PTX_NEXT("%6", "%7", "%12", "%13") "addc.u32 %8, %8, 0;"
            : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]),
              "+r"(acc[6]), "+r"(acc[7]), "+r"(*top)
            : "r"(x[0]), "r"(x[2]), "r"(x[4]), "r"(x[6]), "r"(y));
}

/* The same where nothing carries out of acc. */
CUZK_PTX void cuzk_ptx_mad_row_closed(int n, uint32_t *acc, const uint32_t *x, uint32_t y)
{
    uint32_t none = 0;
    cuzk_ptx_mad_row(n, acc, &none, x, y);
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
}

/* A reduction row for p = ... 2^64 + 2^64 - 2^32 + 1, as BLS12-381's r is: there -1/p mod 2^32 is
 * -1, and the products of the two lowest limbs are sums. t = even[0], m = -t:
 * even += 1 m, p[2] m, ...: limb 0 becomes 0; odd += (2^32 - 1) m, p[3] m, ... */
CUZK_PTX void cuzk_ptx_reduce_row_r(uint32_t *even, uint32_t *odd, const uint32_t *p)
{
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
}

/* Adds the multiple of p to E + 2^32 O that makes limb 0 zero. n0 = -1/p mod 2^32. */
CUZK_PTX void cuzk_ptx_reduce_row(int n, uint32_t *even, uint32_t *odd, const uint32_t *p,
                                  uint32_t n0)
{
    if (n == 8 && p[0] == 1 && p[1] == 0xffffffff) {
        cuzk_ptx_reduce_row_r(even, odd, p);
        return;
    }
    uint32_t m = even[0] * n0;
    cuzk_ptx_mad_row_closed(n, odd, p + 1, m);
    cuzk_ptx_mad_row(n, even, &odd[n - 1], p, m);
}

/* One limb y of the second factor: the division by 2^32 that is due, the product row, the reduction
 * row. Before, `odd` is the former E, and `even` the former O. */
CUZK_PTX void cuzk_ptx_row(int n, uint32_t *even, uint32_t *odd, const uint32_t *a, uint32_t y,
                           const uint32_t *p, uint32_t n0)
{
    uint32_t former[12];
    CUZK_UNROLL
    for (int i = 0; i < n; i++)
        former[i] = odd[i];
    cuzk_ptx_shift_row(n, odd, &even[0], former, a + 1, y);
    cuzk_ptx_mad_row(n, even, &odd[n - 1], a, y);
    cuzk_ptx_reduce_row(n, even, odd, p, n0);
}

CUZK_PTX void cuzk_ptx_split(int n, uint32_t *halves, const uint64_t *limbs)
{
    CUZK_UNROLL
    for (int i = 0; i < n / 2; i++) {
        halves[2 * i] = (uint32_t)limbs[i];
        halves[2 * i + 1] = (uint32_t)(limbs[i] >> 32);
    }
}

/* odd += even / 2^32: the last division. */
CUZK_PTX void cuzk_ptx_join(int n, uint32_t *odd, const uint32_t *even)
{
    if (n == 12)
        asm("add.cc.u32 %0, %0, %12;\n\taddc.cc.u32 %1, %1, %13;\n\taddc.cc.u32 %2, %2, %14;\n\t"
            "addc.cc.u32 %3, %3, %15;\n\taddc.cc.u32 %4, %4, %16;\n\taddc.cc.u32 %5, %5, %17;\n\t"
            "addc.cc.u32 %6, %6, %18;\n\taddc.cc.u32 %7, %7, %19;\n\taddc.cc.u32 %8, %8, %20;\n\t"
            "addc.cc.u32 %9, %9, %21;\n\taddc.cc.u32 %10, %10, %22;\n\taddc.u32 %11, %11, 0;"
            : "+r"(odd[0]), "+r"(odd[1]), "+r"(odd[2]), "+r"(odd[3]), "+r"(odd[4]), "+r"(odd[5]),
              "+r"(odd[6]), "+r"(odd[7]), "+r"(odd[8]), "+r"(odd[9]), "+r"(odd[10]), "+r"(odd[11])
            : "r"(even[1]), "r"(even[2]), "r"(even[3]), "r"(even[4]), "r"(even[5]), "r"(even[6]),
              "r"(even[7]), "r"(even[8]), "r"(even[9]), "r"(even[10]), "r"(even[11]));
    else
        asm("add.cc.u32 %0, %0, %8;\n\taddc.cc.u32 %1, %1, %9;\n\taddc.cc.u32 %2, %2, %10;\n\t"
            "addc.cc.u32 %3, %3, %11;\n\taddc.cc.u32 %4, %4, %12;\n\taddc.cc.u32 %5, %5, %13;\n\t"
            "addc.cc.u32 %6, %6, %14;\n\taddc.u32 %7, %7, 0;"
            : "+r"(odd[0]), "+r"(odd[1]), "+r"(odd[2]), "+r"(odd[3]), "+r"(odd[4]), "+r"(odd[5]),
              "+r"(odd[6]), "+r"(odd[7])
            : "r"(even[1]), "r"(even[2]), "r"(even[3]), "r"(even[4]), "r"(even[5]), "r"(even[6]),
              "r"(even[7]));
}

/* t = a b / R mod p, or that plus p; the limbs of b may be any number below R. n: 32-bit limbs. */
CUZK_PTX void cuzk_ptx_mul(int n, uint64_t *t, const uint64_t *a64, const uint64_t *b64,
                           const uint64_t *p64, uint64_t n0)
{
    uint32_t a[12], b[12], p[12], x[12], y[12];
    cuzk_ptx_split(n, a, a64);
    cuzk_ptx_split(n, b, b64);
    cuzk_ptx_split(n, p, p64);
    cuzk_ptx_mul_row(n, x, a, b[0]);
    cuzk_ptx_mul_row(n, y, a + 1, b[0]);
    cuzk_ptx_reduce_row(n, x, y, p, (uint32_t)n0);
    cuzk_ptx_row(n, y, x, a, b[1], p, (uint32_t)n0);
    CUZK_UNROLL
    for (int i = 2; i < n; i += 2) {
        cuzk_ptx_row(n, x, y, a, b[i], p, (uint32_t)n0);
        cuzk_ptx_row(n, y, x, a, b[i + 1], p, (uint32_t)n0);
    }
    cuzk_ptx_join(n, x, y);
    CUZK_UNROLL
    for (int i = 0; i < n; i += 2)
        t[i / 2] = x[i] | (uint64_t)x[i + 1] << 32;
}

/* r = a + b without a carry out; n: 64-bit limbs, 4 or 6, here and below. */
CUZK_PTX void cuzk_ptx_add(int n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    if (n == 6)
        asm("add.cc.u64 %0, %6, %12;\n\taddc.cc.u64 %1, %7, %13;\n\taddc.cc.u64 %2, %8, %14;\n\t"
            "addc.cc.u64 %3, %9, %15;\n\taddc.cc.u64 %4, %10, %16;\n\taddc.u64 %5, %11, %17;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5])
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("add.cc.u64 %0, %4, %8;\n\taddc.cc.u64 %1, %5, %9;\n\taddc.cc.u64 %2, %6, %10;\n\t"
            "addc.u64 %3, %7, %11;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3])
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
}

/* r = a - b modulo 2^(64n); returns all ones if it borrowed, else 0. */
CUZK_PTX uint64_t cuzk_ptx_sub(int n, uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t borrow;
    if (n == 6)
        asm("sub.cc.u64 %0, %7, %13;\n\tsubc.cc.u64 %1, %8, %14;\n\tsubc.cc.u64 %2, %9, %15;\n\t"
            "subc.cc.u64 %3, %10, %16;\n\tsubc.cc.u64 %4, %11, %17;\n\t"
            "subc.cc.u64 %5, %12, %18;\n\tsubc.u64 %6, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(r[4]), "=&l"(r[5]),
              "=&l"(borrow)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(a[4]), "l"(a[5]), "l"(b[0]),
              "l"(b[1]), "l"(b[2]), "l"(b[3]), "l"(b[4]), "l"(b[5]));
    else
        asm("sub.cc.u64 %0, %5, %9;\n\tsubc.cc.u64 %1, %6, %10;\n\tsubc.cc.u64 %2, %7, %11;\n\t"
            "subc.cc.u64 %3, %8, %12;\n\tsubc.u64 %4, 0, 0;"
            : "=&l"(r[0]), "=&l"(r[1]), "=&l"(r[2]), "=&l"(r[3]), "=&l"(borrow)
            : "l"(a[0]), "l"(a[1]), "l"(a[2]), "l"(a[3]), "l"(b[0]), "l"(b[1]), "l"(b[2]),
              "l"(b[3]));
    return borrow;
}

/* r = t if t < p, else t - p; t < 2p. */
CUZK_PTX void cuzk_ptx_reduce_once(int n, uint64_t *r, const uint64_t *t, const uint64_t *p)
{
    uint64_t difference[6];
    bool keep = cuzk_ptx_sub(n, difference, t, p) != 0;
    CUZK_UNROLL
    for (int i = 0; i < n; i++)
        r[i] = keep ? t[i] : difference[i];
}

#undef PTX_FIRST
#undef PTX_NEXT
#undef PTX_LAST

#endif
