/* What c1, post and update have in common: a sector's folder, an output, a pool. */
#ifndef CUZK_CMD_FILECOIN_PROVE_H
#define CUZK_CMD_FILECOIN_PROVE_H

#include "cmd/filecoin_options.h"
#include "cmd/sector_folder.h"

#include <jansson.h>

typedef struct cuzk_vanilla_arguments {
    cuzk_common *common;
    cuzk_positionals folders;
    const char *output;
    const char *kind;   /* post */
    uint8_t chance[32]; /* c1: the seed of challenges; post: randomness */
    bool chance_given, wrap;
    uint64_t seed; /* update: of the new data */
    bool seed_given;
} cuzk_vanilla_arguments;

/* What one of them does with an open sector: writes its files, and returns a report in *report,
 * which is {} before. */
typedef cuzk_status cuzk_vanilla_fn(const cuzk_vanilla_arguments *a, cuzk_sector_folder *folder,
                                    json_t *report, cuzk_pool *pool, cuzk_error *err);

/* Parses the arguments, opens the folder, calls fn and prints the report. */
cuzk_status cuzk_vanilla_run(cuzk_vanilla_arguments *a, const cuzk_usage *usage, int argc,
                             char **argv, cuzk_vanilla_fn *fn, cuzk_error *err);

/* What the parsers of all of them pass on; its input is a cuzk_vanilla_arguments. */
error_t cuzk_vanilla_parse(int key, char *arg, struct argp_state *state);

/* Adds name: the 32 bytes in hexadecimal. */
void cuzk_report_hex_32(json_t *report, const char *name, const void *bytes);

#endif
