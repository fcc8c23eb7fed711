/* cuzk filecoin c1. */
#include "circuit/filecoin/c1_write.h"
#include "circuit/filecoin/sparse_sector.h"
#include "cmd/filecoin_actions.h"
#include "cmd/filecoin_prove.h"
#include "cmd/output.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_SEED = 0x2000, KEY_WRAP };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE (required); \"-\": standard output", 0},
    {"challenge-seed", KEY_SEED, "HEX", 0,
     "32 bytes from which the challenges follow; default: from the sector's seed", 0},
    {"wrap", KEY_WRAP, NULL, 0, "In Curio's wrapper, as the service takes it", 0},
    {0}};

static const char doc[] = "Writes the C1 output of the sector in DIR: what a PoRep proof is made "
                          "from, as JSON.\v"
                          "Example:\n"
                          "  cuzk filecoin c1 sector --wrap -o c1.json";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_vanilla_arguments *a = state->input;
    switch (key) {
    case KEY_SEED:
        cuzk_option_hex_32(a->chance, state, "--challenge-seed", arg);
        a->chance_given = true;
        return 0;
    case KEY_WRAP:
        a->wrap = true;
        return 0;
    default:
        return cuzk_vanilla_parse(key, arg, state);
    }
}

static cuzk_status open_sparse(cuzk_porep_vanilla *c1, cuzk_arena *arena,
                               const cuzk_sector_folder *folder, const uint8_t seed[32],
                               cuzk_pool *pool, cuzk_error *err)
{
    cuzk_sparse_source source = {
        .proof = folder->proof, .miner = folder->miner, .sector = folder->sector};
    cuzk_sparse_sector sector;
    memcpy(source.ticket, folder->ticket, sizeof source.ticket);
    memcpy(source.challenge_seed, seed, sizeof source.challenge_seed);
    cuzk_seed_bytes(source.seed, folder->seed);
    CUZK_TRY(cuzk_sparse_sector_init(&sector, &source, pool, err));
    const cuzk_sector_view view = cuzk_sparse_sector_view(&sector);
    cuzk_status status = cuzk_porep_open(c1, arena, &view, seed, err);
    cuzk_sparse_sector_release(&sector);
    return status;
}

static cuzk_status open_sector(cuzk_porep_vanilla *c1, cuzk_arena *arena,
                               cuzk_sector_folder *folder, const uint8_t seed[32], cuzk_pool *pool,
                               cuzk_error *err)
{
    if (folder->sparse)
        return open_sparse(c1, arena, folder, seed, pool, err);
    const cuzk_sector_view view = cuzk_sector_view_of(&folder->sealed);
    return cuzk_porep_open(c1, arena, &view, seed, err);
}

static cuzk_status write_c1(size_t *size, const cuzk_porep_vanilla *c1,
                            const cuzk_vanilla_arguments *a, const cuzk_sector_folder *folder,
                            cuzk_error *err)
{
    uint8_t *text = NULL, *wrapped = NULL;
    CUZK_TRY(cuzk_c1_write(&text, size, c1, err));
    cuzk_status status = CUZK_OK;
    if (a->wrap)
        status = cuzk_c1_wrap(&wrapped, size, text, *size, folder->sector,
                              folder->proof.sector_bytes, err);
    if (status == CUZK_OK)
        status = cuzk_output_write(a->output, a->wrap ? wrapped : text, *size, err);
    free(text);
    free(wrapped);
    return status;
}

static void describe(json_t *report, const cuzk_porep_vanilla *c1, const cuzk_vanilla_arguments *a,
                     const cuzk_sector_folder *folder, size_t size)
{
    json_object_set_new(report, "file", json_string(a->output));
    json_object_set_new(report, "registered_proof", json_string(folder->proof.name));
    json_object_set_new(report, "miner", json_integer((json_int_t)folder->miner));
    json_object_set_new(report, "sector", json_integer((json_int_t)folder->sector));
    json_object_set_new(report, "wrapped", json_boolean(a->wrap));
    json_object_set_new(report, "partitions", json_integer((json_int_t)c1->n_partitions));
    json_object_set_new(report, "bytes", json_integer((json_int_t)size));
    cuzk_report_hex_32(report, "comm_d", &c1->comm_d);
    cuzk_report_hex_32(report, "comm_r", &c1->comm_r);
    cuzk_report_hex_32(report, "replica_id", &c1->replica_id);
    cuzk_report_hex_32(report, "ticket", c1->ticket);
    cuzk_report_hex_32(report, "challenge_seed", c1->seed);
}

static cuzk_status make(const cuzk_vanilla_arguments *a, cuzk_sector_folder *folder, json_t *report,
                        cuzk_pool *pool, cuzk_error *err)
{
    uint8_t seed[32];
    cuzk_arena arena = {0};
    cuzk_porep_vanilla c1;
    size_t size = 0;
    if (a->chance_given)
        memcpy(seed, a->chance, sizeof seed);
    else
        cuzk_seed_chance(seed, folder->seed, 1);
    cuzk_status status = open_sector(&c1, &arena, folder, seed, pool, err);
    if (status == CUZK_OK)
        status = write_c1(&size, &c1, a, folder, err);
    if (status == CUZK_OK)
        describe(report, &c1, a, folder, size);
    cuzk_arena_release(&arena);
    return status;
}

cuzk_status cuzk_filecoin_c1(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = options, .parser = parse, .args_doc = "DIR", .doc = doc};
    cuzk_vanilla_arguments a = {.common = common};
    return cuzk_vanilla_run(&a, &usage, argc, argv, make, err);
}
