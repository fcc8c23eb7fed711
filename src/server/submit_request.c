#include "server/submit_request.h"

#include "engine/filecoin_job.h"
#include "server/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where a message's fields are; NULL: not there. Of a repeated scalar the last counts. */
typedef struct fields {
    cuzk_wire_field request_id, circuit_key, witness, vanilla_proof;
    uint64_t kind, priority, deadline_ms;
    cuzk_fil_fields filecoin;
    size_t vanilla_proofs; /* how many, none of them empty */
} fields;

cuzk_status cuzk_name_read(char *out, size_t room, const uint8_t *text, size_t size,
                           const char *field, cuzk_error *err)
{
    if (size >= room)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: it has %zu bytes; at most %zu are allowed",
                         field, size, room - 1);
    if (!cuzk_utf8_is_valid(text, size))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: it is not UTF-8", field);
    for (size_t i = 0; i < size; i++) {
        if (text[i] < 0x20 || text[i] == 0x7f)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: byte %zu is a control character (%u)",
                             field, i, text[i]);
    }
    if (size > 0)
        memcpy(out, text, size);
    out[size] = '\0';
    return CUZK_OK;
}

static cuzk_fil_blob blob_of(const cuzk_wire_field *field)
{
    return (cuzk_fil_blob){field->data, field->size};
}

static cuzk_status take_bytes(fields *f, const cuzk_wire_field *field, cuzk_error *err)
{
    switch (field->number) {
    case 1:
        f->request_id = *field;
        break;
    case 10:
        f->vanilla_proof = *field;
        break;
    case 11:
        if (field->size == 0)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT, "vanilla_proofs: number %zu is empty",
                             f->vanilla_proofs);
        f->vanilla_proofs++;
        break;
    case 22:
        f->filecoin.randomness = blob_of(field);
        break;
    case 30:
        f->filecoin.comm_r_old = blob_of(field);
        break;
    case 31:
        f->filecoin.comm_r_new = blob_of(field);
        break;
    case 32:
        f->filecoin.comm_d_new = blob_of(field);
        break;
    case 40:
        f->circuit_key = *field;
        break;
    case 41:
        f->witness = *field;
        break;
    }
    return CUZK_OK;
}

static void take_number(fields *f, const cuzk_wire_field *field)
{
    cuzk_fil_fields *filecoin = &f->filecoin;
    switch (field->number) {
    case 2:
        f->kind = field->value;
        break;
    case 4: /* what does not fit is no registered proof, and is refused later */
        filecoin->registered_proof =
            field->value > UINT32_MAX ? UINT32_MAX : (unsigned)field->value;
        break;
    case 5:
        f->priority = field->value;
        break;
    case 20:
        filecoin->sector_number = field->value;
        break;
    case 21:
        filecoin->miner_id = field->value;
        break;
    case 23:
        filecoin->partition_index = (uint32_t)field->value;
        break;
    case 42:
        f->deadline_ms = field->value;
        break;
    }
}

static bool is_number_field(uint32_t number)
{
    return (number >= 2 && number <= 5) || number == 20 || number == 21 || number == 23 ||
           number == 42;
}

static bool is_bytes_field(uint32_t number)
{
    return number == 1 || number == 10 || number == 11 || number == 22 ||
           (number >= 30 && number <= 32) || number == 40 || number == 41;
}

static cuzk_status scan(fields *f, const void *message, size_t size, cuzk_error *err)
{
    cuzk_wire wire;
    cuzk_wire_field field;
    cuzk_wire_init(&wire, message, size);
    while (cuzk_wire_next(&wire, &field)) {
        bool number = is_number_field(field.number), bytes = is_bytes_field(field.number);
        if ((number && field.type != CUZK_WIRE_VARINT) || (bytes && field.type != CUZK_WIRE_BYTES))
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "SubmitProofRequest: field %" PRIu32 " has wire type %d", field.number,
                             (int)field.type);
        if (number)
            take_number(f, &field);
        else if (bytes)
            CUZK_TRY(take_bytes(f, &field, err));
    }
    if (wire.bad)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "SubmitProofRequest: malformed or truncated near byte %zu of %zu",
                         (size_t)(wire.at - (const uint8_t *)message), size);
    return CUZK_OK;
}

static cuzk_class class_of(uint64_t priority, cuzk_kind kind)
{
    switch (priority) {
    case 0:
        return kind == CUZK_KIND_WINNING_POST  ? CUZK_CLASS_CRITICAL
               : kind == CUZK_KIND_WINDOW_POST ? CUZK_CLASS_HIGH
                                               : CUZK_CLASS_NORMAL;
    case 1:
        return CUZK_CLASS_LOW;
    case 3:
        return CUZK_CLASS_HIGH;
    case 4:
        return CUZK_CLASS_CRITICAL;
    default: /* what newer clients may know */
        return CUZK_CLASS_NORMAL;
    }
}

static cuzk_status check_32(const cuzk_fil_blob *field, bool needed, const char *name,
                            cuzk_error *err)
{
    if (field->size == 32 || (field->size == 0 && !needed))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: it has %zu bytes; expected 32", name,
                     field->size);
}

