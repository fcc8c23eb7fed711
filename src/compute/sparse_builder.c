/* Matrices from entries in any order: a row is collected, sorted, merged, and appended. */
#include "compute/sparse_coefs.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PENDING 16u
#define MAX_RESERVED                                                                               \
    ((size_t)1 << 22) /* what an expectation may reserve: it may come from a file's head */

typedef struct entry {
    uint32_t col;
    cuzk_fr value;
} entry;

struct cuzk_matrix_builder {
    cuzk_coef_table *table;
    const cuzk_curve *curve;
    size_t rows, row_capacity;
    uint64_t *row_start; /* row_capacity + 1 */
    size_t entries, entry_capacity;
    uint32_t *col, *coef;
    entry *pending; /* the row under construction */
    size_t pending_count, pending_capacity;
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
    free(builder->pending);
    free(builder);
}

cuzk_status cuzk_matrix_builder_add(cuzk_matrix_builder *builder, uint32_t col,
                                    const cuzk_fr *value, cuzk_error *err)
{
    cuzk_matrix_builder *b = builder;
    if (b->pending_count == b->pending_capacity) {
        const size_t capacity = b->pending_capacity == 0 ? FIRST_PENDING : 2 * b->pending_capacity;
        if (!resize(&b->pending, capacity, sizeof *b->pending))
            return fail_memory(b, err);
        b->pending_capacity = capacity;
    }
    b->pending[b->pending_count++] = (entry){.col = col, .value = *value};
    return CUZK_OK;
}

static int compare_columns(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

static void sort_row(cuzk_matrix_builder *b)
{
    for (size_t i = 1; i < b->pending_count; i++)
        if (b->pending[i - 1].col > b->pending[i].col) { /* most files have sorted rows */
            qsort(b->pending, b->pending_count, sizeof *b->pending, compare_columns);
            return;
        }
}

static bool is_zero(const cuzk_fr *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0;
}

/* Sums equal columns of the sorted row and drops zeros. */
static void merge_row(cuzk_matrix_builder *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->pending_count;) {
        entry sum = b->pending[i++];
        for (; i < b->pending_count && b->pending[i].col == sum.col; i++)
            b->curve->fr_add(&sum.value, &sum.value, &b->pending[i].value);
        if (!is_zero(&sum.value))
            b->pending[kept++] = sum;
    }
    b->pending_count = kept;
}

cuzk_status cuzk_matrix_builder_end_row(cuzk_matrix_builder *builder, cuzk_error *err)
{
    cuzk_matrix_builder *b = builder;
    sort_row(b);
    merge_row(b);
    if (b->rows == b->row_capacity)
        CUZK_TRY(reserve_rows(b, 2 * b->row_capacity, err));
    if (b->pending_count > b->entry_capacity - b->entries) {
        const size_t needed = b->entries + b->pending_count, twice = 2 * b->entry_capacity;
        CUZK_TRY(reserve_entries(b, needed > twice ? needed : twice, err));
    }
    for (size_t i = 0; i < b->pending_count; i++) {
        b->col[b->entries + i] = b->pending[i].col;
        CUZK_TRY(cuzk_coef_intern(b->table, &b->pending[i].value, &b->coef[b->entries + i], err));
    }
    b->entries += b->pending_count;
    b->pending_count = 0;
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
    b->rows = b->row_capacity = b->entries = b->entry_capacity = b->pending_count = 0;
}
