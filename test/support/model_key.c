#include "support/model_key.h"

#include "field/bls12_381_fr.h"
#include "support/circuit.h"
#include "support/fil_keys.h"

#include <stdlib.h>
#include <unistd.h>

static cuzk_error err;

static void write_params(test_model_key *key, bool packed, cuzk_pool *pool)
{
    const cuzk_toxic toxic = test_known_toxic();
    cuzk_r1cs r1cs;
    cuzk_setup setup;
    key->path = test_write_temp("", 0);
    TEST_EXPECT(cuzk_compiled_expand(key->compiled, &r1cs, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_setup_make(&setup, &r1cs, &toxic, CUZK_SETUP_BELLPERSON, pool, &err), CUZK_OK,
                &err);
    TEST_EXPECT(cuzk_params_write(key->path, &setup, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_density_make(&key->density, &r1cs, &err), CUZK_OK, &err);
    key->circuit =
        (cuzk_params_circuit){.rows = r1cs.rows,
                              .vars = r1cs.vars,
                              .n_public = r1cs.n_public,
                              .density = &key->density,
                              .packed = packed ? cuzk_compiled_packed_map(key->compiled) : NULL};
    cuzk_setup_release(&setup);
    cuzk_r1cs_release(&r1cs);
}

void test_model_key_make(test_model_key *key, model_kind kind, bool packed, cuzk_pool *pool)
{
    cuzk_witness witness;
    *key = (test_model_key){.path = NULL};
    model_circuit_open(&key->model, kind);
    TEST_EXPECT(cuzk_compile(&key->compiled, &key->model.circuit, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_witness_make(&witness, key->compiled, &key->model.inputs.inputs, pool, &err),
                CUZK_OK, &err);
    key->statement = calloc(witness.inputs, sizeof *key->statement);
    assert_non_null(key->statement);
    for (size_t i = 1; i < witness.inputs; i++)
        bls12_381_fr_to_canon(&key->statement[i - 1], &witness.input[i]);
    cuzk_witness_release(&witness);
    write_params(key, packed, pool);
    TEST_EXPECT(cuzk_map_open(&key->map, key->path, &err), CUZK_OK, &err);
}

void test_model_key_release(test_model_key *key)
{
    cuzk_map_close(key->map);
    unlink(key->path);
    free(key->path);
    cuzk_density_release(&key->density);
    cuzk_compiled_free(key->compiled);
    model_circuit_release(&key->model);
    free(key->statement);
}

cuzk_pk *test_model_key_open(const test_model_key *key, cuzk_base_sink *sink, cuzk_pool *pool)
{
    cuzk_pk *pk;
    TEST_EXPECT(cuzk_params_open_bare(&pk, key->map, &key->circuit, NULL, CUZK_PK_SKIP_CHECK, sink,
                                      pool, &err),
                CUZK_OK, &err);
    assert_int_equal(pk->rows, key->circuit.rows + key->circuit.n_public + 1);
    return pk;
}

cuzk_circuit_witness *test_model_key_witness(const test_model_key *key)
{
    cuzk_circuit_witness *witness;
    TEST_EXPECT(cuzk_circuit_witness_make(&witness, key->compiled, &key->model.inputs.inputs,
                                          key->statement, "model", &err),
                CUZK_OK, &err);
    return witness;
}
