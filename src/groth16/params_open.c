/* From a .params file and its constraint system to a proving key. */
#include "groth16/params.h"

#include "base/digest.h"
#include "groth16/density.h"
#include "groth16/key_check.h"

#include <stdlib.h>
#include <string.h>

static cuzk_status check_curve(const cuzk_map *map, const cuzk_r1cs *cs, cuzk_error *err)
{
    if (cs->curve->id == CUZK_BLS12_381)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MISMATCH,
                     "%s: its curve is BLS12-381, the circuit's is %s; use the circuit that the "
                     "key was made for",
                     cuzk_map_name(map), cs->curve->full_name);
}

static cuzk_status check_circuit(const cuzk_params_info *info, const cuzk_map *map,
                                 const cuzk_params_circuit *cs, cuzk_error *err)
{
    const char *name = cuzk_map_name(map);
    if (cs->vars < cs->n_public + 1 || cs->vars > UINT32_MAX || info->ic_len != cs->n_public + 1 ||
        info->l_len != cs->vars - info->ic_len)
        return cuzk_fail(
            err, CUZK_ERR_MISMATCH,
            "%s: made for %zu public and %zu private variables; the circuit has %zu and "
            "%zu: use the circuit that the key was made for",
            name, info->ic_len - 1, info->l_len, cs->n_public, cs->vars - cs->n_public - 1);
    unsigned log_m = cuzk_domain_log(cs->rows, cs->n_public);
    if (log_m > CUZK_DOMAIN_LOG_MAX || info->h_len + 1 != (size_t)1 << log_m)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: made for a domain of %zu rows; the circuit's %zu rows and %zu inputs "
                         "need one of 2^%u: use the circuit that the key was made for",
                         name, info->h_len + 1, cs->rows, cs->n_public + 1, log_m);
    return CUZK_OK;
}

static cuzk_status check_density(const cuzk_params_info *info, const cuzk_density *density,
                                 const cuzk_map *map, cuzk_error *err)
{
    if (info->a_len == density->n_a && info->b_len == density->n_b)
        return CUZK_OK;
    return cuzk_fail(
        err, CUZK_ERR_MISMATCH,
        "%s: a and b have %zu and %zu points; the circuit's matrices A and B use %zu and "
        "%zu variables: use the circuit that the key was made for",
        cuzk_map_name(map), info->a_len, info->b_len, density->n_a, density->n_b);
}

static void fill_source(cuzk_pk_source *source, const cuzk_params_info *info,
                        const cuzk_params_circuit *cs, const cuzk_map *map)
{
    const cuzk_density *density = cs->density;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    const uint8_t *data = cuzk_map_data(map);
    source->name = cuzk_map_name(map);
    source->h_kind = CUZK_H_COSET_MONOMIAL;
    source->log_m = cuzk_domain_log(cs->rows, cs->n_public);
    cuzk_root_of_unity(&source->omega, curve, &curve->root_zcash, source->log_m);
    source->coset = curve->coset_zcash;
    source->vars = cs->vars;
    source->a = (struct cuzk_query_source){data + info->a_at, info->a_len, density->a, true};
    source->b1 = (struct cuzk_query_source){data + info->b_g1_at, info->b_len, density->b, true};
    source->b2 = (struct cuzk_query_source){data + info->b_g2_at, info->b_len, density->b, true};
    source->l = (struct cuzk_query_source){data + info->l_at, info->l_len, NULL, true};
    source->h = (struct cuzk_query_source){data + info->h_at, info->h_len, NULL, true};
}

