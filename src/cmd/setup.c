#include "api/file_kind.h"
#include "base/random.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/setup_device.h"
#include "cmd/setup_source.h"
#include "groth16/params.h"
#include "groth16/setup.h"
#include "iden3/json.h"
#include "iden3/ptau.h"
#include "iden3/zkey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FORMAT = 0x2000, KEY_PTAU, KEY_VK, KEY_CIRCUIT, KEY_DEVICE };

struct arguments {
    cuzk_common *common;
    cuzk_positionals files; /* circuit; none with --circuit */
    const char *output, *format, *ptau, *vk, *circuit, *device;
};

static const struct argp_option options[] = {
    {"output", 'o', "KEY", 0, "Write the proving key to KEY (required)", 0},
    {"format", KEY_FORMAT, "zkey|params", 0,
     "snarkjs' .zkey, or bellperson's .params (BLS12-381 only); default: by KEY's name", 0},
    {"ptau", KEY_PTAU, "FILE", 0,
     "Start phase 2 from a prepared powers-of-tau file, and add one contribution", 0},
    {"vk", KEY_VK, "FILE", 0,
     "Also write the verification key: JSON, or bellperson's bytes if FILE ends in .vk", 0},
    {"circuit", KEY_CIRCUIT, "NAME", 0,
     "Instead of R1CS: one of Filecoin's circuits (`cuzk circuit list`); of at most 2^24 rows, or, "
     "with --device=cuda, of any size: 2^27 rows take 60 GB of memory",
     0},
    {"device", KEY_DEVICE, "cpu|cuda", 0,
     "Where points are made (default: cpu); not for --ptau, which has its points", 0},
    {0}};

static const char doc[] =
    "Makes a proving key for the circuit R1CS, or NAME. Without --ptau all secrets of "
    "the key are drawn here, so "
    "whoever runs this could forge proofs: for tests and development. With "
    "--ptau the first phase comes from "
    "a ceremony; more people should contribute with `snarkjs zkey "
    "contribute` before the key is used.\v"
    "Example:\n"
    "  cuzk setup circuit.r1cs -o circuit.zkey --vk verification_key.json\n"
    "  cuzk setup circuit.r1cs -o circuit.zkey --ptau pot16_final.ptau\n"
    "  cuzk setup --circuit porep-2k -o porep-2k.params --vk porep-2k.vk";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        return 0;
    case KEY_FORMAT:
        if (strcmp(arg, "zkey") != 0 && strcmp(arg, "params") != 0)
            argp_error(state, "--format=%s: expected zkey or params", arg);
        a->format = arg;
        return 0;
    case KEY_PTAU:
        a->ptau = arg;
        return 0;
    case KEY_VK:
        a->vk = arg;
        return 0;
    case KEY_DEVICE:
        if (strcmp(arg, "cpu") != 0 && strcmp(arg, "cuda") != 0)
            argp_error(state, "--device=%s: expected cpu or cuda", arg);
        a->device = arg;
        return 0;
    case KEY_CIRCUIT:
        a->circuit = arg;
        a->files.least = a->files.most = 0;
        return 0;
    case ARGP_KEY_SUCCESS:
        if (a->output == NULL)
            argp_error(state, "--output=KEY is missing");
        return 0;
    default:
        return cuzk_positionals_parse(&a->files, key, arg, state);
    }
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static cuzk_status choose_kind(const struct arguments *a, cuzk_setup_kind *kind, cuzk_error *err)
{
    bool zkey = a->format != NULL ? strcmp(a->format, "zkey") == 0 : ends_in(a->output, ".zkey");
    bool params = a->format != NULL ? !zkey : ends_in(a->output, ".params");
    if (!zkey && !params)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: its name ends neither in .zkey nor in .params; say --format=zkey or "
                         "--format=params",
                         a->output);
    if (params && a->ptau != NULL)
        return cuzk_fail(
            err, CUZK_ERR_UNSUPPORTED,
            "%s: a bellperson key cannot be made from a powers-of-tau file of iden3: the two "
            "place rows at different roots of unity",
            a->output);
    if (a->vk != NULL && ends_in(a->vk, ".vk") && zkey)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "%s: bellperson's verifying keys (.vk) go with .params; name a .json file",
                         a->vk);
    if (a->ptau != NULL && strcmp(a->device, "cuda") == 0)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "--device=cuda: keys from a powers-of-tau file are made on the host only");
    *kind = zkey ? CUZK_SETUP_SNARKJS : CUZK_SETUP_BELLPERSON;
    return CUZK_OK;
}

static cuzk_status check_outputs(const struct arguments *a, cuzk_error *err)
{
    const char *paths[] = {a->output, a->vk};
    for (size_t i = 0; i < 2; i++) {
        if (paths[i] == NULL)
            continue;
        if (cuzk_output_is_stdout(paths[i]))
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "keys are not written to standard output; name a file");
        CUZK_TRY(cuzk_output_probe(paths[i], err));
    }
    return CUZK_OK;
}

/* Also writes the key, if that is a .params file. */
static cuzk_status setup_fresh(cuzk_setup *setup, const cuzk_setup_source *source,
                               cuzk_setup_kind kind, const struct arguments *a, cuzk_pool *pool,
                               cuzk_error *err)
{
    cuzk_toxic toxic;
    cuzk_setup_device device;
    CUZK_TRY(cuzk_setup_device_open(&device, a->device, pool, err));
    cuzk_status status = cuzk_toxic_random(&toxic, source->columns->curve, err);
    if (kind == CUZK_SETUP_SNARKJS)
        toxic.gamma = (cuzk_scalar){{1}};
    if (status == CUZK_OK && kind == CUZK_SETUP_SNARKJS)
        status = cuzk_zkey_setup_by(setup, &source->cs, &toxic, device.ops, pool, err);
    else if (status == CUZK_OK)
        status = cuzk_params_make(a->output, setup, source->columns, &toxic, device.ops, pool, err);
    cuzk_wipe(&toxic, sizeof toxic);
    cuzk_setup_device_close(&device);
    return status;
}

