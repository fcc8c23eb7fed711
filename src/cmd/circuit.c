/* cuzk circuit: Filecoin's circuits, made by this program. */
#include "cmd/circuit_actions.h"
#include "cmd/group.h"

static const cuzk_command actions[] = {
    {"list", "all circuits, with sizes and the names of their keys", cuzk_circuit_list, false},
    {"info", "one circuit's counts, densities, parts and bytes", cuzk_circuit_info, false},
    {"compile", "compile a circuit and save it", cuzk_circuit_compile, false},
    {"hash", "the hash of all rows", cuzk_circuit_hash_print, false},
    {"stats", "what a circuit is made of", cuzk_circuit_stats, false},
};

static const cuzk_group group = {
    .name = "circuit",
    .before = "Shows and compiles the circuits of Filecoin's proofs: porep, window, winning and "
              "update, each for sectors of 2k, 8m, 512m, 32g and 64g.",
    .after = "Example:\n"
             "  cuzk circuit list\n"
             "  cuzk circuit hash porep-2k\n"
             "  cuzk circuit compile porep-32g -o porep-32g.circuit\n"
             "\n"
             "`cuzk circuit ACTION --help` tells more.",
    .actions = actions,
    .n = sizeof actions / sizeof actions[0],
};

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    return cuzk_group_run(&group, common, argc, argv, err);
}

const cuzk_command cuzk_command_circuit = {
    .name = "circuit", .summary = "show and compile Filecoin's circuits", .run = run};
