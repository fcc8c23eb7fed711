#!/usr/bin/env python3
"""Writes src/field/<curve>_{fp,fr}.h and src/curve/<curve>_constants.h.

Every number is computed here from the curve's parameter and its published generators; the comment
beside each one is its formula. `gen_constants.py --check` compares with the files and writes nothing.
"""
import sys
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"


class Fp2:
    """a + b u over Fp, u^2 = -1."""

    def __init__(self, p, a, b):
        self.p, self.a, self.b = p, a % p, b % p

    def __mul__(self, o):
        return Fp2(self.p, self.a * o.a - self.b * o.b, self.a * o.b + self.b * o.a)

    def inv(self):
        n = pow(self.a * self.a + self.b * self.b, -1, self.p)
        return Fp2(self.p, self.a * n, -self.b * n)

    def conj(self):
        return Fp2(self.p, self.a, -self.b)

    def __pow__(self, e):
        r, s = Fp2(self.p, 1, 0), self
        while e:
            if e & 1:
                r = r * s
            s, e = s * s, e >> 1
        return r


def naf(k):
    """Digits -1, 0, 1, no two neighbours of which are not 0; the lowest first."""
    out = []
    while k:
        d = 2 - k % 4 if k & 1 else 0
        out.append(d)
        k = (k - d) // 2
    return out


def limbs(value, n):
    assert 0 <= value < 1 << (64 * n)
    return ["0x%016x" % (value >> (64 * i) & (2**64 - 1)) for i in range(n)]


def rows(words, indent):
    out = [", ".join(words[i:i + 4]) for i in range(0, len(words), 4)]
    return (", \\\n" + " " * indent).join(out)


