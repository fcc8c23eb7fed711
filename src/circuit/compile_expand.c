/* A compiled circuit's rows as a stream of bytes for the circuit hash, and as matrices. */
#include "base/digest.h"
#include "circuit/compile_rows.h"
#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER     ((size_t)1 << 16)
#define TERM_BYTES 41 /* space, index, coefficient */

typedef struct hasher {
    cuzk_digest *digest;
    cuzk_entry *entry;
    uint8_t (*coef)[32]; /* big-endian */
    size_t used;
    uint8_t buffer[BUFFER];
} hasher;

static void put_u64(uint8_t *to, uint64_t value)
{
    const uint64_t swapped = __builtin_bswap64(value); /* the machine is little-endian */
    memcpy(to, &swapped, 8);
}

static cuzk_status make_room(hasher *h, size_t n, cuzk_error *err)
{
    if (BUFFER - h->used >= n)
        return CUZK_OK;
    const size_t used = h->used;
    h->used = 0;
    return cuzk_digest_update(h->digest, h->buffer, used, err);
}

static cuzk_status hash_side(hasher *h, size_t n, cuzk_error *err)
{
    CUZK_TRY(make_room(h, 8, err));
    put_u64(h->buffer + h->used, n);
    h->used += 8;
    for (size_t i = 0; i < n; i++) {
        const cuzk_entry e = h->entry[i];
        CUZK_TRY(make_room(h, TERM_BYTES, err));
        uint8_t *to = h->buffer + h->used;
        to[0] = e.slot < CUZK_ROOT_BASE ? 'I' : 'A';
        put_u64(to + 1, e.slot < CUZK_ROOT_BASE ? e.slot : e.slot - CUZK_ROOT_BASE);
        memcpy(to + 9, h->coef[e.coef], 32);
        h->used += TERM_BYTES;
    }
    return CUZK_OK;
}

static cuzk_status hash_rows(const cuzk_compiled *c, hasher *h, cuzk_error *err)
{
    for (size_t row = 0; row < c->counts->rows;) {
        const cuzk_stretch s = cuzk_compiled_stretch(c, row);
        for (size_t i = 0; i < s.n; i++) {
            for (int side = 0; side < 3; side++)
                CUZK_TRY(hash_side(h, cuzk_stretch_terms(c, &s, i, side, h->entry), err));
        }
        row += s.n;
    }
    return CUZK_OK;
}

static cuzk_status hash_all(const cuzk_compiled *c, hasher *h, uint8_t hash[32], cuzk_error *err)
{
    for (size_t i = 0; i < c->coefs; i++)
        bls12_381_fr_to_be(h->coef[i], &c->coef[i]);
    put_u64(h->buffer, c->counts->inputs);
    put_u64(h->buffer + 8, c->counts->aux);
    put_u64(h->buffer + 16, c->counts->rows);
    h->used = 24;
    CUZK_TRY(hash_rows(c, h, err));
    CUZK_TRY(cuzk_digest_update(h->digest, h->buffer, h->used, err));
    return cuzk_digest_finish(h->digest, hash, err);
}

cuzk_status cuzk_compiled_hash(const cuzk_compiled *compiled, uint8_t hash[32], cuzk_error *err)
{
    hasher *h = calloc(1, sizeof *h);
    if (h == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit hash");
    h->entry = malloc((cuzk_compiled_longest(compiled) + 1) * sizeof *h->entry);
    h->coef = malloc((compiled->coefs + 1) * sizeof *h->coef);
    cuzk_status status = CUZK_ERR_MEMORY;
    if (h->entry == NULL || h->coef == NULL)
        cuzk_fail(err, status, "no memory for a circuit hash");
    else
        status = cuzk_digest_new(&h->digest, CUZK_BLAKE2S, err);
    if (status == CUZK_OK)
        status = hash_all(compiled, h, hash, err);
    cuzk_digest_free(h->digest);
    free(h->coef);
    free(h->entry);
    free(h);
    return status;
}

typedef struct matrices {
    cuzk_coef_table *table;
    cuzk_matrix_builder *builder[3];
    uint32_t *id; /* of the circuit's coefficients */
    cuzk_entry *entry;
} matrices;

static cuzk_status matrices_new(matrices *m, const cuzk_compiled *c, cuzk_error *err)
{
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    cuzk_compiled_info info;
    cuzk_compiled_describe(c, &info);
    const uint64_t nnz[3] = {info.nnz_a, info.nnz_b, info.nnz_c};
    m->entry = malloc((cuzk_compiled_longest(c) + 1) * sizeof *m->entry);
    m->id = malloc((c->coefs + 1) * sizeof *m->id);
    if (m->entry == NULL || m->id == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the rows of a circuit");
    CUZK_TRY(cuzk_coef_table_new(&m->table, curve, err));
    for (uint32_t i = 0; i < c->coefs; i++) {
        CUZK_TRY(cuzk_coef_intern(m->table, &c->coef[i], &m->id[i], err));
    }
    for (int side = 0; side < 3; side++)
        CUZK_TRY(cuzk_matrix_builder_new(&m->builder[side], m->table, info.rows, nnz[side], err));
    return CUZK_OK;
}

static cuzk_status add_side(const cuzk_compiled *c, matrices *m, int side, size_t n,
                            cuzk_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const cuzk_entry e = m->entry[i];
        const uint32_t col =
            e.slot < CUZK_ROOT_BASE ? e.slot : e.slot - CUZK_ROOT_BASE + c->counts->inputs;
        CUZK_TRY(cuzk_matrix_builder_add_id(m->builder[side], col, m->id[e.coef], err));
    }
    return cuzk_matrix_builder_end_row(m->builder[side], err);
}

static cuzk_status add_rows(const cuzk_compiled *c, matrices *m, cuzk_error *err)
{
    for (size_t row = 0; row < c->counts->rows;) {
        const cuzk_stretch s = cuzk_compiled_stretch(c, row);
        for (size_t i = 0; i < s.n; i++) {
            for (int side = 0; side < 3; side++) {
                const size_t n = cuzk_stretch_terms(c, &s, i, side, m->entry);
                CUZK_TRY(add_side(c, m, side, n, err));
            }
        }
        row += s.n;
    }
    return CUZK_OK;
}

cuzk_status cuzk_compiled_expand(const cuzk_compiled *compiled, cuzk_r1cs *r1cs, cuzk_error *err)
{
    matrices m = {0};
    cuzk_status status = matrices_new(&m, compiled, err);
    *r1cs = (cuzk_r1cs){0};
    if (status == CUZK_OK)
        status = add_rows(compiled, &m, err);
    if (status == CUZK_OK) {
        *r1cs = (cuzk_r1cs){
            .curve = cuzk_curve_get(CUZK_BLS12_381),
            .rows = compiled->counts->rows,
            .vars = (size_t)compiled->counts->inputs + compiled->counts->aux,
            .n_public = compiled->counts->inputs - 1,
        };
        cuzk_matrix_builder_take(m.builder[0], &r1cs->a);
        cuzk_matrix_builder_take(m.builder[1], &r1cs->b);
        cuzk_matrix_builder_take(m.builder[2], &r1cs->c);
        cuzk_coef_table_take(m.table, &r1cs->coefs);
    }
    for (int side = 0; side < 3; side++)
        cuzk_matrix_builder_free(m.builder[side]);
    cuzk_coef_table_free(m.table);
    free(m.entry);
    free(m.id);
    return status;
}
