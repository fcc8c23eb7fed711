/* The circom fixtures of test/data, for the tests that read them. */
#ifndef CUZK_TEST_FIXTURES_H
#define CUZK_TEST_FIXTURES_H

#include "support/test.h"

#include "base/cpu.h"
#include "groth16/prove.h"
#include "groth16/verify.h"
#include "iden3/json.h"
#include "iden3/r1cs.h"
#include "iden3/zkey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    const char *name; /* the folder below test/data/circom */
    cuzk_curve_id curve;
    size_t rows, wires, n_public;
    unsigned log_m;
    bool custom_gates;
} fixture;

/* As the README of the fixtures lists them. */
static const fixture fixtures[] = {
    {"multiplier-bn128", CUZK_BN254, 1, 4, 1, 2, false},
    {"multiplier-bls12381", CUZK_BLS12_381, 1, 4, 1, 2, false},
    {"nopublic-bn128", CUZK_BN254, 2, 4, 0, 2, false},
    {"nopublic-bls12381", CUZK_BLS12_381, 2, 4, 0, 2, false},
    {"chain5-bn128", CUZK_BN254, 5, 7, 1, 3, false},
    {"chain5-bls12381", CUZK_BLS12_381, 5, 7, 1, 3, false},
    {"chain6-bn128", CUZK_BN254, 6, 8, 1, 3, false},
    {"chain6-bls12381", CUZK_BLS12_381, 6, 8, 1, 3, false},
    {"chain7-bn128", CUZK_BN254, 7, 9, 1, 4, false},
    {"chain7-bls12381", CUZK_BLS12_381, 7, 9, 1, 4, false},
    {"chain30-bn128", CUZK_BN254, 30, 32, 1, 5, false},
    {"chain30-bls12381", CUZK_BLS12_381, 30, 32, 1, 5, false},
    {"customgate-bn128", CUZK_BN254, 2, 6, 1, 2, true},
    {"customgate-bls12381", CUZK_BLS12_381, 2, 6, 1, 2, true},
    {"rangecheck-bn128", CUZK_BN254, 324, 322, 3, 9, false},
    {"rangecheck-bls12381", CUZK_BLS12_381, 324, 322, 3, 9, false},
    {"poseidon2-bn128", CUZK_BN254, 240, 243, 1, 8, false},
    {"poseidon2-bls12381", CUZK_BLS12_381, 240, 243, 1, 8, false},
    {"eddsa-bn128", CUZK_BN254, 4217, 4217, 3, 13, false},
    {"merkle20-bn128", CUZK_BN254, 4840, 4862, 1, 13, false},
    {"merkle20-bls12381", CUZK_BLS12_381, 4840, 4862, 1, 13, false},
};
#define N_FIXTURES (sizeof fixtures / sizeof fixtures[0])

/* Fails the test with the error's message unless the call succeeds. `err` must be in scope. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        if ((call) != CUZK_OK)                                                                     \
            fail_msg("%s:%d: %s: %s", __FILE__, __LINE__, #call, err.message);                     \
    } while (0)

/* Fails the test unless the call fails with this status and a message that contains text. */
#define assert_refused(call, expected, text)                                                       \
    do {                                                                                           \
        memset(&err, 0, sizeof err);                                                               \
        cuzk_status refused_ = (call);                                                             \
        if (refused_ != (expected) || strstr(err.message, (text)) == NULL)                         \
            fail_msg("%s:%d: %s: status %s, message \"%s\"; expected %s with \"%s\"", __FILE__,    \
                     __LINE__, #call, cuzk_status_name(refused_), err.message,                     \
                     cuzk_status_name(expected), (text));                                          \
    } while (0)

/* The path of a fixture's file below test/data; in one of four static buffers that are used in
 * turn. */
static inline const char *fixture_file(const fixture *f, const char *file)
{
    static char names[4][256];
    static unsigned next;
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "circom/%s/%s", f->name, file);
    return name;
}

static inline cuzk_map *open_data(const char *name)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    assert_ok(cuzk_map_open(&map, test_data_path(name), &err));
    return map;
}

static inline cuzk_map *open_fixture(const fixture *f, const char *file)
{
    return open_data(fixture_file(f, file));
}

static inline const fixture *find_fixture(const char *name)
{
    for (size_t i = 0; i < N_FIXTURES; i++)
        if (strcmp(fixtures[i].name, name) == 0)
            return &fixtures[i];
    fail_msg("no fixture %s", name);
    return NULL;
}

/* The verification key and the public signals of a fixture. */
static inline void read_fixture_vk(cuzk_vk *vk, const char *name)
{
    cuzk_error err;
    size_t size = 0;
    char *text = (char *)test_read_data(name, &size);
    assert_ok(cuzk_json_read_vk(vk, text, size, name, &err));
    free(text);
}

static inline cuzk_scalar *read_fixture_public(const cuzk_vk *vk, const char *name)
{
    cuzk_error err;
    size_t size = 0;
    cuzk_scalar *inputs = NULL;
    char *text = (char *)test_read_data(name, &size);
    assert_ok(cuzk_json_read_public(&inputs, vk->n_public, vk->curve, text, size, name, &err));
    free(text);
    return inputs;
}

/* The golden proof of a fixture, without the newline that its file ends with. Freed by the caller.
 */
static inline char *read_golden(const fixture *f)
{
    size_t size = 0;
    char *text = (char *)test_read_data(fixture_file(f, "golden_r7_s11.json"), &size);
    if (size > 0 && text[size - 1] == '\n')
        text[size - 1] = 0;
    return text;
}

static inline cuzk_status verify_once(const cuzk_vk *vk, const cuzk_scalar *inputs,
                                      const cuzk_proof *proof, cuzk_error *err)
{
    cuzk_verifier *verifier = NULL;
    cuzk_status status = cuzk_verifier_new(&verifier, vk, NULL, err);
    if (status == CUZK_OK)
        status = cuzk_verify_proof(verifier, inputs, vk->n_public, proof, NULL, err);
    cuzk_verifier_free(verifier);
    return status;
}

/* Tests must not find or leave verdicts of this machine's user. */
static inline void disable_cache(void)
{
    setenv("CUZK_NO_CACHE", "1", 1);
}

#endif
