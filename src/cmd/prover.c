/* Argument for argument, output byte for output byte and exit code for exit code the `prover`
 * program that comes with rapidsnark, with our checks behind it. */
#include "api/proving_key.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "iden3/json.h"

#include <stdlib.h>

static const char doc[] = "Stands in for rapidsnark's `prover`: same arguments, same JSON text, "
                          "exit code 0 or 1. Other than that "
                          "program it refuses witnesses that do not satisfy the circuit, keys "
                          "whose phase 2 was never run, and "
                          "values that are not canonical; and it knows BLS12-381.\v"
                          "Example:\n"
                          "  cuzk prover circuit.zkey witness.wtns proof.json public.json";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    return cuzk_positionals_parse(state->input, key, arg, state);
}

static cuzk_status write_files(const cuzk_positionals *files, const char *proof,
                               const char *public_signals, cuzk_error *err)
{
    CUZK_TRY(cuzk_output_text(files->value[2], proof, err));
    return cuzk_output_text(files->value[3], public_signals, err);
}

static cuzk_status prove_map(const cuzk_key *key, const cuzk_map *map,
                             const cuzk_positionals *files, cuzk_error *err)
{
    const cuzk_vk *vk = &key->pk->vk;
    cuzk_witness witness;
    cuzk_proof proof;
    char *proof_json = NULL, *public_json = NULL;
    CUZK_TRY(cuzk_key_read_witness(key, map, &witness, err));
    cuzk_status status = cuzk_key_make_proof(key, &witness, map, &proof, err);
    if (status == CUZK_OK)
        status = cuzk_json_write_proof(&proof_json, &proof, vk->curve, CUZK_JSON_RAPIDSNARK, err);
    if (status == CUZK_OK)
        status = cuzk_json_write_public(&public_json, witness.z + 1, vk->n_public,
                                        CUZK_JSON_RAPIDSNARK, err);
    if (status == CUZK_OK)
        status = write_files(files, proof_json, public_json, err);
    free(proof_json);
    free(public_json);
    cuzk_witness_release(&witness);
    return status;
}

static cuzk_status prove(const cuzk_positionals *files, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_key *key;
    cuzk_map *map = NULL;
    CUZK_TRY(cuzk_key_load(&key, files->value[0], NULL, 0, pool, err));
    cuzk_status status = cuzk_map_open(&map, files->value[1], err);
    if (status == CUZK_OK)
        status = prove_map(key, map, files, err);
    cuzk_map_close(map);
    cuzk_key_close(key);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const struct argp argp = {.parser = parse, .args_doc = "KEY WITNESS PROOF PUBLIC", .doc = doc};
    cuzk_positionals files = {.least = 4, .most = 4};
    argp_parse(&argp, argc, argv, 0, NULL, &files);
    CUZK_TRY(cuzk_output_probe(files.value[2], err));
    CUZK_TRY(cuzk_output_probe(files.value[3], err));
    cuzk_pool *pool;
    CUZK_TRY(cuzk_common_pool(common, &pool, err));
    cuzk_status status = prove(&files, pool, err);
    cuzk_pool_free(pool);
    return status;
}

const cuzk_command cuzk_command_prover = {.name = "prover",
                                          .summary = "stand in for rapidsnark's prover",
                                          .run = run,
                                          .plain_exit = true};
