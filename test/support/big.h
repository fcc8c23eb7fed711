/* Big numbers for oracles, by OpenSSL: nothing of them is shared with the code under test. */
#ifndef CUZK_TEST_BIG_H
#define CUZK_TEST_BIG_H

#include <string.h>

#include <openssl/bn.h>

#include "support/test.h"

/* The number in n little-endian limbs. The caller frees it with BN_free. */
static inline BIGNUM *big_from_limbs(const uint64_t *limbs, size_t n)
{
    BIGNUM *b = BN_lebin2bn((const uint8_t *)limbs, (int)(8 * n), NULL);
    assert_non_null(b);
    return b;
}

static inline BIGNUM *big_from_hex(const char *hex)
{
    BIGNUM *b = NULL;
    assert_int_not_equal(BN_hex2bn(&b, hex), 0);
    return b;
}

static inline BIGNUM *big_from_word(uint64_t word)
{
    return big_from_limbs(&word, 1);
}

static inline void big_to_limbs(uint64_t *limbs, const BIGNUM *b, size_t n)
{
    assert_int_equal(BN_bn2lebinpad(b, (uint8_t *)limbs, (int)(8 * n)), 8 * n);
}

static inline BN_CTX *big_ctx(void)
{
    static BN_CTX *ctx;
    if (ctx == NULL)
        ctx = BN_CTX_new();
    assert_non_null(ctx);
    return ctx;
}

/* An edge value or a random one, below the modulus of n limbs: the first calls (which = 0, 1, ...)
 * give 0, 1, 2, values just below the modulus, halves, powers of 2^64 and their neighbours; later
 * ones random numbers, half of which have long runs of equal bits. */
static inline void big_operand(uint64_t *limbs, const BIGNUM *modulus, size_t n, unsigned which,
                               test_rng *rng)
{
    BIGNUM *b = BN_new();
    if (which < 3) {
        BN_set_word(b, which);
    } else if (which < 6) {
        BN_copy(b, modulus);
        BN_sub_word(b, which - 2);
    } else if (which < 8) {
        BN_rshift1(b, modulus);
        BN_add_word(b, which - 6);
    } else if (which < 8 + 3 * n) {
        BN_set_word(b, 1);
        BN_lshift(b, b, (int)(64 * ((which - 8) / 3)));
        BN_add_word(b, (which - 8) % 3);
        BN_sub_word(b, 1);
    } else {
        test_rng_bytes(rng, limbs, 8 * n);
        BN_lebin2bn((const uint8_t *)limbs, (int)(8 * n), b);
    }
    BN_nnmod(b, b, modulus, big_ctx());
    big_to_limbs(limbs, b, n);
    BN_free(b);
}

#define BIG_EDGES(n) (8 + 3 * (n))

#endif
