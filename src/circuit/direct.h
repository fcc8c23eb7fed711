/* The direct constraint system: it does everything at once and keeps no templates. It counts,
 * hashes, evaluates, finds the first row that does not hold, and writes matrices; as one likes. It
 * is what faster ways are compared against, and good for small circuits.
 *
 * One run per object, by one thread. */
#ifndef CUZK_CIRCUIT_DIRECT_H
#define CUZK_CIRCUIT_DIRECT_H

#include "circuit/cs.h"
#include "compute/sparse.h"

#define CUZK_CIRCUIT_HASH_BYTES 32

/* Rows are those of the circuit: without the row for each input that Groth16 appends (Filecoin
 * circuits, section 1.2). Inputs include ONE. nnz and dense: of non-zero coefficients. */
typedef struct cuzk_circuit_counts {
    size_t inputs, aux, rows;
    size_t nnz_a, nnz_b, nnz_c;
    size_t a_aux, b_input, b_aux; /* variables that occur in some A; in some B */
} cuzk_circuit_counts;

/* Called for each row as it is evaluated, with <A,w>, <B,w>, <C,w>. */
typedef void cuzk_row_fn(void *user, const cuzk_fr *a, const cuzk_fr *b, const cuzk_fr *c);

typedef struct cuzk_direct_options {
    const cuzk_circuit_inputs *inputs; /* evaluates; must outlive the run. NULL: no values */
    cuzk_row_fn *on_row;               /* needs inputs; NULL: none */
    void *user;
    const cuzk_circuit_counts *hash_of; /* hashes; what a run before counted. NULL: no hash */
    bool r1cs;                          /* keeps the matrices */
} cuzk_direct_options;

typedef struct cuzk_direct cuzk_direct;

/* On success *direct is the caller's: cuzk_direct_free. */
cuzk_status cuzk_direct_new(cuzk_direct **direct, const cuzk_direct_options *options,
                            cuzk_error *err);
void cuzk_direct_free(cuzk_direct *direct);

/* Runs a circuit's text. Errors: no memory; inputs that are too few, too many or not canonical
 * (CUZK_ERR_FORMAT); counts that are not those of hash_of (CUZK_ERR_ARGUMENT). A row that does not
 * hold is no error here: cuzk_direct_violation. */
cuzk_status cuzk_direct_run(cuzk_direct *direct, const cuzk_circuit *circuit, cuzk_error *err);

/* For gadgets that are tried alone: the system itself, to be called instead of cuzk_direct_run. */
cuzk_cs *cuzk_direct_cs(cuzk_direct *direct);

/* What was found. Pointers are good until the object is freed. */
const cuzk_circuit_counts *cuzk_direct_counts(const cuzk_direct *direct);
/* Montgomery; only with inputs. Input 0 is ONE. */
const cuzk_fr *cuzk_direct_aux(const cuzk_direct *direct);
const cuzk_fr *cuzk_direct_inputs(const cuzk_direct *direct);
const cuzk_fr *cuzk_direct_value(const cuzk_direct *direct, cuzk_var var);
bool cuzk_direct_bit(const cuzk_direct *direct, cuzk_bit b);

/* The circuit hash (section 15.1); once, only with hash_of, after the run. */
cuzk_status cuzk_direct_hash(cuzk_direct *direct, uint8_t hash[CUZK_CIRCUIT_HASH_BYTES],
                             cuzk_error *err);

/* The first row that does not hold. */
typedef struct cuzk_row_violation {
    size_t row;
    char path[256]; /* gadgets that were open, outermost first: "por level / sha256 block" */
    cuzk_fr a, b, c;
} cuzk_row_violation;
/* NULL: every row holds. */
const cuzk_row_violation *cuzk_direct_violation(const cuzk_direct *direct);

/* Moves the matrices out; once, only with r1cs, after the run. z = (1, public.., aux..). The caller
 * releases *r1cs. */
cuzk_status cuzk_direct_take_r1cs(cuzk_direct *direct, cuzk_r1cs *r1cs, cuzk_error *err);

/* --- in one go --- */
cuzk_status cuzk_circuit_count(const cuzk_circuit *circuit, cuzk_circuit_counts *counts,
                               cuzk_error *err);
/* Runs the circuit twice. counts: may be NULL. */
cuzk_status cuzk_circuit_hash(const cuzk_circuit *circuit, uint8_t hash[CUZK_CIRCUIT_HASH_BYTES],
                              cuzk_circuit_counts *counts, cuzk_error *err);

#endif
