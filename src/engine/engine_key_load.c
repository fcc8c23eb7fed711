/* Loading a key: its file, and what the device keeps of it. */
#include "engine/engine_internal.h"

#include "api/filecoin_key.h"
#include "circuit/product_shared.h"
#include "engine/key_digests.h"

#include <stdio.h>
#include <string.h>

/* Not by ctime: a new name or owner does not make it another key. */
bool cuzk_engine_is_same_file(const cuzk_file_id *a, const cuzk_file_id *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->mtime_ns == b->mtime_ns;
}

/* What was found out about the file before must be about the one that was loaded. */
static cuzk_status check_file(const cuzk_engine_key *key, cuzk_error *err)
{
    if (cuzk_engine_is_same_file(&key->key->file, &key->sizes.file))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_IO, "%s: another file took its place meanwhile: submit again",
                     key->path);
}

static cuzk_status load_circuit(const cuzk_engine *engine, cuzk_engine_key *key, const char *name,
                                cuzk_base_sink *sink, cuzk_error *err)
{
    const cuzk_status status =
        cuzk_key_load(&key->key, key->path, NULL, 0, sink, engine->pool, err);
    if (engine->key_digests != NULL)
        CUZK_TRY(cuzk_key_digests_check(engine->key_digests, name, key->path,
                                        status == CUZK_OK ? key->key->pk->digest : NULL, err));
    return status;
}

static cuzk_status load_file(const cuzk_engine *engine, cuzk_engine_key *key, cuzk_base_sink *sink,
                             cuzk_error *err)
{
    char name[CUZK_KEY_NAME_MAX];
    cuzk_fil_proof proof;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(key->name, "@"), key->name);
    CUZK_TRY(cuzk_engine_key_path(engine, name, &key->path, err));
    if (cuzk_fil_key_find(&proof, name)) {
        const cuzk_fil_key_source source = {.proof = &proof,
                                            .path = key->path,
                                            .circuits = engine->circuits_folder,
                                            .allow_test = engine->config.allow_test_params,
                                            .sink = sink};
        CUZK_TRY(cuzk_fil_key_load(&key->key, &source, engine->pool, err));
    } else {
        CUZK_TRY(load_circuit(engine, key, name, sink, err));
    }
    return check_file(key, err);
}

static cuzk_status complete(cuzk_engine_key *key, cuzk_error *err)
{
    cuzk_device_key *on_device = key->on_device;
    cuzk_shared_rows rows;
    if (key->key->compiled == NULL)
        return on_device->complete(on_device, key->key->pk, NULL, err);
    CUZK_TRY(cuzk_compiled_shared_rows(key->key->compiled, &rows, err));
    const cuzk_status status = on_device->complete(on_device, key->key->pk, &rows, err);
    cuzk_shared_rows_release(&rows);
    return status;
}

static cuzk_status load(const cuzk_engine *engine, cuzk_engine_key *key, cuzk_error *err)
{
    cuzk_device *device = engine->device[0];
    if (!device->keeps_keys)
        return load_file(engine, key, NULL, err);
    CUZK_TRY(device->ops->key_new(device, &key->on_device, err));
    CUZK_TRY(load_file(engine, key, key->on_device->sink, err));
    return complete(key, err);
}

cuzk_status cuzk_engine_key_open(const cuzk_engine *engine, cuzk_engine_key *key, cuzk_error *err)
{
    const cuzk_status status = load(engine, key, err);
    if (status != CUZK_OK)
        cuzk_engine_key_close(key);
    return status;
}

void cuzk_engine_key_close(cuzk_engine_key *key)
{
    if (key->on_device != NULL)
        key->on_device->free(key->on_device);
    key->on_device = NULL;
    cuzk_key_close(key->key);
    key->key = NULL;
}
