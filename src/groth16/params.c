#include "groth16/params.h"

#include "base/memory.h"
#include "groth16/decode.h"
#include "groth16/params_layout.h"

#include <string.h>

/* Walks over the arrays of a file; counts are below 2^32, so offsets cannot overflow 64 bits. */
typedef struct walk {
    const cuzk_map *map;
    uint64_t at;
} walk;

static cuzk_status step_over(walk *w, const char *what, uint64_t point_bytes, size_t *count,
                             size_t *first, cuzk_error *err)
{
    uint64_t size = cuzk_map_size(w->map);
    if (w->at > size || size - w->at < 4)
        return cuzk_fail(
            err, CUZK_ERR_FORMAT,
            "%s: %llu bytes, but the count of %s should stand at offset %llu; the file "
            "is truncated or not of this kind",
            cuzk_map_name(w->map), (unsigned long long)size, what, (unsigned long long)w->at);
    const uint8_t *in = cuzk_map_data(w->map) + w->at;
    uint64_t n = (uint64_t)in[0] << 24 | (uint64_t)in[1] << 16 | (uint64_t)in[2] << 8 | in[3];
    uint64_t begin = w->at + 4;
    if (n * point_bytes > size - begin)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: %s has %llu points of %llu bytes from offset %llu on, but the file "
                         "ends at %llu; it is truncated, or the count at offset %llu is wrong",
                         cuzk_map_name(w->map), what, (unsigned long long)n,
                         (unsigned long long)point_bytes, (unsigned long long)begin,
                         (unsigned long long)size, (unsigned long long)w->at);
    *count = (size_t)n;
    *first = (size_t)begin;
    w->at = begin + n * point_bytes;
    return CUZK_OK;
}

static cuzk_status expect_end(const walk *w, const char *last, cuzk_error *err)
{
    uint64_t size = cuzk_map_size(w->map);
    if (w->at == size)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT,
                     "%s: %llu bytes after the last point of %s, where the file should end (offset "
                     "%llu); a count is wrong or the file is of another kind",
                     cuzk_map_name(w->map), (unsigned long long)(size - w->at), last,
                     (unsigned long long)w->at);
}

static cuzk_status check_counts(const cuzk_params_info *info, size_t b_g2_len, const cuzk_map *map,
                                cuzk_error *err)
{
    const char *name = cuzk_map_name(map);
    if (info->ic_len == 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: ic has no points; expected at least one", name);
    if (b_g2_len != info->b_len)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: b has %zu points in G1 and %zu in G2; expected as many", name,
                         info->b_len, b_g2_len);
    uint64_t m = (uint64_t)info->h_len + 1;
    if ((m & (m - 1)) != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: h has %zu points; expected one less than a power of two", name,
                         info->h_len);
    return CUZK_OK;
}

cuzk_status cuzk_params_info_read(cuzk_params_info *info, const cuzk_map *map, cuzk_error *err)
{
    cuzk_params_info read;
    size_t b_g2_len;
    walk w = {.map = map, .at = CUZK_PARAMS_IC_COUNT};
    CUZK_TRY(step_over(&w, "ic", CUZK_PARAMS_G1, &read.ic_len, &read.ic_at, err));
    CUZK_TRY(step_over(&w, "h", CUZK_PARAMS_G1, &read.h_len, &read.h_at, err));
    CUZK_TRY(step_over(&w, "l", CUZK_PARAMS_G1, &read.l_len, &read.l_at, err));
    CUZK_TRY(step_over(&w, "a", CUZK_PARAMS_G1, &read.a_len, &read.a_at, err));
    CUZK_TRY(step_over(&w, "b_g1", CUZK_PARAMS_G1, &read.b_len, &read.b_g1_at, err));
    CUZK_TRY(step_over(&w, "b_g2", CUZK_PARAMS_G2, &b_g2_len, &read.b_g2_at, err));
    CUZK_TRY(expect_end(&w, "b_g2", err));
    CUZK_TRY(check_counts(&read, b_g2_len, map, err));
    *info = read;
    return CUZK_OK;
}

typedef struct head {
    cuzk_vk vk;
    cuzk_g1 beta_g1, delta_g1;
} head;

static cuzk_status decode_head(head *h, const cuzk_map *map, cuzk_error *err)
{
    const struct {
        const char *what;
        cuzk_group group;
        uint64_t *out;
        size_t at;
    } points[] = {{"alpha_g1", CUZK_G1, h->vk.alpha_g1.l, CUZK_PARAMS_ALPHA_G1},
                  {"beta_g1", CUZK_G1, h->beta_g1.l, CUZK_PARAMS_BETA_G1},
                  {"beta_g2", CUZK_G2, h->vk.beta_g2.l, CUZK_PARAMS_BETA_G2},
                  {"gamma_g2", CUZK_G2, h->vk.gamma_g2.l, CUZK_PARAMS_GAMMA_G2},
                  {"delta_g1", CUZK_G1, h->delta_g1.l, CUZK_PARAMS_DELTA_G1},
                  {"delta_g2", CUZK_G2, h->vk.delta_g2.l, CUZK_PARAMS_DELTA_G2}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        cuzk_decode_place place = {.curve = h->vk.curve,
                                   .group = points[i].group,
                                   .name = cuzk_map_name(map),
                                   .what = points[i].what,
                                   .subgroup = true};
        CUZK_TRY(cuzk_decode_zcash(points[i].out, cuzk_map_data(map) + points[i].at, 1, &place,
                                   NULL, err));
    }
    return CUZK_OK;
}

static cuzk_status decode_ic(head *h, size_t count, size_t first, const cuzk_map *map,
                             cuzk_error *err)
{
    cuzk_decode_place place = {.curve = h->vk.curve,
                               .group = CUZK_G1,
                               .name = cuzk_map_name(map),
                               .what = "ic",
                               .subgroup = true};
    h->vk.n_public = count - 1;
    h->vk.ic = cuzk_memory_new(count, h->vk.curve->g1_words * sizeof(uint64_t));
    if (h->vk.ic == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the %zu points of ic",
                         cuzk_map_name(map), count);
    return cuzk_decode_zcash(h->vk.ic, cuzk_map_data(map) + first, count, &place, NULL, err);
}

cuzk_status cuzk_params_read_vk(cuzk_vk *vk, cuzk_g1 *beta_g1, cuzk_g1 *delta_g1,
                                const cuzk_map *map, bool params, cuzk_error *err)
{
    size_t ic_len, ic_at;
    walk w = {.map = map, .at = CUZK_PARAMS_IC_COUNT};
    CUZK_TRY(step_over(&w, "ic", CUZK_PARAMS_G1, &ic_len, &ic_at, err));
    if (!params)
        CUZK_TRY(expect_end(&w, "ic", err));
    if (ic_len == 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: ic has no points; expected at least one",
                         cuzk_map_name(map));
    head h = {.vk.curve = cuzk_curve_get(CUZK_BLS12_381)};
    cuzk_status status = decode_head(&h, map, err);
    if (status == CUZK_OK)
        status = decode_ic(&h, ic_len, ic_at, map, err);
    if (status == CUZK_OK)
        status = cuzk_map_check(map, err);
    if (status != CUZK_OK) {
        cuzk_vk_release(&h.vk);
        return status;
    }
    *vk = h.vk;
    if (beta_g1 != NULL)
        *beta_g1 = h.beta_g1;
    if (delta_g1 != NULL)
        *delta_g1 = h.delta_g1;
    return CUZK_OK;
}
