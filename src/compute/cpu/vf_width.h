/* How many lanes the vector fields of this compilation have: decided by the instructions it may
 * use. */
#ifndef CUZK_COMPUTE_VF_WIDTH_H
#define CUZK_COMPUTE_VF_WIDTH_H

#if defined(__AVX512IFMA__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define VF_WIDTH 8
#elif defined(CUZK_EMULATE_IFMA)
#define VF_WIDTH 8
#elif defined(__AVX2__) && defined(__FMA__)
#define VF_WIDTH 8
#else
#define VF_WIDTH 1
#endif

#endif
