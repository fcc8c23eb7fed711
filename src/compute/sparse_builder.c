/* Matrices from entries in any order: a row is collected where it will stay; if its columns do not
 * rise, it is sorted and merged. */
#include "compute/sparse_coefs.h"

#include <stdlib.h>
#include <string.h>

#define MAX_RESERVED                                                                               \
    ((size_t)1 << 22) /* what an expectation may reserve: it may come from a file's head */

typedef struct entry {
    uint32_t col, coef;
} entry;

struct cuzk_matrix_builder {
    cuzk_coef_table *table;
    const cuzk_curve *curve;
    size_t rows, row_capacity;
    uint64_t *row_start;            /* row_capacity + 1 */
    size_t entries, entry_capacity; /* of the finished rows; of the arrays */
    uint32_t *col, *coef;
    size_t pending; /* entries of the row under construction: they follow those of the others */
    bool rising;    /* its columns do, so far */
};

static cuzk_status fail_memory(const cuzk_matrix_builder *b, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY,
                     "no memory for a matrix of %zu rows and %zu entries so far", b->rows,
                     b->entries);
}

static bool resize(void *array, size_t count, size_t size)
{
    void *old, *fresh;
    memcpy(&old, array, sizeof old);
    if (count > SIZE_MAX / size || (fresh = realloc(old, count * size)) == NULL)
        return false;
    memcpy(array, &fresh, sizeof fresh);
    return true;
}

static cuzk_status reserve_rows(cuzk_matrix_builder *b, size_t rows, cuzk_error *err)
{
    if (!resize(&b->row_start, rows + 1, sizeof *b->row_start))
        return fail_memory(b, err);
    b->row_capacity = rows;
    return CUZK_OK;
}

static cuzk_status reserve_entries(cuzk_matrix_builder *b, size_t entries, cuzk_error *err)
{
    if (!resize(&b->col, entries, sizeof *b->col) || !resize(&b->coef, entries, sizeof *b->coef))
        return fail_memory(b, err);
    b->entry_capacity = entries;
    return CUZK_OK;
}

static size_t bounded(size_t expected)
{
    return expected == 0 ? 1 : expected < MAX_RESERVED ? expected : MAX_RESERVED;
}

cuzk_status cuzk_matrix_builder_new(cuzk_matrix_builder **builder, cuzk_coef_table *table,
                                    size_t expected_rows, size_t expected_entries, cuzk_error *err)
{
    cuzk_matrix_builder *b = calloc(1, sizeof *b);
    if (b == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a matrix");
    b->table = table;
    b->curve = cuzk_coef_table_curve(table);
    cuzk_status status = reserve_rows(b, bounded(expected_rows), err);
    if (status == CUZK_OK)
        status = reserve_entries(b, bounded(expected_entries), err);
    if (status != CUZK_OK) {
        cuzk_matrix_builder_free(b);
        return status;
    }
    b->row_start[0] = 0;
    b->rising = true;
    *builder = b;
    return CUZK_OK;
}

void cuzk_matrix_builder_free(cuzk_matrix_builder *builder)
{
    if (builder == NULL)
        return;
    free(builder->row_start);
    free(builder->col);
    free(builder->coef);
    free(builder);
}

cuzk_status cuzk_matrix_builder_add_id(cuzk_matrix_builder *builder, uint32_t col, uint32_t coef,
                                       cuzk_error *err)
{
    cuzk_matrix_builder *b = builder;
    const size_t at = b->entries + b->pending;
    if (at == b->entry_capacity)
        CUZK_TRY(reserve_entries(b, 2 * at, err));
    b->rising = b->rising && (b->pending == 0 || b->col[at - 1] < col);
    b->col[at] = col;
    b->coef[at] = coef;
    b->pending++;
    return CUZK_OK;
}

static bool is_zero(const cuzk_fr *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

cuzk_status cuzk_matrix_builder_add(cuzk_matrix_builder *builder, uint32_t col,
                                    const cuzk_fr *value, cuzk_error *err)
{
    uint32_t coef;
    if (is_zero(value))
        return CUZK_OK;
    CUZK_TRY(cuzk_coef_intern(builder->table, value, &coef, err));
    return cuzk_matrix_builder_add_id(builder, col, coef, err);
}

static int compare_columns(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

/* Puts the sum of a column's n sorted entries at place at, and moves at on unless it is zero. */
static cuzk_status append_sum(cuzk_matrix_builder *b, size_t *at, const entry *row, size_t n,
                              cuzk_error *err)
{
    uint32_t coef = row->coef;
    if (n > 1) {
        cuzk_fr sum = *cuzk_coef_value(b->table, coef);
        for (size_t i = 1; i < n; i++)
            b->curve->fr_add(&sum, &sum, cuzk_coef_value(b->table, row[i].coef));
        if (is_zero(&sum))
            return CUZK_OK;
        CUZK_TRY(cuzk_coef_intern(b->table, &sum, &coef, err));
    }
    b->col[*at] = row->col;
    b->coef[(*at)++] = coef;
    return CUZK_OK;
}

/* Sorts the row, sums equal columns and drops zeros. */
static cuzk_status sort_row(cuzk_matrix_builder *b, cuzk_error *err)
{
    const size_t n = b->pending;
    entry *row = malloc(n * sizeof *row);
    if (row == NULL)
        return fail_memory(b, err);
    for (size_t i = 0; i < n; i++)
        row[i] = (entry){b->col[b->entries + i], b->coef[b->entries + i]};
    qsort(row, n, sizeof *row, compare_columns);
    size_t at = b->entries;
    cuzk_status status = CUZK_OK;
    for (size_t i = 0, next; i < n && status == CUZK_OK; i = next) {
        next = i + 1;
        while (next < n && row[next].col == row[i].col)
            next++;
        status = append_sum(b, &at, &row[i], next - i, err);
    }
    free(row);
    b->pending = at - b->entries;
    return status;
}

cuzk_status cuzk_matrix_builder_end_row(cuzk_matrix_builder *builder, cuzk_error *err)
{
    cuzk_matrix_builder *b = builder;
    if (!b->rising) /* most files have sorted rows */
        CUZK_TRY(sort_row(b, err));
    if (b->rows == b->row_capacity)
        CUZK_TRY(reserve_rows(b, 2 * b->row_capacity, err));
    b->entries += b->pending;
    b->pending = 0;
    b->rising = true;
    b->row_start[++b->rows] = b->entries;
    return CUZK_OK;
}

/* Gives back what was reserved in vain; a refusal changes nothing. */
static void shrink(cuzk_matrix_builder *b)
{
    (void)resize(&b->row_start, b->rows + 1, sizeof *b->row_start);
    if (b->entries > 0) {
        (void)resize(&b->col, b->entries, sizeof *b->col);
        (void)resize(&b->coef, b->entries, sizeof *b->coef);
    }
}

void cuzk_matrix_builder_take(cuzk_matrix_builder *builder, cuzk_matrix *out)
{
    cuzk_matrix_builder *b = builder;
    shrink(b);
    *out =
        (cuzk_matrix){.rows = b->rows, .row_start = b->row_start, .col = b->col, .coef = b->coef};
    b->row_start = NULL;
    b->col = b->coef = NULL;
    b->rows = b->row_capacity = b->entries = b->entry_capacity = b->pending = 0;
}
