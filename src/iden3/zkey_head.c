#include "iden3/zkey_head.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static cuzk_status check_protocol(const cuzk_binfile *file, cuzk_error *err)
{
    const char *name = cuzk_map_name(file->map);
    const uint8_t *data = NULL;
    CUZK_TRY(cuzk_binfile_section_sized(file, CUZK_ZKEY_PROTOCOL, "protocol", 4, &data, err));
    uint32_t protocol = cuzk_load_le32(data);
    if (protocol == 2 || protocol == 10)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "%s: a %s key; this program proves Groth16 only", name,
                         protocol == 2 ? "PLONK" : "FFLONK");
    if (protocol != 1)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: unknown protocol %" PRIu32 " in section 1; Groth16 is 1", name,
                         protocol);
    return CUZK_OK;
}

static cuzk_status check_counts(cuzk_zkey_head *head, cuzk_error *err)
{
    const cuzk_zkey_info *info = &head->info;
    const char *name = cuzk_map_name(head->file.map);
    if (info->n_public >= info->vars)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: %" PRIu32 " public signals, but %" PRIu32
                         " variables with the constant one",
                         name, info->n_public, info->vars);
    if (info->domain == 0 || (info->domain & (info->domain - 1)) != 0)
        return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: the domain size %" PRIu32 " is no power of two",
                         name, info->domain);
    head->log_m = (unsigned)__builtin_ctz(info->domain);
    if (head->log_m > info->curve->two_adicity)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: the domain size 2^%u is beyond the 2^%u of curve %s", name,
                         head->log_m, info->curve->two_adicity, info->curve->name);
    if (info->n_public >= info->domain)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: %" PRIu32 " public signals do not fit the domain of %" PRIu32 " rows",
                         name, info->n_public, info->domain);
    return CUZK_OK;
}

static cuzk_status point_failed(const cuzk_zkey_head *head, const char *what,
                                cuzk_point_status found, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s: section 2 (header): the point %s is %s",
                     cuzk_map_name(head->file.map), what, cuzk_point_status_text(found));
}

static cuzk_status read_g1(const cuzk_zkey_head *head, cuzk_g1 *point, const uint8_t **data,
                           const char *what, cuzk_error *err)
{
    const cuzk_curve *curve = head->info.curve;
    cuzk_point_status found = curve->g1_decode(point->l, *data, CUZK_ENC_LEM, true);
    if (found != CUZK_POINT_OK)
        return point_failed(head, what, found, err);
    *data += 8 * (size_t)curve->g1_words;
    return CUZK_OK;
}

static cuzk_status read_g2(const cuzk_zkey_head *head, cuzk_g2 *point, const uint8_t **data,
                           const char *what, cuzk_error *err)
{
    const cuzk_curve *curve = head->info.curve;
    cuzk_point_status found = curve->g2_decode(point->l, *data, CUZK_ENC_LEM, true);
    if (found != CUZK_POINT_OK)
        return point_failed(head, what, found, err);
    *data += 8 * (size_t)curve->g2_words;
    return CUZK_OK;
}

static cuzk_status read_points(cuzk_zkey_head *head, const uint8_t *data, cuzk_error *err)
{
    CUZK_TRY(read_g1(head, &head->alpha_g1, &data, "alpha_1", err));
    CUZK_TRY(read_g1(head, &head->beta_g1, &data, "beta_1", err));
    CUZK_TRY(read_g2(head, &head->beta_g2, &data, "beta_2", err));
    CUZK_TRY(read_g2(head, &head->gamma_g2, &data, "gamma_2", err));
    CUZK_TRY(read_g1(head, &head->delta_g1, &data, "delta_1", err));
    CUZK_TRY(read_g2(head, &head->delta_g2, &data, "delta_2", err));
    size_t bytes = 8 * (size_t)head->info.curve->g2_words;
    head->info.gamma_is_delta = memcmp(&head->gamma_g2, &head->delta_g2, bytes) == 0;
    return CUZK_OK;
}

static cuzk_status read_header(cuzk_zkey_head *head, cuzk_error *err)
{
    cuzk_zkey_info *info = &head->info;
    const char *name = cuzk_map_name(head->file.map);
    const cuzk_curve *scalar_curve = NULL;
    const uint8_t *data = NULL;
    uint64_t size = 0, q_bytes = 0, r_bytes = 0;

    CUZK_TRY(cuzk_binfile_section(&head->file, CUZK_ZKEY_HEADER, "header", &data, &size, err));
    CUZK_TRY(cuzk_binfile_base_prime(&head->file, data, size, &info->curve, &q_bytes, err));
    CUZK_TRY(cuzk_binfile_scalar_prime(&head->file, data + q_bytes, size - q_bytes, &scalar_curve,
                                       &r_bytes, err));
    if (scalar_curve->id != info->curve->id)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: its base field is that of %s, its scalar field that of %s", name,
                         info->curve->name, scalar_curve->name);
    uint64_t points = 24 * (uint64_t)info->curve->g1_words + 24 * (uint64_t)info->curve->g2_words;
    if (size != q_bytes + r_bytes + 12 + points)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 2 (header) has %" PRIu64 " bytes, expected %" PRIu64, name,
                         size, q_bytes + r_bytes + 12 + points);
    data += q_bytes + r_bytes;
    info->vars = cuzk_load_le32(data);
    info->n_public = cuzk_load_le32(data + 4);
    info->domain = cuzk_load_le32(data + 8);
    CUZK_TRY(check_counts(head, err));
    return read_points(head, data + 12, err);
}

