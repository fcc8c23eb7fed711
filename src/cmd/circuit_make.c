/* cuzk circuit compile and hash. */
#include "base/clock.h"
#include "circuit/direct.h"
#include "circuit/filecoin/inputs.h"
#include "cmd/circuit_actions.h"
#include "cmd/circuit_source.h"
#include "cmd/output.h"

#include <stdio.h>
#include <sys/stat.h>

enum { KEY_DIRECT = 0x2000 };

struct arguments {
    cuzk_common *common;
    cuzk_positionals names;
    const char *output;
    bool direct;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = arg;
        return 0;
    case KEY_DIRECT:
        a->direct = true;
        return 0;
    default:
        return cuzk_positionals_parse(&a->names, key, arg, state);
    }
}

/* --- compile --- */

static const struct argp_option compile_options[] = {
    {"output", 'o', "FILE", 0, "Write the compiled circuit to FILE (required)", 0}, {0}};

static const char compile_doc[] =
    "Compiles the circuit NAME and saves it. The same circuit gives the same file, byte for "
    "byte.\v"
    "Example:\n"
    "  cuzk circuit compile porep-32g -o porep-32g.circuit";

static cuzk_status report_saved(const struct arguments *a, const cuzk_compiled *compiled,
                                double compile_seconds, double save_seconds, cuzk_error *err)
{
    cuzk_compiled_info info;
    struct stat file;
    cuzk_compiled_describe(compiled, &info);
    if (stat(a->output, &file) != 0)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: was written and cannot be found", a->output);
    json_t *report =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:f}", "circuit", info.name, "file",
                  a->output, "bytes", (json_int_t)file.st_size, "rows", (json_int_t)info.rows,
                  "templates", (json_int_t)info.templates, "instances", (json_int_t)info.instances,
                  "compile_seconds", compile_seconds, "save_seconds", save_seconds);
    return cuzk_output_report(report, a->common->json, err);
}

static cuzk_status compile(const struct arguments *a, cuzk_error *err)
{
    cuzk_fil_proof proof;
    cuzk_compiled *compiled;
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    CUZK_TRY(cuzk_fil_circuit_find(&proof, a->names.value[0], err));
    CUZK_TRY(cuzk_fil_circuit_id(id, &proof, err));
    if (cuzk_output_is_stdout(a->output))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "circuits are not written to standard output; name a file");
    CUZK_TRY(cuzk_output_probe(a->output, err));
    const uint64_t start = cuzk_clock_ns();
    CUZK_TRY(cuzk_fil_circuit_compile(&compiled, &proof, err));
    const double seconds = cuzk_seconds_since(start);
    cuzk_status status = cuzk_compiled_save(compiled, id, a->output, err);
    if (status == CUZK_OK)
        status = report_saved(a, compiled, seconds, cuzk_seconds_since(start) - seconds, err);
    cuzk_compiled_free(compiled);
    return status;
}

static error_t parse_compile(int key, char *arg, struct argp_state *state)
{
    const struct arguments *a = state->input;
    if (key == ARGP_KEY_SUCCESS && a->output == NULL)
        argp_error(state, "--output=FILE is missing");
    return parse(key, arg, state);
}

cuzk_status cuzk_circuit_compile(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = compile_options,
                              .parser = parse_compile,
                              .args_doc = "NAME",
                              .doc = compile_doc,
                              .json_only = true};
    struct arguments a = {.common = common, .names = {.least = 1, .most = 1}};
    cuzk_usage_parse(&usage, argc, argv, common, &a);
    return compile(&a, err);
}

/* --- hash --- */

static const struct argp_option hash_options[] = {
    {"direct", KEY_DIRECT, NULL, 0,
     "Hash the rows as the circuit makes them, not those of its compiled form (NAME only)", 0},
    {0}};

static const char hash_doc[] =
    "Prints BLAKE2s-256 of all rows and coefficients: equal hashes mean equal circuits, whoever "
    "made them. A 32 GiB PoRep takes minutes.\v"
    "Example:\n"
    "  cuzk circuit hash porep-2k\n"
    "\n"
    "What is hashed: numbers of inputs, other variables and rows, then for each row's A, B and C "
    "the number of terms, and each term's kind (I or A), index and coefficient; 64-bit numbers and "
    "coefficients big-endian.";

static cuzk_status hash_direct(uint8_t hash[CUZK_CIRCUIT_HASH_BYTES], const char *name,
                               cuzk_error *err)
{
    cuzk_fil_proof proof;
    cuzk_fil_circuit circuit;
    CUZK_TRY(cuzk_fil_circuit_find(&proof, name, err));
    cuzk_fil_circuit_init(&circuit, &proof);
    return cuzk_circuit_hash(&circuit.circuit, hash, NULL, err);
}

static cuzk_status hash_compiled(uint8_t hash[CUZK_CIRCUIT_HASH_BYTES], const char *name,
                                 cuzk_error *err)
{
    cuzk_compiled *compiled;
    double seconds;
    CUZK_TRY(cuzk_circuit_source_take(&compiled, &seconds, name, err));
    cuzk_status status = cuzk_compiled_hash(compiled, hash, err);
    cuzk_compiled_free(compiled);
    return status;
}

cuzk_status cuzk_circuit_hash_print(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.options = hash_options,
                              .parser = parse,
                              .args_doc = "NAME|FILE",
                              .doc = hash_doc,
                              .json_only = true};
    struct arguments a = {.common = common, .names = {.least = 1, .most = 1}};
    cuzk_usage_parse(&usage, argc, argv, common, &a);
    const uint64_t start = cuzk_clock_ns();
    const char *name = a.names.value[0];
    uint8_t hash[CUZK_CIRCUIT_HASH_BYTES];
    char text[2 * CUZK_CIRCUIT_HASH_BYTES + 1];
    CUZK_TRY(a.direct ? hash_direct(hash, name, err) : hash_compiled(hash, name, err));
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    json_t *report = json_pack("{s:s, s:s, s:s, s:f}", "circuit", name, "hash", text, "rows_of",
                               a.direct ? "the circuit" : "its compiled form", "seconds",
                               cuzk_seconds_since(start));
    return cuzk_output_report(report, common->json, err);
}
