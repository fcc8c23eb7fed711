/* The command `cuzk bench`: options, and the groups at each CPU level asked for. */
#include "bench.h"

#include "cmd/command.h"
#include "cmd/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_LEVEL = 0x3000, KEY_QUICK, KEY_DATA, KEY_MAX_LOG, KEY_LOG_ROWS, KEY_BITS, KEY_CURVE };

#define ALL_LEVELS (-1)
#define BEST_LEVEL (-2)

static const struct group {
    const char *name;
    cuzk_status (*run)(cuzk_bench *bench, cuzk_error *err);
    bool by_default;
} groups[] = {{"field", cuzk_bench_field, true},       {"group", cuzk_bench_group, true},
              {"msm", cuzk_bench_msm, true},           {"ntt", cuzk_bench_ntt, true},
              {"fixtures", cuzk_bench_fixtures, true}, {"synthetic", cuzk_bench_synthetic, false},
              {"filecoin", cuzk_bench_filecoin, false}};
#define GROUPS (sizeof groups / sizeof groups[0])

struct arguments {
    cuzk_common *common;
    cuzk_bench_options options;
    int level;
    bool chosen[GROUPS], any;
};

static const struct argp_option options[] = {
    {"level", KEY_LEVEL, "LEVEL", 0,
     "portable, adx, avx2, ifma, or all that this machine has (default: the best)", 0},
    {"quick", KEY_QUICK, NULL, 0, "Short runs and small sizes", 0},
    {"max-log", KEY_MAX_LOG, "N", 0,
     "Largest sums and transforms: 2^N (default 20, with --quick 14)", 0},
    {"data", KEY_DATA, "DIR", 0,
     "Where fixtures are: folders with circuit.zkey and witness.wtns (default: test/data/circom "
     "and "
     "build/sha256; may be repeated)",
     0},
    {"curve", KEY_CURVE, "NAME", 0, "bn128 or bls12381 only", 0},
    {"log-rows", KEY_LOG_ROWS, "N", 0, "synthetic: 2^N rows (default 18)", 0},
    {"bits", KEY_BITS, "PERCENT", 0, "synthetic: share of variables that are bits (default 98)", 0},
    {0}};

static const char doc[] =
    "Measures this machine. WHAT is any of field, group, msm, ntt, fixtures (these by default), "
    "synthetic and filecoin (circuits of 32 GiB sectors; with --quick of 2 KiB). "
    "Each row shows the best run; \"bound\" is what the arithmetic alone would take at the speed "
    "of field "
    "products measured in the same run, and \"of it\" how much of that is reached.\v"
    "Example:\n"
    "  cuzk bench field --level all\n"
    "  cuzk bench msm --curve bls12381 --threads 1\n"
    "  cuzk bench synthetic --log-rows 22 --bits 98 --curve bls12381";

static unsigned parse_number(const char *text, unsigned least, unsigned most, const char *name,
                             struct argp_state *state)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > most)
        argp_error(state, "--%s=%s: expected a number from %u to %u", name, text, least, most);
    return (unsigned)value;
}

static int parse_level(const char *text, struct argp_state *state)
{
    if (strcmp(text, "all") == 0)
        return ALL_LEVELS;
    for (int level = 0; level <= (int)cuzk_cpu_best(); level++)
        if (strcmp(text, cuzk_cpu_name((cuzk_cpu_level)level)) == 0)
            return level;
    argp_error(state, "--level=%s: unknown, or beyond this machine, whose best is %s", text,
               cuzk_cpu_name(cuzk_cpu_best()));
    return BEST_LEVEL;
}

static void add_folder(cuzk_bench_options *o, const char *folder, struct argp_state *state)
{
    if (access(folder, R_OK) != 0)
        argp_error(state, "--data=%s: cannot be read", folder);
    if (o->n_folders == CUZK_BENCH_MAX_FOLDERS)
        argp_error(state, "--data: at most %d folders", CUZK_BENCH_MAX_FOLDERS);
    o->folders[o->n_folders++] = folder;
}

