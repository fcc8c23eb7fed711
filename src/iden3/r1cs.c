/* Reading .r1cs. Two passes over the constraints: the first checks every byte and counts terms, so
 * that the second builds matrices of known size from data known to be good. */
#include "iden3/r1cs.h"

#include "iden3/binfile.h"
#include "base/bytes.h"
#include "iden3/r1cs_terms.h"

#include <inttypes.h>
#include <string.h>

enum {
    SECTION_HEADER = 1,
    SECTION_CONSTRAINTS = 2,
    SECTION_LABELS = 3,
    SECTION_GATES = 4,
    SECTION_GATE_USES = 5
};

/* After the prime: five u32, of which the fifth stands behind the labels' u64. */
#define HEADER_COUNTS_BYTES 28
#define TERM_BYTES          (4 + sizeof(cuzk_scalar))

static cuzk_status read_header(const cuzk_binfile *file, cuzk_r1cs_info *info, cuzk_error *err)
{
    const char *name = cuzk_map_name(file->map);
    const uint8_t *data = NULL;
    uint64_t size = 0, used = 0;
    cuzk_r1cs_info found = {0};

    CUZK_TRY(cuzk_binfile_section(file, SECTION_HEADER, "header", &data, &size, err));
    CUZK_TRY(cuzk_binfile_scalar_prime(file, data, size, &found.curve, &used, err));
    if (size != used + HEADER_COUNTS_BYTES)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 1 (header) has %" PRIu64 " bytes, expected %" PRIu64, name,
                         size, used + HEADER_COUNTS_BYTES);
    data += used;
    found.wires = cuzk_load_le32(data);
    found.pub_out = cuzk_load_le32(data + 4);
    found.pub_in = cuzk_load_le32(data + 8);
    found.prv_in = cuzk_load_le32(data + 12);
    found.labels = cuzk_load_le64(data + 16);
    found.constraints = cuzk_load_le32(data + 24);
    found.custom_gates =
        cuzk_binfile_has(file, SECTION_GATES) || cuzk_binfile_has(file, SECTION_GATE_USES);
    if ((uint64_t)found.pub_out + found.pub_in >= found.wires)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the header announces %" PRIu32 " public outputs and %" PRIu32
                         " public inputs, but only %" PRIu32 " wires with the constant one",
                         name, found.pub_out, found.pub_in, found.wires);
    if (cuzk_binfile_has(file, SECTION_LABELS))
        CUZK_TRY(cuzk_binfile_section_sized(file, SECTION_LABELS, "wire labels",
                                            8 * (uint64_t)found.wires, &data, err));
    *info = found;
    return CUZK_OK;
}

cuzk_status cuzk_r1cs_info_read(cuzk_r1cs_info *info, const cuzk_map *map, cuzk_error *err)
{
    cuzk_binfile file;
    CUZK_TRY(cuzk_binfile_open(&file, map, "r1cs", 1, err));
    CUZK_TRY(read_header(&file, info, err));
    return cuzk_map_check(map, err);
}

/* Where a term stands, for messages. */
struct place {
    const char *name;
    const cuzk_r1cs_info *info;
    uint32_t row;
    char matrix;
};

static cuzk_status check_term(const struct place *place, uint32_t term, const uint8_t *data,
                              cuzk_error *err)
{
    uint32_t wire = cuzk_load_le32(data);
    if (wire >= place->info->wires)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: constraint %" PRIu32 ", %c, term %" PRIu32 ": wire %" PRIu32
                         ", but there are %" PRIu32 " wires",
                         place->name, place->row, place->matrix, term, wire, place->info->wires);
    cuzk_scalar value;
    memcpy(&value, data + 4, sizeof value);
    if (!place->info->curve->scalar_is_canonical(&value))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: constraint %" PRIu32 ", %c, term %" PRIu32
                         ": the coefficient is not below the prime",
                         place->name, place->row, place->matrix, term);
    return CUZK_OK;
}

/* Checks one linear combination; *data moves past it, *terms grows by its length. */
static cuzk_status check_combination(const struct place *place, const uint8_t **data,
                                     uint64_t *left, size_t *terms, cuzk_error *err)
{
    uint32_t n = *left < 4 ? 0 : cuzk_load_le32(*data);
    if (*left < 4 || n > (*left - 4) / TERM_BYTES)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: truncated: section 2 ends inside constraint %" PRIu32 " of %" PRIu32
                         ", %c (%" PRIu32 " terms, %" PRIu64 " bytes left)",
                         place->name, place->row, place->info->constraints, place->matrix, n,
                         *left);
    *data += 4;
    for (uint32_t i = 0; i < n; i++, *data += TERM_BYTES)
        CUZK_TRY(check_term(place, i, *data, err));
    *left -= 4 + n * TERM_BYTES;
    *terms += n;
    return CUZK_OK;
}

