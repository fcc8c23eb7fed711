/* Sparse products over the scalar field of BLS12-381 in mulx and adx. */
#include "field/bls12_381_fr.h"

#define SPARSE_FIELD bls12_381_fr
#define SPARSE_OPS   cuzk_sparse_ops_bls12_381_adx
#include "compute/cpu/sparse_tmpl.h"
