/* The kernel of one group: text over vfp or vfp2. Before including: the vector fields, and
 *   GROUP          prefix of the names here, g1 or g2
 *   GROUP_K        vfp or vfp2, and GROUP_K_WORDS its packed words
 *   GROUP_CONSTANT type of a constant in memory form
 *   GROUP_B        b of the curve's equation
 *   GROUP_POINT    the group's points in curve/: bn254_g1, ...
 *   MSM_P          the words of p
 * and what msm_subgroup_tmpl.h takes. */
#include <string.h>

#include "compute/cpu/msm_kernel.h"
#include "field/hd.h"

#define G(name) CUZK_NAME(GROUP, name)
#define K(name) CUZK_NAME(GROUP_K, name)
#define KE      GROUP_K
#define K_WORDS GROUP_K_WORDS

#include "compute/cpu/msm_add_tmpl.h"
#include "compute/cpu/msm_equal_tmpl.h"
#include "compute/cpu/msm_convert_tmpl.h"
#include "compute/cpu/msm_subgroup_tmpl.h"
#include "compute/cpu/msm_check_tmpl.h"

enum { G(words) = 2 * K_WORDS, G(element_bytes) = sizeof(KE) };

#undef G
#undef K
#undef KE
#undef K_WORDS
#undef GROUP
#undef GROUP_K
#undef GROUP_K_WORDS
#undef GROUP_B
#undef GROUP_POINT
#undef GROUP_CONSTANT
#undef GROUP_MULTIPLIER
#undef GROUP_MULTIPLIER_BITS
#undef GROUP_CHAIN
#undef GROUP_BETA
#undef GROUP_PSI_X
#undef GROUP_PSI_Y
