/* Constraint systems with satisfying witnesses, and keys for them. */
#ifndef CUZK_TEST_CIRCUIT_H
#define CUZK_TEST_CIRCUIT_H

#include "compute/sparse.h"
#include "groth16/setup.h"
#include "support/test.h"

typedef struct test_circuit {
    cuzk_r1cs cs;
    cuzk_scalar *z; /* cs.vars, satisfying */
} test_circuit;

/* The circuit of test/data/bellperson. */
void test_circuit_tiny(test_circuit *circuit);

/* Rows over random variables with coefficients of all shapes, terms that cancel among them. Every
 * private variable is in some row. rows = 0: no private variables. */
void test_circuit_random(test_circuit *circuit, const cuzk_curve *curve, size_t rows,
                         size_t n_public, test_rng *rng);
void test_circuit_release(test_circuit *circuit);

/* A deep copy, for functions that consume one. */
cuzk_r1cs test_r1cs_copy(const cuzk_r1cs *cs);

/* A random element below the order, of few, many or runs of bits. */
cuzk_scalar test_scalar(const cuzk_curve *curve, test_rng *rng);

/* Makes another element of it, r - 1 - a: twice gives a back. */
void test_scalar_flip(const cuzk_curve *curve, cuzk_scalar *a);

/* Random secrets of a setup; gamma = 1 for snarkjs. */
cuzk_toxic test_toxic(const cuzk_curve *curve, cuzk_setup_kind kind, test_rng *rng);

/* What cuzk_pk_new takes, from a setup. The points stay the setup's; with_c: the key gets matrix C.
 */
cuzk_pk_source test_pk_source(const cuzk_setup *setup, const cuzk_r1cs *cs, bool with_c);

/* A key from a setup of either kind; a bellperson one goes through a file. Fails the test on error.
 */
cuzk_pk *test_pk_new(const cuzk_setup *setup, const cuzk_r1cs *cs, bool with_c, uint32_t flags,
                     cuzk_pool *pool);

/* Setup and key in one step. */
cuzk_pk *test_pk_random(const cuzk_r1cs *cs, cuzk_setup_kind kind, bool with_c, cuzk_pool *pool,
                        test_rng *rng);

/* Fails the test with the message of err unless status is the expected one. */
void test_expect(cuzk_status status, cuzk_status expected, const cuzk_error *err, const char *file,
                 int line);
#define TEST_EXPECT(call, expected, err) test_expect((call), (expected), (err), __FILE__, __LINE__)

/* A scalar from 64 hexadecimal digits, most significant first, after an optional 0x. */
cuzk_scalar test_scalar_hex(const char *hex);

#endif
