/* cuzk circuit list, info and stats. */
#include "base/clock.h"
#include "circuit/filecoin/registry.h"
#include "cmd/circuit_actions.h"
#include "cmd/circuit_source.h"
#include "cmd/output.h"
#include "groth16/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct arguments {
    cuzk_common *common;
    cuzk_positionals names;
};

static void parse_all(struct arguments *a, const char *args_doc, const char *doc, int argc,
                      char **argv)
{
    const cuzk_usage usage = {
        .parser = cuzk_positionals_only, .args_doc = args_doc, .doc = doc, .json_only = true};
    cuzk_usage_parse(&usage, argc, argv, a->common, &a->names);
}

/* --- list --- */

static json_t *describe_proof(const cuzk_fil_proof *proof, const cuzk_fil_params *params)
{
    const cuzk_fil_counts counts = cuzk_fil_counts_get(proof);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:s}", "circuit", proof->circuit, "sector_bytes",
                     (json_int_t)proof->sector_bytes, "inputs", (json_int_t)counts.inputs, "aux",
                     (json_int_t)counts.aux, "rows", (json_int_t)counts.rows, "key", params->name);
}

static void print_proof(const cuzk_fil_proof *proof, const cuzk_fil_params *params)
{
    const cuzk_fil_counts counts = cuzk_fil_counts_get(proof);
    printf("%-12s %7zu %10zu %10zu  %s\n", proof->circuit, counts.inputs, counts.aux, counts.rows,
           params->name);
}

cuzk_status cuzk_circuit_list(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    struct arguments a = {.common = common};
    parse_all(&a, "",
              "Lists the circuits: public inputs (with the constant 1), other variables, rows "
              "(without the one for each input that Groth16 appends), and the key's file name "
              "without .params and .vk.\v"
              "Example:\n"
              "  cuzk circuit list",
              argc, argv);
    json_t *list = json_array();
    if (!common->json)
        printf("%-12s %7s %10s %10s  %s\n", "circuit", "inputs", "aux", "rows", "key");
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        cuzk_fil_proof proof;
        cuzk_fil_params params;
        cuzk_fil_circuit_at(&proof, i);
        cuzk_status status = cuzk_fil_params_get(&params, &proof, err);
        if (status != CUZK_OK) {
            json_decref(list);
            return status;
        }
        if (common->json)
            json_array_append_new(list, describe_proof(&proof, &params));
        else
            print_proof(&proof, &params);
    }
    if (common->json)
        return cuzk_output_report(json_pack("{s:o}", "circuits", list), true, err);
    json_decref(list);
    return CUZK_OK;
}

/* --- info --- */

static void add(json_t *report, const char *name, uint64_t value)
{
    json_object_set_new(report, name, json_integer((json_int_t)value));
}

static void add_counts(json_t *report, const cuzk_compiled_info *info)
{
    json_object_set_new(report, "circuit", json_string(info->name));
    add(report, "inputs", info->inputs);
    add(report, "aux", info->aux);
    add(report, "aux_not_bits", info->wide);
    add(report, "rows", info->rows);
    add(report, "rows_with_those_for_inputs", info->rows + info->inputs);
    add(report, "log_domain", cuzk_domain_log(info->rows, info->inputs - 1));
    add(report, "nonzero_a", info->nnz_a);
    add(report, "nonzero_a_with_rows_for_inputs", info->nnz_a + info->inputs);
    add(report, "nonzero_b", info->nnz_b);
    add(report, "nonzero_c", info->nnz_c);
}

static uint64_t count_bits(const uint64_t *set, size_t bits)
{
    uint64_t n = 0;
    for (size_t i = 0; i < (bits + 63) / 64; i++)
        n += (uint64_t)__builtin_popcountll(set[i]);
    return n;
}

static cuzk_status add_densities(json_t *report, const cuzk_compiled *compiled,
                                 const cuzk_compiled_info *info, cuzk_error *err)
{
    const size_t words = info->aux / 64 + 1;
    uint64_t *a_aux = malloc(words * 8), *b_aux = malloc(words * 8);
    uint64_t *b_input = malloc((info->inputs / 64 + 1) * 8);
    cuzk_status status =
        a_aux == NULL || b_aux == NULL || b_input == NULL
            ? cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit's densities")
            : cuzk_compiled_densities(compiled, a_aux, b_aux, b_input, err);
    if (status == CUZK_OK) {
        add(report, "aux_in_a", count_bits(a_aux, info->aux));
        add(report, "inputs_in_b", count_bits(b_input, info->inputs));
        add(report, "aux_in_b", count_bits(b_aux, info->aux));
    }
    free(a_aux);
    free(b_aux);
    free(b_input);
    return status;
}

static void add_parts(json_t *report, const cuzk_compiled_info *info)
{
    add(report, "request_elements", info->field);
    add(report, "request_words", info->word);
    add(report, "templates", info->templates);
    add(report, "instances", info->instances);
    add(report, "levels", info->levels);
    add(report, "bytes", info->bytes);
}

