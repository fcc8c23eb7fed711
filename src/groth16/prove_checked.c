/* Proving as callers want it: fresh blinding, and no false proof ever leaves. */
#include "groth16/prove.h"

#include "base/memory.h"
#include "base/random.h"
#include "groth16/prove_violation.h"
#include "groth16/verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct blinding {
    cuzk_scalar r, s;
} blinding;

static bool is_zero(const cuzk_scalar *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

static cuzk_status draw_scalar(const cuzk_curve *curve, cuzk_scalar *out, cuzk_error *err)
{
    uint8_t wide[64];
    cuzk_status status;
    do {
        status = cuzk_random(wide, sizeof wide, err);
        if (status == CUZK_OK)
            curve->scalar_from_wide(out, wide);
    } while (status == CUZK_OK && is_zero(out));
    cuzk_wipe(wide, sizeof wide);
    return status;
}

static cuzk_status draw_blinding(const cuzk_curve *curve, blinding *b, cuzk_error *err)
{
    CUZK_TRY(draw_scalar(curve, &b->r, err));
    return draw_scalar(curve, &b->s, err);
}

static cuzk_status verify(const cuzk_pk *pk, const cuzk_assignment *assignment,
                          const cuzk_proof *proof, cuzk_pool *pool, cuzk_error *err)
{
    const cuzk_scalar *statement =
        assignment->statement != NULL ? assignment->statement : cuzk_assignment_public(assignment);
    return cuzk_verify_proof(pk->verifier, statement, pk->vk.n_public, proof, pool, err);
}

cuzk_status cuzk_prove_blind(const cuzk_pk *pk, const cuzk_sums *sums, cuzk_proof *proof,
                             cuzk_pool *pool, cuzk_error *err)
{
    blinding b = {0};
    cuzk_status status = draw_blinding(pk->vk.curve, &b, err);
    if (status == CUZK_OK)
        cuzk_prove_finish(pk, sums, &b.r, &b.s, proof, pool);
    cuzk_wipe(&b, sizeof b);
    return status;
}

/* Whether a true proof can be made of the sums: then the false one was spoiled on its way. */
static cuzk_status try_again(const cuzk_pk *pk, const cuzk_assignment *assignment,
                             const cuzk_sums *sums, bool *is_true, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_proof proof;
    CUZK_TRY(cuzk_prove_blind(pk, sums, &proof, pool, err));
    const cuzk_status status = verify(pk, assignment, &proof, pool, err);
    *is_true = status == CUZK_OK;
    return status == CUZK_ERR_MEMORY ? status : CUZK_OK;
}

static bool has_rows(const cuzk_pk *pk, const cuzk_assignment *assignment)
{
    return pk->mat_c.rows > 0 || assignment->rows != NULL;
}

/* The sums of a false proof were computed once more, from a witness that violates no row as far as
 * that can be told: a machine that errs hardly errs twice alike. */
static cuzk_status compare(const cuzk_pk *pk, const cuzk_assignment *assignment,
                           const cuzk_sums *sums, const cuzk_sums *again, cuzk_pool *pool,
                           cuzk_error *err)
{
    bool differs = memcmp(again, sums, sizeof *again) != 0;
    if (!differs)
        CUZK_TRY(try_again(pk, assignment, again, &differs, pool, err));
    if (differs)
        return cuzk_fail(err, CUZK_ERR_DEVICE,
                         "%s: two computations of one proof differ: this machine computes wrongly; "
                         "test its memory",
                         assignment->name);
    if (has_rows(pk, assignment))
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: the witness satisfies every row, yet the proof is false: the key's "
                         "points do not belong to this circuit; use the key made for it",
                         assignment->name);
    return cuzk_fail(err, CUZK_ERR_UNSATISFIED,
                     "%s: the proof is false, and a second computation gave the same: the witness "
                     "does not satisfy the key's circuit, or was made for another circuit of the "
                     "same size (the key holds too little to say which row fails; `cuzk check "
                     "circuit.r1cs witness.wtns` does)",
                     assignment->name);
}

