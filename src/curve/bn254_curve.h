/* The cuzk_curve of BN254: text that is compiled once per CPU level. Before including, define
 *     CURVE_TABLE  the table's name */

#include "curve/bn254_pairing.h"

#define CURVE       bn254
#define CURVE_G1_B  BN254_G1_B
#define CURVE_G2_B  BN254_G2_B
#define CURVE_FLAGS 0xc0
#include "curve/curve_tmpl.h"

const cuzk_curve CURVE_TABLE = {
    .id = CUZK_BN254,
    .name = "bn128",
    .full_name = "BN254",
    .fp_words = 4,
    .g1_words = 2 * 4,
    .g2_words = 4 * 4,
    .scalar_bits = 254,
    .two_adicity = 28,
    .p = BN254_P,
    .r = {BN254_R},
    .g1_generator = BN254_G1_GENERATOR,
    .g2_generator = BN254_G2_GENERATOR,
    .fr_one = BN254_FR_ONE,
    .root_iden3 = BN254_ROOT_IDEN3,
    .root_zcash = BN254_ROOT_ZCASH,
    .coset_zcash = BN254_COSET_ZCASH,
    .coset_iden3_max = BN254_COSET_IDEN3_MAX,
    CURVE_FUNCTIONS,
};
