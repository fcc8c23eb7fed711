/* vfp, the vector field over the base field of BLS12-381; see compute/cpu/README.md. */
#ifndef CUZK_COMPUTE_VF_BLS12_381_FP_H
#define CUZK_COMPUTE_VF_BLS12_381_FP_H

#include "field/bls12_381_fp.h"
#include "compute/cpu/vf_width.h"

#define VFP_W     VF_WIDTH
#define VFP_WORDS 6

#define VF       vfp
#define VF_FIELD bls12_381_fp
#if VF_WIDTH > 1
#define VF_CONST LANE_BLS12_381_FP
#include "compute/cpu/vf_lanes_tmpl.h"
#else
#define VF_NWORDS 6
#include "compute/cpu/vf_scalar_tmpl.h"
#endif

#endif
