/* Proving: start (the heavy part), finish (blinding and assembly), and both with verification. */
#ifndef CUZK_GROTH16_PROVE_H
#define CUZK_GROTH16_PROVE_H

#include "groth16/key.h"
#include "groth16/proof.h"

/* The rows of a circuit that a key has no matrices of, together with a witness. Whoever makes one
 * puts it at the head of what it knows. */
typedef struct cuzk_row_source cuzk_row_source;
struct cuzk_row_source {
    size_t rows; /* with those for public inputs */
    /* a, b, c := the products of all rows, Montgomery. CUZK_ERR_MEMORY only. */
    cuzk_status (*multiply)(const cuzk_row_source *source, cuzk_fr *a, cuzk_fr *b, cuzk_fr *c,
                            cuzk_pool *pool, cuzk_error *err);
    /* CUZK_OK: they hold. CUZK_ERR_UNSATISFIED: the message says which one does not.
     * CUZK_ERR_MEMORY. */
    cuzk_status (*check)(const cuzk_row_source *source, cuzk_pool *pool, cuzk_error *err);
};

/* What is proved: z, pk->vars canonical scalars, z[0] = 1; an array, or packed if the key says so:
 * then with the key's very map. */
typedef struct cuzk_assignment {
    const cuzk_scalar *z;
    size_t n;                          /* of z */
    const cuzk_packed_scalars *packed; /* instead of z and n */
    const char *name;                  /* of the witness, for messages */
    const cuzk_row_source *rows;       /* for a key without matrices; NULL: it has them */
    /* The public inputs that the proof is verified with, which must be z's; NULL: taken from z. */
    const cuzk_scalar *statement;
} cuzk_assignment;

/* The public inputs in z, without ONE. */
static inline const cuzk_scalar *cuzk_assignment_public(const cuzk_assignment *assignment)
{
    return (assignment->packed != NULL ? assignment->packed->value : assignment->z) + 1;
}

/* The five sums of one proof: all that finish needs besides the key. Secret: wipe after use. */
typedef struct cuzk_sums {
    cuzk_g1 h, l, a, b1;
    cuzk_g2 b2;
} cuzk_sums;

/* Bytes of memory that one cuzk_prove_start uses, for a pool with that many threads. */
size_t cuzk_prove_scratch(const cuzk_pk *pk, unsigned threads);

/* The most that cuzk_prove_scratch can be for a key of a circuit with these counts: for those who
 * must know before the key is loaded. */
typedef struct cuzk_prove_counts {
    unsigned log_m;
    size_t vars, n_public;
    bool packed; /* its assignments are, and */
    size_t wide; /* have so many wide values, or fewer */
} cuzk_prove_counts;
size_t cuzk_prove_scratch_bound(const cuzk_curve *curve, const cuzk_prove_counts *counts,
                                unsigned threads);

/* Refuses what cannot be an assignment of the key's circuit: CUZK_ERR_MISMATCH (length or map; z[0]
 * != 1; rows), CUZK_ERR_FORMAT (z[i] >= r, the index is named). The key may be without points. */
cuzk_status cuzk_assignment_check(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                  cuzk_error *err);

/* cuzk_prove_start computes the five sums. Fails as cuzk_assignment_check does or, where the key
 * can tell (coset-monomial H), CUZK_ERR_UNSATISFIED. scratch: cuzk_prove_scratch bytes, 64-byte
 * aligned; wiped before return. */
cuzk_status cuzk_prove_start(const cuzk_pk *pk, const cuzk_assignment *assignment, cuzk_sums *sums,
                             void *scratch, cuzk_pool *pool, cuzk_error *err);

/* cuzk_prove_finish assembles the proof with blinding r, s: secret, uniform, used once. */
void cuzk_prove_finish(const cuzk_pk *pk, const cuzk_sums *sums, const cuzk_scalar *r,
                       const cuzk_scalar *s, cuzk_proof *proof, cuzk_pool *pool);

/* The same with fresh r and s from getrandom, wiped before it returns. The proof is not verified.
 */
cuzk_status cuzk_prove_blind(const cuzk_pk *pk, const cuzk_sums *sums, cuzk_proof *proof,
                             cuzk_pool *pool, cuzk_error *err);

/* Verifies a proof made of these sums, and says why if it is false: the statuses of cuzk_prove.
 * scratch: as cuzk_prove_start takes; used only for a false proof. */
cuzk_status cuzk_prove_check(const cuzk_pk *pk, const cuzk_assignment *assignment,
                             const cuzk_sums *sums, const cuzk_proof *proof, void *scratch,
                             cuzk_pool *pool, cuzk_error *err);

/* Who has made the sums of a proof, to make them again. */
typedef struct cuzk_sums_maker {
    cuzk_status (*make)(void *context, const cuzk_assignment *assignment, cuzk_sums *sums,
                        cuzk_error *err);
    void *context;
} cuzk_sums_maker;

/* cuzk_prove_check for sums that a device has made, with a key without points. A false proof is
 * CUZK_ERR_UNSATISFIED if the witness violates a row, or if no row can be looked at and the device
 * makes the same sums once more; else CUZK_ERR_DEVICE. scratch: cuzk_prove_violation_scratch bytes,
 * 64-byte aligned. */
cuzk_status cuzk_prove_check_device(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                    const cuzk_sums *sums, const cuzk_proof *proof,
                                    const cuzk_sums_maker *device, void *scratch, cuzk_pool *pool,
                                    cuzk_error *err);
size_t cuzk_prove_violation_scratch(const cuzk_pk *pk);

/* cuzk_prove: start, fresh r and s from getrandom, finish, verify. A proof that fails verification
 * is never returned: CUZK_ERR_UNSATISFIED if the witness violates a row (named where the key has
 * matrix C, or the assignment brings the rows); CUZK_ERR_MISMATCH if it satisfies all of them, so
 * that the key must be of another circuit; CUZK_ERR_DEVICE if computing again gives something else.
 * Allocates its scratch. */
cuzk_status cuzk_prove(const cuzk_pk *pk, const cuzk_assignment *assignment, cuzk_proof *proof,
                       cuzk_pool *pool, cuzk_error *err);

/* For tests only: the same with the caller's r and s. Not reachable from the command line's prove,
 * the public library or the daemon. */
cuzk_status cuzk_prove_with_blinding(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                     const cuzk_scalar *r, const cuzk_scalar *s, cuzk_proof *proof,
                                     cuzk_pool *pool, cuzk_error *err);

#endif
