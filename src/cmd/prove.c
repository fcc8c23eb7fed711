#include "api/proving_key.h"
#include "base/clock.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "iden3/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_PUBLIC = 0x2000, KEY_R1CS, KEY_BYTES, KEY_INSECURE };

struct arguments {
    cuzk_common *common;
    cuzk_positionals files; /* key, witness */
    const char *proof, *public_signals, *r1cs, *bytes;
    bool allow_insecure;
};

/* A proof and all that is to be written. */
struct result {
    cuzk_proof proof;
    char *proof_json, *public_json;
    double load_seconds, prove_seconds;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the proof to FILE (default, and \"-\": standard output)", 0},
    {"public", KEY_PUBLIC, "FILE", 0, "Write the public signals to FILE", 0},
    {"r1cs", KEY_R1CS, "FILE", 0,
     "The circuit: needed with .params; with .zkey each row is checked before proving", 0},
    {"bytes", KEY_BYTES, "FILE", 0, "Also write bellperson's 192 bytes to FILE (BLS12-381)", 0},
    {"allow-insecure-key", KEY_INSECURE, NULL, 0,
     "Accept a key whose phase 2 was never run (tests only: anyone can forge with it)", 0},
    {0}};

static const char doc[] =
    "Proves that WITNESS satisfies the circuit of KEY (.zkey or .params), and verifies the proof "
    "before it "
    "is written. The files are those of snarkjs: `snarkjs groth16 verify` accepts them.\v"
    "Example:\n"
    "  cuzk prove circuit.zkey witness.wtns -o proof.json --public public.json\n"
    "  cuzk prove circuit.params witness.wtns --r1cs circuit.r1cs -o proof.json\n"
    "\n"
    "Exit codes: see `cuzk --help`; 7 means that the witness does not satisfy the circuit.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->proof = arg;
        return 0;
    case KEY_PUBLIC:
        a->public_signals = arg;
        return 0;
    case KEY_R1CS:
        a->r1cs = arg;
        return 0;
    case KEY_BYTES:
        a->bytes = arg;
        return 0;
    case KEY_INSECURE:
        a->allow_insecure = true;
        return 0;
    default:
        return cuzk_positionals_parse(&a->files, key, arg, state);
    }
}

static cuzk_status check_outputs(const struct arguments *a, cuzk_error *err)
{
    const char *paths[] = {a->proof, a->public_signals, a->bytes};
    unsigned on_stdout = a->common->json || a->proof == NULL ? 1 : 0;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (paths[i] == NULL)
            continue;
        if (cuzk_output_is_stdout(paths[i]) && on_stdout++ > 0)
            return cuzk_fail(
                err, CUZK_ERR_ARGUMENT,
                "two results would be mixed on standard output; give a file name for all "
                "but one");
        CUZK_TRY(cuzk_output_probe(paths[i], err));
    }
    return CUZK_OK;
}

static double seconds_since(uint64_t start)
{
    return (double)(cuzk_clock_ns() - start) * 1e-9;
}

static cuzk_status prove_witness(const cuzk_key *key, const char *path, struct result *result,
                                 cuzk_error *err)
{
    const cuzk_vk *vk = &key->pk->vk;
    cuzk_map *map;
    cuzk_wtns witness;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_status status = cuzk_key_read_witness(key, map, &witness, err);
    if (status == CUZK_OK) {
        status = cuzk_key_make_proof(key, &witness, map, &result->proof, err);
        if (status == CUZK_OK)
            status = cuzk_json_write_proof(&result->proof_json, &result->proof, vk->curve,
                                           CUZK_JSON_SNARKJS, err);
        if (status == CUZK_OK)
            status = cuzk_json_write_public(&result->public_json, witness.z + 1, vk->n_public,
                                            CUZK_JSON_SNARKJS, err);
        cuzk_wtns_release(&witness);
    }
    cuzk_map_close(map);
    return status;
}

static cuzk_status write_bytes(const cuzk_key *key, const struct arguments *a,
                               const struct result *result, cuzk_error *err)
{
    uint8_t bytes[CUZK_PROOF_BYTES];
    if (a->bytes == NULL)
        return CUZK_OK;
    if (key->pk->vk.curve->id != CUZK_BLS12_381)
        return cuzk_fail(
            err, CUZK_ERR_UNSUPPORTED,
            "--bytes: bellperson's form exists for BLS12-381 only; this key is over %s",
            key->pk->vk.curve->full_name);
    cuzk_proof_encode(bytes, &result->proof);
    return cuzk_output_write(a->bytes, bytes, sizeof bytes, err);
}

static cuzk_status report(const cuzk_key *key, const struct arguments *a,
                          const struct result *result, cuzk_error *err)
{
    const cuzk_pk *pk = key->pk;
    if (!a->common->json) {
        if (a->proof != NULL && !cuzk_output_is_stdout(a->proof))
            printf("%s: proved and verified in %.3f s (key loaded in %.3f s)\n", a->proof,
                   result->prove_seconds, result->load_seconds);
        return CUZK_OK;
    }
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:i, s:f, s:f}", "curve", pk->vk.curve->name, "variables",
                  (json_int_t)pk->vars, "public_signals", (json_int_t)pk->vk.n_public, "log_domain",
                  (int)pk->log_m, "load_seconds", result->load_seconds, "prove_seconds",
                  result->prove_seconds);
    if (object != NULL && a->proof == NULL)
        json_object_set_new(object, "proof", json_loads(result->proof_json, 0, NULL));
    if (object != NULL && a->public_signals == NULL)
        json_object_set_new(object, "public", json_loads(result->public_json, 0, NULL));
    return cuzk_output_report(object, true, err);
}

static cuzk_status write_results(const cuzk_key *key, const struct arguments *a,
                                 const struct result *result, cuzk_error *err)
{
    CUZK_TRY(write_bytes(key, a, result, err));
    if (a->public_signals != NULL)
        CUZK_TRY(cuzk_output_text(a->public_signals, result->public_json, err));
    if (a->proof != NULL || !a->common->json)
        CUZK_TRY(cuzk_output_text(a->proof != NULL ? a->proof : "-", result->proof_json, err));
    return report(key, a, result, err);
}

static cuzk_status prove(const struct arguments *a, cuzk_pool *pool, cuzk_error *err)
{
    struct result result = {0};
    cuzk_key *key;
    uint64_t start = cuzk_clock_ns();
    cuzk_pool_announce(pool, "loading the key");
    CUZK_TRY(cuzk_key_load(&key, a->files.value[0], a->r1cs,
                           a->allow_insecure ? CUZK_KEY_ALLOW_INSECURE : 0, NULL, pool, err));
    result.load_seconds = seconds_since(start);
    start = cuzk_clock_ns();
    cuzk_pool_announce(pool, "proving");
    cuzk_status status = prove_witness(key, a->files.value[1], &result, err);
    result.prove_seconds = seconds_since(start);
    if (status == CUZK_OK)
        status = write_results(key, a, &result, err);
    free(result.proof_json);
    free(result.public_json);
    cuzk_key_close(key);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "KEY WITNESS", .doc = doc};
    struct arguments arguments = {.common = common, .files = {.least = 2, .most = 2}};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments);
    CUZK_TRY(check_outputs(&arguments, err));
    cuzk_pool *pool;
    CUZK_TRY(cuzk_common_pool(common, &pool, err));
    cuzk_status status = prove(&arguments, pool, err);
    cuzk_pool_free(pool);
    return status;
}

const cuzk_command cuzk_command_prove = {
    .name = "prove", .summary = "make a proof from a key and a witness", .run = run};
