/* Witnesses of compiled circuits, packed: one bit per variable, and the few values that are not
 * bits in a list of their own. */
#ifndef CUZK_CIRCUIT_WITNESS_H
#define CUZK_CIRCUIT_WITNESS_H

#include "circuit/compile.h"
#include "compute/packed.h"

/* Bit i of bits[i / 64] is the value of aux variable i, or 0 where that is wide: not statically a
 * bit. wide holds the values of the wide ones in the order of their numbers, input those of the
 * public inputs, input[0] = 1; both in Montgomery form. Bits beyond aux are 0. Secret. */
typedef struct cuzk_witness {
    size_t inputs, aux, wide;
    cuzk_fr *input;
    uint64_t *bits;
    cuzk_fr *value;
} cuzk_witness;

/* Bytes of a packed witness, and what making it takes besides, for a pool of that many threads. */
size_t cuzk_witness_bytes(const cuzk_compiled *compiled);
size_t cuzk_witness_scratch(const cuzk_compiled *compiled, unsigned threads);

/* cuzk_witness_make computes the witness for a request. Whether it satisfies the rows is another
 * matter: cuzk_compiled_check. Same result for every pool and every level of the processor.
 * Errors: CUZK_ERR_MISMATCH when the request brings too few or too many elements or words,
 * CUZK_ERR_FORMAT for an element that is not below the order (its number is named),
 * CUZK_ERR_MEMORY. On success the witness is the caller's (cuzk_witness_release). */
cuzk_status cuzk_witness_make(cuzk_witness *witness, const cuzk_compiled *compiled,
                              const cuzk_circuit_inputs *request, cuzk_pool *pool, cuzk_error *err);
/* Wipes and frees. {0} is allowed. */
void cuzk_witness_release(cuzk_witness *witness);

/* The numbers of the wide aux variables, ascending: compiled's `wide` entries. */
void cuzk_compiled_wide(const cuzk_compiled *compiled, uint32_t *index);

/* Which values of z = (inputs, aux) the prover takes as wide: all inputs, and the wide aux
 * variables. Lives as long as the compiled circuit. */
const cuzk_packed_map *cuzk_compiled_packed_map(const cuzk_compiled *compiled);

/* The values of these, canonical: as many as the map's `wide`. Together with the witness's bits and
 * the map they are the z that the prover takes. */
void cuzk_witness_values(const cuzk_compiled *compiled, const cuzk_witness *witness,
                         cuzk_scalar *value);

/* One aux variable's value. */
void cuzk_witness_get(const cuzk_compiled *compiled, const cuzk_witness *witness, size_t aux,
                      cuzk_fr *value);

/* All values as an array z = (inputs, aux): inputs + aux elements, canonical. For tests and small
 * circuits. */
void cuzk_witness_expand(const cuzk_compiled *compiled, const cuzk_witness *witness,
                         cuzk_scalar *z);

#endif
