/* The NTT kernel for BN254 on portable C. */
#include "compute/cpu/vf_bn254_fr.h"

#define NTT_FIELD bn254_fr
#define NTT_OPS   cuzk_ntt_ops_bn254_portable
#include "compute/cpu/ntt_tmpl.h"
