#!/usr/bin/env python3
"""Writes src/compute/cpu/lane_constants.h: per prime, the constants of the 52-bit lane arithmetic.

With N limbs of 52 bits, R' = 2^(52 N) is the lanes' Montgomery radix and R = 2^(64 words) that of memory.
A product of lanes is a*b/R', so each conversion is one product with a constant:
  from memory (x*R -> x*R')  R'^2/R      to memory  R
  from integer               R'^2        to integer 1
  inverse                    R'^3/R^2    (undoes an inversion done in the scalar field, see vf_lanes_tmpl.h)
Run: tools/gen_lane_constants.py > src/compute/cpu/lane_constants.h
"""

PRIMES = [
    ("BN254_FP", 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47, 4, 5),
    ("BN254_FR", 0x30644E72E131A029B85045B68181585D2833E84879B9709143E1F593F0000001, 4, 5),
    ("BLS12_381_FP",
     0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB, 6, 8),
    ("BLS12_381_FR", 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001, 4, 5),
]


def limbs(value, n):
    return [(value >> (52 * i)) & (2**52 - 1) for i in range(n)]


def row(name, values):
    text = ", ".join("0x%xULL" % v for v in values)
    return "#define %s { %s }" % (name, text)


def biased(value, n):
    """value with 2^52 lent to every limb by the one above, so that limb-wise a + bias - b never borrows."""
    out = limbs(value, n)
    out[n - 1] = value >> (52 * (n - 1))
    for i in range(n - 1):
        out[i] += 2**52
        out[i + 1] -= 1
    return out


print("/* Made by tools/gen_lane_constants.py, which says what each one is. */")
print("#ifndef CUZK_COMPUTE_LANE_CONSTANTS_H")
print("#define CUZK_COMPUTE_LANE_CONSTANTS_H")
print("/* clang-format off */")
for name, p, words, n in PRIMES:
    r_lane, r_mem = 2**(52 * n), 2**(64 * words)
    print()
    print("#define LANE_%s_LIMBS %d" % (name, n))
    print("#define LANE_%s_WORDS %d" % (name, words))
    print("#define LANE_%s_N0 0x%xULL" % (name, -pow(p, -1, 2**52) % 2**52))
    n0 = -pow(p, -1, 2**52) % 2**52
    print(row("LANE_%s_P" % name, limbs(p, n)))
    print("#define LANE_%s_N0_PD %s" % (name, float(n0).hex()))
    print("#define LANE_%s_P_PD { %s }" % (name, ", ".join(float(x).hex() for x in limbs(p, n))))
    print(row("LANE_%s_2P" % name, limbs(2 * p, n)))
    print(row("LANE_%s_4P" % name, limbs(4 * p, n)))
    for k in (2, 4, 6):
        print(row("LANE_%s_%dP_BIASED" % (name, k), [k // 2 * x for x in biased(2 * p, n)]))
    for k in (1, 2, 4):
        print(row("LANE_%s_MINUS_%dP" % (name, k), limbs(2**(52 * n) - k * p, n)))
    print(row("LANE_%s_32P2" % name, limbs(32 * p * p, 2 * n)))
    print(row("LANE_%s_ONE" % name, limbs(r_lane % p, n)))
    print(row("LANE_%s_FROM_MEM" % name, limbs(r_lane**2 * pow(r_mem, -1, p) % p, n)))
    print(row("LANE_%s_TO_MEM" % name, limbs(r_mem % p, n)))
    print(row("LANE_%s_FROM_INT" % name, limbs(r_lane**2 % p, n)))
    print(row("LANE_%s_INV_FIX" % name, limbs(r_lane**3 * pow(r_mem, -2, p) % p, n)))
print("/* clang-format on */")
print("#endif")
