#include "api/file_kind.h"
#include "base/memory.h"
#include "base/random.h"
#include "cmd/command.h"
#include "cmd/number_text.h"
#include "cmd/output.h"
#include "compute/ntt.h"
#include "iden3/r1cs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    cuzk_common *common;
    cuzk_positionals files; /* circuit, witness */
};

/* The first violated row and its products. */
struct violation {
    size_t row;
    cuzk_fr a, b, c;
};

static const char doc[] =
    "Says whether WTNS satisfies all rows <A,z> * <B,z> = <C,z> of R1CS, and if not, shows the "
    "first violated "
    "row: its three products, and the wires in it with their values (which may be secret).\v"
    "Example:\n"
    "  cuzk check circuit.r1cs witness.wtns\n"
    "\n"
    "Exit codes: 0 satisfied; 7 not satisfied. Others: see `cuzk --help`.";

static json_t *describe_terms(const cuzk_r1cs *cs, const cuzk_matrix *matrix, const cuzk_fr *z,
                              size_t row)
{
    json_t *terms = json_array();
    for (uint64_t i = matrix->row_start[row]; i < matrix->row_start[row + 1]; i++) {
        char coef[CUZK_NUMBER_TEXT_SIZE], value[CUZK_NUMBER_TEXT_SIZE];
        cuzk_number_text_signed(coef, cs->curve, &cs->coefs.value[matrix->coef[i]]);
        cuzk_number_text(value, cs->curve, &z[matrix->col[i]]);
        json_array_append_new(terms, json_pack("{s:s, s:I, s:s}", "coefficient", coef, "wire",
                                               (json_int_t)matrix->col[i], "value", value));
    }
    return terms;
}

static json_t *describe_violation(const cuzk_r1cs *cs, const cuzk_fr *z, const struct violation *v)
{
    json_t *report = json_pack("{s:b, s:I}", "satisfied", 0, "row", (json_int_t)v->row);
    const struct {
        const char *name;
        const cuzk_matrix *matrix;
        const cuzk_fr *product;
    } sides[] = {{"a", &cs->a, &v->a}, {"b", &cs->b, &v->b}, {"c", &cs->c, &v->c}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        char text[CUZK_NUMBER_TEXT_SIZE];
        cuzk_number_text(text, cs->curve, sides[i].product);
        json_object_set_new(report, sides[i].name,
                            json_pack("{s:s, s:o}", "product", text, "terms",
                                      describe_terms(cs, sides[i].matrix, z, v->row)));
    }
    return report;
}

static void print_violation(const json_t *report)
{
    static const char *const sides[] = {"a", "b", "c"};
    printf("row %" JSON_INTEGER_FORMAT " (from 0) is violated: <A,z> * <B,z> is not <C,z>\n",
           json_integer_value(json_object_get(report, "row")));
    for (size_t i = 0; i < 3; i++) {
        const json_t *side = json_object_get(report, sides[i]);
        const json_t *terms = json_object_get(side, "terms");
        printf("<%c,z> = %s\n", "ABC"[i], json_string_value(json_object_get(side, "product")));
        for (size_t k = 0; k < json_array_size(terms); k++) {
            const json_t *term = json_array_get(terms, k);
            printf("    %s * wire %" JSON_INTEGER_FORMAT " = %s\n",
                   json_string_value(json_object_get(term, "coefficient")),
                   json_integer_value(json_object_get(term, "wire")),
                   json_string_value(json_object_get(term, "value")));
        }
    }
}

