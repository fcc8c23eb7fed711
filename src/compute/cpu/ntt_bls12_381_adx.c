/* The NTT kernel for BLS12-381 on mulx and adx. */
#include "compute/cpu/vf_bls12_381_fr.h"

#define NTT_FIELD bls12_381_fr
#define NTT_OPS   cuzk_ntt_ops_bls12_381_adx
#include "compute/cpu/ntt_tmpl.h"
