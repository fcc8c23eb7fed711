/* Section 4 of a .zkey: the matrices A and B as a list of entries, each of which is read on its
 * own. snarkjs writes the list row by row, and then one pass reads a matrix; else an index that
 * visits it row by row is made first (counting sort). */
#include "iden3/zkey_coefs.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One matrix being read. */
struct entries {
    const cuzk_zkey_head *head;
    const uint8_t *data;
    uint32_t which;  /* matrix: 0 is A, 1 is B */
    uint32_t *order; /* NULL: as they come */
    uint32_t n;      /* to visit */
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder;
};

static const uint8_t *entry_at(const struct entries *entries, uint32_t index)
{
    return entries->data + CUZK_ZKEY_COEF_BYTES * (size_t)index;
}

/* *ours: the entry belongs to this matrix, and was checked. */
static cuzk_status check_entry(const struct entries *entries, uint32_t index, bool *ours,
                               cuzk_error *err)
{
    const cuzk_zkey_info *info = &entries->head->info;
    const char *name = cuzk_map_name(entries->head->file.map);
    const uint8_t *entry = entry_at(entries, index);
    uint32_t matrix = cuzk_load_le32(entry), row = cuzk_load_le32(entry + 4);
    uint32_t wire = cuzk_load_le32(entry + 8);

    *ours = matrix == entries->which;
    if (matrix > 1)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4, entry %" PRIu32 ": matrix %" PRIu32
                         ", expected 0 (A) or 1 (B)",
                         name, index, matrix);
    if (row >= info->domain)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4, entry %" PRIu32 ": row %" PRIu32
                         " is outside the domain of %" PRIu32,
                         name, index, row, info->domain);
    if (wire >= info->vars)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4, entry %" PRIu32 ": wire %" PRIu32
                         ", but there are %" PRIu32 " variables",
                         name, index, wire, info->vars);
    return CUZK_OK;
}

/* Lists the matrix's entries row by row. */
static cuzk_status sort_entries(struct entries *entries, cuzk_error *err)
{
    const size_t domain = entries->head->info.domain;
    uint32_t *start = calloc(domain + 1, sizeof *start);
    uint32_t *order = malloc(((size_t)entries->n + 1) * sizeof *order);
    cuzk_status status = CUZK_OK;
    uint32_t count = 0;
    if (start == NULL || order == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to sort %" PRIu32 " coefficients",
                           cuzk_map_name(entries->head->file.map), entries->n);
    for (uint32_t i = 0; i < entries->n && status == CUZK_OK; i++) {
        bool ours = false;
        status = check_entry(entries, i, &ours, err);
        if (status == CUZK_OK && ours) {
            start[cuzk_load_le32(entry_at(entries, i) + 4) + 1]++;
            count++;
        }
    }
    if (status != CUZK_OK) {
        free(start);
        free(order);
        return status;
    }
    for (size_t row = 0; row < domain; row++)
        start[row + 1] += start[row];
    for (uint32_t i = 0; i < entries->n; i++)
        if (cuzk_load_le32(entry_at(entries, i)) == entries->which)
            order[start[cuzk_load_le32(entry_at(entries, i) + 4)]++] = i;
    free(start);
    entries->order = order;
    entries->n = count;
    return CUZK_OK;
}

/* Circuits use few values, so the last ones are kept: file form, and id in the dictionary. */
#define MEMO_BITS 10
struct memo {
    cuzk_scalar stored[1 << MEMO_BITS]; /* zero: nothing */
    uint32_t id[1 << MEMO_BITS];
};

static size_t memo_slot(const cuzk_scalar *stored)
{
    return (size_t)((stored->l[0] ^ stored->l[3]) * UINT64_C(0x9e3779b97f4a7c15) >>
                    (64 - MEMO_BITS));
}

static bool is_zero(const cuzk_scalar *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

/* Sets *id to that of the Montgomery form of what the file holds as value * 2^512, not zero: one
 * reduction. */
static cuzk_status intern(const struct entries *entries, struct memo *memo,
                          const cuzk_scalar *stored, uint32_t index, uint32_t *id, cuzk_error *err)
{
    const cuzk_curve *curve = entries->head->info.curve;
    size_t slot = memo_slot(stored);
    if (memcmp(&memo->stored[slot], stored, sizeof *stored) == 0) {
        *id = memo->id[slot];
        return CUZK_OK;
    }
    if (!curve->scalar_is_canonical(stored))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4, entry %" PRIu32 ": the value is not below the prime",
                         cuzk_map_name(entries->head->file.map), index);
    cuzk_fr twice, value;
    cuzk_scalar once;
    memcpy(&twice, stored, sizeof twice);
    curve->fr_to_scalar(&once, &twice);
    memcpy(&value, &once, sizeof value);
    CUZK_TRY(cuzk_coef_intern(entries->table, &value, id, err));
    memo->stored[slot] = *stored;
    memo->id[slot] = *id;
    return CUZK_OK;
}

