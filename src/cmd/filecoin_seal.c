/* cuzk filecoin seal. */
#include "cmd/filecoin_actions.h"
#include "cmd/filecoin_options.h"
#include "cmd/output.h"
#include "cmd/sector_folder.h"

#include <stdio.h>
#include <string.h>

enum { KEY_SIZE = 0x2000, KEY_PROOF, KEY_SEED, KEY_MINER, KEY_SECTOR, KEY_TICKET, KEY_SPARSE };

struct arguments {
    cuzk_common *common;
    cuzk_sector_folder folder;
    const char *output, *size, *proof;
    bool ticket;
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Make the sector in the folder DIR (required)", 0},
    {"size", KEY_SIZE, "SIZE", 0, "2KiB, 8MiB, 512MiB, 32GiB or 64GiB", 0},
    {"proof", KEY_PROOF, "NAME", 0,
     "Instead of --size: the registered proof, such as StackedDrg2KiBV1_1_Feat_SyntheticPoRep; "
     "default: StackedDrg, the size, V1_1",
     0},
    {"seed", KEY_SEED, "N", 0, "The data, and all else that is free, follow from N (default: 1)",
     0},
    {"miner", KEY_MINER, "N", 0, "The miner's number (default: 1000)", 0},
    {"sector", KEY_SECTOR, "N", 0, "The sector's number (default: 1)", 0},
    {"ticket", KEY_TICKET, "HEX", 0, "32 bytes; default: from the seed", 0},
    {"sparse", KEY_SPARSE, NULL, 0,
     "Seal nothing: vanilla proofs are made from the seed, each with a comm_r of its own", 0},
    {0}};

static const char doc[] =
    "Makes a sector with data from a seed in the folder DIR: sector.json with its commitments, "
    "unsealed and sealed. Sectors of more than 8 MiB must be sparse.\v"
    "Example:\n"
    "  cuzk filecoin seal --size 2KiB --seed 7 -o sector";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    cuzk_sector_folder *f = &a->folder;
    switch (key) {
    case 'o':
        a->output = arg;
        return 0;
    case KEY_SIZE:
        a->size = arg;
        return 0;
    case KEY_PROOF:
        a->proof = arg;
        return 0;
    case KEY_SEED:
        f->seed = cuzk_option_number(state, "--seed", arg);
        return 0;
    case KEY_MINER:
        f->miner = cuzk_option_number(state, "--miner", arg);
        return 0;
    case KEY_SECTOR:
        f->sector = cuzk_option_number(state, "--sector", arg);
        return 0;
    case KEY_TICKET:
        cuzk_option_hex_32(f->ticket, state, "--ticket", arg);
        a->ticket = true;
        return 0;
    case KEY_SPARSE:
        f->sparse = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument: %s", arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->output == NULL)
            argp_error(state, "--output=DIR is missing");
        if ((a->size == NULL) == (a->proof == NULL))
            argp_error(state, "one of --size and --proof is expected");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Ids 0 to 19 are those of PoRep. */
static cuzk_status find_proof(cuzk_fil_proof *proof, const struct arguments *a, cuzk_error *err)
{
    char name[80];
    if (a->proof != NULL)
        snprintf(name, sizeof name, "%s", a->proof);
    else
        snprintf(name, sizeof name, "StackedDrg%sV1_1", a->size);
    for (unsigned id = 0; id < 4 * CUZK_FIL_SIZES; id++) {
        CUZK_TRY(cuzk_fil_proof_get(proof, CUZK_FIL_POREP, id, err));
        if (strcmp(proof->name, name) == 0)
            return CUZK_OK;
    }
    return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                     "%s is not a registered proof of a PoRep; sizes are 2KiB, 8MiB, 512MiB, 32GiB "
                     "and 64GiB",
                     name);
}

static cuzk_status seal(struct arguments *a, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_sector_folder *f = &a->folder;
    CUZK_TRY(find_proof(&f->proof, a, err));
    if (f->sparse && f->proof.rule != CUZK_POREP_INTERACTIVE)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s cannot be sparse: its challenges depend on comm_r", f->proof.name);
    if (!a->ticket)
        cuzk_seed_chance(f->ticket, f->seed, 0);
    cuzk_status status = cuzk_sector_folder_make(f, a->output, pool, err);
    if (status == CUZK_OK)
        status = cuzk_output_report(cuzk_sector_folder_describe(f), a->common->json, err);
    cuzk_sector_folder_release(f);
    return status;
}

cuzk_status cuzk_filecoin_seal(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = options, .parser = parse, .args_doc = "", .doc = doc};
    struct arguments a = {.common = common, .folder = {.miner = 1000, .sector = 1, .seed = 1}};
    cuzk_pool *pool;
    cuzk_usage_parse(&usage, argc, argv, common, &a);
    CUZK_TRY(cuzk_common_pool(common, &pool, err));
    cuzk_status status = seal(&a, pool, err);
    cuzk_pool_free(pool);
    return status;
}
