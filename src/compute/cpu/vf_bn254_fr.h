/* vfr, the vector field over the scalar field of BN254; see compute/cpu/README.md. */
#ifndef CUZK_COMPUTE_VF_BN254_FR_H
#define CUZK_COMPUTE_VF_BN254_FR_H

#include "field/bn254_fr.h"
#include "compute/cpu/vf_width.h"

#define VFR_W     VF_WIDTH
#define VFR_WORDS 4

#define VF       vfr
#define VF_FIELD bn254_fr
#if VF_WIDTH > 1
#define VF_CONST LANE_BN254_FR
#include "compute/cpu/vf_lanes_tmpl.h"
#else
#define VF_NWORDS 4
#include "compute/cpu/vf_scalar_tmpl.h"
#endif

#endif
