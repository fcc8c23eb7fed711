/* What host and device code share: qualifiers and 128-bit products. */
#ifndef CUZK_FIELD_HD_H
#define CUZK_FIELD_HD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__CUDACC__)
#define CUZK_HD static inline __host__ __device__
#else
#define CUZK_HD static inline
#endif

/* Names of template instances: CUZK_NAME(bn254_fp, mul) is bn254_fp_mul, whatever macros the first
 * argument stands for. */
#define CUZK_NAME_(type, name) type##_##name
#define CUZK_NAME(type, name)  CUZK_NAME_(type, name)

__extension__ typedef unsigned __int128 cuzk_u128;
__extension__ typedef __int128 cuzk_i128;

#endif
