/* A circuit of the model, compiled, with parameters of known secrets (Filecoin circuits, section
 * 15.3a) in a file. */
#ifndef CUZK_TEST_MODEL_KEY_H
#define CUZK_TEST_MODEL_KEY_H

#include "api/circuit_witness.h"
#include "groth16/params.h"
#include "support/model_circuits.h"

typedef struct test_model_key {
    model_circuit model;
    cuzk_compiled *compiled;
    cuzk_scalar *statement; /* public inputs, without ONE */
    char *path;
    cuzk_map *map; /* of path */
    cuzk_density density;
    cuzk_params_circuit circuit; /* what opens the parameters */
} test_model_key;

/* packed: keys take packed witnesses. Must not be moved afterwards. */
void test_model_key_make(test_model_key *key, model_kind kind, bool packed, cuzk_pool *pool);
void test_model_key_release(test_model_key *key);

/* A proving key, without a check of the points: whoever made them knows them. sink may be NULL. */
cuzk_pk *test_model_key_open(const test_model_key *key, cuzk_base_sink *sink, cuzk_pool *pool);

/* The witness of the model's request. */
cuzk_circuit_witness *test_model_key_witness(const test_model_key *key);

#endif
