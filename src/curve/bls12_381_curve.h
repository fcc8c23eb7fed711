/* The cuzk_curve of BLS12-381: text that is compiled once per CPU level. Before including, define
 *     CURVE_TABLE  the table's name */

#include "curve/bls12_381_pairing.h"

#define CURVE       bls12_381
#define CURVE_G1_B  BLS12_381_G1_B
#define CURVE_G2_B  BLS12_381_G2_B
#define CURVE_FLAGS 0xe0
#include "curve/curve_tmpl.h"

const cuzk_curve CURVE_TABLE = {
    .id = CUZK_BLS12_381,
    .name = "bls12381",
    .full_name = "BLS12-381",
    .fp_words = 6,
    .g1_words = 2 * 6,
    .g2_words = 4 * 6,
    .scalar_bits = 255,
    .two_adicity = 32,
    .p = BLS12_381_P,
    .r = {BLS12_381_R},
    .g1_generator = BLS12_381_G1_GENERATOR,
    .g2_generator = BLS12_381_G2_GENERATOR,
    .fr_one = BLS12_381_FR_ONE,
    .root_iden3 = BLS12_381_ROOT_IDEN3,
    .root_zcash = BLS12_381_ROOT_ZCASH,
    .coset_zcash = BLS12_381_COSET_ZCASH,
    .coset_iden3_max = BLS12_381_COSET_IDEN3_MAX,
    CURVE_FUNCTIONS,
};
