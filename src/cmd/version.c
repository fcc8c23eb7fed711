#include "base/cpu.h"
#include "base/cpu_count.h"
#include "cmd/command.h"
#include "cmd/output.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_positionals none = {0};
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    return cuzk_positionals_parse(&none, key, arg, state);
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    static const struct argp_child children[] = {{&cuzk_json_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .parser = parse,
        .doc = "Prints the version, the instruction sets, and the number of threads.",
        .children = children};
    argp_parse(&argp, argc, argv, 0, NULL, common);
    json_t *report = json_pack("{s:s, s:s, s:s, s:i}", "version", cuzk_version(), "cpu",
                               cuzk_cpu_name(cuzk_cpu_selected()), "best_cpu",
                               cuzk_cpu_name(cuzk_cpu_best()), "threads", (int)cuzk_cpu_count());
    return cuzk_output_report(report, common->json, err);
}

const cuzk_command cuzk_command_version = {
    .name = "version", .summary = "print the version and what this machine offers", .run = run};
