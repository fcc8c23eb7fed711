#include "api/proving_key.h"

#include "api/file_kind.h"
#include "base/memory.h"
#include "base/random.h"
#include "circuit/compile.h"
#include "groth16/params.h"
#include "iden3/zkey.h"

#include <stdlib.h>

static cuzk_status read_circuit(cuzk_r1cs *circuit, const char *path, cuzk_error *err)
{
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    cuzk_status status =
        kind == CUZK_FILE_R1CS
            ? cuzk_r1cs_read(circuit, map, err)
            : cuzk_file_kind_fail(map, kind, "a constraint system of circom (.r1cs)", err);
    cuzk_map_close(map);
    return status;
}

static cuzk_status check_circuit(const cuzk_key *key, const char *path, const char *r1cs,
                                 cuzk_error *err)
{
    const cuzk_pk *pk = key->pk;
    const cuzk_r1cs *circuit = &key->circuit;
    if (circuit->curve != pk->vk.curve)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: a circuit over %s; the key %s is over %s",
                         r1cs, circuit->curve->full_name, path, pk->vk.curve->full_name);
    unsigned log_m = cuzk_domain_log(circuit->rows, circuit->n_public);
    if (circuit->vars != pk->vars || circuit->n_public != pk->vk.n_public || log_m != pk->log_m)
        return cuzk_fail(
            err, CUZK_ERR_MISMATCH,
            "%s: a circuit with %zu variables, %zu of them public, and a domain of 2^%u; "
            "the key %s has %zu, %zu and 2^%u: use the circuit that the key was made for",
            r1cs, circuit->vars, circuit->n_public, log_m, path, pk->vars, pk->vk.n_public,
            pk->log_m);
    return CUZK_OK;
}

static cuzk_status load_zkey(cuzk_key *key, const cuzk_map *map, const char *r1cs, uint32_t flags,
                             cuzk_error *err)
{
    CUZK_TRY(cuzk_zkey_open(&key->pk, map, flags, key->sink, key->pool, err));
    if (r1cs == NULL)
        return CUZK_OK;
    CUZK_TRY(read_circuit(&key->circuit, r1cs, err));
    key->checks_rows = true;
    return check_circuit(key, cuzk_map_name(map), r1cs, err);
}

/* The key takes the circuit over, with matrix C: its proofs are checked row by row through that. */
static cuzk_status load_params(cuzk_key *key, const cuzk_map *map, const char *r1cs, uint32_t flags,
                               cuzk_error *err)
{
    if (r1cs == NULL)
        return cuzk_fail(
            err, CUZK_ERR_ARGUMENT,
            "%s: a bellperson key does not hold its circuit: name the .r1cs file that it "
            "was made for as well",
            cuzk_map_name(map));
    cuzk_r1cs circuit = {0};
    CUZK_TRY(read_circuit(&circuit, r1cs, err));
    cuzk_status status =
        cuzk_params_open(&key->pk, map, &circuit, flags, key->sink, key->pool, err);
    if (status != CUZK_OK)
        cuzk_r1cs_release(&circuit);
    return status;
}

typedef struct key_source {
    const char *r1cs;
    uint32_t flags;
} key_source;

static cuzk_status load_file(cuzk_key *key, const cuzk_map *map, const void *context,
                             cuzk_error *err)
{
    const key_source *source = context;
    const uint32_t flags = source->flags;
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    uint32_t pk_flags = (flags & CUZK_KEY_ALLOW_INSECURE ? CUZK_PK_ALLOW_INSECURE : 0) |
                        (flags & CUZK_KEY_SKIP_CHECK ? CUZK_PK_SKIP_CHECK : 0);
    if (kind == CUZK_FILE_ZKEY)
        return load_zkey(key, map, source->r1cs, pk_flags, err);
    if (kind == CUZK_FILE_PARAMS)
        return load_params(key, map, source->r1cs, pk_flags, err);
    return cuzk_file_kind_fail(map, kind, "a proving key (.zkey or .params)", err);
}

cuzk_status cuzk_key_load(cuzk_key **key, const char *path, const char *r1cs, uint32_t flags,
                          cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err)
{
    const key_source source = {r1cs, flags};
    if (flags & ~(CUZK_KEY_ALLOW_INSECURE | CUZK_KEY_SKIP_CHECK))
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "%s: unknown flags 0x%x", path, flags);
    return cuzk_key_load_by(key, path, load_file, &source, sink, pool, err);
}