/* A proof of these sums is false. A violated row explains it; else see compare. */
static cuzk_status explain(const cuzk_pk *pk, const cuzk_assignment *assignment,
                           const cuzk_sums *sums, void *scratch, cuzk_pool *pool, cuzk_error *err)
{
    CUZK_TRY(cuzk_prove_find_violation(pk, assignment, scratch, pool, err));
    cuzk_sums again = {0};
    CUZK_TRY(cuzk_prove_start(pk, assignment, &again, scratch, pool, err));
    const cuzk_status status = compare(pk, assignment, sums, &again, pool, err);
    cuzk_wipe(&again, sizeof again);
    return status;
}

static cuzk_status explain_device(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                  const cuzk_sums *sums, const cuzk_sums_maker *device,
                                  void *scratch, cuzk_pool *pool, cuzk_error *err)
{
    CUZK_TRY(cuzk_prove_find_violation(pk, assignment, scratch, pool, err));
    if (has_rows(pk, assignment))
        return cuzk_fail(err, CUZK_ERR_DEVICE,
                         "%s: the witness satisfies every row, yet the proof is false: the device "
                         "computed wrongly, or the key's points do not belong to this circuit",
                         assignment->name);
    cuzk_sums again = {0};
    CUZK_TRY(device->make(device->context, assignment, &again, err));
    const cuzk_status status = compare(pk, assignment, sums, &again, pool, err);
    cuzk_wipe(&again, sizeof again);
    return status;
}

cuzk_status cuzk_prove_check(const cuzk_pk *pk, const cuzk_assignment *assignment,
                             const cuzk_sums *sums, const cuzk_proof *proof, void *scratch,
                             cuzk_pool *pool, cuzk_error *err)
{
    cuzk_status status = verify(pk, assignment, proof, pool, err);
    if (status != CUZK_OK && status != CUZK_ERR_MEMORY)
        status = explain(pk, assignment, sums, scratch, pool, err);
    return status;
}

cuzk_status cuzk_prove_check_device(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                    const cuzk_sums *sums, const cuzk_proof *proof,
                                    const cuzk_sums_maker *device, void *scratch, cuzk_pool *pool,
                                    cuzk_error *err)
{
    cuzk_status status = verify(pk, assignment, proof, pool, err);
    if (status != CUZK_OK && status != CUZK_ERR_MEMORY)
        status = explain_device(pk, assignment, sums, device, scratch, pool, err);
    return status;
}

/* given: blinding for tests; NULL: fresh. */
static cuzk_status prove(const cuzk_pk *pk, const cuzk_assignment *assignment,
                         const blinding *given, cuzk_proof *proof, cuzk_pool *pool, cuzk_error *err)
{
    size_t size = cuzk_prove_scratch(pk, pool == NULL ? 1 : cuzk_pool_threads(pool));
    void *scratch = cuzk_memory_new(size, 1);
    if (scratch == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "%s: no memory for the %zu bytes that its proof needs", assignment->name,
                         size);
    cuzk_sums sums = {0};
    cuzk_proof made;
    cuzk_status status = cuzk_prove_start(pk, assignment, &sums, scratch, pool, err);
    if (status == CUZK_OK && given != NULL)
        cuzk_prove_finish(pk, &sums, &given->r, &given->s, &made, pool);
    else if (status == CUZK_OK)
        status = cuzk_prove_blind(pk, &sums, &made, pool, err);
    if (status == CUZK_OK)
        status = cuzk_prove_check(pk, assignment, &sums, &made, scratch, pool, err);
    if (status == CUZK_OK)
        *proof = made;
    cuzk_wipe(&sums, sizeof sums);
    free(scratch);
    return status;
}

cuzk_status cuzk_prove(const cuzk_pk *pk, const cuzk_assignment *assignment, cuzk_proof *proof,
                       cuzk_pool *pool, cuzk_error *err)
{
    return prove(pk, assignment, NULL, proof, pool, err);
}

cuzk_status cuzk_prove_with_blinding(const cuzk_pk *pk, const cuzk_assignment *assignment,
                                     const cuzk_scalar *r, const cuzk_scalar *s, cuzk_proof *proof,
                                     cuzk_pool *pool, cuzk_error *err)
{
    blinding given = {*r, *s};
    cuzk_status status = prove(pk, assignment, &given, proof, pool, err);
    cuzk_wipe(&given, sizeof given);
    return status;
}
