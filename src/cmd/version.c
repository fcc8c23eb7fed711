#include "base/cpu.h"
#include "base/cpu_count.h"
#include "cmd/command.h"
#include "cmd/output.h"

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    cuzk_positionals none = {0};
    const cuzk_usage usage = {
        .parser = cuzk_positionals_only,
        .doc = "Prints the version, the instruction sets, and the number of threads.",
        .json_only = true};
    cuzk_usage_parse(&usage, argc, argv, common, &none);
    json_t *report = json_pack("{s:s, s:s, s:s, s:i}", "version", cuzk_version(), "cpu",
                               cuzk_cpu_name(cuzk_cpu_selected()), "best_cpu",
                               cuzk_cpu_name(cuzk_cpu_best()), "threads", (int)cuzk_cpu_count());
    return cuzk_output_report(report, common->json, err);
}

const cuzk_command cuzk_command_version = {
    .name = "version", .summary = "print the version and what this machine offers", .run = run};
