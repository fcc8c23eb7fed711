/* iden3's binary container (.r1cs, .wtns, .zkey, .ptau). Formats, section 3.4. */
#ifndef CUZK_IDEN3_BINFILE_H
#define CUZK_IDEN3_BINFILE_H

#include "base/map.h"
#include "curve/curve.h"

#include <stdbool.h>

#define CUZK_BINFILE_MAX_SECTIONS 64

typedef struct cuzk_section {
    uint32_t id;
    uint64_t offset, size; /* of the payload */
} cuzk_section;

typedef struct cuzk_binfile {
    const cuzk_map *map;
    char magic[5];
    uint32_t version, n_sections;
    cuzk_section sections[CUZK_BINFILE_MAX_SECTIONS];
} cuzk_binfile;

/* Reads the section table. Fails on another magic, a version above max_version, a section that
 * leaves the file (64-bit arithmetic), bytes after the last section, a duplicated id. */
cuzk_status cuzk_binfile_open(cuzk_binfile *file, const cuzk_map *map, const char *magic,
                              uint32_t max_version, cuzk_error *err);

/* Finds a section; *data and *size point into the map. A missing one is CUZK_ERR_FORMAT naming it.
 * cuzk_binfile_has asks only. */
cuzk_status cuzk_binfile_section(const cuzk_binfile *file, uint32_t id, const char *what,
                                 const uint8_t **data, uint64_t *size, cuzk_error *err);
bool cuzk_binfile_has(const cuzk_binfile *file, uint32_t id);

/* The same for a section whose size is known: any other size is CUZK_ERR_FORMAT. */
cuzk_status cuzk_binfile_section_sized(const cuzk_binfile *file, uint32_t id, const char *what,
                                       uint64_t expected, const uint8_t **data, cuzk_error *err);

/* Reads the {length u32, prime} pair at the start of n bytes of a header section and finds the
 * curve by its scalar field (r1cs, wtns) or its base field (ptau, zkey). *used: bytes that the pair
 * takes. A prime of no known curve is CUZK_ERR_UNSUPPORTED. */
cuzk_status cuzk_binfile_scalar_prime(const cuzk_binfile *file, const uint8_t *data, uint64_t n,
                                      const cuzk_curve **curve, uint64_t *used, cuzk_error *err);
cuzk_status cuzk_binfile_base_prime(const cuzk_binfile *file, const uint8_t *data, uint64_t n,
                                    const cuzk_curve **curve, uint64_t *used, cuzk_error *err);

#endif
