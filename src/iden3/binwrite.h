/* Writing iden3's binary container. Failures are remembered by the outfile and reported by its
 * commit. */
#ifndef CUZK_IDEN3_BINWRITE_H
#define CUZK_IDEN3_BINWRITE_H

#include "base/outfile.h"
#include "curve/curve.h"

#include <stdint.h>

void cuzk_binwrite_header(cuzk_outfile *file, const char *magic, uint32_t version,
                          uint32_t n_sections);

/* The header of a section; its size bytes of payload follow. */
void cuzk_binwrite_section(cuzk_outfile *file, uint32_t id, uint64_t size);

void cuzk_binwrite_u32(cuzk_outfile *file, uint32_t value);

/* {length u32, prime}: 4 + 8 * fp_words bytes, and 36. */
void cuzk_binwrite_base_prime(cuzk_outfile *file, const cuzk_curve *curve);
void cuzk_binwrite_scalar_prime(cuzk_outfile *file, const cuzk_curve *curve);

/* n points in memory form, encoded as E2. */
void cuzk_binwrite_points(cuzk_outfile *file, const cuzk_curve *curve, cuzk_group group,
                          const uint64_t *points, size_t n);

#endif
