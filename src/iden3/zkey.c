#include "iden3/zkey.h"

#include "base/digest.h"
#include "compute/msm.h"
#include "iden3/zkey_coefs.h"
#include "iden3/zkey_head.h"

#include <string.h>

cuzk_status cuzk_zkey_info_read(cuzk_zkey_info *info, const cuzk_map *map, cuzk_error *err)
{
    cuzk_zkey_head head;
    CUZK_TRY(cuzk_zkey_head_read(&head, map, err));
    CUZK_TRY(cuzk_map_check(map, err));
    *info = head.info;
    return CUZK_OK;
}

static cuzk_status check_ic(const cuzk_vk *vk, const char *name, cuzk_pool *pool, cuzk_error *err)
{
    size_t bad = 0;
    cuzk_point_status found =
        cuzk_points_check(vk->curve, CUZK_G1, vk->ic, vk->n_public + 1, true, &bad, pool);
    if (found != CUZK_POINT_OK)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: section 3 (IC): point %zu is %s", name, bad,
                         cuzk_point_status_text(found));
    return CUZK_OK;
}

cuzk_status cuzk_zkey_read_vk(cuzk_vk *vk, const cuzk_map *map, cuzk_error *err)
{
    cuzk_zkey_head head;
    cuzk_vk found;
    CUZK_TRY(cuzk_zkey_head_read(&head, map, err));
    CUZK_TRY(cuzk_zkey_head_vk(&found, &head, err));
    cuzk_status status = check_ic(&found, cuzk_map_name(map), NULL, err);
    if (status == CUZK_OK)
        status = cuzk_map_check(map, err);
    if (status != CUZK_OK) {
        cuzk_vk_release(&found);
        return status;
    }
    *vk = found;
    return CUZK_OK;
}

static cuzk_status digest_file(uint8_t out[CUZK_SHA256_BYTES], const cuzk_map *map, cuzk_error *err)
{
    cuzk_digest *digest = NULL;
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(digest, cuzk_map_data(map), cuzk_map_size(map), err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(digest, out, err);
    cuzk_digest_free(digest);
    return status;
}

/* snarkjs evaluates the quotient on the odd points of the doubled domain, whose generator squares
 * to omega; where the field has no such root, on 25 times the domain. */
static void choose_roots(cuzk_pk_source *source, const cuzk_curve *curve, unsigned log_m)
{
    cuzk_root_of_unity(&source->omega, curve, &curve->root_iden3, log_m);
    if (log_m < curve->two_adicity)
        cuzk_root_of_unity(&source->coset, curve, &curve->root_iden3, log_m + 1);
    else
        source->coset = curve->coset_iden3_max;
}

static void fill_source(cuzk_pk_source *source, const cuzk_zkey_head *head)
{
    const cuzk_zkey_info *info = &head->info;
    size_t vars = info->vars;

    source->name = cuzk_map_name(head->file.map);
    source->beta_g1 = head->beta_g1;
    source->delta_g1 = head->delta_g1;
    source->h_kind = CUZK_H_ODD_LAGRANGE;
    source->log_m = head->log_m;
    choose_roots(source, info->curve, head->log_m);
    source->vars = vars;
    source->a = (struct cuzk_query_source){.points = head->a, .n = vars};
    source->b1 = (struct cuzk_query_source){.points = head->b1, .n = vars};
    source->b2 = (struct cuzk_query_source){.points = head->b2, .n = vars};
    source->l = (struct cuzk_query_source){.points = head->l, .n = vars - info->n_public - 1};
    source->h = (struct cuzk_query_source){.points = head->h, .n = info->domain};
}

/* The long sequential parts of loading, side by side: A, B, digest. */
struct scan {
    cuzk_pk_source *source;
    const cuzk_zkey_head *head;
    cuzk_zkey_matrix matrices[2];
    cuzk_status status[3];
    cuzk_error err[3];
};

static void scan_tile(void *context, size_t tile, unsigned worker)
{
    struct scan *scan = context;
    (void)worker;
    scan->status[tile] =
        tile < 2 ? cuzk_zkey_matrix_read(&scan->matrices[tile], scan->head, (unsigned)tile,
                                         &scan->err[tile])
                 : digest_file(scan->source->digest, scan->head->file.map, &scan->err[tile]);
}

static cuzk_status finish_scan(struct scan *scan, cuzk_error *err)
{
    for (int i = 0; i < 3; i++)
        if (scan->status[i] != CUZK_OK)
            return cuzk_fail(err, scan->status[i], "%s", scan->err[i].message);
    CUZK_TRY(cuzk_zkey_matrices_join(scan->matrices, scan->head, err));
    scan->source->mat_a = scan->matrices[0].rows;
    scan->source->coefs = scan->matrices[0].coefs;
    scan->source->mat_b = scan->matrices[1].rows;
    scan->matrices[0] = (cuzk_zkey_matrix){0};
    scan->matrices[1].rows = (cuzk_matrix){0};
    return CUZK_OK;
}

/* Reads the coefficients and, unless its digest is known, digests the file. */
static cuzk_status scan_file(cuzk_pk_source *source, const cuzk_zkey_head *head, bool digests,
                             cuzk_pool *pool, cuzk_error *err)
{
    struct scan scan = {.source = source, .head = head};
    cuzk_pool_run(pool, digests ? 3 : 2, scan_tile, &scan);
    cuzk_status status = finish_scan(&scan, err);
    cuzk_zkey_matrix_release(&scan.matrices[0]);
    cuzk_zkey_matrix_release(&scan.matrices[1]);
    return status;
}

/* Makes the key from a filled source, with the points checked unless this file's are known to be
 * good: recalled says that they are, and that there is nothing to store. */
static cuzk_status make_key(cuzk_pk **pk, cuzk_pk_source *source, const cuzk_map *map,
                            bool recalled, uint32_t flags, cuzk_base_sink *sink, cuzk_pool *pool,
                            cuzk_error *err)
{
    cuzk_pk *made = NULL;

    bool known = recalled || cuzk_verdict_known(source->digest);
    bool check = (flags & CUZK_PK_SKIP_CHECK) == 0 && !known;
    if (check)
        CUZK_TRY(check_ic(&source->vk, source->name, pool, err));
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

cuzk_status cuzk_zkey_open(cuzk_pk **pk, const cuzk_map *map, uint32_t flags, cuzk_base_sink *sink,
                           cuzk_pool *pool, cuzk_error *err)
{
    cuzk_zkey_head head;
    cuzk_pk_source source = {0};

    CUZK_TRY(cuzk_zkey_head_read(&head, map, err));
    fill_source(&source, &head);
    bool recalled = cuzk_verdict_recall(source.digest, map);
    cuzk_status status = cuzk_zkey_head_vk(&source.vk, &head, err);
    if (status == CUZK_OK)
        status = scan_file(&source, &head, !recalled, pool, err);
    if (status == CUZK_OK)
        status = make_key(pk, &source, map, recalled, flags, sink, pool, err);
    cuzk_pk_source_release(&source);
    return status;
}