static void choose_group(struct arguments *a, const char *name, struct argp_state *state)
{
    for (size_t i = 0; i < GROUPS; i++) {
        if (strcmp(name, groups[i].name) == 0) {
            a->chosen[i] = a->any = true;
            return;
        }
    }
    argp_error(state, "unknown benchmark: %s", name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    cuzk_bench_options *o = &a->options;
    switch (key) {
    case KEY_LEVEL:
        a->level = parse_level(arg, state);
        return 0;
    case KEY_QUICK:
        o->quick = true;
        return 0;
    case KEY_MAX_LOG:
        o->max_log = parse_number(arg, 10, 26, "max-log", state);
        return 0;
    case KEY_DATA:
        add_folder(o, arg, state);
        return 0;
    case KEY_CURVE:
        if (cuzk_curve_by_name(arg) == NULL)
            argp_error(state, "--curve=%s: expected bn128 or bls12381", arg);
        o->curve = arg;
        return 0;
    case KEY_LOG_ROWS:
        o->log_rows = parse_number(arg, 4, 27, "log-rows", state);
        return 0;
    case KEY_BITS:
        o->bits = parse_number(arg, 0, 100, "bits", state);
        return 0;
    case ARGP_KEY_ARG:
        choose_group(a, arg, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static cuzk_status run_groups(cuzk_bench *bench, const struct arguments *a, cuzk_error *err)
{
    int first = a->level == ALL_LEVELS   ? 0
                : a->level == BEST_LEVEL ? (int)cuzk_cpu_selected()
                                         : a->level;
    int last = a->level == ALL_LEVELS ? (int)cuzk_cpu_best() : first;
    for (size_t i = 0; i < GROUPS; i++) {
        if (a->any ? !a->chosen[i] : !groups[i].by_default)
            continue;
        for (int level = first; level <= last; level++) {
            bench->level = (cuzk_cpu_level)level;
            cuzk_cpu_force(bench->level);
            CUZK_TRY(groups[i].run(bench, err));
        }
    }
    return CUZK_OK;
}

static cuzk_status run_bench(cuzk_bench *bench, const struct arguments *a, cuzk_error *err)
{
    if (!bench->options.json)
        printf("cuzk %s, %u threads, best level %s; times are the best of several runs\n",
               cuzk_version(), cuzk_pool_threads(bench->pool), cuzk_cpu_name(cuzk_cpu_best()));
    CUZK_TRY(run_groups(bench, a, err));
    if (!bench->options.json)
        return CUZK_OK;
    json_t *report = json_pack("{s:s, s:s, s:i, s:O}", "version", cuzk_version(), "best_level",
                               cuzk_cpu_name(cuzk_cpu_best()), "threads",
                               (int)cuzk_pool_threads(bench->pool), "rows", bench->rows);
    return cuzk_output_report(report, true, err);
}

static void add_default_folders(cuzk_bench_options *o)
{
    static const char *const folders[] = {"test/data/circom", "build/sha256"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (access(folders[i], R_OK) == 0)
            o->folders[o->n_folders++] = folders[i];
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "[WHAT...]", .doc = doc};
    struct arguments arguments = {
        .common = common, .level = BEST_LEVEL, .options = {.log_rows = 18, .bits = 98}};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments);
    if (arguments.options.max_log == 0)
        arguments.options.max_log = arguments.options.quick ? 14 : 20;
    if (arguments.options.n_folders == 0)
        add_default_folders(&arguments.options);
    arguments.options.json = common->json;
    cuzk_bench bench = {.options = arguments.options, .rows = json_array()};
    cuzk_status status = cuzk_common_pool(common, &bench.pool, err);
    if (status == CUZK_OK)
        status = run_bench(&bench, &arguments, err);
    cuzk_pool_free(bench.pool);
    json_decref(bench.rows);
    return status;
}

const cuzk_command cuzk_command_bench = {
    .name = "bench", .summary = "measure this machine", .run = run};
