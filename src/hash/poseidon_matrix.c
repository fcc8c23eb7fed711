#include "hash/poseidon_matrix.h"

#include "base/status.h"
#include "field/bls12_381_fr.h"

#include <string.h>

/* The sum of a[i * step_a] * b[i * step_b]. */
static void inner(cuzk_fr *out, const cuzk_fr *a, unsigned step_a, const cuzk_fr *b,
                  unsigned step_b, unsigned n)
{
    cuzk_fr sum, product;
    bls12_381_fr_set_zero(&sum);
    for (unsigned i = 0; i < n; i++) {
        bls12_381_fr_mul(&product, &a[i * step_a], &b[i * step_b]);
        bls12_381_fr_add(&sum, &sum, &product);
    }
    *out = sum;
}

void cuzk_matrix_times(cuzk_fr *out, const cuzk_fr *m, const cuzk_fr *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        inner(&out[i], m + i * n, 1, v, 1, n);
}

void cuzk_matrix_row_times(cuzk_fr *out, const cuzk_fr *v, const cuzk_fr *m, unsigned n)
{
    for (unsigned j = 0; j < n; j++)
        inner(&out[j], v, 1, m + j, n, n);
}

static void swap_rows(cuzk_fr *m, unsigned n, unsigned i, unsigned j)
{
    cuzk_fr row[CUZK_POSEIDON_MAX_WIDTH];
    if (i == j)
        return;
    memcpy(row, m + i * n, n * sizeof *row);
    memcpy(m + i * n, m + j * n, n * sizeof *row);
    memcpy(m + j * n, row, n * sizeof *row);
}

/* row *= factor. */
static void scale(cuzk_fr *row, const cuzk_fr *factor, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        bls12_381_fr_mul(&row[i], &row[i], factor);
}

/* row -= factor * other. */
static void subtract(cuzk_fr *row, const cuzk_fr *factor, const cuzk_fr *other, unsigned n)
{
    cuzk_fr product;
    for (unsigned i = 0; i < n; i++) {
        bls12_381_fr_mul(&product, factor, &other[i]);
        bls12_381_fr_sub(&row[i], &row[i], &product);
    }
}

/* Gauss and Jordan: what turns m into the identity turns the identity into its inverse. */
void cuzk_matrix_invert(cuzk_fr *m, unsigned n)
{
    cuzk_fr result[CUZK_MATRIX_MAX], factor;
    memset(result, 0, n * n * sizeof *result);
    for (unsigned i = 0; i < n; i++)
        bls12_381_fr_set_one(&result[i * n + i]);
    for (unsigned c = 0; c < n; c++) {
        unsigned pivot = c;
        while (pivot < n && bls12_381_fr_is_zero(&m[pivot * n + c]))
            pivot++;
        CUZK_ASSERT(pivot < n);
        swap_rows(m, n, c, pivot);
        swap_rows(result, n, c, pivot);
        bls12_381_fr_inv_var(&factor, &m[c * n + c]);
        scale(m + c * n, &factor, n);
        scale(result + c * n, &factor, n);
        for (unsigned i = 0; i < n; i++) {
            if (i == c)
                continue;
            factor = m[i * n + c];
            subtract(m + i * n, &factor, m + c * n, n);
            subtract(result + i * n, &factor, result + c * n, n);
        }
    }
    memcpy(m, result, n * n * sizeof *m);
}
