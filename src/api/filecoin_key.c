#define _GNU_SOURCE
#include "api/filecoin_key.h"

#include "api/circuit_cache.h"
#include "api/published.h"
#include "groth16/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- names --- */

static bool find_by_params(cuzk_fil_proof *proof, const char *name)
{
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        cuzk_fil_params params;
        cuzk_fil_circuit_at(proof, i);
        if (cuzk_fil_params_get(&params, proof, NULL) == CUZK_OK && strcmp(params.name, name) == 0)
            return true;
    }
    return false;
}

bool cuzk_fil_key_find(cuzk_fil_proof *proof, const char *name)
{
    static const struct {
        const char *theirs, *ours;
    } words[] = {{"wpost-", "window-"}, {"snap-", "update-"}};
    if (strncmp(name, "v28-", 4) == 0)
        return find_by_params(proof, name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i].theirs);
        char ours[32];
        if (strncmp(name, words[i].theirs, length) != 0)
            continue;
        snprintf(ours, sizeof ours, "%s%.16s", words[i].ours, name + length);
        return cuzk_fil_circuit_find(proof, ours, NULL) == CUZK_OK;
    }
    return cuzk_fil_circuit_find(proof, name, NULL) == CUZK_OK;
}

cuzk_status cuzk_fil_key_path(char **path, const char *folder, const cuzk_fil_proof *proof,
                              cuzk_error *err)
{
    cuzk_fil_params params;
    char *made;
    CUZK_TRY(cuzk_fil_params_get(&params, proof, err));
    if (asprintf(&made, "%s/%s.params", folder, params.name) < 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
    *path = made;
    return CUZK_OK;
}

/* --- sizes --- */

#define MIB          ((uint64_t)1 << 20)
#define COPIED_UP_TO (64 * MIB)  /* files that base/map.h copies while they are read */
#define PIECES       (128 * MIB) /* of points on their way to a sink */

static uint64_t count_vars(const cuzk_fil_proof *proof)
{
    const cuzk_fil_counts counts = cuzk_fil_counts_get(proof);
    return (uint64_t)counts.inputs + counts.aux;
}

static bool is_post(const cuzk_fil_proof *proof)
{
    return proof->kind == CUZK_FIL_WINDOW || proof->kind == CUZK_FIL_WINNING;
}

/* PoSt circuits consist of little else. In PoRep's, one in 30 variables is no bit (512 MiB) or
 * fewer (32 GiB: one in 77); in those of updates, one in 65 (2 KiB) or fewer. */
uint64_t cuzk_fil_key_wide_bound(const cuzk_fil_proof *proof)
{
    const uint64_t vars = count_vars(proof);
    return is_post(proof) ? vars : vars / (proof->kind == CUZK_FIL_SNAP ? 48 : 24);
}

/* Their values in both forms; then bits, and what requests bring. */
uint64_t cuzk_fil_key_witness_bound(const cuzk_fil_proof *proof)
{
    const uint64_t vars = count_vars(proof);
    return cuzk_fil_key_wide_bound(proof) * (sizeof(cuzk_scalar) + sizeof(cuzk_fr)) +
           (is_post(proof) ? vars : vars / 4) + 4 * MIB;
}

cuzk_status cuzk_fil_key_bounds_read(cuzk_fil_key_bounds *bounds, const cuzk_map *map,
                                     const cuzk_fil_proof *proof, bool in_sink, cuzk_error *err)
{
    const cuzk_fil_counts counts = cuzk_fil_counts_get(proof);
    const uint64_t vars = count_vars(proof), size = cuzk_map_size(map);
    const unsigned log_m = cuzk_domain_log(counts.rows, counts.inputs - 1);
    cuzk_params_info info;
    CUZK_TRY(cuzk_params_info_read(&info, map, err));
    if (info.ic_len != counts.inputs || info.l_len != counts.aux ||
        info.h_len + 1 != (size_t)1 << log_m)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: made for %zu public and %zu other variables and a domain of %zu "
                         "rows; circuit %s has %zu, %zu and 2^%u: put its own parameters there",
                         cuzk_map_name(map), info.ic_len, info.l_len, info.h_len + 1,
                         proof->circuit, counts.inputs, counts.aux, log_m);
    /* Bases are as long as their points in the file or, in lanes, a little longer; the longest
     * query is there decoded as well, or only a piece of one (groth16/query_stream.c); then numbers
     * of variables, and the compiled circuit. */
    bounds->key = (in_sink ? PIECES : size + size / 2) +
                  (size < COPIED_UP_TO ? size : COPIED_UP_TO) + 16 * vars +
                  ((uint64_t)64 << log_m) + 64 * MIB;
    bounds->counts = (cuzk_prove_counts){.log_m = log_m,
                                         .vars = (size_t)vars,
                                         .n_public = counts.inputs - 1,
                                         .packed = true,
                                         .wide = (size_t)cuzk_fil_key_wide_bound(proof)};
    bounds->witness = cuzk_fil_key_witness_bound(proof);
    return CUZK_OK;
}

