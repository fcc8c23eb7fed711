/* The NTT kernel for BN254 on AVX2 and FMA lanes. */
#include "compute/cpu/vf_bn254_fr.h"

#define NTT_FIELD bn254_fr
#define NTT_OPS   cuzk_ntt_ops_bn254_avx2
#include "compute/cpu/ntt_tmpl.h"
