/* The circuit hash (Filecoin circuits, section 15.1), as a stream. */
#include "circuit/direct_state.h"

#include "field/bls12_381_fr.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER     ((size_t)1 << 16)
#define TERM_BYTES 41 /* space, index, coefficient */

static void put_u64(cuzk_direct_hasher *h, uint64_t value)
{
    for (int i = 7; i >= 0; i--)
        h->buffer[h->used++] = (uint8_t)(value >> (8 * i));
}

static cuzk_status flush(cuzk_direct_hasher *h, cuzk_error *err)
{
    const size_t n = h->used;
    h->used = 0;
    return cuzk_digest_update(h->digest, h->buffer, n, err);
}

static void make_room(cuzk_direct *d, size_t n)
{
    cuzk_error err;
    if (BUFFER - d->hasher.used < n && flush(&d->hasher, &err) != CUZK_OK)
        cuzk_cs_fail(&d->cs, err.status, "%s", err.message);
}

static void fill_usual(cuzk_usual_coef usual[CUZK_USUAL_COEFS])
{
    bls12_381_fr_set_one(&usual[0].value);
    bls12_381_fr_neg(&usual[1].value, &usual[0].value);
    bls12_381_fr_dbl(&usual[2].value, &usual[0].value);
    for (size_t i = 0; i < CUZK_USUAL_COEFS; i++)
        bls12_381_fr_to_be(usual[i].bytes, &usual[i].value);
}

cuzk_status cuzk_direct_hash_start(cuzk_direct *d, cuzk_error *err)
{
    d->hasher.buffer = malloc(BUFFER);
    if (d->hasher.buffer == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a circuit hash");
    CUZK_TRY(cuzk_digest_new(&d->hasher.digest, CUZK_BLAKE2S, err));
    fill_usual(d->hasher.usual);
    put_u64(&d->hasher, d->hash_of.inputs);
    put_u64(&d->hasher, d->hash_of.aux);
    put_u64(&d->hasher, d->hash_of.rows);
    return CUZK_OK;
}

static void put_coef(cuzk_direct_hasher *h, const cuzk_fr *coef)
{
    size_t i = 0;
    while (i < CUZK_USUAL_COEFS && !bls12_381_fr_equal(coef, &h->usual[i].value))
        i++;
    if (i < CUZK_USUAL_COEFS)
        memcpy(h->buffer + h->used, h->usual[i].bytes, 32);
    else
        bls12_381_fr_to_be(h->buffer + h->used, coef);
    h->used += 32;
}

void cuzk_direct_hash_lc(cuzk_direct *d, const cuzk_lc *lc)
{
    cuzk_direct_hasher *h = &d->hasher;
    make_room(d, 8);
    put_u64(h, lc->n);
    for (size_t i = 0; i < lc->n; i++) {
        make_room(d, TERM_BYTES);
        h->buffer[h->used++] = (lc->term[i].var & CUZK_VAR_INPUT) != 0 ? 'I' : 'A';
        put_u64(h, lc->term[i].var & ~CUZK_VAR_SPACE);
        put_coef(h, &lc->term[i].coef);
    }
}

void cuzk_direct_hash_release(cuzk_direct *d)
{
    free(d->hasher.buffer);
    cuzk_digest_free(d->hasher.digest);
}

cuzk_status cuzk_direct_hash(cuzk_direct *direct, uint8_t hash[CUZK_CIRCUIT_HASH_BYTES],
                             cuzk_error *err)
{
    const cuzk_circuit_counts *is = &direct->counts, *said = &direct->hash_of;
    CUZK_TRY(cuzk_cs_status(&direct->cs, err));
    if (is->inputs != said->inputs || is->aux != said->aux || is->rows != said->rows)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "circuit hash: %zu inputs, %zu aux, %zu rows; the counts given were %zu, "
                         "%zu, %zu",
                         is->inputs, is->aux, is->rows, said->inputs, said->aux, said->rows);
    CUZK_TRY(flush(&direct->hasher, err));
    return cuzk_digest_finish(direct->hasher.digest, hash, err);
}

cuzk_status cuzk_circuit_hash(const cuzk_circuit *circuit, uint8_t hash[CUZK_CIRCUIT_HASH_BYTES],
                              cuzk_circuit_counts *counts, cuzk_error *err)
{
    cuzk_circuit_counts counted;
    cuzk_direct *d;
    CUZK_TRY(cuzk_circuit_count(circuit, &counted, err));
    CUZK_TRY(cuzk_direct_new(&d, &(cuzk_direct_options){.hash_of = &counted}, err));
    cuzk_status status = cuzk_direct_run(d, circuit, err);
    if (status == CUZK_OK)
        status = cuzk_direct_hash(d, hash, err);
    if (status == CUZK_OK && counts != NULL)
        *counts = counted;
    cuzk_direct_free(d);
    return status;
}
