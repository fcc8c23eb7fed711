/* .r1cs (circom's constraint systems) and .wtns (witnesses). Formats, sections 3.5 and 3.6. */
#ifndef CUZK_IDEN3_R1CS_H
#define CUZK_IDEN3_R1CS_H

#include "base/map.h"
#include "compute/sparse.h"

typedef struct cuzk_r1cs_info {
    const cuzk_curve *curve;
    uint32_t wires, pub_out, pub_in, prv_in, constraints;
    uint64_t labels;
    bool custom_gates;
} cuzk_r1cs_info;

/* The header alone, custom gates not refused. */
cuzk_status cuzk_r1cs_info_read(cuzk_r1cs_info *info, const cuzk_map *map, cuzk_error *err);

/* Reads all constraints. Refuses custom gates (CUZK_ERR_UNSUPPORTED: a Groth16 proof would not
 * cover them), coefficients >= r, wires out of range, a payload that does not end where it should.
 */
cuzk_status cuzk_r1cs_read(cuzk_r1cs *cs, const cuzk_map *map, cuzk_error *err);

/* A witness: z points into the map when it is suitably aligned, else into owned memory. */
typedef struct cuzk_wtns {
    const cuzk_curve *curve;
    size_t n;
    const cuzk_scalar *z;
    void *owned;
    size_t owned_bytes;
} cuzk_wtns;

/* Checks the prime, the count against the payload, every value < r, z[0] = 1 (each named on
 * failure). */
cuzk_status cuzk_wtns_read(cuzk_wtns *witness, const cuzk_map *map, cuzk_error *err);
/* Wipes and frees what is owned. */
void cuzk_wtns_release(cuzk_wtns *witness);

/* Writers (tests, benchmarks, setup tools). */
cuzk_status cuzk_r1cs_write(const char *path, const cuzk_r1cs *cs, cuzk_error *err);
cuzk_status cuzk_wtns_write(const char *path, const cuzk_curve *curve, const cuzk_scalar *z,
                            size_t n, cuzk_error *err);

#endif
