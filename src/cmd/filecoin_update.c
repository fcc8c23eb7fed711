/* cuzk filecoin update. */
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/deal.h"
#include "circuit/filecoin/sparse_sector.h"
#include "cmd/filecoin_actions.h"
#include "cmd/filecoin_prove.h"
#include "cmd/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_BYTES 4096

enum { KEY_SEED = 0x2000 };

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "Write to the folder FOLDER (required)", 0},
    {"seed", KEY_SEED, "N", 0,
     "The new data follows from N (default: one more than the sector's seed)", 0},
    {0}};

static const char doc[] =
    "Puts new data into the sector in DIR, which stays as it is, and writes the vanilla proofs of "
    "the update, one for each partition: partition-0.vproof and so on; update.json holds the "
    "commitments.\v"
    "Example:\n"
    "  cuzk filecoin update sector -o update";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_vanilla_arguments *a = state->input;
    if (key != KEY_SEED)
        return cuzk_vanilla_parse(key, arg, state);
    a->seed = cuzk_option_number(state, "--seed", arg);
    a->seed_given = true;
    return 0;
}

static cuzk_status join(char out[PATH_BYTES], const char *folder, const char *name, cuzk_error *err)
{
    if (cuzk_path_join(out, folder, name))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%.80s...: the folder's name is too long", folder);
}

static cuzk_status write_partition(const cuzk_vanilla_arguments *a, const cuzk_deal_view *view,
                                   size_t k, cuzk_error *err)
{
    char name[48], path[PATH_BYTES];
    cuzk_arena arena = {0};
    cuzk_snap_partition partition;
    uint8_t *blob = NULL;
    size_t size = 0;
    snprintf(name, sizeof name, "partition-%zu.vproof", k);
    CUZK_TRY(join(path, a->output, name, err));
    cuzk_status status = cuzk_snap_open(&partition, &arena, view, k, err);
    if (status == CUZK_OK)
        status = cuzk_snap_write(&blob, &size, &partition, err);
    if (status == CUZK_OK)
        status = cuzk_output_write(path, blob, size, err);
    free(blob);
    cuzk_arena_release(&arena);
    return status;
}

static cuzk_status write_report(const cuzk_vanilla_arguments *a, json_t *report, cuzk_error *err)
{
    char path[PATH_BYTES];
    CUZK_TRY(join(path, a->output, "update.json", err));
    char *text = json_dumps(report, JSON_INDENT(1));
    if (text == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %s", path);
    cuzk_status status = cuzk_output_write(path, text, strlen(text), err);
    free(text);
    return status;
}

static cuzk_status write_all(const cuzk_vanilla_arguments *a, const cuzk_deal_view *view,
                             json_t *report, cuzk_error *err)
{
    if (mkdir(a->output, 0777) != 0 && errno != EEXIST)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: the folder cannot be made: %s", a->output,
                         strerror(errno));
    for (size_t k = 0; k < view->proof->partitions; k++)
        CUZK_TRY(write_partition(a, view, k, err));
    json_object_set_new(report, "folder", json_string(a->output));
    json_object_set_new(report, "registered_proof", json_string(view->proof->name));
    json_object_set_new(report, "registered_proof_id", json_integer((json_int_t)view->proof->id));
    json_object_set_new(report, "partitions", json_integer((json_int_t)view->proof->partitions));
    cuzk_report_hex_32(report, "comm_r_old", &view->comm_r_old);
    cuzk_report_hex_32(report, "comm_r_new", &view->comm_r_new);
    cuzk_report_hex_32(report, "comm_d_new", &view->comm_d_new);
    return write_report(a, report, err);
}

static cuzk_status update_sparse(const cuzk_vanilla_arguments *a, const cuzk_fil_proof *proof,
                                 const uint8_t seed[32], json_t *report, cuzk_pool *pool,
                                 cuzk_error *err)
{
    cuzk_sparse_deal deal;
    CUZK_TRY(cuzk_sparse_deal_init(&deal, proof, seed, pool, err));
    const cuzk_deal_view view = cuzk_sparse_deal_view(&deal);
    cuzk_status status = write_all(a, &view, report, err);
    cuzk_sparse_deal_release(&deal);
    return status;
}

static cuzk_status update_sealed(const cuzk_vanilla_arguments *a, const cuzk_fil_proof *proof,
                                 const cuzk_sector *sector, const uint8_t seed[32], json_t *report,
                                 cuzk_pool *pool, cuzk_error *err)
{
    cuzk_deal deal;
    cuzk_scalar *data = malloc(proof->nodes * sizeof *data);
    if (data == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sector's data");
    for (uint64_t i = 0; i < proof->nodes; i++)
        data[i] = cuzk_seeded_value(seed, CUZK_SEEDED_NEW_DATA, 0, i);
    cuzk_status status = cuzk_deal_encode(&deal, proof, sector, data, pool, err);
    free(data);
    if (status != CUZK_OK)
        return status;
    const cuzk_deal_view view = cuzk_deal_view_of(&deal, sector);
    status = write_all(a, &view, report, err);
    cuzk_deal_release(&deal);
    return status;
}

static cuzk_status make(const cuzk_vanilla_arguments *a, cuzk_sector_folder *folder, json_t *report,
                        cuzk_pool *pool, cuzk_error *err)
{
    cuzk_fil_proof proof;
    uint8_t seed[32];
    if (cuzk_output_is_stdout(a->output))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "updates are not written to standard output; name a folder");
    CUZK_TRY(cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, folder->proof.size, err));
    cuzk_seed_bytes(seed, a->seed_given ? a->seed : folder->seed + 1);
    if (folder->sparse)
        return update_sparse(a, &proof, seed, report, pool, err);
    return update_sealed(a, &proof, &folder->sealed, seed, report, pool, err);
}

cuzk_status cuzk_filecoin_update(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = options, .parser = parse, .args_doc = "DIR", .doc = doc};
    cuzk_vanilla_arguments a = {.common = common};
    return cuzk_vanilla_run(&a, &usage, argc, argv, make, err);
}
