/* The tables that compute/cpu/field_ops_<curve>_<level>.c define. */
#ifndef CUZK_COMPUTE_CPU_FIELD_OPS_TABLES_H
#define CUZK_COMPUTE_CPU_FIELD_OPS_TABLES_H

#include "compute/field_ops.h"

extern const cuzk_field_ops cuzk_fp_ops_bn254_portable, cuzk_fr_ops_bn254_portable;
extern const cuzk_field_ops cuzk_fp_ops_bn254_adx, cuzk_fr_ops_bn254_adx;
extern const cuzk_field_ops cuzk_fp_ops_bn254_avx2, cuzk_fr_ops_bn254_avx2;
extern const cuzk_field_ops cuzk_fp_ops_bn254_ifma, cuzk_fr_ops_bn254_ifma;
extern const cuzk_field_ops cuzk_fp_ops_bls12_381_portable, cuzk_fr_ops_bls12_381_portable;
extern const cuzk_field_ops cuzk_fp_ops_bls12_381_adx, cuzk_fr_ops_bls12_381_adx;
extern const cuzk_field_ops cuzk_fp_ops_bls12_381_avx2, cuzk_fr_ops_bls12_381_avx2;
extern const cuzk_field_ops cuzk_fp_ops_bls12_381_ifma, cuzk_fr_ops_bls12_381_ifma;

#endif