static cuzk_status report_result(const cuzk_r1cs *cs, const cuzk_fr *z, const struct violation *v,
                                 const struct arguments *a, cuzk_error *err)
{
    bool json = a->common->json;
    if (v->row == cs->rows)
        return cuzk_output_report(json_pack("{s:b, s:s, s:I, s:I, s:I}", "satisfied", 1, "curve",
                                            cs->curve->name, "rows", (json_int_t)cs->rows, "wires",
                                            (json_int_t)cs->vars, "public_signals",
                                            (json_int_t)cs->n_public),
                                  json, err);
    json_t *report = describe_violation(cs, z, v);
    if (json) {
        CUZK_TRY(cuzk_output_report(report, true, err));
    } else {
        print_violation(report);
        json_decref(report);
    }
    return cuzk_fail(
        err, CUZK_ERR_UNSATISFIED,
        "%s: the witness does not satisfy the circuit: row %zu of %zu is violated (rows "
        "count from 0)",
        a->files.value[1], v->row, cs->rows);
}

static cuzk_status check_witness(const cuzk_r1cs *cs, const cuzk_wtns *witness,
                                 const struct arguments *a, cuzk_pool *pool, cuzk_error *err)
{
    const char *name = a->files.value[1];
    if (witness->curve != cs->curve)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: a witness over %s; the circuit %s is over %s",
                         name, witness->curve->full_name, a->files.value[0], cs->curve->full_name);
    if (witness->n != cs->vars)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: a witness of %zu values; the circuit %s has %zu wires", name,
                         witness->n, a->files.value[0], cs->vars);
    cuzk_fr *z = cuzk_memory_new(witness->n, sizeof *z);
    if (z == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for its %zu values", name,
                         witness->n);
    cuzk_fr_import(cs->curve, z, witness->z, witness->n, pool);
    struct violation v = {0};
    v.row = cuzk_r1cs_check(cs, z, &v.a, &v.b, &v.c, pool);
    cuzk_status status = report_result(cs, z, &v, a, err);
    cuzk_wipe(z, witness->n * sizeof *z);
    free(z);
    return status;
}

static cuzk_status open_kind(cuzk_map **map, const char *path, cuzk_file_kind kind, cuzk_error *err)
{
    CUZK_TRY(cuzk_map_open(map, path, err));
    cuzk_file_kind found = cuzk_file_kind_find(*map);
    if (found == kind)
        return CUZK_OK;
    cuzk_status status = cuzk_file_kind_fail(*map, found, cuzk_file_kind_text(kind), err);
    cuzk_map_close(*map);
    return status;
}

static cuzk_status read_circuit(cuzk_r1cs *cs, const char *path, cuzk_error *err)
{
    cuzk_map *map;
    CUZK_TRY(open_kind(&map, path, CUZK_FILE_R1CS, err));
    cuzk_status status = cuzk_r1cs_read(cs, map, err);
    cuzk_map_close(map);
    return status;
}

static cuzk_status check(const struct arguments *a, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_r1cs cs = {0};
    cuzk_map *map = NULL;
    cuzk_wtns witness;
    CUZK_TRY(read_circuit(&cs, a->files.value[0], err));
    cuzk_status status = open_kind(&map, a->files.value[1], CUZK_FILE_WTNS, err);
    if (status == CUZK_OK) {
        status = cuzk_wtns_read(&witness, map, err);
        if (status == CUZK_OK) {
            status = check_witness(&cs, &witness, a, pool, err);
            cuzk_wtns_release(&witness);
        }
        cuzk_map_close(map);
    }
    cuzk_r1cs_release(&cs);
    return status;
}

static cuzk_status run(cuzk_common *common, int argc, char **argv, cuzk_error *err)
{
    const cuzk_usage usage = {.parser = cuzk_positionals_only, .args_doc = "R1CS WTNS", .doc = doc};
    struct arguments arguments = {.common = common, .files = {.least = 2, .most = 2}};
    cuzk_usage_parse(&usage, argc, argv, common, &arguments.files);
    cuzk_pool *pool;
    CUZK_TRY(cuzk_common_pool(common, &pool, err));
    cuzk_pool_announce(pool, "checking");
    cuzk_status status = check(&arguments, pool, err);
    cuzk_pool_free(pool);
    return status;
}

const cuzk_command cuzk_command_check = {
    .name = "check", .summary = "check a witness against its circuit, row by row", .run = run};