static cuzk_status check_constraints(const cuzk_binfile *file, const cuzk_r1cs_info *info,
                                     const uint8_t **constraints, size_t terms[3], cuzk_error *err)
{
    const uint8_t *data = NULL;
    uint64_t left = 0;
    CUZK_TRY(cuzk_binfile_section(file, SECTION_CONSTRAINTS, "constraints", &data, &left, err));
    *constraints = data;
    for (uint32_t row = 0; row < info->constraints; row++)
        for (unsigned m = 0; m < 3; m++) {
            struct place place = {cuzk_map_name(file->map), info, row, "ABC"[m]};
            CUZK_TRY(check_combination(&place, &data, &left, &terms[m], err));
        }
    if (left != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 2 has %" PRIu64 " bytes after the last of %" PRIu32
                         " constraints",
                         cuzk_map_name(file->map), left, info->constraints);
    return CUZK_OK;
}

static cuzk_status add_combination(cuzk_matrix_builder *builder, const cuzk_curve *curve,
                                   const uint8_t **data, cuzk_error *err)
{
    uint32_t n = cuzk_load_le32(*data);
    *data += 4;
    for (; n > 0; n--, *data += TERM_BYTES) {
        cuzk_scalar value;
        cuzk_fr coef;
        memcpy(&value, *data + 4, sizeof value);
        curve->fr_from_scalar(&coef, &value);
        CUZK_TRY(cuzk_matrix_builder_add(builder, cuzk_load_le32(*data), &coef, err));
    }
    return cuzk_matrix_builder_end_row(builder, err);
}

static cuzk_status build(cuzk_r1cs *cs, const uint8_t *data, const size_t terms[3], cuzk_error *err)
{
    cuzk_coef_table *table = NULL;
    cuzk_matrix_builder *builders[3] = {NULL, NULL, NULL};
    cuzk_matrix *matrices[3] = {&cs->a, &cs->b, &cs->c};

    cuzk_status status = cuzk_coef_table_new(&table, cs->curve, err);
    for (unsigned m = 0; m < 3 && status == CUZK_OK; m++)
        status = cuzk_matrix_builder_new(&builders[m], table, cs->rows, terms[m], err);
    for (size_t row = 0; row < cs->rows && status == CUZK_OK; row++)
        for (unsigned m = 0; m < 3 && status == CUZK_OK; m++)
            status = add_combination(builders[m], cs->curve, &data, err);
    if (status == CUZK_OK) {
        for (unsigned m = 0; m < 3; m++)
            cuzk_matrix_builder_take(builders[m], matrices[m]);
        cuzk_coef_table_take(table, &cs->coefs);
    }
    for (unsigned m = 0; m < 3; m++)
        cuzk_matrix_builder_free(builders[m]);
    cuzk_coef_table_free(table);
    return status;
}

static cuzk_status refuse_custom_gates(const cuzk_map *map, cuzk_error *err)
{
    return cuzk_fail(
        err, CUZK_ERR_UNSUPPORTED,
        "%s: the circuit uses custom gates (sections 4 and 5). A Groth16 proof does not "
        "cover them: whatever a gate computes could be forged. Rewrite the circuit "
        "without custom templates",
        cuzk_map_name(map));
}

/* Checks the whole file; *constraints points at the payload of section 2. */
static cuzk_status check_file(const cuzk_map *map, cuzk_r1cs_info *info,
                              const uint8_t **constraints, size_t terms[3], cuzk_error *err)
{
    cuzk_binfile file;
    CUZK_TRY(cuzk_binfile_open(&file, map, "r1cs", 1, err));
    CUZK_TRY(read_header(&file, info, err));
    if (info->custom_gates)
        return refuse_custom_gates(map, err);
    return check_constraints(&file, info, constraints, terms, err);
}

cuzk_status cuzk_r1cs_read(cuzk_r1cs *cs, const cuzk_map *map, cuzk_error *err)
{
    cuzk_r1cs_info info;
    const uint8_t *constraints = NULL;
    size_t terms[3] = {0, 0, 0};
    CUZK_TRY(check_file(map, &info, &constraints, terms, err));

    cuzk_r1cs found = {.curve = info.curve,
                       .rows = info.constraints,
                       .vars = info.wires,
                       .n_public = (size_t)info.pub_out + info.pub_in};
    cuzk_status status = build(&found, constraints, terms, err);
    if (status == CUZK_OK)
        status = cuzk_map_check(map, err);
    if (status != CUZK_OK) {
        cuzk_r1cs_release(&found);
        return status;
    }
    *cs = found;
    return CUZK_OK;
}

static const uint8_t *visit_combination(const uint8_t *data, unsigned matrix, uint32_t row,
                                        cuzk_r1cs_term_fn *visit, void *context)
{
    uint32_t n = cuzk_load_le32(data);
    data += 4;
    for (; n > 0; n--, data += TERM_BYTES) {
        cuzk_scalar coef;
        memcpy(&coef, data + 4, sizeof coef);
        visit(context, matrix, row, cuzk_load_le32(data), &coef);
    }
    return data;
}

cuzk_status cuzk_r1cs_terms(const cuzk_map *map, size_t counts[3], cuzk_r1cs_term_fn *visit,
                            void *context, cuzk_error *err)
{
    cuzk_r1cs_info info;
    const uint8_t *data = NULL;
    memset(counts, 0, 3 * sizeof counts[0]);
    CUZK_TRY(check_file(map, &info, &data, counts, err));
    for (uint32_t row = 0; row < info.constraints && visit != NULL; row++)
        for (unsigned m = 0; m < 3; m++)
            data = visit_combination(data, m, row, visit, context);
    return cuzk_map_check(map, err);
}
