/* Section 4 of a .zkey: the matrices A and B as a list of entries. snarkjs writes it row by row,
 * and then it is read in one pass; else an index that visits it row by row is made first (counting
 * sort). */
#include "iden3/zkey_coefs.h"

#include "iden3/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct entries {
    const cuzk_zkey_head *head;
    const uint8_t *data;
    uint32_t n;
    size_t rows;      /* one more than the largest row */
    size_t counts[2]; /* entries of A and of B */
    bool sorted;      /* rows never fall within A and within B */
    uint32_t *order;  /* NULL when sorted */
};

static const uint8_t *entry_at(const struct entries *entries, uint32_t visit)
{
    uint32_t index = entries->order == NULL ? visit : entries->order[visit];
    return entries->data + CUZK_ZKEY_COEF_BYTES * (size_t)index;
}

static cuzk_status check_entry(const struct entries *entries, uint32_t index, const uint8_t *entry,
                               cuzk_error *err)
{
    const cuzk_zkey_info *info = &entries->head->info;
    const char *name = cuzk_map_name(entries->head->file.map);
    uint32_t matrix = cuzk_load_le32(entry), row = cuzk_load_le32(entry + 4);
    uint32_t wire = cuzk_load_le32(entry + 8);

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

static cuzk_status check_entries(struct entries *entries, cuzk_error *err)
{
    uint32_t last[2] = {0, 0};
    const uint8_t *entry = entries->data;
    entries->sorted = true;
    for (uint32_t i = 0; i < entries->n; i++, entry += CUZK_ZKEY_COEF_BYTES) {
        CUZK_TRY(check_entry(entries, i, entry, err));
        uint32_t matrix = cuzk_load_le32(entry), row = cuzk_load_le32(entry + 4);
        entries->counts[matrix]++;
        if (row < last[matrix])
            entries->sorted = false;
        last[matrix] = row;
        if (row >= entries->rows)
            entries->rows = (size_t)row + 1;
    }
    return CUZK_OK;
}

static cuzk_status sort_entries(struct entries *entries, cuzk_error *err)
{
    uint32_t *start = calloc(entries->rows + 1, sizeof *start);
    uint32_t *order = malloc((size_t)entries->n * sizeof *order);
    if (start == NULL || order == NULL) {
        free(start);
        free(order);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to sort %" PRIu32 " coefficients",
                         cuzk_map_name(entries->head->file.map), entries->n);
    }
    for (uint32_t i = 0; i < entries->n; i++)
        start[cuzk_load_le32(entry_at(entries, i) + 4) + 1]++;
    for (size_t row = 0; row < entries->rows; row++)
        start[row + 1] += start[row];
    for (uint32_t i = 0; i < entries->n; i++)
        order[start[cuzk_load_le32(entry_at(entries, i) + 4)]++] = i;
    free(start);
    entries->order = order;
    return CUZK_OK;
}

/* Circuits use few values, so the last ones are kept: file form, and id in the dictionary. */
#define MEMO_BITS 8
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
static cuzk_status intern(const struct entries *entries, cuzk_coef_table *table, struct memo *memo,
                          const cuzk_scalar *stored, const uint8_t *entry, uint32_t *id,
                          cuzk_error *err)
{
    const cuzk_curve *curve = entries->head->info.curve;
    size_t slot = memo_slot(stored);
    if (memcmp(&memo->stored[slot], stored, sizeof *stored) == 0) {
        *id = memo->id[slot];
        return CUZK_OK;
    }
    if (!curve->scalar_is_canonical(stored))
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4, entry %zu: the value is not below the prime",
                         cuzk_map_name(entries->head->file.map),
                         (size_t)(entry - entries->data) / CUZK_ZKEY_COEF_BYTES);
    cuzk_fr twice, value;
    cuzk_scalar once;
    memcpy(&twice, stored, sizeof twice);
    curve->fr_to_scalar(&once, &twice);
    memcpy(&value, &once, sizeof value);
    CUZK_TRY(cuzk_coef_intern(table, &value, id, err));
    memo->stored[slot] = *stored;
    memo->id[slot] = *id;
    return CUZK_OK;
}

/* Feeds all entries to the builders of A and B. */
static cuzk_status feed(const struct entries *entries, cuzk_coef_table *table,
                        cuzk_matrix_builder *const builders[2], cuzk_error *err)
{
    struct memo memo = {0};
    size_t ended[2] = {0, 0};
    for (uint32_t i = 0; i < entries->n; i++) {
        const uint8_t *entry = entry_at(entries, i);
        uint32_t matrix = cuzk_load_le32(entry), row = cuzk_load_le32(entry + 4);
        cuzk_scalar stored;
        uint32_t id = 0;
        for (; ended[matrix] < row; ended[matrix]++)
            CUZK_TRY(cuzk_matrix_builder_end_row(builders[matrix], err));
        memcpy(&stored, entry + 12, sizeof stored);
        if (is_zero(&stored))
            continue;
        CUZK_TRY(intern(entries, table, &memo, &stored, entry, &id, err));
        CUZK_TRY(cuzk_matrix_builder_add_id(builders[matrix], cuzk_load_le32(entry + 8), id, err));
    }
    for (unsigned m = 0; m < 2; m++)
        for (; ended[m] < entries->rows; ended[m]++)
            CUZK_TRY(cuzk_matrix_builder_end_row(builders[m], err));
    return CUZK_OK;
}

static cuzk_status build(const struct entries *entries, cuzk_coefs *coefs, cuzk_matrix *a,
                         cuzk_matrix *b, cuzk_error *err)
{
    cuzk_coef_table *table = NULL;
    cuzk_matrix_builder *builders[2] = {NULL, NULL};

    cuzk_status status = cuzk_coef_table_new(&table, entries->head->info.curve, err);
    for (unsigned m = 0; m < 2 && status == CUZK_OK; m++)
        status =
            cuzk_matrix_builder_new(&builders[m], table, entries->rows, entries->counts[m], err);
    if (status == CUZK_OK)
        status = feed(entries, table, builders, err);
    if (status == CUZK_OK) {
        cuzk_matrix_builder_take(builders[0], a);
        cuzk_matrix_builder_take(builders[1], b);
        cuzk_coef_table_take(table, coefs);
    }
    cuzk_matrix_builder_free(builders[0]);
    cuzk_matrix_builder_free(builders[1]);
    cuzk_coef_table_free(table);
    return status;
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

cuzk_status cuzk_zkey_coefs_read(const cuzk_zkey_head *head, cuzk_coefs *coefs, cuzk_matrix *a,
                                 cuzk_matrix *b, cuzk_error *err)
{
    struct entries entries = {.head = head, .data = head->coefs + 4, .n = head->info.coefficients};
    CUZK_TRY(check_entries(&entries, err));
    if (!entries.sorted)
        CUZK_TRY(sort_entries(&entries, err));
    cuzk_coefs found = {0};
    cuzk_matrix found_a = {0}, found_b = {0};
    cuzk_status status = build(&entries, &found, &found_a, &found_b, err);
    free(entries.order);
    if (status == CUZK_OK)
        status = check_public_rows(head, &found_a, &found_b, err);
    if (status != CUZK_OK) {
        cuzk_matrix_release(&found_a);
        cuzk_matrix_release(&found_b);
        free(found.value);
        return status;
    }
    *coefs = found;
    *a = found_a;
    *b = found_b;
    return CUZK_OK;
}