static cuzk_status compute_digest(uint8_t out[CUZK_SHA256_BYTES], const cuzk_map *map,
                                  cuzk_error *err)
{
    cuzk_digest *digest;
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(digest, cuzk_map_data(map), cuzk_map_size(map), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(digest, out, err);
    cuzk_digest_free(digest);
    return status;
}

/* A verdict is stored only after cuzk_map_check: digest and points were then those of one file. */
static cuzk_status make_key(cuzk_pk **pk, cuzk_pk_source *source, const cuzk_map *map,
                            uint32_t flags, cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err)
{
    static const uint8_t unknown[CUZK_SHA256_BYTES];
    const bool given = memcmp(source->digest, unknown, sizeof unknown) != 0;
    bool recalled = !given && cuzk_verdict_recall(source->digest, map);
    if (!given && !recalled)
        CUZK_TRY(compute_digest(source->digest, map, err));
    bool known = recalled || cuzk_verdict_known(source->digest);
    bool check = (flags & CUZK_PK_SKIP_CHECK) == 0 && !known;
    cuzk_pk *made;
    CUZK_TRY(
        cuzk_pk_new(&made, source, check ? flags : flags | CUZK_PK_SKIP_CHECK, sink, pool, err));
    cuzk_status status = cuzk_map_check(map, err);
    if (status != CUZK_OK) {
        cuzk_pk_free(made);
        return status;
    }
    if (!recalled && (check || known))
        cuzk_verdict_store_file(made->digest, map);
    *pk = made;
    return CUZK_OK;
}

/* Copies the circuit into the source, so that cs stays whole if the key fails. */
static cuzk_status copy_circuit(cuzk_pk_source *source, const cuzk_r1cs *cs, cuzk_error *err)
{
    CUZK_TRY(cuzk_append_input_rows(cs, &source->mat_a, &source->mat_b, &source->mat_c, err));
    source->coefs.value = malloc((cs->coefs.count + 1) * sizeof *source->coefs.value);
    if (source->coefs.value == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for %zu coefficients", source->name,
                         cs->coefs.count);
    memcpy(source->coefs.value, cs->coefs.value, cs->coefs.count * sizeof *source->coefs.value);
    source->coefs.count = cs->coefs.count;
    return CUZK_OK;
}

static cuzk_status read_info(cuzk_params_info *info, const cuzk_map *map,
                             const cuzk_params_circuit *circuit, cuzk_error *err)
{
    CUZK_TRY(cuzk_params_info_read(info, map, err));
    return check_circuit(info, map, circuit, err);
}

/* source has the circuit's rows. */
static cuzk_status open_key(cuzk_pk **pk, cuzk_pk_source *source, const cuzk_params_info *info,
                            const cuzk_map *map, const cuzk_params_circuit *circuit, uint32_t flags,
                            cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err)
{
    CUZK_TRY(check_density(info, circuit->density, map, err));
    fill_source(source, info, circuit, map);
    CUZK_TRY(cuzk_params_read_vk(&source->vk, &source->beta_g1, &source->delta_g1, map, true, err));
    return make_key(pk, source, map, flags, sink, pool, err);
}

cuzk_status cuzk_params_open_bare(cuzk_pk **pk, const cuzk_map *map,
                                  const cuzk_params_circuit *circuit, const uint8_t *sha256,
                                  uint32_t flags, cuzk_base_sink *sink, cuzk_pool *pool,
                                  cuzk_error *err)
{
    cuzk_params_info info;
    cuzk_pk_source source = {.rows = circuit->rows + circuit->n_public + 1,
                             .packed = circuit->packed};
    if (sha256 != NULL)
        memcpy(source.digest, sha256, sizeof source.digest);
    CUZK_TRY(read_info(&info, map, circuit, err));
    const cuzk_status status = open_key(pk, &source, &info, map, circuit, flags, sink, pool, err);
    cuzk_pk_source_release(&source);
    return status;
}

cuzk_status cuzk_params_open(cuzk_pk **pk, const cuzk_map *map, cuzk_r1cs *cs, uint32_t flags,
                             cuzk_base_sink *sink, cuzk_pool *pool, cuzk_error *err)
{
    cuzk_params_info info;
    cuzk_density density;
    const cuzk_params_circuit circuit = {cs->rows, cs->vars, cs->n_public, &density, NULL};
    CUZK_TRY(check_curve(map, cs, err));
    CUZK_TRY(read_info(&info, map, &circuit, err));
    CUZK_TRY(cuzk_density_make(&density, cs, err));
    cuzk_pk_source source = {.name = cuzk_map_name(map)};
    cuzk_status status = copy_circuit(&source, cs, err);
    if (status == CUZK_OK)
        status = open_key(pk, &source, &info, map, &circuit, flags, sink, pool, err);
    cuzk_pk_source_release(&source);
    cuzk_density_release(&density);
    if (status == CUZK_OK)
        cuzk_r1cs_release(cs);
    return status;
}

cuzk_status cuzk_params_vouch(const char *path, cuzk_error *err)
{
    cuzk_map *map;
    uint8_t digest[32];
    CUZK_TRY(cuzk_map_open(&map, path, err));
    cuzk_status status = compute_digest(digest, map, err);
    if (status == CUZK_OK)
        status = cuzk_map_check(map, err);
    if (status == CUZK_OK)
        cuzk_verdict_store_file(digest, map);
    cuzk_map_close(map);
    return status;
}
