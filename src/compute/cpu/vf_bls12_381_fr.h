/* vfr, the vector field over the scalar field of BLS12-381; see compute/cpu/README.md. */
#ifndef CUZK_COMPUTE_VF_BLS12_381_FR_H
#define CUZK_COMPUTE_VF_BLS12_381_FR_H

#include "field/bls12_381_fr.h"
#include "compute/cpu/vf_width.h"

#define VFR_W     VF_WIDTH
#define VFR_WORDS 4

#define VF       vfr
#define VF_FIELD bls12_381_fr
#if VF_WIDTH > 1
#define VF_CONST LANE_BLS12_381_FR
#include "compute/cpu/vf_lanes_tmpl.h"
#else
#define VF_NWORDS 4
#include "compute/cpu/vf_scalar_tmpl.h"
#endif

#endif
