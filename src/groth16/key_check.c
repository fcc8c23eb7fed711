#include "groth16/key_check.h"

#include <string.h>

static bool fr_equal(const cuzk_fr *a, const cuzk_fr *b)
{
    return memcmp(a->l, b->l, sizeof a->l) == 0;
}

static cuzk_status check_head(const cuzk_pk_source *source, bool allow_insecure, cuzk_error *err)
{
    const cuzk_curve *curve = source->vk.curve;
    CUZK_TRY(cuzk_vk_check(&source->vk, allow_insecure, source->name, err));
    const struct {
        const char *what;
        const uint64_t *point;
    } points[] = {{"beta in G1", source->beta_g1.l}, {"delta in G1", source->delta_g1.l}};
    for (size_t i = 0; i < 2; i++) {
        cuzk_point_status found = curve->g1_check(points[i].point, true);
        if (found != CUZK_POINT_OK)
            return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: %s is %s; the file is damaged",
                             source->name, points[i].what, cuzk_point_status_text(found));
        if (cuzk_point_is_infinity(points[i].point, curve->g1_words))
            return cuzk_fail(err, CUZK_ERR_INSECURE,
                             "%s: %s is the point at infinity: proofs would not hide the witness; "
                             "get the key again from its source",
                             source->name, points[i].what);
    }
    return CUZK_OK;
}

static cuzk_status check_sizes(const cuzk_pk_source *source, cuzk_error *err)
{
    unsigned limit = source->vk.curve->two_adicity;
    if (limit > CUZK_DOMAIN_LOG_MAX)
        limit = CUZK_DOMAIN_LOG_MAX;
    if (source->log_m > limit)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: the domain has 2^%u rows; the largest possible one on %s has 2^%u",
                         source->name, source->log_m, source->vk.curve->full_name, limit);
    if (source->vars > UINT32_MAX || source->vars < source->vk.n_public + 1)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: %zu variables with %zu public ones; expected at least one more than "
                         "the public ones and fewer than 2^32",
                         source->name, source->vars, source->vk.n_public);
    if (source->vk.n_public + 1 > (size_t)1 << source->log_m)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: %zu public inputs need more rows than the domain's 2^%u",
                         source->name, source->vk.n_public, source->log_m);
    return CUZK_OK;
}

/* Row i of the circuit sits at omega^i, and the H points belong to one coset: another choice of
 * either gives well-formed, invalid proofs. */
static cuzk_status check_roots(const cuzk_pk_source *source, cuzk_error *err)
{
    const cuzk_curve *curve = source->vk.curve;
    bool odd = source->h_kind == CUZK_H_ODD_LAGRANGE;
    cuzk_fr expected;
    cuzk_root_of_unity(&expected, curve, odd ? &curve->root_iden3 : &curve->root_zcash,
                       source->log_m);
    if (!fr_equal(&expected, &source->omega))
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: the root of unity is not the one that %s keys use for 2^%u rows",
                         source->name, odd ? "snarkjs" : "bellperson", source->log_m);
    if (!odd)
        expected = curve->coset_zcash;
    else if (source->log_m == curve->two_adicity)
        expected = curve->coset_iden3_max;
    else
        cuzk_root_of_unity(&expected, curve, &curve->root_iden3, source->log_m + 1);
    if (!fr_equal(&expected, &source->coset))
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: the evaluation coset is not the one that %s keys use for 2^%u rows",
                         source->name, odd ? "snarkjs" : "bellperson", source->log_m);
    return CUZK_OK;
}

