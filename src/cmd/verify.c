#include "api/file_kind.h"
#include "api/vk_load.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "groth16/verify.h"
#include "iden3/json.h"

#include <stdlib.h>

enum { KEY_INSECURE = 0x2000 };

struct arguments {
    cuzk_positionals files; /* key, public signals, proof */
    bool allow_insecure;
};

/* All that is verified. */
struct statement {
    cuzk_vk vk;
    cuzk_proof *proofs;
    size_t n_proofs;
    cuzk_scalar *inputs; /* of all proofs, one after the other */
};

static const struct argp_option options[] = {
    {"allow-insecure-key", KEY_INSECURE, NULL, 0,
     "Accept a key whose phase 2 was never run (tests only: anyone can forge with it)", 0},
    {0}};

static const char doc[] =
    "Verifies a proof: the arguments and their order are those of `snarkjs groth16 verify`. VK is "
    "a "
    "verification_key.json, a bellperson .vk, or a proving key (.zkey, .params). PROOF is JSON, or "
    "bellperson's bytes, 192 per proof; PUBLIC then lists the signals of all proofs in turn.\v"
    "Example:\n"
    "  cuzk verify verification_key.json public.json proof.json && echo good\n"
    "\n"
    "Exit codes: 0 valid; 8 well formed and false; 3 malformed (a number that is not canonical, a "
    "point off "
    "the curve or outside the subgroup, a wrong length). Others: see `cuzk --help`.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case KEY_INSECURE:
        a->allow_insecure = true;
        return 0;
    default:
        return cuzk_positionals_parse(&a->files, key, arg, state);
    }
}

static cuzk_status read_vk(struct statement *s, const char *path, bool allow_insecure,
                           cuzk_error *err)
{
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_status status = cuzk_vk_load(&s->vk, map, err);
    cuzk_map_close(map);
    if (status != CUZK_OK)
        return status;
    return cuzk_vk_check(&s->vk, allow_insecure, path, err);
}

static cuzk_status read_proofs(struct statement *s, const cuzk_map *map, cuzk_error *err)
{
    const uint8_t *data = cuzk_map_data(map);
    size_t size = cuzk_map_size(map);
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    if (kind != CUZK_FILE_PROOF_JSON && kind != CUZK_FILE_PROOF_BYTES)
        return cuzk_file_kind_fail(map, kind, "a proof (proof.json, or 192 bytes per proof)", err);
    if (kind == CUZK_FILE_PROOF_BYTES && s->vk.curve->id != CUZK_BLS12_381)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: bellperson's proofs are over BLS12-381; the key is "
                         "over %s",
                         cuzk_map_name(map), s->vk.curve->full_name);
    s->n_proofs = kind == CUZK_FILE_PROOF_BYTES ? size / CUZK_PROOF_BYTES : 1;
    s->proofs = calloc(s->n_proofs, sizeof *s->proofs);
    if (s->proofs == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for its proofs", cuzk_map_name(map));
    if (kind == CUZK_FILE_PROOF_JSON)
        return cuzk_json_read_proof(s->proofs, s->vk.curve, (const char *)data, size,
                                    cuzk_map_name(map), err);
    cuzk_status status = cuzk_proof_decode(s->proofs, s->n_proofs, data, size, err);
    return status == CUZK_OK ? status : cuzk_fail_context(err, "%s", cuzk_map_name(map));
}

static cuzk_status read_inputs(struct statement *s, const cuzk_map *map, cuzk_error *err)
{
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    if (kind != CUZK_FILE_PUBLIC_JSON)
        return cuzk_file_kind_fail(map, kind, "public signals (public.json)", err);
    return cuzk_json_read_public(&s->inputs, s->n_proofs * s->vk.n_public, s->vk.curve,
                                 (const char *)cuzk_map_data(map), cuzk_map_size(map),
                                 cuzk_map_name(map), err);
}

static cuzk_status read_statement(struct statement *s, const struct arguments *a, cuzk_error *err)
{
    cuzk_map *map = NULL;
    CUZK_TRY(read_vk(s, a->files.value[0], a->allow_insecure, err));
    CUZK_TRY(cuzk_map_open(&map, a->files.value[2], err));
    cuzk_status status = read_proofs(s, map, err);
    cuzk_map_close(map);
    if (status != CUZK_OK)
        return status;
    CUZK_TRY(cuzk_map_open(&map, a->files.value[1], err));
    status = read_inputs(s, map, err);
    cuzk_map_close(map);
    return status;
}

static cuzk_status check_statement(const struct statement *s, const cuzk_common *common,
                                   const char *name, cuzk_error *err)
{
    cuzk_verifier *verifier;
    cuzk_pool *pool = NULL;
    CUZK_TRY(cuzk_verifier_new(&verifier, &s->vk, NULL, err));
    cuzk_status status = cuzk_common_pool(common, &pool, err);
    if (status == CUZK_OK) {
        cuzk_pool_announce(pool, "verifying");
        status = s->n_proofs == 1
                     ? cuzk_verify_proof(verifier, s->inputs, s->vk.n_public, s->proofs, pool, err)
                     : cuzk_verify_batch(verifier, s->inputs, s->vk.n_public, s->proofs,
                                         s->n_proofs, NULL, pool, err);
        if (status != CUZK_OK)
            status = cuzk_fail_context(err, "%s", name);
    }
    cuzk_pool_free(pool);
    cuzk_verifier_free(verifier);
    return status;
}

/* With --json the verdict is on standard output, false ones too. */
static cuzk_status report(const struct statement *s, const cuzk_common *common, cuzk_status verdict,
                          cuzk_error *err)
{
    if (verdict != CUZK_OK && (verdict != CUZK_ERR_REJECTED || !common->json))
        return verdict;
    json_t *object = json_pack("{s:b, s:s, s:I, s:I}", "valid", verdict == CUZK_OK, "curve",
                               s->vk.curve->name, "proofs", (json_int_t)s->n_proofs,
                               "public_signals", (json_int_t)(s->n_proofs * s->vk.n_public));
    CUZK_TRY(cuzk_output_report(object, common->json, err));
    return verdict;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "VK PUBLIC PROOF", .doc = doc};
    struct arguments arguments = {.files = {.least = 3, .most = 3}};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments);
    struct statement statement = {0};
    cuzk_status status = read_statement(&statement, &arguments, err);
    if (status == CUZK_OK) {
        status = check_statement(&statement, common, arguments.files.value[2], err);
        status = report(&statement, common, status, err);
    }
    free(statement.inputs);
    free(statement.proofs);
    cuzk_vk_release(&statement.vk);
    return status;
}

const cuzk_command cuzk_command_verify = {
    .name = "verify", .summary = "verify a proof", .run = run};
