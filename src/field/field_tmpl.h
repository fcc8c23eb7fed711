/* A prime field in Montgomery form: text that is compiled once per prime.
 *
 * Before including, define
 *     FIELD          the type's name, say bn254_fp: all names start with it
 *     FIELD_LIMBS    n, the number of 64-bit limbs; let R = 2^(64n)
 *     FIELD_MODULUS  { ... } limbs of the odd prime p, the least significant first; p < R/2
 *     FIELD_N0       -p^-1 mod 2^64
 *     FIELD_ONE      { ... } R mod p
 *     FIELD_R2       { ... } R^2 mod p
 * and, where the layout is to be that of types which exist already,
 *     FIELD_TYPE, FIELD_CANON_TYPE   structs whose member l is an array of n limbs.
 *
 * It defines the type FIELD (Montgomery form, a * R mod p, always below p, so that equal values
 * have equal limbs) and FIELD_canon (the value itself, below p), and the functions below. Outputs
 * may equal inputs. Functions whose name ends in _var take a time that depends on the data; the
 * others do not branch on values. The text is in the common part of C and C++ and serves host and
 * device.
 *
 * Multiplication is in field_mul_tmpl.h, inversion in field_inv_tmpl.h, bytes in
 * field_bytes_tmpl.h. */

#include "field/hd.h"

#define F(name) CUZK_NAME(FIELD, name)

#ifdef FIELD_TYPE
typedef FIELD_TYPE FIELD;
typedef FIELD_CANON_TYPE F(canon);
#else
typedef struct FIELD {
    uint64_t l[FIELD_LIMBS];
} FIELD;

typedef struct F(canon) {
    uint64_t l[FIELD_LIMBS];
} F(canon);
#endif

CUZK_HD void F(set_zero)(FIELD *r)
{
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] = 0;
}

CUZK_HD void F(set_one)(FIELD *r)
{
    const uint64_t one[FIELD_LIMBS] = FIELD_ONE;
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] = one[i];
}

CUZK_HD bool F(is_zero)(const FIELD *a)
{
    uint64_t bits = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        bits |= a->l[i];
    return bits == 0;
}

CUZK_HD bool F(equal)(const FIELD *a, const FIELD *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < FIELD_LIMBS; i++)
        bits |= a->l[i] ^ b->l[i];
    return bits == 0;
}

/* r = flag ? a : r, without a branch. */
CUZK_HD void F(cmov)(FIELD *r, const FIELD *a, bool flag)
{
    uint64_t mask = 0 - (uint64_t)flag;
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] ^= mask & (r->l[i] ^ a->l[i]);
}

/* True if the limbs are below p. */
CUZK_HD bool F(limbs_valid)(const uint64_t *l)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t borrow = 0;
    for (int i = 0; i < FIELD_LIMBS; i++) {
        cuzk_u128 d = (cuzk_u128)l[i] - p[i] - borrow;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow != 0;
}

#include "field/field_mul_tmpl.h"

CUZK_HD void F(dbl)(FIELD *r, const FIELD *a)
{
    F(add)(r, a, a);
}

CUZK_HD void F(neg)(FIELD *r, const FIELD *a)
{
    FIELD zero;
    F(set_zero)(&zero);
    F(sub)(r, &zero, a);
}

/* r = negative ? -a : a, without a branch. */
CUZK_HD void F(cneg)(FIELD *r, const FIELD *a, bool negative)
{
    FIELD minus;
    F(neg)(&minus, a);
    *r = *a;
    F(cmov)(r, &minus, negative);
}

CUZK_HD void F(from_canon)(FIELD *r, const F(canon) * a)
{
    const FIELD r2 = {FIELD_R2};
    FIELD t;
    for (int i = 0; i < FIELD_LIMBS; i++)
        t.l[i] = a->l[i];
    F(mul)(r, &r2, &t);
}

CUZK_HD void F(to_canon)(F(canon) * r, const FIELD *a)
{
    FIELD one, t;
    F(set_zero)(&one);
    one.l[0] = 1;
    F(mul)(&t, a, &one);
    for (int i = 0; i < FIELD_LIMBS; i++)
        r->l[i] = t.l[i];
}

/* a < p: a one-limb field takes no other value. */
CUZK_HD void F(from_u64)(FIELD *r, uint64_t a)
{
    F(canon) c;
    c.l[0] = a;
    for (int i = 1; i < FIELD_LIMBS; i++)
        c.l[i] = 0;
    F(from_canon)(r, &c);
}

/* True if the value is above (p - 1) / 2: the larger one of a and -a. False for zero. */
CUZK_HD bool F(is_larger)(const FIELD *a)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    F(canon) c;
    F(to_canon)(&c, a);
    uint64_t borrow = 0; /* of (p - 1) / 2 - a, as (p - 1) - 2a */
    uint64_t top = 0;
    for (int i = 0; i < FIELD_LIMBS; i++) {
        uint64_t twice = (c.l[i] << 1) | top;
        top = c.l[i] >> 63;
        cuzk_u128 d = (cuzk_u128)(p[i] - (i == 0)) - twice - borrow;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return borrow != 0;
}

/* r = a^e, e of that many limbs. 0^0 = 1. The time depends on e only: windows of four bits, whose
 * table look-ups are not hidden. */
CUZK_HD void F(pow_var)(FIELD *r, const FIELD *a, const uint64_t *e, int limbs)
{
    FIELD table[16], t;
    F(set_one)(&table[0]);
    for (int i = 1; i < 16; i++)
        F(mul)(&table[i], &table[i - 1], a);
    F(set_one)(&t);
    bool started = false;
    for (int i = 16 * limbs - 1; i >= 0; i--) {
        unsigned digit = (unsigned)(e[i / 16] >> (4 * (i % 16))) & 15;
        if (started) {
            for (int j = 0; j < 4; j++)
                F(sqr)(&t, &t);
        }
        if (digit != 0) {
            F(mul)(&t, &t, &table[digit]);
            started = true;
        }
    }
    *r = t;
}

/* For p = 3 mod 4. Sets *r to a square root of a and returns true, or returns false and leaves *r.
 */
CUZK_HD bool F(sqrt_var)(FIELD *r, const FIELD *a)
{
    const uint64_t p[FIELD_LIMBS] = FIELD_MODULUS;
    uint64_t e[FIELD_LIMBS]; /* (p + 1) / 4 = (p >> 2) + 1 */
    for (int i = 0; i < FIELD_LIMBS; i++)
        e[i] = (p[i] >> 2) | (i + 1 < FIELD_LIMBS ? p[(i + 1) % FIELD_LIMBS] << 62 : 0);
    e[0] += 1; /* no carry: the bits of p >> 2 are not all ones for any prime in use */
    FIELD root, check;
    F(pow_var)(&root, a, e, FIELD_LIMBS);
    F(sqr)(&check, &root);
    if (!F(equal)(&check, a))
        return false;
    *r = root;
    return true;
}

#include "field/field_inv_tmpl.h"
#include "field/field_bytes_tmpl.h"

#undef F
#undef FIELD
#undef FIELD_LIMBS
#undef FIELD_MODULUS
#undef FIELD_N0
#undef FIELD_ONE
#undef FIELD_R2
#ifdef FIELD_TYPE
#undef FIELD_TYPE
#undef FIELD_CANON_TYPE
#endif
