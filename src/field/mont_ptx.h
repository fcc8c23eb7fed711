/* Additions and Montgomery products on NVIDIA's 32-bit multipliers, for 8 and 12 limbs of 32 bits.
 *
 * A running sum is kept as two numbers, E and O, with value E + 2^32 O: products of even limbs go
 * to E, those of odd limbs to O, each row one unbroken carry chain. Dividing by 2^32 after a
 * reduction row swaps the two: O becomes E, and E without its two lowest limbs becomes O. As 2p <
 * R, the sum between rows stays below 2p; no chain carries out of the topmost limb.
 *
 * n is the number of 32-bit limbs, 8 or 12; arguments and results have n / 2 limbs of 64 bits. */
#ifndef CUZK_FIELD_MONT_PTX_H
#define CUZK_FIELD_MONT_PTX_H

#include "field/mont_ptx_rows.h"

/* Adds the multiple of p to E + 2^32 O that makes limb 0 zero. n0 = -1/p mod 2^32. */
CUZK_PTX void cuzk_ptx_reduce_row(int n, uint32_t *even, uint32_t *odd, const uint32_t *p,
                                  uint32_t n0)
{
    if (n == 8 && p[0] == 1 && p[1] == 0xffffffff) {
        cuzk_ptx_reduce_row_r(even, odd, p);
        return;
    }
    uint32_t m = even[0] * n0;
    cuzk_ptx_mad_row_closed(n / 2, odd, p + 1, m);
    cuzk_ptx_mad_row(n / 2, even, &odd[n - 1], p, m);
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
    cuzk_ptx_mad_row(n / 2, even, &odd[n - 1], a, y);
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

/* t = x + y, limb by limb, without a carry out. */
CUZK_PTX void cuzk_ptx_join(int n, uint64_t *t, const uint32_t *x, const uint32_t *y)
{
    uint64_t x64[6], y64[6];
    CUZK_UNROLL
    for (int i = 0; i < n / 2; i++) {
        x64[i] = (uint64_t)x[2 * i + 1] << 32 | x[2 * i];
        y64[i] = (uint64_t)y[2 * i + 1] << 32 | y[2 * i];
    }
    cuzk_ptx_add(n / 2, t, x64, y64);
}

/* t = a b / R mod p, or that plus p; the limbs of b may be any number below R. n: 32-bit limbs. */
CUZK_PTX void cuzk_ptx_mul(int n, uint64_t *t, const uint64_t *a64, const uint64_t *b64,
                           const uint64_t *p64, uint64_t n0)
{
    uint32_t a[12], b[12], p[12], x[12], y[13];
    cuzk_ptx_split(n, a, a64);
    cuzk_ptx_split(n, b, b64);
    cuzk_ptx_split(n, p, p64);
    y[n] = 0;
    cuzk_ptx_mul_row(n / 2, x, a, b[0]);
    cuzk_ptx_mul_row(n / 2, y, a + 1, b[0]);
    cuzk_ptx_reduce_row(n, x, y, p, (uint32_t)n0);
    cuzk_ptx_row(n, y, x, a, b[1], p, (uint32_t)n0);
    CUZK_UNROLL
    for (int i = 2; i < n; i += 2) {
        cuzk_ptx_row(n, x, y, a, b[i], p, (uint32_t)n0);
        cuzk_ptx_row(n, y, x, a, b[i + 1], p, (uint32_t)n0);
    }
    cuzk_ptx_join(n, t, x, y + 1);
}

/* t = even + 2^32 odd: 2n limbs of 32 bits each, n of 64 bits; odd's topmost limb is 0. */
CUZK_PTX void cuzk_ptx_join_wide(int n, uint64_t *t, const uint32_t *even, const uint32_t *odd)
{
    uint64_t x[12], y[12];
    CUZK_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = (uint64_t)even[2 * i + 1] << 32 | even[2 * i];
        y[i] = (uint64_t)odd[2 * i] << 32 | (i == 0 ? 0 : odd[2 * i - 1]);
    }
    uint32_t carry = cuzk_ptx_add_out(n / 2, t, x, y);
    cuzk_ptx_add_in(n / 2, t + n / 2, x + n / 2, y + n / 2, carry);
}

/* t = a b, n limbs of 64 bits. The limb above a row's last product is still 0 or a carry. */
CUZK_PTX void cuzk_ptx_mul_wide(int n, uint64_t *t, const uint64_t *a64, const uint64_t *b64)
{
    uint32_t a[12], b[12], even[26], odd[26];
    cuzk_ptx_split(n, a, a64);
    cuzk_ptx_split(n, b, b64);
    CUZK_UNROLL
    for (int i = n; i < 2 * n + 2; i++)
        even[i] = odd[i] = 0;
    cuzk_ptx_mul_row(n / 2, even, a, b[0]);
    cuzk_ptx_mul_row(n / 2, odd, a + 1, b[0]);
    CUZK_UNROLL
    for (int i = 1; i < n; i++) {
        bool up = i % 2 == 1; /* then the odd limbs' products are the even ones of the sum */
        cuzk_ptx_mad_row(n / 2, &even[i + up], &even[i + up + n], a + up, b[i]);
        cuzk_ptx_mad_row(n / 2, &odd[i - up], &odd[i - up + n], a + !up, b[i]);
    }
    cuzk_ptx_join_wide(n, t, even, odd);
}