static cuzk_status find_coefs(cuzk_zkey_head *head, cuzk_error *err)
{
    uint64_t size = 0;
    CUZK_TRY(cuzk_binfile_section(&head->file, CUZK_ZKEY_COEFS, "coefficients", &head->coefs, &size,
                                  err));
    head->info.coefficients = size < 4 ? 0 : cuzk_load_le32(head->coefs);
    uint64_t expected = 4 + CUZK_ZKEY_COEF_BYTES * (uint64_t)head->info.coefficients;
    if (size != expected)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 4 (coefficients) has %" PRIu64 " bytes; its count of %" PRIu32
                         " asks for %" PRIu64,
                         cuzk_map_name(head->file.map), size, head->info.coefficients, expected);
    return CUZK_OK;
}

static cuzk_status find_sections(cuzk_zkey_head *head, cuzk_error *err)
{
    const cuzk_zkey_info *info = &head->info;
    uint64_t g1 = 8 * (uint64_t)info->curve->g1_words, g2 = 8 * (uint64_t)info->curve->g2_words;
    uint64_t inputs = (uint64_t)info->n_public + 1, vars = info->vars;
    const struct {
        uint32_t id;
        const char *what;
        uint64_t size;
        const uint8_t **data;
    } sections[] = {
        {CUZK_ZKEY_IC, "IC", inputs * g1, &head->ic},
        {CUZK_ZKEY_A, "A", vars * g1, &head->a},
        {CUZK_ZKEY_B1, "B1", vars * g1, &head->b1},
        {CUZK_ZKEY_B2, "B2", vars * g2, &head->b2},
        {CUZK_ZKEY_L, "C", (vars - inputs) * g1, &head->l},
        {CUZK_ZKEY_H, "H", info->domain * g1, &head->h},
    };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        CUZK_TRY(cuzk_binfile_section_sized(&head->file, sections[i].id, sections[i].what,
                                            sections[i].size, sections[i].data, err));
    return find_coefs(head, err);
}

/* Walks section 10: a 64-byte hash, a count, and so many records that end in sized parameters. */
static cuzk_status count_contributions(cuzk_zkey_head *head, cuzk_error *err)
{
    const char *name = cuzk_map_name(head->file.map);
    const cuzk_curve *curve = head->info.curve;
    const uint64_t fixed = 24 * (uint64_t)curve->g1_words + 8 * (uint64_t)curve->g2_words + 64 + 8;
    const uint8_t *data = NULL;
    uint64_t size = 0;

    if (!cuzk_binfile_has(&head->file, CUZK_ZKEY_CONTRIBUTIONS))
        return CUZK_OK;
    CUZK_TRY(cuzk_binfile_section(&head->file, CUZK_ZKEY_CONTRIBUTIONS, "contributions", &data,
                                  &size, err));
    if (size < 68)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 10 (contributions) has %" PRIu64
                         " bytes, at least 68 expected",
                         name, size);
    head->info.contributions = cuzk_load_le32(data + 64);
    uint64_t at = 68;
    for (uint32_t i = 0; i < head->info.contributions; i++) {
        uint64_t parameters = size - at < fixed ? 0 : cuzk_load_le32(data + at + fixed - 4);
        if (size - at < fixed || parameters > size - at - fixed)
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: section 10 ends inside contribution %" PRIu32 " of %" PRIu32,
                             name, i + 1, head->info.contributions);
        at += fixed + parameters;
    }
    if (at != size)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 10 has %" PRIu64 " bytes after the last of %" PRIu32
                         " contributions",
                         name, size - at, head->info.contributions);
    return CUZK_OK;
}

cuzk_status cuzk_zkey_head_read(cuzk_zkey_head *head, const cuzk_map *map, cuzk_error *err)
{
    memset(head, 0, sizeof *head);
    CUZK_TRY(cuzk_binfile_open(&head->file, map, "zkey", 1, err));
    CUZK_TRY(check_protocol(&head->file, err));
    CUZK_TRY(read_header(head, err));
    CUZK_TRY(find_sections(head, err));
    return count_contributions(head, err);
}

cuzk_status cuzk_zkey_head_vk(cuzk_vk *vk, const cuzk_zkey_head *head, cuzk_error *err)
{
    size_t bytes = 8 * ((size_t)head->info.n_public + 1) * head->info.curve->g1_words;
    uint64_t *ic = malloc(bytes);
    if (ic == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "%s: no memory for the %zu bytes of IC",
                         cuzk_map_name(head->file.map), bytes);
    memcpy(ic, head->ic, bytes);
    *vk = (cuzk_vk){.curve = head->info.curve,
                    .n_public = head->info.n_public,
                    .alpha_g1 = head->alpha_g1,
                    .beta_g2 = head->beta_g2,
                    .gamma_g2 = head->gamma_g2,
                    .delta_g2 = head->delta_g2,
                    .ic = ic};
    return CUZK_OK;
}
