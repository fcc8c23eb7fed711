/* cuzk filecoin post. */
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/sparse_sector.h"
#include "cmd/filecoin_actions.h"
#include "cmd/filecoin_prove.h"
#include "cmd/output.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_KIND = 0x2000, KEY_RANDOMNESS };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE (required); \"-\": standard output", 0},
    {"kind", KEY_KIND, "window|winning", 0, "Which proof it is for (required)", 0},
    {"randomness", KEY_RANDOMNESS, "HEX", 0,
     "32 bytes from which the challenges follow; default: from the sector's seed", 0},
    {0}};

static const char doc[] =
    "Writes the vanilla proof of the sector in DIR for a WindowPoSt (registered proofs V1_1) or a "
    "WinningPoSt. A WindowPoSt takes one from each of its sectors.\v"
    "Example:\n"
    "  cuzk filecoin post sector --kind window -o window.vproof";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_vanilla_arguments *a = state->input;
    switch (key) {
    case KEY_KIND:
        if (strcmp(arg, "window") != 0 && strcmp(arg, "winning") != 0)
            argp_error(state, "--kind=%s: expected window or winning", arg);
        a->kind = arg;
        return 0;
    case KEY_RANDOMNESS:
        cuzk_option_hex_32(a->chance, state, "--randomness", arg);
        a->chance_given = true;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->kind == NULL)
            argp_error(state, "--kind=window or --kind=winning is missing");
        return cuzk_vanilla_parse(key, arg, state);
    default:
        return cuzk_vanilla_parse(key, arg, state);
    }
}

/* It must be a field element: the two top bits go, as in the network's programs. */
static void choose_randomness(uint8_t out[32], const cuzk_vanilla_arguments *a, uint64_t seed)
{
    if (a->chance_given)
        memcpy(out, a->chance, 32);
    else
        cuzk_seed_chance(out, seed, 2);
    out[31] &= 0x3f;
}

static cuzk_status open_leaves(cuzk_post_sector *post, cuzk_arena *arena,
                               const cuzk_fil_proof *proof, cuzk_sector_folder *folder,
                               const uint8_t randomness[32], cuzk_error *err)
{
    const size_t n = proof->kind == CUZK_FIL_WINNING ? proof->sectors : proof->challenges;
    uint8_t seed[32];
    uint64_t *leaf = cuzk_arena_new(arena, n, sizeof *leaf);
    if (leaf == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a vanilla proof");
    for (size_t i = 0; i < n; i++)
        CUZK_TRY(cuzk_post_leaf(&leaf[i], randomness, folder->sector, i, proof->nodes, err));
    cuzk_seed_bytes(seed, folder->seed);
    if (folder->sparse)
        return cuzk_sparse_post_open(post, arena, proof, folder->sector, seed, leaf, n, err);
    const cuzk_sector_view view = cuzk_sector_view_of(&folder->sealed);
    return cuzk_post_open(post, arena, &view, leaf, n, err);
}

static cuzk_status write_post(size_t *size, const char *path, const cuzk_post_sector *post,
                              cuzk_error *err)
{
    uint8_t *blob = NULL;
    CUZK_TRY(cuzk_post_write(&blob, size, post, err));
    cuzk_status status = cuzk_output_write(path, blob, *size, err);
    free(blob);
    return status;
}

static void describe(json_t *report, const cuzk_vanilla_arguments *a, const cuzk_fil_proof *proof,
                     const cuzk_post_sector *post, size_t size)
{
    json_object_set_new(report, "file", json_string(a->output));
    json_object_set_new(report, "registered_proof", json_string(proof->name));
    json_object_set_new(report, "registered_proof_id", json_integer((json_int_t)proof->id));
    json_object_set_new(report, "sector", json_integer((json_int_t)post->sector_id));
    json_object_set_new(report, "challenges", json_integer((json_int_t)post->n_paths));
    json_object_set_new(report, "bytes", json_integer((json_int_t)size));
    cuzk_report_hex_32(report, "comm_r", &post->comm_r);
}

static cuzk_status make(const cuzk_vanilla_arguments *a, cuzk_sector_folder *folder, json_t *report,
                        cuzk_pool *pool, cuzk_error *err)
{
    (void)pool;
    const bool window = strcmp(a->kind, "window") == 0;
    uint8_t randomness[32];
    cuzk_arena arena = {0};
    cuzk_fil_proof proof;
    cuzk_post_sector post;
    size_t size = 0;
    choose_randomness(randomness, a, folder->seed);
    CUZK_TRY(cuzk_fil_proof_get(&proof, window ? CUZK_FIL_WINDOW : CUZK_FIL_WINNING,
                                folder->proof.size + (window ? 10 : 0), err));
    cuzk_status status = open_leaves(&post, &arena, &proof, folder, randomness, err);
    if (status == CUZK_OK)
        status = write_post(&size, a->output, &post, err);
    if (status == CUZK_OK) {
        describe(report, a, &proof, &post, size);
        cuzk_report_hex_32(report, "randomness", randomness);
    }
    cuzk_arena_release(&arena);
    return status;
}

cuzk_status cuzk_filecoin_post(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = options, .parser = parse, .args_doc = "DIR", .doc = doc};
    cuzk_vanilla_arguments a = {.common = common};
    return cuzk_vanilla_run(&a, &usage, argc, argv, make, err);
}