/* Feeds the entries to the builder; sets *sorted to false and stops where a row falls. */
static cuzk_status feed(struct entries *entries, bool *sorted, cuzk_error *err)
{
    struct memo memo = {0};
    uint32_t ended = 0; /* rows */
    for (uint32_t i = 0; i < entries->n; i++) {
        const uint32_t index = entries->order == NULL ? i : entries->order[i];
        bool ours = false;
        CUZK_TRY(check_entry(entries, index, &ours, err));
        if (!ours)
            continue;
        const uint8_t *entry = entry_at(entries, index);
        const uint32_t row = cuzk_load_le32(entry + 4);
        cuzk_scalar stored;
        uint32_t id = 0;
        *sorted = row >= ended;
        if (!*sorted)
            return CUZK_OK;
        for (; ended < row; ended++)
            CUZK_TRY(cuzk_matrix_builder_end_row(entries->builder, err));
        memcpy(&stored, entry + 12, sizeof stored);
        if (is_zero(&stored))
            continue;
        CUZK_TRY(intern(entries, &memo, &stored, index, &id, err));
        CUZK_TRY(cuzk_matrix_builder_add_id(entries->builder, cuzk_load_le32(entry + 8), id, err));
    }
    return cuzk_matrix_builder_end_row(entries->builder, err);
}

static cuzk_status start_builder(struct entries *entries, cuzk_error *err)
{
    cuzk_matrix_builder_free(entries->builder);
    entries->builder = NULL;
    return cuzk_matrix_builder_new(&entries->builder, entries->table, entries->head->info.domain,
                                   entries->n, err);
}

static cuzk_status build(struct entries *entries, cuzk_error *err)
{
    bool sorted = true;
    CUZK_TRY(start_builder(entries, err));
    CUZK_TRY(feed(entries, &sorted, err));
    if (sorted)
        return CUZK_OK;
    CUZK_TRY(sort_entries(entries, err));
    CUZK_TRY(start_builder(entries, err));
    return feed(entries, &sorted, err);
}

cuzk_status cuzk_zkey_matrix_read(cuzk_zkey_matrix *matrix, const cuzk_zkey_head *head,
                                  unsigned which, cuzk_error *err)
{
    struct entries entries = {
        .head = head, .data = head->coefs + 4, .which = which, .n = head->info.coefficients};
    CUZK_TRY(cuzk_coef_table_new(&entries.table, head->info.curve, err));
    cuzk_status status = build(&entries, err);
    free(entries.order);
    if (status == CUZK_OK) {
        cuzk_matrix_builder_take(entries.builder, &matrix->rows);
        cuzk_coef_table_take(entries.table, &matrix->coefs);
    }
    cuzk_matrix_builder_free(entries.builder);
    cuzk_coef_table_free(entries.table);
    return status;
}

void cuzk_zkey_matrix_release(cuzk_zkey_matrix *matrix)
{
    cuzk_matrix_release(&matrix->rows);
    free(matrix->coefs.value);
    matrix->coefs = (cuzk_coefs){0};
}

static cuzk_status fail_memory(const cuzk_zkey_head *head, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to put its matrices together",
                     cuzk_map_name(head->file.map));
}

/* Appends empty rows. */
static cuzk_status extend(cuzk_matrix *matrix, size_t rows, const cuzk_zkey_head *head,
                          cuzk_error *err)
{
    uint64_t *start = realloc(matrix->row_start, (rows + 1) * sizeof *start);
    if (start == NULL)
        return fail_memory(head, err);
    matrix->row_start = start;
    for (; matrix->rows < rows; matrix->rows++)
        start[matrix->rows + 1] = start[matrix->rows];
    return CUZK_OK;
}

/* Appends the values of b's dictionary, but for the units, to that of a, and renumbers b. Values of
 * both are there twice then. */
static cuzk_status join_coefs(cuzk_zkey_matrix *a, const cuzk_zkey_matrix *b,
                              const cuzk_zkey_head *head, cuzk_error *err)
{
    const size_t units = CUZK_COEF_MINUS_ONE + 1, own = b->coefs.count - units;
    cuzk_fr *value = realloc(a->coefs.value, (a->coefs.count + own) * sizeof *value);
    if (value == NULL)
        return fail_memory(head, err);
    memcpy(value + a->coefs.count, b->coefs.value + units, own * sizeof *value);
    const uint32_t shift = (uint32_t)(a->coefs.count - units);
    const uint64_t entries = b->rows.row_start[b->rows.rows];
    for (uint64_t i = 0; i < entries; i++)
        if (b->rows.coef[i] >= units)
            b->rows.coef[i] += shift;
    a->coefs.value = value;
    a->coefs.count += own;
    return CUZK_OK;
}

/* The last rows bind the constant and the public signals: row i of them is A = {i: 1}, B = {}. */
static cuzk_status check_public_rows(const cuzk_zkey_head *head, const cuzk_matrix *a,
                                     const cuzk_matrix *b, cuzk_error *err)
{
    size_t inputs = (size_t)head->info.n_public + 1;
    for (size_t i = 0; i < inputs; i++) {
        size_t row = a->rows - inputs + i;
        uint64_t at = a->rows < inputs ? 0 : a->row_start[row];
        if (a->rows < inputs || a->row_start[row + 1] != at + 1 || a->col[at] != i ||
            a->coef[at] != CUZK_COEF_ONE || b->row_start[row] != b->row_start[row + 1])
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: section 4 lacks the row that binds public signal %zu; the key is "
                             "damaged or was made by a broken setup",
                             cuzk_map_name(head->file.map), i);
    }
    return CUZK_OK;
}

cuzk_status cuzk_zkey_matrices_join(cuzk_zkey_matrix matrices[2], const cuzk_zkey_head *head,
                                    cuzk_error *err)
{
    cuzk_matrix *a = &matrices[0].rows, *b = &matrices[1].rows;
    const size_t rows = a->rows > b->rows ? a->rows : b->rows;
    CUZK_TRY(extend(a, rows, head, err));
    CUZK_TRY(extend(b, rows, head, err));
    CUZK_TRY(join_coefs(&matrices[0], &matrices[1], head, err));
    return check_public_rows(head, a, b, err);
}