cuzk_status cuzk_key_load_by(cuzk_key **key, const char *path, cuzk_key_loader *load,
                             const void *context, cuzk_base_sink *sink, cuzk_pool *pool,
                             cuzk_error *err)
{
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open_with(&map, path, pool, err));
    cuzk_key *made = calloc(1, sizeof *made);
    cuzk_status status;
    if (made == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the key", path);
    } else {
        made->pool = pool;
        made->file = cuzk_map_identity(map);
        made->sink = sink;
        status = load(made, map, context, err);
        made->sink = NULL;
    }
    cuzk_map_close(map);
    if (status != CUZK_OK) {
        cuzk_key_close(made);
        return status;
    }
    *key = made;
    return CUZK_OK;
}

void cuzk_key_close(cuzk_key *key)
{
    if (key == NULL)
        return;
    cuzk_pk_free(key->pk);
    cuzk_r1cs_release(&key->circuit);
    cuzk_compiled_free(key->compiled);
    free(key);
}

size_t cuzk_key_bytes(const cuzk_key *key)
{
    cuzk_compiled_info info = {0};
    if (key->compiled != NULL)
        cuzk_compiled_describe(key->compiled, &info);
    return key->pk->bytes + info.bytes;
}

cuzk_status cuzk_key_read_witness(const cuzk_key *key, const cuzk_map *map, cuzk_wtns *witness,
                                  cuzk_error *err)
{
    const cuzk_pk *pk = key->pk;
    const char *name = cuzk_map_name(map);
    cuzk_file_kind kind = cuzk_file_kind_find(map);
    if (kind != CUZK_FILE_WTNS)
        return cuzk_file_kind_fail(map, kind, "a witness (.wtns)", err);
    cuzk_wtns read;
    CUZK_TRY(cuzk_wtns_read(&read, map, err));
    cuzk_status status = CUZK_OK;
    if (read.curve != pk->vk.curve)
        status =
            cuzk_fail(err, CUZK_ERR_MISMATCH,
                      "%s: a witness over %s; the key is over %s: use the key and the witness of "
                      "one circuit",
                      name, read.curve->full_name, pk->vk.curve->full_name);
    else if (read.n != pk->vars)
        status =
            cuzk_fail(err, CUZK_ERR_MISMATCH,
                      "%s: a witness of %zu values; the key's circuit has %zu: use the key and the "
                      "witness of one circuit",
                      name, read.n, pk->vars);
    if (status != CUZK_OK) {
        cuzk_wtns_release(&read);
        return status;
    }
    *witness = read;
    return CUZK_OK;
}

static cuzk_status check_rows(const cuzk_key *key, const cuzk_wtns *witness, const char *name,
                              cuzk_error *err)
{
    const cuzk_r1cs *circuit = &key->circuit;
    size_t bytes = witness->n * sizeof(cuzk_fr);
    cuzk_fr *z = cuzk_memory_new(witness->n, sizeof *z);
    if (z == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for its %zu values", name,
                         witness->n);
    cuzk_fr_import(circuit->curve, z, witness->z, witness->n, key->pool);
    size_t row = cuzk_r1cs_check(circuit, z, NULL, NULL, NULL, key->pool);
    cuzk_wipe(z, bytes);
    free(z);
    if (row == circuit->rows)
        return CUZK_OK;
    return cuzk_fail(
        err, CUZK_ERR_UNSATISFIED,
        "%s: the witness does not satisfy the circuit: row %zu of %zu is violated (rows "
        "count from 0); `cuzk check` shows it",
        name, row, circuit->rows);
}

cuzk_status cuzk_key_make_proof(const cuzk_key *key, const cuzk_wtns *witness, const cuzk_map *map,
                                cuzk_proof *proof, cuzk_error *err)
{
    const char *name = cuzk_map_name(map);
    if (key->checks_rows)
        CUZK_TRY(check_rows(key, witness, name, err));
    cuzk_assignment assignment = {.z = witness->z, .n = witness->n, .name = name};
    CUZK_TRY(cuzk_prove(key->pk, &assignment, proof, key->pool, err));
    return cuzk_map_check(map, err);
}