/* t = a^2, n limbs of 64 bits: each product of two different limbs once, doubled, and the squares.
 */
CUZK_PTX void cuzk_ptx_sqr_wide(int n, uint64_t *t, const uint64_t *a64)
{
    uint32_t a[14], even[26], odd[26], carry = 0;
    cuzk_ptx_split(n, a, a64);
    CUZK_UNROLL
    for (int i = 0; i < 2 * n + 2; i++)
        even[i] = odd[i] = 0;
    cuzk_ptx_mul_row(n / 2, odd, a + 1, a[0]);
    cuzk_ptx_mul_row(n / 2 - 1, even + 2, a + 2, a[0]);
    CUZK_UNROLL
    for (int i = 1; i < n - 1; i++) {
        int more = (n - i) / 2, less = (n - 1 - i) / 2;
        cuzk_ptx_mad_row(more, &odd[2 * i], &odd[2 * i + 2 * more], a + i + 1, a[i]);
        if (less > 0)
            cuzk_ptx_mad_row(less, &even[2 * i + 2], &even[2 * i + 2 + 2 * less], a + i + 2, a[i]);
    }
    cuzk_ptx_join_wide(n, t, even, odd);
    CUZK_UNROLL
    for (int i = n - 1; i >= 0; i--)
        t[i] = t[i] << 1 | (i == 0 ? 0 : t[i - 1] >> 63);
    CUZK_UNROLL
    for (int i = 0; i < n; i++) {
        even[2 * i] = (uint32_t)t[i];
        even[2 * i + 1] = (uint32_t)(t[i] >> 32);
    }
    cuzk_ptx_square_row(n, even, &carry, a);
    cuzk_ptx_square_row(n, even + n, &carry, a + n / 2);
    CUZK_UNROLL
    for (int i = 0; i < n; i++)
        t[i] = (uint64_t)even[2 * i + 1] << 32 | even[2 * i];
}

/* A row that only reduces: the division by 2^32 that is due, and the multiple of p that makes limb
 * 0 zero. Before, `odd` is the former E, and `even` the former O. */
CUZK_PTX void cuzk_ptx_reduce_shifted(int n, uint32_t *even, uint32_t *odd, const uint32_t *p,
                                      uint32_t n0)
{
    uint32_t former[12];
    CUZK_UNROLL
    for (int i = 0; i < n; i++)
        former[i] = odd[i];
    uint32_t m = cuzk_ptx_shift_reduce(n, odd, &even[0], former, p + 1, n0);
    cuzk_ptx_mad_row(n / 2, even, &odd[n - 1], p, m);
}

/* t = wide / R mod p, or that plus p, for wide < p R. */
CUZK_PTX void cuzk_ptx_reduce_wide(int n, uint64_t *t, const uint64_t *wide, const uint64_t *p64,
                                   uint64_t n0)
{
    uint32_t p[12], x[12], y[13];
    uint64_t low[6];
    cuzk_ptx_split(n, p, p64);
    cuzk_ptx_split(n, x, wide);
    CUZK_UNROLL
    for (int i = 0; i <= n; i++)
        y[i] = 0;
    cuzk_ptx_reduce_row(n, x, y, p, (uint32_t)n0);
    cuzk_ptx_reduce_shifted(n, y, x, p, (uint32_t)n0);
    CUZK_UNROLL
    for (int i = 2; i < n; i += 2) {
        cuzk_ptx_reduce_shifted(n, x, y, p, (uint32_t)n0);
        cuzk_ptx_reduce_shifted(n, y, x, p, (uint32_t)n0);
    }
    cuzk_ptx_join(n, low, x, y + 1);
    cuzk_ptx_add(n / 2, t, low, wide + n / 2);
}

/* t = a^2 / R mod p, or that plus p. Where p's form makes reduction rows cheap, the product it is.
 */
CUZK_PTX void cuzk_ptx_sqr(int n, uint64_t *t, const uint64_t *a, const uint64_t *p, uint64_t n0)
{
    if (n == 8 && p[0] == 0xffffffff00000001) {
        cuzk_ptx_mul(n, t, a, a, p, n0);
        return;
    }
    uint64_t wide[12];
    cuzk_ptx_sqr_wide(n, wide, a);
    cuzk_ptx_reduce_wide(n, t, wide, p, n0);
}

/* r = t if t < p, else t - p; t < 2p. n: 64-bit limbs. */
CUZK_PTX void cuzk_ptx_reduce_once(int n, uint64_t *r, const uint64_t *t, const uint64_t *p)
{
    uint64_t difference[6];
    bool keep = cuzk_ptx_sub(n, difference, t, p) != 0;
    CUZK_UNROLL
    for (int i = 0; i < n; i++)
        r[i] = keep ? t[i] : difference[i];
}

#endif
