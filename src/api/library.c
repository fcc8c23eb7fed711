/* The functions of cuzk.h. All keys of a process share one thread pool, made at first use and kept
 * until the process ends. */
#include "cuzk.h"

#include "api/proving_key.h"
#include "api/vk_load.h"
#include "base/cpu.h"
#include "base/cpu_count.h"
#include "groth16/verify.h"
#include "iden3/json.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(x)  TEXT_OF_(x)
#define TEXT_OF_(x) #x

const char *cuzk_version(void)
{
    return TEXT_OF(CUZK_VERSION_MAJOR) "." TEXT_OF(CUZK_VERSION_MINOR) "." TEXT_OF(
        CUZK_VERSION_PATCH);
}

void cuzk_free(void *string)
{
    free(string);
}

/* A failed start is tried again by the next call. */
static cuzk_status share_pool(cuzk_pool **pool, cuzk_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static cuzk_pool *shared;
    CUZK_TRY(cuzk_cpu_check(err));
    CUZK_TRY(cuzk_cpu_count_check(err));
    pthread_mutex_lock(&lock);
    if (shared == NULL)
        shared = cuzk_pool_new(0);
    *pool = shared;
    pthread_mutex_unlock(&lock);
    if (*pool == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "the worker threads cannot be started");
    return CUZK_OK;
}

cuzk_status cuzk_key_open(cuzk_key **key, const char *path, const char *r1cs, uint32_t flags,
                          cuzk_error *err)
{
    if (key == NULL || path == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "cuzk_key_open: key and path must not be NULL");
    cuzk_pool *pool;
    CUZK_TRY(share_pool(&pool, err));
    return cuzk_key_load(key, path, r1cs, flags, NULL, pool, err);
}

size_t cuzk_key_public_count(const cuzk_key *key)
{
    return key->pk->vk.n_public;
}

/* public_json may be NULL. */
static cuzk_status write_results(const cuzk_key *key, const cuzk_wtns *witness,
                                 const cuzk_proof *proof, char **proof_json, char **public_json,
                                 cuzk_error *err)
{
    const cuzk_vk *vk = &key->pk->vk;
    char *text, *signals = NULL;
    CUZK_TRY(cuzk_json_write_proof(&text, proof, vk->curve, CUZK_JSON_SNARKJS, err));
    if (public_json != NULL) {
        cuzk_status status =
            cuzk_json_write_public(&signals, witness->z + 1, vk->n_public, CUZK_JSON_SNARKJS, err);
        if (status != CUZK_OK) {
            free(text);
            return status;
        }
        *public_json = signals;
    }
    *proof_json = text;
    return CUZK_OK;
}

static cuzk_status prove(const cuzk_key *key, const cuzk_map *map, char **proof_json,
                         char **public_json, cuzk_error *err)
{
    cuzk_wtns witness;
    cuzk_proof proof;
    CUZK_TRY(cuzk_key_read_witness(key, map, &witness, err));
    cuzk_status status = cuzk_key_make_proof(key, &witness, map, &proof, err);
    if (status == CUZK_OK)
        status = write_results(key, &witness, &proof, proof_json, public_json, err);
    cuzk_wtns_release(&witness);
    return status;
}

cuzk_status cuzk_key_prove(cuzk_key *key, const void *wtns, size_t wtns_size, char **proof_json,
                           char **public_json, cuzk_error *err)
{
    if (key == NULL || (wtns == NULL && wtns_size > 0) || proof_json == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "cuzk_key_prove: key, wtns and proof_json must not be NULL");
    cuzk_map *map;
    CUZK_TRY(cuzk_map_borrow(&map, wtns, wtns_size, "witness", err));
    cuzk_status status = prove(key, map, proof_json, public_json, err);
    cuzk_map_close(map);
    return status;
}

cuzk_status cuzk_key_prove_file(cuzk_key *key, const char *wtns_path, char **proof_json,
                                char **public_json, cuzk_error *err)
{
    if (key == NULL || wtns_path == NULL || proof_json == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "cuzk_key_prove_file: key, wtns_path and proof_json must not be NULL");
    cuzk_map *map;
    CUZK_TRY(cuzk_map_open(&map, wtns_path, err));
    cuzk_status status = prove(key, map, proof_json, public_json, err);
    cuzk_map_close(map);
    return status;
}

cuzk_status cuzk_key_export_vk(const cuzk_key *key, char **vk_json, cuzk_error *err)
{
    if (key == NULL || vk_json == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "cuzk_key_export_vk: key and vk_json must not be NULL");
    return cuzk_json_write_vk(vk_json, &key->pk->vk, err);
}

static cuzk_status verify(const cuzk_vk *vk, const char *public_json, const char *proof_json,
                          cuzk_error *err)
{
    cuzk_proof proof;
    cuzk_scalar *inputs = NULL;
    cuzk_verifier *verifier = NULL;
    CUZK_TRY(cuzk_json_read_proof(&proof, vk->curve, proof_json, strlen(proof_json), "proof", err));
    CUZK_TRY(cuzk_json_read_public(&inputs, vk->n_public, vk->curve, public_json,
                                   strlen(public_json), "public signals", err));
    cuzk_status status = cuzk_verifier_new(&verifier, vk, NULL, err);
    if (status == CUZK_OK)
        status = cuzk_verify_proof(verifier, inputs, vk->n_public, &proof, NULL, err);
    cuzk_verifier_free(verifier);
    free(inputs);
    return status;
}

cuzk_status cuzk_verify(const char *vk_json, const char *public_json, const char *proof_json,
                        uint32_t flags, cuzk_error *err)
{
    if (vk_json == NULL || public_json == NULL || proof_json == NULL)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "cuzk_verify: a text is NULL");
    if (flags & ~CUZK_KEY_ALLOW_INSECURE)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT, "cuzk_verify: unknown flags 0x%x", flags);
    CUZK_TRY(cuzk_cpu_check(err));
    cuzk_vk vk;
    CUZK_TRY(cuzk_json_read_vk(&vk, vk_json, strlen(vk_json), "verification key", err));
    cuzk_status status =
        cuzk_vk_check(&vk, (flags & CUZK_KEY_ALLOW_INSECURE) != 0, "verification key", err);
    if (status == CUZK_OK)
        status = verify(&vk, public_json, proof_json, err);
    cuzk_vk_release(&vk);
    return status;
}
