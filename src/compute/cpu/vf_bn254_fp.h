/* vfp, the vector field over the base field of BN254; see compute/cpu/README.md. */
#ifndef CUZK_COMPUTE_VF_BN254_FP_H
#define CUZK_COMPUTE_VF_BN254_FP_H

#include "field/bn254_fp.h"
#include "compute/cpu/vf_width.h"

#define VFP_W     VF_WIDTH
#define VFP_WORDS 4

#define VF       vfp
#define VF_FIELD bn254_fp
#if VF_WIDTH > 1
#define VF_CONST LANE_BN254_FP
#include "compute/cpu/vf_lanes_tmpl.h"
#else
#define VF_NWORDS 4
#include "compute/cpu/vf_scalar_tmpl.h"
#endif

#endif
