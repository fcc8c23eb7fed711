#include "circuit/filecoin/request.h"

#include "base/bytes.h"
#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/c1.h"
#include "circuit/filecoin/request_state.h"
#include "field/bls12_381_fr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cuzk_status take_32(uint8_t out[32], const cuzk_fil_blob *field, const char *name,
                           cuzk_error *err)
{
    if (field->size != 32)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: found %zu bytes, expected 32", name,
                         field->size);
    memcpy(out, field->data, 32);
    return CUZK_OK;
}

static cuzk_status take_fr(cuzk_scalar *out, const cuzk_fil_blob *field, const char *name,
                           cuzk_error *err)
{
    uint8_t bytes[32];
    CUZK_TRY(take_32(bytes, field, name, err));
    for (size_t i = 0; i < 4; i++)
        out->l[i] = cuzk_load_le64(bytes + 8 * i);
    if (bls12_381_fr_limbs_valid(out->l))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the value is not below r, so not a field element",
                     name);
}

static cuzk_status check_count(const cuzk_fil_fields *fields, size_t least, size_t most,
                               cuzk_error *err)
{
    if (fields->n_vanilla >= least && fields->n_vanilla <= most)
        return CUZK_OK;
    if (least == most)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "vanilla_proofs: found %zu blobs, expected %zu",
                         fields->n_vanilla, most);
    return cuzk_fail(err, CUZK_ERR_FORMAT, "vanilla_proofs: found %zu blobs, expected %zu to %zu",
                     fields->n_vanilla, least, most);
}

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the request's vanilla proofs");
}

static cuzk_status read_porep(cuzk_fil_request *request, const cuzk_fil_fields *fields,
                              cuzk_error *err)
{
    const cuzk_fil_blob *blob = &fields->vanilla[0];
    request->miner_id = fields->miner_id;
    request->sector_number = fields->sector_number;
    return cuzk_c1_read_wrapper(&request->c1, &request->arena, &request->proof, blob->data,
                                blob->size, "vanilla_proof", err);
}

static cuzk_status read_post(cuzk_fil_request *request, const cuzk_fil_fields *fields,
                             cuzk_error *err)
{
    const cuzk_fil_proof *proof = &request->proof;
    CUZK_TRY(check_count(fields, 1, proof->kind == CUZK_FIL_WINDOW ? proof->sectors : 1, err));
    CUZK_TRY(take_32(request->claim.randomness, &fields->randomness, "randomness", err));
    request->claim.partition = fields->partition_index;
    request->n_sectors = fields->n_vanilla;
    request->sector = cuzk_arena_new(&request->arena, request->n_sectors, sizeof *request->sector);
    if (request->sector == NULL)
        return no_memory(err);
    for (size_t i = 0; i < request->n_sectors; i++) {
        char name[48];
        snprintf(name, sizeof name, "vanilla_proofs[%zu]", i);
        CUZK_TRY(cuzk_post_read(&request->sector[i], &request->arena, proof,
                                fields->vanilla[i].data, fields->vanilla[i].size, name, err));
    }
    return cuzk_post_check_claim(&request->claim, err);
}

static cuzk_status read_snap(cuzk_fil_request *request, const cuzk_fil_fields *fields,
                             cuzk_error *err)
{
    const cuzk_fil_proof *proof = &request->proof;
    CUZK_TRY(check_count(fields, proof->partitions, proof->partitions, err));
    CUZK_TRY(take_fr(&request->comms.comm_r_old, &fields->comm_r_old, "comm_r_old", err));
    CUZK_TRY(take_fr(&request->comms.comm_r_new, &fields->comm_r_new, "comm_r_new", err));
    CUZK_TRY(take_fr(&request->comms.comm_d_new, &fields->comm_d_new, "comm_d_new", err));
    request->snap = cuzk_arena_new(&request->arena, proof->partitions, sizeof *request->snap);
    if (request->snap == NULL)
        return no_memory(err);
    for (size_t i = 0; i < proof->partitions; i++) {
        char name[48];
        snprintf(name, sizeof name, "vanilla_proofs[%zu]", i);
        CUZK_TRY(cuzk_snap_read(&request->snap[i], &request->arena, proof, fields->vanilla[i].data,
                                fields->vanilla[i].size, name, err));
    }
    return CUZK_OK;
}

/* A C1 output says itself which proof it is. */
static cuzk_status find_proof(cuzk_fil_proof *proof, const cuzk_fil_fields *fields, cuzk_error *err)
{
    unsigned id = fields->registered_proof;
    if (fields->kind == CUZK_FIL_POREP) {
        CUZK_TRY(check_count(fields, 1, 1, err));
        CUZK_TRY(cuzk_c1_registered_wrapper(&id, fields->vanilla[0].data, fields->vanilla[0].size,
                                            "vanilla_proof", err));
    }
    return cuzk_fil_proof_get(proof, fields->kind, id, err);
}

static cuzk_status read_fields(cuzk_fil_request *request, const cuzk_fil_fields *fields,
                               cuzk_error *err)
{
    CUZK_TRY(find_proof(&request->proof, fields, err));
    CUZK_TRY(cuzk_fil_params_get(&request->params, &request->proof, err));
    switch (fields->kind) {
    case CUZK_FIL_POREP:
        return read_porep(request, fields, err);
    case CUZK_FIL_SNAP:
        return read_snap(request, fields, err);
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        break;
    }
    return read_post(request, fields, err);
}

cuzk_status cuzk_fil_request_read(cuzk_fil_request **request, const cuzk_fil_fields *fields,
                                  cuzk_error *err)
{
    cuzk_fil_request *new = calloc(1, sizeof *new);
    if (new == NULL)
        return no_memory(err);
    cuzk_status status = read_fields(new, fields, err);
    if (status == CUZK_OK)
        *request = new;
    else
        cuzk_fil_request_free(new);
    return status;
}

void cuzk_fil_request_free(cuzk_fil_request *request)
{
    if (request == NULL)
        return;
    cuzk_arena_release(&request->arena);
    free(request);
}

const cuzk_fil_proof *cuzk_fil_request_proof(const cuzk_fil_request *request)
{
    return &request->proof;
}

const cuzk_fil_params *cuzk_fil_request_params(const cuzk_fil_request *request)
{
    return &request->params;
}

size_t cuzk_fil_request_partitions(const cuzk_fil_request *request)
{
    return request->proof.partitions;
}

size_t cuzk_fil_request_bytes(const cuzk_fil_request *request)
{
    return sizeof *request + request->arena.size;
}

void cuzk_fil_request_inputs(const cuzk_fil_request *request, size_t k, const cuzk_fil_inputs *out)
{
    const cuzk_fil_proof *proof = &request->proof;
    CUZK_ASSERT(k < proof->partitions);
    switch (proof->kind) {
    case CUZK_FIL_POREP:
        cuzk_porep_inputs(out, proof, &request->c1, k);
        return;
    case CUZK_FIL_SNAP:
        cuzk_snap_inputs(out, proof, &request->comms, &request->snap[k], k);
        return;
    case CUZK_FIL_WINDOW:
        cuzk_window_inputs(out, proof, request->sector, request->n_sectors);
        return;
    case CUZK_FIL_WINNING:
        cuzk_winning_inputs(out, proof, request->sector);
        return;
    }
}
