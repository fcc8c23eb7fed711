#include "circuit/filecoin/proofs.h"

#include <stdio.h>
#include <string.h>

typedef struct sector_size {
    const char *name;    /* in registered proofs */
    const char *circuit; /* in circuits' names */
    unsigned log_bytes;
    cuzk_tree_shape tree;
    unsigned layers;
    size_t porep_partitions, ni_partitions, porep_challenges;
    size_t window_sectors;
    size_t snap_partitions, snap_challenges, apex;
} sector_size;

static const sector_size sizes[CUZK_FIL_SIZES] = {
    {"2KiB", "2k", 11, {8, 0, 0, 2}, 2, 1, 13, 2, 2, 1, 10, 8},
    {"8MiB", "8m", 23, {8, 0, 0, 6}, 2, 1, 13, 2, 2, 4, 10, 128},
    {"512MiB", "512m", 29, {8, 0, 0, 8}, 2, 1, 13, 2, 2, 16, 86, 128},
    {"32GiB", "32g", 35, {8, 8, 0, 9}, 11, 10, 126, 18, 2349, 16, 86, 128},
    {"64GiB", "64g", 36, {8, 8, 2, 9}, 11, 10, 126, 18, 2300, 16, 86, 128},
};

static const char *const porep_suffix[] = {
    "V1",
    "V1_1",
    "V1_1_Feat_SyntheticPoRep",
    "V1_2_Feat_NonInteractivePoRep",
};

enum { NODE_LOG = 5, WINDOW_CHALLENGES = 10, WINNING_CHALLENGES = 66 };

const char *cuzk_fil_kind_name(cuzk_fil_kind kind)
{
    switch (kind) {
    case CUZK_FIL_POREP:
        return "PoRep";
    case CUZK_FIL_SNAP:
        return "SnapDeals";
    case CUZK_FIL_WINDOW:
        return "WindowPoSt";
    case CUZK_FIL_WINNING:
        return "WinningPoSt";
    }
    return "?";
}

static void fill_size(cuzk_fil_proof *proof, const sector_size *s)
{
    proof->sector_bytes = UINT64_C(1) << s->log_bytes;
    proof->nodes = proof->sector_bytes >> NODE_LOG;
    proof->tree = s->tree;
    proof->data = (cuzk_tree_shape){2, 0, 0, s->log_bytes - NODE_LOG};
    proof->partitions = 1;
    proof->sectors = 1;
}

static void fill_porep(cuzk_fil_proof *proof, const sector_size *s)
{
    static const cuzk_fil_api apis[] = {CUZK_FIL_V1_0, CUZK_FIL_V1_1, CUZK_FIL_V1_2, CUZK_FIL_V1_2};
    unsigned family = proof->id / CUZK_FIL_SIZES;
    snprintf(proof->name, sizeof proof->name, "StackedDrg%s%s", s->name, porep_suffix[family]);
    snprintf(proof->circuit, sizeof proof->circuit, "porep-%s", s->circuit);
    proof->api = apis[family];
    proof->rule = family == 3   ? CUZK_POREP_NON_INTERACTIVE
                  : family == 2 ? CUZK_POREP_SYNTHETIC
                                : CUZK_POREP_INTERACTIVE;
    proof->layers = s->layers;
    proof->challenges = s->porep_challenges;
    proof->partitions = family == 3 ? s->ni_partitions : s->porep_partitions;
    proof->porep_id[0] = (uint8_t)proof->id; /* u64 id, u64 nonce 0, zeros */
}

static void fill_snap(cuzk_fil_proof *proof, const sector_size *s)
{
    static const unsigned large[CUZK_SNAP_HS] = {7, 8, 9, 10, 11, 12};
    static const unsigned small[CUZK_SNAP_HS] = {1, 1, 1, 1, 1, 1};
    const int is_small = proof->nodes <= 1 << 10;
    snprintf(proof->name, sizeof proof->name, "StackedDrg%sV1", s->name);
    snprintf(proof->circuit, sizeof proof->circuit, "update-%s", s->circuit);
    proof->partitions = s->snap_partitions;
    proof->challenges = s->snap_challenges;
    proof->apex = s->apex;
    while (1u << proof->partition_bits < s->snap_partitions)
        proof->partition_bits++;
    memcpy(proof->h_bits, is_small ? small : large, sizeof proof->h_bits);
    /* h is element 3 of the list; its bit is that of the first position with the same value. */
    proof->h_select = is_small ? 1 : 1 << 3;
}

static void fill_post(cuzk_fil_proof *proof, const sector_size *s)
{
    const int window = proof->kind == CUZK_FIL_WINDOW, second = proof->id >= 10;
    snprintf(proof->name, sizeof proof->name, "StackedDrg%s%sV1%s", window ? "Window" : "Winning",
             s->name, second ? "_1" : "");
    snprintf(proof->circuit, sizeof proof->circuit, "%s-%s", window ? "window" : "winning",
             s->circuit);
    proof->api = second ? CUZK_FIL_V1_2 : CUZK_FIL_V1_0;
    /* Winning: one sector with 66 challenges, in the circuit 66 sectors with one each. */
    proof->sectors = window ? s->window_sectors : WINNING_CHALLENGES;
    proof->challenges = window ? WINDOW_CHALLENGES : 1;
}

static cuzk_status check_id(cuzk_fil_kind kind, unsigned id, cuzk_error *err)
{
    unsigned first = 0, last = 4;
    switch (kind) {
    case CUZK_FIL_POREP:
        last = 19;
        break;
    case CUZK_FIL_WINDOW:
        first = 5;
        last = 14;
        break;
    case CUZK_FIL_SNAP:
    case CUZK_FIL_WINNING:
        break;
    default:
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "proof kind %d is not known: expected 1 (PoRep), 2 (SnapDeals), 3 "
                         "(WindowPoSt) or 4 (WinningPoSt)",
                         (int)kind);
    }
    if (id < first || id > last)
        return cuzk_fail(err, CUZK_ERR_ARGUMENT,
                         "registered proof %u is not one of %s: expected %u to %u", id,
                         cuzk_fil_kind_name(kind), first, last);
    return CUZK_OK;
}

cuzk_status cuzk_fil_proof_get(cuzk_fil_proof *proof, cuzk_fil_kind kind, unsigned id,
                               cuzk_error *err)
{
    CUZK_TRY(check_id(kind, id, err));
    *proof = (cuzk_fil_proof){.kind = kind, .id = id, .size = id % CUZK_FIL_SIZES};
    const sector_size *s = &sizes[proof->size];
    fill_size(proof, s);
    if (kind == CUZK_FIL_POREP)
        fill_porep(proof, s);
    else if (kind == CUZK_FIL_SNAP)
        fill_snap(proof, s);
    else
        fill_post(proof, s);
    return CUZK_OK;
}
