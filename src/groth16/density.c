#include "groth16/density.h"

#include <stdlib.h>
#include <string.h>

void cuzk_density_release(cuzk_density *density)
{
    free(density->a);
    free(density->b);
    *density = (cuzk_density){0};
}

/* marks: one byte per variable. */
static void mark_entries(uint8_t *marks, size_t vars, const cuzk_matrix *matrix)
{
    memset(marks, 0, vars);
    uint64_t entries = matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
    for (uint64_t i = 0; i < entries; i++)
        marks[matrix->col[i]] = 1;
}

static uint32_t *list_marked(const uint8_t *marks, size_t vars, size_t *n)
{
    size_t count = 0;
    for (size_t i = 0; i < vars; i++)
        count += marks[i];
    uint32_t *list = malloc((count + 1) * sizeof *list);
    if (list == NULL)
        return NULL;
    *n = 0;
    for (size_t i = 0; i < vars; i++)
        if (marks[i])
            list[(*n)++] = (uint32_t)i;
    return list;
}

cuzk_status cuzk_density_make(cuzk_density *density, const cuzk_r1cs *cs, cuzk_error *err)
{
    cuzk_density made = {0};
    uint8_t *marks = malloc(cs->vars);
    if (marks != NULL) {
        mark_entries(marks, cs->vars, &cs->a);
        memset(marks, 1, cs->n_public + 1);
        made.a = list_marked(marks, cs->vars, &made.n_a);
        mark_entries(marks, cs->vars, &cs->b);
        made.b = list_marked(marks, cs->vars, &made.n_b);
    }
    free(marks);
    if (made.a == NULL || made.b == NULL) {
        cuzk_density_release(&made);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the densities of %zu variables",
                         cs->vars);
    }
    *density = made;
    return CUZK_OK;
}

static size_t count_bits(const uint64_t *set, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < (n + 63) / 64; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    return count;
}

static void append_bits(uint32_t *list, size_t *n, const uint64_t *set, size_t bits, size_t first)
{
    for (size_t i = 0; i < (bits + 63) / 64; i++) {
        for (uint64_t left = set[i]; left != 0; left &= left - 1)
            list[(*n)++] = (uint32_t)(first + 64 * i + (size_t)__builtin_ctzll(left));
    }
}

cuzk_status cuzk_density_from_sets(cuzk_density *density, const cuzk_density_sets *sets,
                                   cuzk_error *err)
{
    cuzk_density made = {0};
    const size_t n_a = sets->inputs + count_bits(sets->a_aux, sets->aux);
    const size_t n_b = count_bits(sets->b_input, sets->inputs) + count_bits(sets->b_aux, sets->aux);
    made.a = malloc((n_a + 1) * sizeof *made.a);
    made.b = malloc((n_b + 1) * sizeof *made.b);
    if (made.a == NULL || made.b == NULL) {
        cuzk_density_release(&made);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the densities of %zu variables",
                         sets->inputs + sets->aux);
    }
    while (made.n_a < sets->inputs) {
        made.a[made.n_a] = (uint32_t)made.n_a;
        made.n_a++;
    }
    append_bits(made.a, &made.n_a, sets->a_aux, sets->aux, sets->inputs);
    append_bits(made.b, &made.n_b, sets->b_input, sets->inputs, 0);
    append_bits(made.b, &made.n_b, sets->b_aux, sets->aux, sets->inputs);
    *density = made;
    return CUZK_OK;
}
