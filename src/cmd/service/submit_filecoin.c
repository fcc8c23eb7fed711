#include "cmd/service/submit_filecoin.h"

#include "cmd/filecoin_options.h"
#include "engine/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)128 << 20)

enum { KEY_KIND = 0x7000, KEY_PROOF, KEY_SECTOR, KEY_MINER, KEY_PARTITION, KEY_HEX };

static const struct argp_option options[] = {
    {"kind", KEY_KIND, "KIND", 0,
     "porep-c2, snap-update, window-post or winning-post: the arguments are files of vanilla "
     "proofs",
     1},
    {"registered-proof", KEY_PROOF, "N", 0, "The number of the registered proof", 1},
    {"sector", KEY_SECTOR, "N", 0, "PoRep: the sector's number", 1},
    {"miner", KEY_MINER, "N", 0, "The miner's id", 1},
    {"partition", KEY_PARTITION, "N", 0, "WindowPoSt: which partition of the deadline this is", 1},
    {"randomness", KEY_HEX + CUZK_SUBMIT_RANDOMNESS, "HEX", 0, "PoSt: the chain's, 32 bytes", 1},
    {"comm-r-old", KEY_HEX + CUZK_SUBMIT_R_OLD, "HEX", 0, "SnapDeals: comm_r before", 1},
    {"comm-r-new", KEY_HEX + CUZK_SUBMIT_R_NEW, "HEX", 0, "SnapDeals: comm_r now", 1},
    {"comm-d-new", KEY_HEX + CUZK_SUBMIT_D_NEW, "HEX", 0, "SnapDeals: comm_d of the new data", 1},
    {0}};

static Cuzk__V1__ProofKind parse_kind(const char *word, struct argp_state *state)
{
    for (int k = CUZK_KIND_POREP; k <= CUZK_KIND_WINNING_POST; k++)
        if (strcmp(word, cuzk_kind_name((cuzk_kind)k)) == 0)
            return (Cuzk__V1__ProofKind)k;
    argp_error(state, "--kind=%s: expected porep-c2, snap-update, window-post or winning-post",
               word);
    return CUZK__V1__PROOF_KIND__PROOF_KIND_UNSPECIFIED;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_filecoin_request *r = state->input;
    if (key >= KEY_HEX && key < KEY_HEX + CUZK_SUBMIT_HEX) {
        static const char *const names[] = {"--randomness", "--comm-r-old", "--comm-r-new",
                                            "--comm-d-new"};
        cuzk_option_hex_32(r->hex[key - KEY_HEX], state, names[key - KEY_HEX], arg);
        r->given[key - KEY_HEX] = true;
        return 0;
    }
    switch (key) {
    case KEY_KIND:
        r->kind = parse_kind(arg, state);
        return 0;
    case KEY_PROOF:
        r->registered_proof = cuzk_option_number(state, "--registered-proof", arg);
        return 0;
    case KEY_SECTOR:
        r->sector_number = cuzk_option_number(state, "--sector", arg);
        return 0;
    case KEY_MINER:
        r->miner_id = cuzk_option_number(state, "--miner", arg);
        return 0;
    case KEY_PARTITION:
        r->partition = cuzk_option_number(state, "--partition", arg);
        if (r->partition > UINT32_MAX)
            argp_error(state, "--partition=%s: the largest is %lu", arg, (unsigned long)UINT32_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cuzk_filecoin_request_argp = {.options = options, .parser = parse};

cuzk_status cuzk_submit_read(ProtobufCBinaryData *out, const char *path, cuzk_error *err)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    cuzk_status status = CUZK_OK;
    uint8_t *data = malloc(FILE_MAX);
    const size_t size = data == NULL ? 0 : fread(data, 1, FILE_MAX, file);
    if (data == NULL)
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory to read it", path);
    else if (ferror(file) != 0)
        status = cuzk_fail(err, CUZK_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (size == FILE_MAX)
        status = cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                           "%s: the service takes requests of less than 128 MiB", path);
    fclose(file);
    if (status != CUZK_OK) {
        free(data);
        return status;
    }
    /* A request may have thousands of small files. */
    uint8_t *shrunk = size > 0 ? realloc(data, size) : NULL;
    out->data = shrunk != NULL ? shrunk : data;
    out->len = size;
    return CUZK_OK;
}

static ProtobufCBinaryData field(cuzk_filecoin_request *from, unsigned i)
{
    return (ProtobufCBinaryData){.len = from->given[i] ? 32 : 0, .data = from->hex[i]};
}

cuzk_status cuzk_filecoin_request_fill(Cuzk__V1__SubmitProofRequest *request,
                                       cuzk_filecoin_request *from, const char *const *files,
                                       size_t n, cuzk_error *err)
{
    request->proof_kind = from->kind;
    request->registered_proof = from->registered_proof;
    request->sector_number = from->sector_number;
    request->miner_id = from->miner_id;
    request->partition_index = (uint32_t)from->partition;
    request->randomness = field(from, CUZK_SUBMIT_RANDOMNESS);
    request->comm_r_old = field(from, CUZK_SUBMIT_R_OLD);
    request->comm_r_new = field(from, CUZK_SUBMIT_R_NEW);
    request->comm_d_new = field(from, CUZK_SUBMIT_D_NEW);
    if (from->kind == CUZK__V1__PROOF_KIND__POREP_SEAL_COMMIT) {
        if (n != 1)
            return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                             "%zu files; the output of C1 is one, as `cuzk filecoin c1 --wrap` "
                             "writes it",
                             n);
        return cuzk_submit_read(&request->vanilla_proof, files[0], err);
    }
    request->vanilla_proofs = calloc(n, sizeof *request->vanilla_proofs);
    if (request->vanilla_proofs == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for %zu files", n);
    for (; request->n_vanilla_proofs < n; request->n_vanilla_proofs++)
        CUZK_TRY(cuzk_submit_read(&request->vanilla_proofs[request->n_vanilla_proofs],
                                  files[request->n_vanilla_proofs], err));
    return CUZK_OK;
}

void cuzk_filecoin_request_release(Cuzk__V1__SubmitProofRequest *request)
{
    free(request->vanilla_proof.data);
    for (size_t i = 0; i < request->n_vanilla_proofs; i++)
        free(request->vanilla_proofs[i].data);
    free(request->vanilla_proofs);
}
