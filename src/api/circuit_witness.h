/* Witnesses of compiled circuits as the prover takes them. */
#ifndef CUZK_API_CIRCUIT_WITNESS_H
#define CUZK_API_CIRCUIT_WITNESS_H

#include "circuit/product.h"
#include "groth16/prove.h"

/* Secret. The compiled circuit outlives it. Does not move once made. */
typedef struct cuzk_circuit_witness {
    cuzk_row_source source; /* its rows: first, see cuzk_row_source */
    const cuzk_compiled *compiled;
    cuzk_witness witness;
    cuzk_packed_scalars packed; /* what the prover takes: bits and map are borrowed */
    cuzk_scalar *value;         /* of packed: the public inputs first */
    cuzk_scalar *statement;     /* public inputs as the request says them, without ONE */
} cuzk_circuit_witness;

/* The most bytes that making one takes, or that it holds, beside the request. */
size_t cuzk_circuit_witness_bytes(const cuzk_compiled *compiled);

/* Computes the witness of a request; statement: what its public inputs must be, copied. Whether the
 * rows hold is found out by proving. On success *witness is the caller's. Errors are those of
 * cuzk_witness_make; CUZK_ERR_MISMATCH if a public input is not as stated. name: for messages. One
 * thread. */
cuzk_status cuzk_circuit_witness_make(cuzk_circuit_witness **witness, const cuzk_compiled *compiled,
                                      const cuzk_circuit_inputs *request,
                                      const cuzk_scalar *statement, const char *name,
                                      cuzk_error *err);
/* Wipes and frees. NULL is allowed. */
void cuzk_circuit_witness_free(cuzk_circuit_witness *witness);

/* Borrows all of it. */
cuzk_assignment cuzk_circuit_witness_assign(const cuzk_circuit_witness *witness, const char *name);

#endif
