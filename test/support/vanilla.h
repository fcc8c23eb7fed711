/* The vanilla proofs of test/data/filecoin and the registered proofs that they belong to. */
#ifndef CUZK_TEST_VANILLA_H
#define CUZK_TEST_VANILLA_H

#include "support/fixtures.h"

#include "circuit/filecoin/proofs.h"

/* A file and what it is read as: a registered proof, changed where the file's sector has no
 * registered size. */
typedef struct vanilla_file {
    const char *name;
    cuzk_fil_kind kind;
    unsigned id;
    cuzk_tree_shape tree; /* base 0: the registered one's */
} vanilla_file;

static const vanilla_file vanilla_files[] = {
    {"filecoin/model-2kib-window.vproof", CUZK_FIL_WINDOW, 5, {0}},
    {"filecoin/model-2kib-winning.vproof", CUZK_FIL_WINNING, 0, {0}},
    {"filecoin/model-2kib-snap-0.vproof", CUZK_FIL_SNAP, 0, {0}},
    {"filecoin/model-32kib-top-window.vproof", CUZK_FIL_WINDOW, 9, {8, 8, 2, 2}},
    {"filecoin/model-2kib-c1.json", CUZK_FIL_POREP, 5, {0}},
    {"filecoin/model-16kib-sub-c1.json", CUZK_FIL_POREP, 8, {8, 8, 0, 2}},
};
enum { VANILLA_WINDOW, VANILLA_WINNING, VANILLA_SNAP, VANILLA_TOP, VANILLA_C1, VANILLA_C1_SUB };

static inline cuzk_fil_proof vanilla_proof_of(const vanilla_file *file)
{
    cuzk_error err;
    cuzk_fil_proof proof;
    assert_ok(cuzk_fil_proof_get(&proof, file->kind, file->id, &err));
    if (file->tree.base != 0) {
        proof.tree = file->tree;
        proof.nodes = cuzk_shape_leaves(&file->tree);
        proof.sector_bytes = 32 * proof.nodes;
        proof.data.base_levels = 0;
        while (cuzk_shape_leaves(&proof.data) < proof.nodes)
            proof.data.base_levels++;
        proof.layers = 2;
        proof.challenges = file->kind == CUZK_FIL_POREP ? 2 : proof.challenges;
        proof.partitions = 1;
        proof.sectors = 1;
    }
    return proof;
}

#endif
