#include "compute/cpu/field_ops_tables.h"
#include "compute/cpu/vf_bn254_fp.h"
#include "compute/cpu/vf_bn254_fr.h"

#define VF    vfp
#define VF_N  VFP_WORDS
#define TABLE cuzk_fp_ops_bn254_portable
#include "compute/cpu/field_ops_tmpl.h"

#define VF    vfr
#define VF_N  VFR_WORDS
#define TABLE cuzk_fr_ops_bn254_portable
#include "compute/cpu/field_ops_tmpl.h"