static cuzk_status check_matrix(const cuzk_pk_source *source, const cuzk_matrix *matrix,
                                const char *what, cuzk_error *err)
{
    if (matrix->rows > (size_t)1 << source->log_m)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: matrix %s has %zu rows; the domain has 2^%u",
                         source->name, what, matrix->rows, source->log_m);
    uint64_t entries = matrix->rows == 0 ? 0 : matrix->row_start[matrix->rows];
    for (uint64_t i = 0; i < entries; i++) {
        if (matrix->col[i] >= source->vars)
            return cuzk_fail(
                err, CUZK_ERR_FORMAT, "%s: matrix %s: entry %llu names variable %u; there are %zu",
                source->name, what, (unsigned long long)i, matrix->col[i], source->vars);
        if (matrix->coef[i] >= source->coefs.count)
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: matrix %s: entry %llu has coefficient number %u; there are %zu",
                             source->name, what, (unsigned long long)i, matrix->coef[i],
                             source->coefs.count);
    }
    return CUZK_OK;
}

static cuzk_status check_packed(const cuzk_pk_source *source, cuzk_error *err)
{
    const cuzk_packed_map *map = source->packed;
    if (map == NULL || (map->n == source->vars && map->head == source->vk.n_public + 1))
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MISMATCH,
                     "%s: the circuit packs %zu variables, %zu of them public; expected %zu and "
                     "%zu: use the circuit that the key was made for",
                     source->name, map->n, map->head, source->vars, source->vk.n_public + 1);
}

static cuzk_status check_index(const cuzk_pk_source *source, const struct cuzk_query_source *query,
                               uint32_t first, const char *what, cuzk_error *err)
{
    for (size_t i = 0; query->index != NULL && i < query->n; i++)
        if (query->index[i] < first || query->index[i] >= source->vars)
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: %s[%zu] belongs to variable %u; expected one from %u to %zu",
                             source->name, what, i, query->index[i], first, source->vars - 1);
    return CUZK_OK;
}

static cuzk_status check_query(const cuzk_pk_source *source, const struct cuzk_query_source *query,
                               uint32_t first, const char *what, cuzk_error *err)
{
    size_t full = source->vars - first;
    bool good = query->index == NULL ? query->n == full : query->n <= full;
    if (!good)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: %s has %zu points; %s%zu expected",
                         source->name, what, query->n, query->index == NULL ? "" : "at most ",
                         full);
    return check_index(source, query, first, what, err);
}

static cuzk_status check_queries(const cuzk_pk_source *source, cuzk_error *err)
{
    CUZK_TRY(check_query(source, &source->a, 0, "a", err));
    CUZK_TRY(check_query(source, &source->b1, 0, "b1", err));
    CUZK_TRY(check_query(source, &source->b2, 0, "b2", err));
    CUZK_TRY(check_query(source, &source->l, (uint32_t)source->vk.n_public + 1, "l", err));
    if (source->b1.n != source->b2.n)
        return cuzk_fail(err, CUZK_ERR_MISMATCH,
                         "%s: b has %zu points in G1 and %zu in G2; expected as many", source->name,
                         source->b1.n, source->b2.n);
    size_t m = (size_t)1 << source->log_m;
    size_t expected = source->h_kind == CUZK_H_COSET_MONOMIAL ? m - 1 : m;
    if (source->h.n != expected || source->h.index != NULL)
        return cuzk_fail(err, CUZK_ERR_MISMATCH, "%s: h has %zu points; expected %zu", source->name,
                         source->h.n, expected);
    return CUZK_OK;
}

cuzk_status cuzk_pk_source_check(const cuzk_pk_source *source, bool allow_insecure, cuzk_error *err)
{
    CUZK_ASSERT(source->name != NULL && source->vk.curve != NULL && source->vk.ic != NULL);
    CUZK_TRY(check_sizes(source, err));
    CUZK_TRY(check_roots(source, err));
    CUZK_TRY(check_head(source, allow_insecure, err));
    CUZK_ASSERT(source->rows == 0 || source->mat_a.rows == 0);
    CUZK_ASSERT(source->packed == NULL || source->rows != 0);
    CUZK_TRY(check_packed(source, err));
    CUZK_TRY(check_matrix(source, &source->mat_a, "A", err));
    CUZK_TRY(check_matrix(source, &source->mat_b, "B", err));
    CUZK_TRY(check_matrix(source, &source->mat_c, "C", err));
    return check_queries(source, err);
}
