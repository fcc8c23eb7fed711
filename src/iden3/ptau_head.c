#include "iden3/ptau_head.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <string.h>

static cuzk_status read_header(cuzk_ptau_head *head, cuzk_error *err)
{
    const char *name = cuzk_map_name(head->file.map);
    cuzk_ptau_info *info = &head->info;
    const uint8_t *data = NULL;
    uint64_t size = 0, used = 0;

    CUZK_TRY(cuzk_binfile_section(&head->file, CUZK_PTAU_HEADER, "header", &data, &size, err));
    CUZK_TRY(cuzk_binfile_base_prime(&head->file, data, size, &info->curve, &used, err));
    if (size != used + 8)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 1 (header) has %" PRIu64 " bytes, expected %" PRIu64, name,
                         size, used + 8);
    info->power = cuzk_load_le32(data + used);
    info->ceremony_power = cuzk_load_le32(data + used + 4);
    if (info->power > info->curve->two_adicity)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: power %" PRIu32 "; curve %s has no domains beyond 2^%u", name,
                         info->power, info->curve->name, info->curve->two_adicity);
    if (info->ceremony_power < info->power)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: power %" PRIu32 " of a ceremony whose power was %" PRIu32, name,
                         info->power, info->ceremony_power);
    return CUZK_OK;
}

static cuzk_status find_sections(cuzk_ptau_head *head, cuzk_error *err)
{
    const cuzk_curve *curve = head->info.curve;
    const uint64_t g1 = 8 * (uint64_t)curve->g1_words, g2 = 8 * (uint64_t)curve->g2_words;
    const uint64_t n = (uint64_t)1 << head->info.power;
    const struct {
        uint32_t id;
        const char *what;
        uint64_t size;
        const uint8_t **data;
    } sections[] = {
        {CUZK_PTAU_TAU_G1, "tauG1", (2 * n - 1) * g1, &head->tau_g1},
        {CUZK_PTAU_TAU_G2, "tauG2", n * g2, &head->tau_g2},
        {CUZK_PTAU_ALPHA_G1, "alphaTauG1", n * g1, &head->alpha_g1},
        {CUZK_PTAU_BETA_G1, "betaTauG1", n * g1, &head->beta_g1},
        {CUZK_PTAU_BETA_G2, "betaG2", g2, &head->beta_g2},
        {CUZK_PTAU_LAGRANGE_TAU_G1, "Lagrange tauG1", (4 * n - 1) * g1, &head->lagrange_tau_g1},
        {CUZK_PTAU_LAGRANGE_TAU_G2, "Lagrange tauG2", (2 * n - 1) * g2, &head->lagrange_tau_g2},
        {CUZK_PTAU_LAGRANGE_ALPHA_G1, "Lagrange alphaTauG1", (2 * n - 1) * g1,
         &head->lagrange_alpha_g1},
        {CUZK_PTAU_LAGRANGE_BETA_G1, "Lagrange betaTauG1", (2 * n - 1) * g1,
         &head->lagrange_beta_g1},
    };
    head->info.prepared = cuzk_binfile_has(&head->file, CUZK_PTAU_LAGRANGE_TAU_G1);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].id < CUZK_PTAU_LAGRANGE_TAU_G1 || head->info.prepared)
            CUZK_TRY(cuzk_binfile_section_sized(&head->file, sections[i].id, sections[i].what,
                                                sections[i].size, sections[i].data, err));
    return CUZK_OK;
}

/* A contribution has five points of the new powers, nine of its public keys, a partial hash, the
 * next challenge, a type and sized parameters. */
static cuzk_status count_contributions(cuzk_ptau_head *head, cuzk_error *err)
{
    const char *name = cuzk_map_name(head->file.map);
    const cuzk_curve *curve = head->info.curve;
    const uint64_t fixed =
        8 * (9 * (uint64_t)curve->g1_words + 5 * (uint64_t)curve->g2_words) + 216 + 64 + 8;
    const uint8_t *data = NULL;
    uint64_t size = 0;

    CUZK_TRY(cuzk_binfile_section(&head->file, CUZK_PTAU_CONTRIBUTIONS, "contributions", &data,
                                  &size, err));
    if (size < 4)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 7 (contributions) has %" PRIu64 " bytes", name, size);
    head->info.contributions = cuzk_load_le32(data);
    uint64_t at = 4;
    for (uint32_t i = 0; i < head->info.contributions; i++) {
        uint64_t parameters = size - at < fixed ? 0 : cuzk_load_le32(data + at + fixed - 4);
        if (size - at < fixed || parameters > size - at - fixed)
            return cuzk_fail(err, CUZK_ERR_FORMAT,
                             "%s: section 7 ends inside contribution %" PRIu32 " of %" PRIu32, name,
                             i + 1, head->info.contributions);
        at += fixed + parameters;
    }
    if (at != size)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: section 7 has %" PRIu64 " bytes after the last of %" PRIu32
                         " contributions",
                         name, size - at, head->info.contributions);
    return CUZK_OK;
}

cuzk_status cuzk_ptau_head_read(cuzk_ptau_head *head, const cuzk_map *map, cuzk_error *err)
{
    memset(head, 0, sizeof *head);
    CUZK_TRY(cuzk_binfile_open(&head->file, map, "ptau", 1, err));
    CUZK_TRY(read_header(head, err));
    CUZK_TRY(find_sections(head, err));
    return count_contributions(head, err);
}

cuzk_status cuzk_ptau_info_read(cuzk_ptau_info *info, const cuzk_map *map, cuzk_error *err)
{
    cuzk_ptau_head head;
    CUZK_TRY(cuzk_ptau_head_read(&head, map, err));
    CUZK_TRY(cuzk_map_check(map, err));
    *info = head.info;
    return CUZK_OK;
}
