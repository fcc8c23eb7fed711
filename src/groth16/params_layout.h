/* Offsets and sizes of bellperson's files, formats, section 3.1: points uncompressed in ZCash's
 * encoding, counts 32-bit big-endian, no header, no padding. */
#ifndef CUZK_GROTH16_PARAMS_LAYOUT_H
#define CUZK_GROTH16_PARAMS_LAYOUT_H

#define CUZK_PARAMS_G1 96u
#define CUZK_PARAMS_G2 192u

enum {
    CUZK_PARAMS_ALPHA_G1 = 0,
    CUZK_PARAMS_BETA_G1 = 96,
    CUZK_PARAMS_BETA_G2 = 192,
    CUZK_PARAMS_GAMMA_G2 = 384,
    CUZK_PARAMS_DELTA_G1 = 576,
    CUZK_PARAMS_DELTA_G2 = 672,
    CUZK_PARAMS_IC_COUNT = 864
};

#endif
