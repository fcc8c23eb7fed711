/* Circuits compiled: what gadgets say, recorded once, as rows and as programs for witnesses.
 *
 * cuzk_compile runs a circuit's text once. What a call (cuzk_cs_call) makes becomes a *template*,
 * kept once per gadget, parameters, and pattern of the ports (which are constant, negated, the same
 * variable, bits or field elements); every call adds an *instance* of a few bytes. What the circuit
 * does outside of calls is kept as it is, in the *root*: so circuits should make their bulk by
 * calls, of a few hundred to some ten thousand variables each. Calls within calls become part of
 * the outer one.
 *
 * A compiled circuit never changes: any number of threads may use it. Variables, rows and their
 * order are those of the circuit (circuit/cs.h). The rows that a Groth16 setup appends for public
 * inputs are not among the rows, unless a function says so.
 *
 * Witnesses: circuit/witness.h. Products and checks: circuit/product.h. */
#ifndef CUZK_CIRCUIT_COMPILE_H
#define CUZK_CIRCUIT_COMPILE_H

#include "base/pool.h"
#include "circuit/cs.h"
#include "compute/sparse.h"

typedef struct cuzk_compiled cuzk_compiled;

/* Bytes that bind a saved circuit to what it was compiled from: the caller's digest of the
 * circuit's parameters. */
#define CUZK_CIRCUIT_ID_BYTES 32

/* cuzk_compile compiles a circuit. On success *compiled is the caller's (cuzk_compiled_free).
 * Errors: what the circuit's text runs into (cuzk_cs_status), CUZK_ERR_UNSUPPORTED when a gadget
 * uses a field element as a bit, CUZK_ERR_MEMORY. */
cuzk_status cuzk_compile(cuzk_compiled **compiled, const cuzk_circuit *circuit, cuzk_error *err);
void cuzk_compiled_free(cuzk_compiled *compiled);

typedef struct cuzk_compiled_info {
    const char *name;             /* of the circuit; lives as long as the compiled circuit */
    size_t inputs;                /* public inputs, ONE included */
    size_t aux, wide;             /* other variables; those of them that are not bits */
    size_t rows;                  /* without those for public inputs */
    uint64_t nnz_a, nnz_b, nnz_c; /* non-zero coefficients in these rows */
    size_t field, word;           /* field elements and words that a request must bring */
    size_t templates, instances;  /* the root counts as one of each */
    size_t levels;                /* the longest chain of instances and root operations */
    size_t bytes;                 /* of the compiled circuit, saved or in memory */
} cuzk_compiled_info;
void cuzk_compiled_describe(const cuzk_compiled *compiled, cuzk_compiled_info *info);

typedef struct cuzk_template_info {
    const char *name; /* of the gadget; "" for the root */
    size_t instances;
    size_t rows, aux; /* of one instance; of the root, what lies outside of calls */
} cuzk_template_info;
/* number < templates; 0 is the root. */
void cuzk_compiled_template(const cuzk_compiled *compiled, size_t number, cuzk_template_info *info);

/* The hash of all rows (Filecoin circuits, section 15.1): it equals that of the direct system. One
 * thread; 41 bytes are hashed for each non-zero coefficient. */
cuzk_status cuzk_compiled_hash(const cuzk_compiled *compiled, uint8_t hash[32], cuzk_error *err);

/* Which variables occur in A and in B: bit i of word i / 64, zeroed here first. The arrays have
 * (aux + 63) / 64 and (inputs + 63) / 64 words. The rows for public inputs make every input occur
 * in A, so there is no set for those. CUZK_ERR_MEMORY only. */
cuzk_status cuzk_compiled_densities(const cuzk_compiled *compiled, uint64_t *a_aux, uint64_t *b_aux,
                                    uint64_t *b_input, cuzk_error *err);

/* The rows as matrices over z = (inputs, aux), for what takes a cuzk_r1cs: small circuits. On
 * success *r1cs is the caller's (cuzk_r1cs_release). */
cuzk_status cuzk_compiled_expand(const cuzk_compiled *compiled, cuzk_r1cs *r1cs, cuzk_error *err);

/* Where a row comes from. */
typedef struct cuzk_row_place {
    const char *gadget; /* name of the called gadget; "" for the root */
    size_t instance;    /* the number of the call, from 1; 0 is the root */
    size_t row;         /* within the gadget; in the root, among the rows of the root */
} cuzk_row_place;
void cuzk_compiled_place(const cuzk_compiled *compiled, size_t row, cuzk_row_place *place);

/* One row as the circuit has it, normalised. row < rows. The three are overwritten; the caller
 * releases them. CUZK_ERR_MEMORY only. */
cuzk_status cuzk_compiled_row(const cuzk_compiled *compiled, size_t row, cuzk_lc *a, cuzk_lc *b,
                              cuzk_lc *c, cuzk_error *err);

/* Saves to a file: head with name, id and counts, sections with checksums. The same circuit gives
 * the same bytes. */
cuzk_status cuzk_compiled_save(const cuzk_compiled *compiled,
                               const uint8_t id[CUZK_CIRCUIT_ID_BYTES], const char *path,
                               cuzk_error *err);

/* Opens a saved circuit; the file is mapped and stays so until cuzk_compiled_free. It must be of
 * this name and id (NULL: any), its checksums must hold and every index in it must make sense:
 * CUZK_ERR_MISMATCH, CUZK_ERR_FORMAT, CUZK_ERR_IO. */
cuzk_status cuzk_compiled_open(cuzk_compiled **compiled, const char *path, const char *name,
                               const uint8_t id[CUZK_CIRCUIT_ID_BYTES], cuzk_error *err);

#endif