static cuzk_status setup_from_ptau(cuzk_setup *setup, const cuzk_r1cs *cs, const char *path,
                                   cuzk_pool *pool, cuzk_error *err)
{
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    cuzk_status status = kind == CUZK_FILE_PTAU
                             ? cuzk_ptau_setup(setup, map, cs, pool, err)
                             : cuzk_file_kind_fail(map, kind, "a powers-of-tau file (.ptau)", err);
    cuzk_map_close(map);
    if (status != CUZK_OK)
        return status;
    return cuzk_setup_contribute(setup, pool, err);
}

static cuzk_status write_vk(const cuzk_setup *setup, const char *path, cuzk_error *err)
{
    if (ends_in(path, ".vk"))
        return cuzk_params_write_vk(path, &setup->vk, &setup->beta_g1, &setup->delta_g1, err);
    char *text;
    CUZK_TRY(cuzk_json_write_vk(&text, &setup->vk, err));
    cuzk_status status = cuzk_output_text(path, text, err);
    free(text);
    return status;
}

static cuzk_status write_key(const cuzk_setup *setup, const cuzk_setup_source *source,
                             const cuzk_map *map, const struct arguments *a, cuzk_error *err)
{
    const cuzk_columns *cs = source->columns;
    if (setup->kind == CUZK_SETUP_SNARKJS)
        CUZK_TRY(cuzk_zkey_write(a->output, setup, &source->cs, map, err));
    /* Checking gigabytes of points takes longer than making them. */
    if (setup->kind == CUZK_SETUP_BELLPERSON && cuzk_output_is_file(a->output))
        CUZK_TRY(cuzk_params_vouch(a->output, err));
    if (a->vk != NULL)
        CUZK_TRY(write_vk(setup, a->vk, err));
    fprintf(stderr,
            a->ptau == NULL
                ? "cuzk: NOT FOR PRODUCTION: this process knew all secrets of %s; it is for tests "
                  "and development\n"
                : "cuzk: %s has one contribution, made here; let others contribute before it is "
                  "used\n",
            a->output);
    json_t *report = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:i, s:b}", "key", a->output,
                               "format", setup->kind == CUZK_SETUP_SNARKJS ? "zkey" : "params",
                               "curve", cs->curve->name, "rows", (json_int_t)cs->rows, "wires",
                               (json_int_t)cs->vars, "public_signals", (json_int_t)cs->n_public,
                               "log_domain", (int)setup->log_m, "for_tests_only", a->ptau == NULL);
    return cuzk_output_report(report, a->common->json, err);
}

/* More takes tens of gigabytes, and hours without a device. */
#define CIRCUIT_MAX_ROWS ((size_t)1 << 24)

/* map: the R1CS file; NULL: the circuit is one of the program's. */
static cuzk_status open_source(cuzk_setup_source *source, const struct arguments *a,
                               cuzk_setup_kind kind, const cuzk_map *map, cuzk_error *err)
{
    if (map != NULL)
        return cuzk_setup_source_read(source, map, err);
    const bool matrices = kind == CUZK_SETUP_SNARKJS;
    const bool any = !matrices && strcmp(a->device, "cuda") == 0;
    return cuzk_setup_source_compile(source, a->circuit, any ? SIZE_MAX : CIRCUIT_MAX_ROWS,
                                     matrices, err);
}

static cuzk_status make_key(const struct arguments *a, const cuzk_map *map, cuzk_pool *pool,
                            cuzk_error *err)
{
    cuzk_setup_kind kind = CUZK_SETUP_SNARKJS;
    cuzk_setup_source source;
    cuzk_setup setup = {0};
    CUZK_TRY(choose_kind(a, &kind, err));
    cuzk_status status = open_source(&source, a, kind, map, err);
    cuzk_pool_announce(pool, "making the key");
    if (status == CUZK_OK)
        status = a->ptau == NULL ? setup_fresh(&setup, &source, kind, a, pool, err)
                                 : setup_from_ptau(&setup, &source.cs, a->ptau, pool, err);
    if (status == CUZK_OK)
        status = write_key(&setup, &source, map, a, err);
    cuzk_setup_release(&setup);
    cuzk_setup_source_release(&source);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {
        .options = options, .parser = parse, .args_doc = "R1CS\n--circuit=NAME", .doc = doc};
    struct arguments arguments = {
        .common = common, .files = {.least = 1, .most = 1}, .device = "cpu"};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments);
    CUZK_TRY(check_outputs(&arguments, err));
    cuzk_map *map = NULL;
    cuzk_pool *pool = NULL;
    if (arguments.circuit == NULL)
        CUZK_TRY(cuzk_map_open(&map, arguments.files.value[0], err));
    cuzk_status status = cuzk_common_pool(common, &pool, err);
    if (status == CUZK_OK)
        status = make_key(&arguments, map, pool, err);
    cuzk_pool_free(pool);
    cuzk_map_close(map);
    return status;
}

const cuzk_command cuzk_command_setup = {
    .name = "setup", .summary = "make a proving key from a circuit", .run = run};