class Curve:
    def field_header(self, name, letter, modulus, n, formula, title, is_scalar):
        bits = 64 * n
        guard = "CUZK_FIELD_%s_H" % name.upper()
        text = "/* %s. Written by tools/gen_constants.py. */\n#ifndef %s\n#define %s\n\n" % (
            title, guard, guard)
        if is_scalar:
            text += '#include "field/scalar.h"\n\n'
        text += "#define FIELD            %s\n#define FIELD_LIMBS      %d\n" % (name, n)
        if is_scalar:
            text += "#define FIELD_TYPE       cuzk_fr\n#define FIELD_CANON_TYPE cuzk_scalar\n"
        for macro, value, comment in (
                ("FIELD_MODULUS", modulus, "%s = %s" % (letter, formula)),
                ("FIELD_ONE", 2**bits % modulus, "2^%d mod %s" % (bits, letter)),
                ("FIELD_R2", 2**(2 * bits) % modulus, "2^%d mod %s" % (2 * bits, letter))):
            text += "/* %s */\n#define %s \\\n    { %s }\n" % (comment, macro, rows(limbs(value, n), 6))
        text += "/* -1/%s mod 2^64 */\n#define FIELD_N0         0x%016x\n" % (
            letter, -pow(modulus, -1, 2**64) % 2**64)
        return text + '#include "field/field_tmpl.h"\n\n#endif\n'

    def mont(self, value):
        return "{ { %s } }" % rows(
            limbs(value % self.p * 2**(64 * self.n) % self.p, self.n), 8)

    def words(self, values):
        out = []
        for v in values:
            out += limbs(v * 2**(64 * self.n) % self.p, self.n)
        return "{ %s }" % rows(out, 6)

    def plain(self, value, n):
        return "{ %s }" % rows(limbs(value, n), 6)

    def listed(self, items, separator="\n"):
        if separator == "\n":
            return "{ %s }" % ", \\\n      ".join(items)
        items = list(items)
        lines = [", ".join(items[i:i + 24]) for i in range(0, len(items), 24)]
        return "{ %s }" % ", \\\n      ".join(lines)

    def mont2(self, v):
        return "{ %s, \\\n      %s }" % (self.mont(v.a), self.mont(v.b))

    def fr(self, value):
        return "{ { %s } }" % rows(limbs(value % self.r * 2**256 % self.r, 4), 8)

    def xi_power(self, numerator, denominator):
        """xi^((p-1) numerator/denominator)"""
        return self.xi ** ((self.p - 1) * numerator // denominator)

    def constants(self):
        t = (self.r - 1) >> self.two_adicity
        out = [
            ("P", "%s" % self.p_formula, self.plain(self.p, self.n)),
            ("R", "%s" % self.r_formula, self.plain(self.r, 4)),
            ("FR_ONE", "1", self.fr(1)),
            ("G1_B", "b of y^2 = x^3 + b", self.mont(self.b)),
            ("G2_B", self.g2_b_formula, self.mont2(self.g2_b)),
            ("G1_GENERATOR", "published: x, y", self.words(self.g1)),
            ("G2_GENERATOR", "published: x.c0, x.c1, y.c0, y.c1",
             self.words([self.g2[0].a, self.g2[0].b, self.g2[1].a, self.g2[1].b])),
            ("BETA", self.beta_formula, self.mont(self.beta)),
            ("PSI_X", self.psi_formula % "/3", self.mont2(self.psi_x)),
            ("PSI_Y", self.psi_formula % "/2", self.mont2(self.psi_y)),
            ("ROOT_IDEN3", "5^((r-1)/2^%d)" % self.two_adicity, self.fr(pow(5, t, self.r))),
            ("ROOT_ZCASH", "7^((r-1)/2^%d)" % self.two_adicity, self.fr(pow(7, t, self.r))),
            ("COSET_ZCASH", "7", self.fr(7)),
            ("COSET_IDEN3_MAX", "25", self.fr(25)),
        ]
        powers = [self.xi_power(i, 6) for i in range(1, 6)]
        norms = [g * g.conj() for g in powers]
        assert all(g.b == 0 for g in norms)
        out.append(("FROBENIUS", "xi^(i(p-1)/6), i = 1 to 5", self.listed(map(self.mont2, powers))))
        out.append(("FROBENIUS2", "xi^(i(p^2-1)/6), i = 1 to 5",
                    self.listed(self.mont(g.a) for g in norms)))
        out.append(("LOOP_DIGITS", "the number of digits below the leading one", str(len(self.loop))))
        out.append(("LOOP_LINES", "lines of one Miller loop", str(self.lines)))
        out.append(("LOOP", self.loop_formula, self.listed(map(str, self.loop), " ")))
        return out + self.extra()

    def constants_header(self):
        guard = "CUZK_CURVE_%s_CONSTANTS_H" % self.name.upper()
        text = ("/* Constants of %s. Written by tools/gen_constants.py from the formulas beside them.\n"
                " * Field elements and generators are in Montgomery form.\n * %s */\n#ifndef %s\n#define %s\n" % (
                    self.title, self.letters, guard, guard))
        for name, formula, body in self.constants():
            text += "\n/* %s */\n#define %s_%s \\\n    %s\n" % (
                formula, self.name.upper(), name, body)
        return text + "\n#endif\n"

    def files(self):
        return {
            "field/%s_fp.h" % self.name: self.field_header(
                self.name + "_fp", "p", self.p, self.n, self.p_formula,
                "The base field of " + self.title, False),
            "field/%s_fr.h" % self.name: self.field_header(
                self.name + "_fr", "r", self.r, 4, self.r_formula,
                "The scalar field of " + self.title, True),
            "curve/%s_constants.h" % self.name: self.constants_header(),
        }


class Bn254(Curve):
    name, title, n, two_adicity, b = "bn254", "BN254", 4, 28, 3
    letters = "u = 4965661367192848881, xi = 9 + u' with u'^2 = -1."
    p_formula = "36u^4 + 36u^3 + 24u^2 + 6u + 1, u = 4965661367192848881"
    r_formula = "36u^4 + 36u^3 + 18u^2 + 6u + 1, u = 4965661367192848881"
    g2_b_formula, psi_formula = "3/xi", "xi^((p-1)%s)"
    beta_formula = "18u^3 + 18u^2 + 9u + 1, a cube root of 1; it acts as 36u^3 + 18u^2 + 6u + 1"

    def __init__(self):
        self.u = u = 4965661367192848881
        self.p = p = 36 * u**4 + 36 * u**3 + 24 * u**2 + 6 * u + 1
        self.r = 36 * u**4 + 36 * u**3 + 18 * u**2 + 6 * u + 1
        self.xi = Fp2(p, 9, 1)
        self.g1 = (1, 2)
        self.g2 = (
            Fp2(p, 10857046999023057135944570762232829481370756359578518086990519993285655852781,
                11559732032986387107991004021392285783925812861821192530917403151452391805634),
            Fp2(p, 8495653923123431417604973247489272438418190587263600148770280649306958101930,
                4082367875863433681332203403145435568316851327593401208105741076214120093531))
        self.g2_b = self.xi.inv() * Fp2(p, 3, 0)
        digits = naf(6 * u + 2)[::-1]
        assert digits[0] == 1
        self.loop, self.loop_formula = digits[1:], "6u + 2 in non-adjacent form, from the top"
        self.lines = len(self.loop) + sum(d != 0 for d in self.loop) + 2
        self.beta = 18 * u**3 + 18 * u**2 + 9 * u + 1
        self.psi_x, self.psi_y = self.xi_power(1, 3), self.xi_power(1, 2)

    def extra(self):
        u, r = self.u, self.r
        plain = self.plain
        return [
            ("GLV_A", "6u^2 + 4u + 1", plain(6 * u**2 + 4 * u + 1, 2)),
            ("GLV_B", "2u + 1", plain(2 * u + 1, 2)),
            ("GLV_C", "6u^2 + 2u", plain(6 * u**2 + 2 * u, 2)),
            ("GLV_C_OVER_R", "floor(2^256 (6u^2 + 2u) / r)",
             plain((6 * u**2 + 2 * u << 256) // r, 3)),
            ("GLV_B_OVER_R", "floor(2^256 (2u + 1) / r)", plain((2 * u + 1 << 256) // r, 3)),
            ("PSI_EIGENVALUE", "6u^2: psi acts so on G2", plain(6 * u**2, 2)),
        ]


class Bls12_381(Curve):
    name, title, n, two_adicity, b = "bls12_381", "BLS12-381", 6, 32, 4
    letters = "x = -0xd201000000010000, xi = 1 + u."
    p_formula = "(x - 1)^2 r / 3 + x, x = -0xd201000000010000"
    r_formula = "x^4 - x^2 + 1, x = -0xd201000000010000"
    g2_b_formula, psi_formula = "4 xi", "1 / xi^((p-1)%s)"
    beta_formula = "2^((p-1)/3), a cube root of 1; it acts as -x^2"

    def __init__(self):
        self.x = x = -0xd201000000010000
        self.r = x**4 - x**2 + 1
        self.p = p = (x - 1)**2 * self.r // 3 + x
        self.xi = Fp2(p, 1, 1)
        self.g1 = (
            0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb,
            0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1)
        self.g2 = (
            Fp2(p, 0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8,
                0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e),
            Fp2(p, 0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801,
                0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be))
        self.g2_b = self.xi * Fp2(p, 4, 0)
        self.loop = [int(c) for c in bin(-x)[3:]]
        self.loop_formula = "-x in binary, from the top"
        self.lines = len(self.loop) + sum(self.loop)
        self.beta = pow(2, (p - 1) // 3, p)
        self.psi_x, self.psi_y = self.xi_power(1, 3).inv(), self.xi_power(1, 2).inv()

    def extra(self):
        return [("X_SQUARED", "x^2", self.plain(self.x**2, 2))]


def main():
    check = sys.argv[1:] == ["--check"]
    stale = []
    for curve in (Bn254(), Bls12_381()):
        for path, text in curve.files().items():
            if check:
                if (SRC / path).read_text() != text:
                    stale.append(path)
            else:
                (SRC / path).write_text(text)
    if stale:
        sys.exit("gen_constants.py: not what the formulas give: src/" + ", src/".join(stale))


if __name__ == "__main__":
    main()
