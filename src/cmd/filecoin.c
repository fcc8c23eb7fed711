/* cuzk filecoin: sectors and their vanilla proofs, for tests and demonstrations. */
#include "cmd/filecoin_actions.h"
#include "cmd/group.h"

static const cuzk_command actions[] = {
    {"seal", "make a sector in a folder", cuzk_filecoin_seal, false},
    {"c1", "write its PoRep vanilla proof, the output of C1", cuzk_filecoin_c1, false},
    {"post", "write its vanilla proof for a WindowPoSt or WinningPoSt", cuzk_filecoin_post, false},
    {"update", "put new data into it, and write SnapDeals' vanilla proofs", cuzk_filecoin_update,
     false},
    {"check", "check vanilla proofs, and whether they satisfy their circuit", cuzk_filecoin_check,
     false},
};

static const cuzk_group group = {
    .name = "filecoin",
    .before = "Makes sectors and what provers need of them, from a seed: for tests and "
              "demonstrations, not for storage. Sectors to 8 MiB are sealed; sparse ones, of "
              "every size, hold only what is opened, and their vanilla proofs are as valid.",
    .after = "Example:\n"
             "  cuzk filecoin seal --size 2KiB --seed 1 -o sector\n"
             "  cuzk filecoin c1 sector --wrap -o c1.json\n"
             "  cuzk filecoin post sector --kind winning -o winning.vproof\n"
             "  cuzk filecoin seal --size 32GiB --sparse -o large\n"
             "\n"
             "`cuzk filecoin ACTION --help` tells more.",
    .actions = actions,
    .n = sizeof actions / sizeof actions[0],
};

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    return cuzk_group_run(&group, common, argc, argv, err);
}

const cuzk_command cuzk_command_filecoin = {
    .name = "filecoin", .summary = "make sectors and vanilla proofs for tests", .run = run};