/* --- loading --- */

static cuzk_status check_vk(const cuzk_map *map, cuzk_error *err)
{
    const char *name = cuzk_map_name(map), *dot = strrchr(name, '.');
    char *path;
    cuzk_map *vk;
    if (asprintf(&path, "%.*s.vk", (int)(dot - name), name) < 0)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a path");
    if (access(path, F_OK) != 0) {
        free(path);
        return CUZK_OK;
    }
    cuzk_status status = cuzk_map_open(&vk, path, err);
    if (status == CUZK_OK) {
        const size_t n = cuzk_map_size(vk);
        if (n > cuzk_map_size(map) || memcmp(cuzk_map_data(vk), cuzk_map_data(map), n) != 0)
            status = cuzk_fail(err, CUZK_ERR_MISMATCH,
                               "%s: it is not the verifying key of %s, which begins with another: "
                               "fetch both again",
                               path, name);
        cuzk_map_close(vk);
    }
    free(path);
    return status;
}

static cuzk_status make_density(cuzk_density *density, const cuzk_compiled *compiled,
                                const cuzk_compiled_info *info, cuzk_error *err)
{
    const size_t aux = (info->aux + 63) / 64, inputs = (info->inputs + 63) / 64;
    uint64_t *sets = calloc(2 * aux + inputs, sizeof *sets);
    if (sets == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the densities of %zu variables",
                         info->aux);
    const cuzk_density_sets all = {.inputs = info->inputs,
                                   .aux = info->aux,
                                   .a_aux = sets,
                                   .b_aux = sets + aux,
                                   .b_input = sets + 2 * aux};
    cuzk_status status = cuzk_compiled_densities(compiled, sets, sets + aux, sets + 2 * aux, err);
    if (status == CUZK_OK)
        status = cuzk_density_from_sets(density, &all, err);
    free(sets);
    return status;
}

static cuzk_status open_params(cuzk_key *key, const cuzk_map *map, const uint8_t *sha256,
                               cuzk_error *err)
{
    cuzk_compiled_info info;
    cuzk_density density = {0};
    cuzk_compiled_describe(key->compiled, &info);
    CUZK_TRY(make_density(&density, key->compiled, &info, err));
    const cuzk_params_circuit circuit = {.rows = info.rows,
                                         .vars = info.inputs + info.aux,
                                         .n_public = info.inputs - 1,
                                         .density = &density,
                                         .packed = cuzk_compiled_packed_map(key->compiled)};
    const cuzk_status status =
        cuzk_params_open_bare(&key->pk, map, &circuit, sha256, 0, key->sink, key->pool, err);
    cuzk_density_release(&density);
    return status;
}

static cuzk_status refuse_unpublished(const cuzk_published *published, const cuzk_map *map,
                                      const cuzk_fil_params *params, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MISMATCH,
                     "these are not the published parameters (BLAKE2b %s, expected %s): fetch them "
                     "again, or for tests set keys.allow_test_params: %s",
                     published->found, params->params_digest, cuzk_map_name(map));
}

static cuzk_status load(cuzk_key *key, const cuzk_map *map, const void *context, cuzk_error *err)
{
    const cuzk_fil_key_source *source = context;
    cuzk_fil_params params;
    cuzk_published published;
    CUZK_TRY(cuzk_fil_params_get(&params, source->proof, err));
    CUZK_TRY(cuzk_published_find(&published, map, &params, key->pool, err));
    if (!published.is_published && !source->allow_test)
        return refuse_unpublished(&published, map, &params, err);
    CUZK_TRY(check_vk(map, err));
    CUZK_TRY(cuzk_circuit_cache_take(&key->compiled, source->proof, source->circuits, err));
    CUZK_TRY(open_params(key, map, published.is_read ? published.sha256 : NULL, err));
    key->is_test = !published.is_published;
    if (published
            .is_published) /* the digest of what was loaded: the map has been looked at again */
        CUZK_TRY(cuzk_published_store(key->pk->digest, &params, err));
    return CUZK_OK;
}

cuzk_status cuzk_fil_key_load(cuzk_key **key, const cuzk_fil_key_source *source, cuzk_pool *pool,
                              cuzk_error *err)
{
    return cuzk_key_load_by(key, source->path, load, source, source->sink, pool, err);
}
