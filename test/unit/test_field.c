/* The field template, in its portable form, against big numbers; besides the four primes in use,
 * the largest prime of one limb that it allows. The mulx/adx form is compared with the portable one
 * in test_curve_levels. */
#include "field/bls12_381_fp.h"
#include "field/bls12_381_fr.h"
#include "field/bn254_fp.h"
#include "field/bn254_fr.h"
#include "support/big.h"

/* p = 2^63 - 25 */
#define FIELD       tiny
#define FIELD_LIMBS 1
#define FIELD_MODULUS                                                                              \
    {                                                                                              \
        0x7fffffffffffffe7                                                                         \
    }
#define FIELD_N0 0xf5c28f5c28f5c29 /* -1/p mod 2^64 */
#define FIELD_ONE                                                                                  \
    {                                                                                              \
        50                                                                                         \
    } /* 2^64 mod p */
#define FIELD_R2                                                                                   \
    {                                                                                              \
        2500                                                                                       \
    } /* 2^128 mod p */
#include "field/field_tmpl.h"

#define FIELD       bn254_fp
#define FIELD_LIMBS 4
#include "field_checks_tmpl.h"

#define FIELD       bn254_fr
#define FIELD_LIMBS 4
#include "field_checks_tmpl.h"

#define FIELD       bls12_381_fp
#define FIELD_LIMBS 6
#include "field_checks_tmpl.h"

#define FIELD       bls12_381_fr
#define FIELD_LIMBS 4
#include "field_checks_tmpl.h"

#define FIELD       tiny
#define FIELD_LIMBS 1
#include "field_checks_tmpl.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bn254_fp_test),     cmocka_unit_test(bn254_fr_test),
        cmocka_unit_test(bls12_381_fp_test), cmocka_unit_test(bls12_381_fr_test),
        cmocka_unit_test(tiny_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