/* A circuit that is not registered has no key of a known name. */
static cuzk_status add_key(json_t *report, const char *name, cuzk_error *err)
{
    cuzk_fil_proof proof;
    cuzk_fil_params params;
    if (cuzk_fil_circuit_find(&proof, name, NULL) != CUZK_OK)
        return CUZK_OK;
    CUZK_TRY(cuzk_fil_params_get(&params, &proof, err));
    json_object_set_new(report, "key", json_string(params.name));
    json_object_set_new(report, "key_blake2b_16", json_string(params.params_digest));
    return CUZK_OK;
}

cuzk_status cuzk_circuit_info(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    struct arguments a = {.common = common, .names = {.least = 1, .most = 1}};
    parse_all(&a, "NAME|FILE",
              "Says how large a circuit is, and its saved form. NAME is compiled for that.\v"
              "Example:\n"
              "  cuzk circuit info winning-32g",
              argc, argv);
    cuzk_compiled *compiled;
    cuzk_compiled_info info;
    double seconds;
    CUZK_TRY(cuzk_circuit_source_take(&compiled, &seconds, a.names.value[0], err));
    cuzk_compiled_describe(compiled, &info);
    json_t *report = json_object();
    add_counts(report, &info);
    cuzk_status status = add_densities(report, compiled, &info, err);
    add_parts(report, &info);
    json_object_set_new(report, "compile_seconds", json_real(seconds));
    if (status == CUZK_OK)
        status = add_key(report, info.name, err);
    if (status == CUZK_OK)
        status = cuzk_output_report(report, common->json, err);
    else
        json_decref(report);
    cuzk_compiled_free(compiled);
    return status;
}

/* --- stats --- */

static int by_rows(const void *a, const void *b)
{
    const cuzk_template_info *x = a, *y = b;
    const size_t n = x->instances * x->rows, m = y->instances * y->rows;
    return n < m ? 1 : n > m ? -1 : 0;
}

static const char *name_of(const cuzk_template_info *t)
{
    return t->name[0] == '\0' ? "(outside of gadgets)" : t->name;
}

static json_t *describe_templates(const cuzk_template_info *list, const cuzk_compiled_info *info)
{
    json_t *templates = json_array();
    for (size_t i = 0; i < info->templates; i++) {
        const cuzk_template_info *t = &list[i];
        json_array_append_new(templates,
                              json_pack("{s:s, s:I, s:I, s:I, s:f}", "name", name_of(t),
                                        "instances", (json_int_t)t->instances, "rows",
                                        (json_int_t)t->rows, "aux", (json_int_t)t->aux, "share",
                                        (double)(t->instances * t->rows) / (double)info->rows));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "circuit", info->name, "rows",
                     (json_int_t)info->rows, "instances", (json_int_t)info->instances, "bytes",
                     (json_int_t)info->bytes, "templates", templates);
}

static void print_templates(const cuzk_template_info *list, const cuzk_compiled_info *info)
{
    printf("%-24s %9s %10s %10s %12s %7s\n", "template", "instances", "rows", "aux", "rows in all",
           "share");
    for (size_t i = 0; i < info->templates; i++) {
        const size_t rows = list[i].instances * list[i].rows;
        printf("%-24s %9zu %10zu %10zu %12zu %6.2f%%\n", name_of(&list[i]), list[i].instances,
               list[i].rows, list[i].aux, rows, 100.0 * (double)rows / (double)info->rows);
    }
    printf("%-24s %9zu %10s %10s %12zu\n", info->name, info->instances, "", "", info->rows);
}

static cuzk_status show_templates(const cuzk_compiled *compiled, bool json, cuzk_error *err)
{
    cuzk_compiled_info info;
    cuzk_compiled_describe(compiled, &info);
    cuzk_template_info *list = calloc(info.templates, sizeof *list);
    if (list == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu templates", info.templates);
    for (size_t i = 0; i < info.templates; i++)
        cuzk_compiled_template(compiled, i, &list[i]);
    qsort(list, info.templates, sizeof *list, by_rows);
    cuzk_status status = CUZK_OK;
    if (json)
        status = cuzk_output_report(describe_templates(list, &info), true, err);
    else
        print_templates(list, &info);
    free(list);
    return status;
}

cuzk_status cuzk_circuit_stats(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    struct arguments a = {.common = common, .names = {.least = 1, .most = 1}};
    parse_all(&a, "NAME|FILE",
              "Shows what a circuit is made of: templates, each kept once, how often each occurs, "
              "and its share of the rows.\v"
              "Example:\n"
              "  cuzk circuit stats porep-32g.circuit",
              argc, argv);
    cuzk_compiled *compiled;
    double seconds;
    CUZK_TRY(cuzk_circuit_source_take(&compiled, &seconds, a.names.value[0], err));
    cuzk_status status = show_templates(compiled, common->json, err);
    cuzk_compiled_free(compiled);
    return status;
}
