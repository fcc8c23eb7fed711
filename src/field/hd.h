/* What host and device code share: qualifiers and 128-bit products. */
#ifndef CUZK_FIELD_HD_H
#define CUZK_FIELD_HD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CUZK_HD_COLD: what is rarely needed and long; on the device it is not inlined. As the address of
 * an argument then puts it into memory, callers pass copies that they make on the rare path. */
#if defined(__CUDACC__)
#define CUZK_HD        static inline __host__ __device__
#define CUZK_HD_COLD   static __noinline__ __host__ __device__
#define CUZK_UNROLL    _Pragma("unroll")
#define CUZK_NO_UNROLL _Pragma("unroll 1")
#else
#define CUZK_HD        static inline
#define CUZK_HD_COLD   static inline
#define CUZK_UNROLL    _Pragma("GCC unroll 8")
#define CUZK_NO_UNROLL _Pragma("GCC unroll 1")
#endif

/* For products of extension fields: a .cu file that defines CUZK_CALL_PRODUCTS before its includes
 * gets calls of them instead of copies, which compile for minutes and gain little. */
#if defined(__CUDACC__) && defined(CUZK_CALL_PRODUCTS)
#define CUZK_HD_PRODUCT static inline __noinline__ __host__ __device__
#else
#define CUZK_HD_PRODUCT CUZK_HD
#endif

/* Names of template instances: CUZK_NAME(bn254_fp, mul) is bn254_fp_mul, whatever macros the first
 * argument stands for. */
#define CUZK_NAME_(type, name) type##_##name
#define CUZK_NAME(type, name)  CUZK_NAME_(type, name)

__extension__ typedef unsigned __int128 cuzk_u128;
__extension__ typedef __int128 cuzk_i128;

/* How many zero bits below the lowest one, and above the highest one; x is not 0. */
CUZK_HD int cuzk_low_zeros(uint64_t x)
{
#if defined(__CUDA_ARCH__)
    return __ffsll((long long)x) - 1;
#else
    return __builtin_ctzll(x);
#endif
}

CUZK_HD int cuzk_high_zeros(uint64_t x)
{
#if defined(__CUDA_ARCH__)
    return __clzll((long long)x);
#else
    return __builtin_clzll(x);
#endif
}

#endif
