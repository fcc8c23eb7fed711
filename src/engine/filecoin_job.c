#include "engine/filecoin_job.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1
#define HEAD    (2 + 4 * 8 + 4) /* bytes before the first text */
#define TEXTS   4               /* before the vanilla proofs */

/* --- together --- */

static void texts_of(const cuzk_fil_blob *text[TEXTS], const cuzk_fil_fields *f)
{
    text[0] = &f->randomness;
    text[1] = &f->comm_r_old;
    text[2] = &f->comm_r_new;
    text[3] = &f->comm_d_new;
}

static uint8_t *put_text(uint8_t *at, const cuzk_fil_blob *text)
{
    cuzk_store_le32(at, (uint32_t)text->size);
    if (text->size > 0)
        memcpy(at + 4, text->data, text->size);
    return at + 4 + text->size;
}

static uint8_t *put_head(uint8_t *at, const cuzk_fil_fields *f)
{
    const uint64_t numbers[] = {f->registered_proof, f->miner_id, f->sector_number,
                                f->partition_index};
    *at++ = VERSION;
    *at++ = (uint8_t)f->kind;
    for (size_t i = 0; i < 4; i++, at += 8)
        cuzk_store_le64(at, numbers[i]);
    cuzk_store_le32(at, (uint32_t)f->n_vanilla);
    return at + 4;
}

cuzk_status cuzk_filecoin_job_make(void **payload, size_t *size, const cuzk_fil_fields *fields,
                                   cuzk_error *err)
{
    const cuzk_fil_blob *text[TEXTS];
    size_t total = HEAD;
    bool fits = fields->n_vanilla <= UINT32_MAX;
    texts_of(text, fields);
    for (size_t i = 0; i < TEXTS + fields->n_vanilla; i++) {
        const size_t bytes = i < TEXTS ? text[i]->size : fields->vanilla[i - TEXTS].size;
        fits &= bytes <= UINT32_MAX;
        total += 4 + bytes;
    }
    if (!fits)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "a field of the request is over 4 GiB");
    uint8_t *made = malloc(total), *at = made;
    if (made == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a request of %zu bytes", total);
    at = put_head(at, fields);
    for (size_t i = 0; i < TEXTS + fields->n_vanilla; i++)
        at = put_text(at, i < TEXTS ? text[i] : &fields->vanilla[i - TEXTS]);
    *payload = made;
    *size = total;
    return CUZK_OK;
}

/* --- apart --- */

typedef struct reader {
    const uint8_t *at;
    size_t left;
} reader;

static cuzk_status malformed(size_t left, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "a stored request is malformed, %zu bytes before its end: submit it again",
                     left);
}

static cuzk_status take_text(cuzk_fil_blob *text, reader *r, cuzk_error *err)
{
    if (r->left < 4 || r->left - 4 < cuzk_load_le32(r->at))
        return malformed(r->left, err);
    text->size = cuzk_load_le32(r->at);
    text->data = r->at + 4;
    r->at += 4 + text->size;
    r->left -= 4 + text->size;
    return CUZK_OK;
}

/* Of another version, or of none. */
static cuzk_status take_head(cuzk_fil_fields *f, reader *r, cuzk_error *err)
{
    uint64_t number[4];
    if (r->left < HEAD || r->at[0] != VERSION)
        return malformed(r->left, err);
    f->kind = (cuzk_fil_kind)r->at[1];
    for (size_t i = 0; i < 4; i++)
        number[i] = cuzk_load_le64(r->at + 2 + 8 * i);
    f->registered_proof = number[0] > UINT32_MAX ? UINT32_MAX : (unsigned)number[0];
    f->miner_id = number[1];
    f->sector_number = number[2];
    f->partition_index = number[3];
    f->n_vanilla = cuzk_load_le32(r->at + HEAD - 4);
    r->at += HEAD;
    r->left -= HEAD;
    if (f->n_vanilla > r->left / 4)
        return malformed(r->left, err);
    return CUZK_OK;
}

static cuzk_status take_texts(cuzk_fil_fields *f, cuzk_fil_blob *vanilla, reader *r,
                              cuzk_error *err)
{
    CUZK_TRY(take_text(&f->randomness, r, err));
    CUZK_TRY(take_text(&f->comm_r_old, r, err));
    CUZK_TRY(take_text(&f->comm_r_new, r, err));
    CUZK_TRY(take_text(&f->comm_d_new, r, err));
    for (size_t i = 0; i < f->n_vanilla; i++)
        CUZK_TRY(take_text(&vanilla[i], r, err));
    return r->left == 0 ? CUZK_OK : malformed(r->left, err);
}

cuzk_status cuzk_filecoin_job_parse(cuzk_fil_request **request, const void *payload, size_t size,
                                    cuzk_pool *pool, cuzk_error *err)
{
    reader r = {payload, size};
    cuzk_fil_fields fields = {0};
    cuzk_fil_request *read = NULL;
    CUZK_TRY(take_head(&fields, &r, err));
    cuzk_fil_blob *vanilla = calloc(fields.n_vanilla + 1, sizeof *vanilla);
    if (vanilla == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu vanilla proofs",
                         fields.n_vanilla);
    fields.vanilla = vanilla;
    cuzk_status status = take_texts(&fields, vanilla, &r, err);
    if (status == CUZK_OK)
        status = cuzk_fil_request_read(&read, &fields, err);
    free(vanilla);
    if (status == CUZK_OK)
        status = cuzk_fil_request_check(read, pool, err);
    if (status == CUZK_OK)
        *request = read;
    else
        cuzk_fil_request_free(read);
    return status;
}

/* --- witnesses --- */

static size_t inputs_bytes(const cuzk_fil_sizes *sizes)
{
    return (sizes->field + sizes->statement) * sizeof(cuzk_scalar) + sizes->word * sizeof(uint64_t);
}

size_t cuzk_filecoin_job_witness_bytes(const cuzk_fil_proof *proof, const cuzk_compiled *compiled)
{
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(proof);
    return cuzk_circuit_witness_bytes(compiled) + inputs_bytes(&sizes);
}

cuzk_status cuzk_filecoin_job_witness(cuzk_circuit_witness **witness,
                                      const cuzk_fil_request *request, size_t k,
                                      const cuzk_compiled *compiled, const char *name,
                                      cuzk_error *err)
{
    const cuzk_fil_sizes sizes = cuzk_fil_sizes_get(cuzk_fil_request_proof(request));
    const size_t bytes = inputs_bytes(&sizes);
    cuzk_scalar *field = cuzk_memory_new(bytes, 1);
    if (field == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the %zu bytes of its inputs",
                         name, bytes);
    const cuzk_fil_inputs inputs = {.field = field,
                                    .statement = field + sizes.field,
                                    .word = (uint64_t *)(field + sizes.field + sizes.statement)};
    cuzk_fil_request_inputs(request, k, &inputs);
    const cuzk_circuit_inputs brought = {
        .field = inputs.field, .n_field = sizes.field, .word = inputs.word, .n_word = sizes.word};
    const cuzk_status status =
        cuzk_circuit_witness_make(witness, compiled, &brought, inputs.statement, name, err);
    cuzk_wipe(field, bytes);
    free(field);
    return status;
}