static cuzk_status check_sizes(const cuzk_fil_fields *f, cuzk_error *err)
{
    bool post = f->kind == CUZK_FIL_WINDOW || f->kind == CUZK_FIL_WINNING;
    bool snap = f->kind == CUZK_FIL_SNAP;
    CUZK_TRY(check_32(&f->randomness, post, "randomness", err));
    CUZK_TRY(check_32(&f->comm_r_old, snap, "comm_r_old", err));
    CUZK_TRY(check_32(&f->comm_r_new, snap, "comm_r_new", err));
    return check_32(&f->comm_d_new, snap, "comm_d_new", err);
}

cuzk_status cuzk_fil_fields_check(const cuzk_fil_fields *f, cuzk_error *err)
{
    CUZK_TRY(check_sizes(f, err));
    if (f->n_vanilla == 0 && f->kind == CUZK_FIL_POREP)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "vanilla_proof: it is missing");
    if (f->n_vanilla == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "vanilla_proofs: they are missing");
    return CUZK_OK;
}

static cuzk_status check_circuit(const fields *f, cuzk_error *err)
{
    CUZK_TRY(check_sizes(&f->filecoin, err));
    if (f->circuit_key.size == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "circuit_key: it is missing; name the key to prove with");
    if (f->witness.size == 0)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "witness: it is missing; send the bytes of a .wtns file");
    return CUZK_OK;
}

/* What the kind cannot do without. */
static cuzk_status check_kind(fields *f, cuzk_error *err)
{
    cuzk_fil_fields *filecoin = &f->filecoin;
    if (f->kind == CUZK_KIND_CIRCUIT)
        return check_circuit(f, err);
    filecoin->kind = (cuzk_fil_kind)f->kind;
    filecoin->n_vanilla = f->vanilla_proofs;
    if (filecoin->kind == CUZK_FIL_POREP)
        filecoin->n_vanilla = f->vanilla_proof.size > 0;
    return cuzk_fil_fields_check(filecoin, err);
}

cuzk_status cuzk_submit_request_read(cuzk_submit_request *request, const void *message, size_t size,
                                     cuzk_error *err)
{
    fields f = {0};
    CUZK_TRY(scan(&f, message, size, err));
    if (f.kind < CUZK_KIND_POREP || f.kind > CUZK_KIND_CIRCUIT)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "invalid proof_kind: %" PRId64 "; expected 1 to 5",
                         (int64_t)f.kind);
    CUZK_TRY(check_kind(&f, err));
    CUZK_TRY(cuzk_name_read(request->request_id, sizeof request->request_id, f.request_id.data,
                            f.request_id.size, "request_id", err));
    CUZK_TRY(cuzk_name_read(request->circuit_key, sizeof request->circuit_key, f.circuit_key.data,
                            f.circuit_key.size, "circuit_key", err));
    request->kind = (cuzk_kind)f.kind;
    request->class_ = class_of(f.priority, request->kind);
    request->deadline_ms = f.deadline_ms;
    request->witness = f.witness.data;
    request->witness_size = f.witness.size;
    request->filecoin = f.filecoin;
    return CUZK_OK;
}

/* The vanilla proofs of a message that was read before. */
static void list_vanilla(cuzk_fil_blob *vanilla, cuzk_fil_kind kind, const void *message,
                         size_t size)
{
    const uint32_t number = kind == CUZK_FIL_POREP ? 10 : 11;
    cuzk_wire wire;
    cuzk_wire_field field;
    cuzk_wire_init(&wire, message, size);
    while (cuzk_wire_next(&wire, &field)) {
        if (field.number != number)
            continue;
        *vanilla = blob_of(&field);
        vanilla += number == 11; /* of vanilla_proof the last counts */
    }
}

cuzk_status cuzk_submit_request_pack(const cuzk_submit_request *request, void **message,
                                     size_t *size, cuzk_error *err)
{
    if (request->kind == CUZK_KIND_CIRCUIT) {
        memmove(*message, request->witness, request->witness_size);
        *size = request->witness_size;
        return CUZK_OK;
    }
    cuzk_fil_fields filecoin = request->filecoin;
    cuzk_fil_blob *vanilla = calloc(filecoin.n_vanilla, sizeof *vanilla);
    if (vanilla == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu vanilla proofs",
                         filecoin.n_vanilla);
    list_vanilla(vanilla, filecoin.kind, *message, *size);
    filecoin.vanilla = vanilla;
    void *payload = NULL;
    const cuzk_status status = cuzk_filecoin_job_make(&payload, size, &filecoin, err);
    free(vanilla);
    if (status == CUZK_OK) {
        free(*message);
        *message = payload;
    }
    return status;
}

cuzk_status cuzk_prove_request_unwrap(void *message, size_t *size, cuzk_error *err)
{
    cuzk_wire wire;
    cuzk_wire_field field;
    uint8_t *out = message;
    bool found = false;
    cuzk_wire_init(&wire, message, *size);
    while (cuzk_wire_next(&wire, &field)) {
        if (field.number != 1 || field.type != CUZK_WIRE_BYTES)
            continue;
        memmove(out, field.data, field.size);
        out += field.size;
        found = true;
    }
    if (wire.bad)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "ProveRequest: malformed or truncated");
    if (!found)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "missing submit field");
    *size = (size_t)(out - (uint8_t *)message);
    return CUZK_OK;
}
