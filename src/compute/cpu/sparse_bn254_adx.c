/* Sparse products over the scalar field of BN254 in mulx and adx. */
#include "field/bn254_fr.h"

#define SPARSE_FIELD bn254_fr
#define SPARSE_OPS   cuzk_sparse_ops_bn254_adx
#include "compute/cpu/sparse_tmpl.h"
