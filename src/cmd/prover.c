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

/* Proof and public signals. */
typedef struct results {
    const char *path[2];
    char *text[2];
    cuzk_status status[2];
    cuzk_error err[2];
} results;

static void write_tile(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    results *r = context;
    r->status[tile] = cuzk_output_text(r->path[tile], r->text[tile], &r->err[tile]);
}

/* Most of the time is waiting for the disk, for one file as for two. */
static cuzk_status write_files(results *r, cuzk_pool *pool, cuzk_error *err)
{
    const bool apart = cuzk_output_is_file(r->path[0]) && cuzk_output_is_file(r->path[1]);
    cuzk_pool_run(apart ? pool : NULL, 2, write_tile, r);
    for (int i = 0; i < 2; i++)
        if (r->status[i] != CUZK_OK)
            return cuzk_fail(err, r->status[i], "%s", r->err[i].message);
    return CUZK_OK;
}

static cuzk_status prove_map(const cuzk_key *key, const cuzk_map *map,
                             const cuzk_positionals *files, cuzk_error *err)
{
    const cuzk_vk *vk = &key->pk->vk;
    cuzk_wtns witness;
    cuzk_proof proof;
    results r = {.path = {files->value[2], files->value[3]}};
    CUZK_TRY(cuzk_key_read_witness(key, map, &witness, err));
    cuzk_status status = cuzk_key_make_proof(key, &witness, map, &proof, err);
    if (status == CUZK_OK)
        status = cuzk_json_write_proof(&r.text[0], &proof, vk->curve, CUZK_JSON_RAPIDSNARK, err);
    if (status == CUZK_OK)
        status = cuzk_json_write_public(&r.text[1], witness.z + 1, vk->n_public,
                                        CUZK_JSON_RAPIDSNARK, err);
    if (status == CUZK_OK)
        status = write_files(&r, key->pool, err);
    free(r.text[0]);
    free(r.text[1]);
    cuzk_wtns_release(&witness);
    return status;
}

static cuzk_status prove(const cuzk_positionals *files, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_key *key;
    cuzk_map *map = NULL;
    CUZK_TRY(cuzk_key_load(&key, files->value[0], NULL, 0, NULL, pool, err));
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
