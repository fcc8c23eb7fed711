#include "circuit/filecoin/sparse_sector.h"

#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/places_sorted.h"

#include <stdlib.h>
#include <string.h>

/* Tree R with the given leaves, of which only their places matter: all values are seeded. */
static cuzk_status make_tree(cuzk_sparse_tree *tree, const cuzk_fil_proof *proof,
                             const uint8_t seed[32], const uint64_t *leaf, size_t n,
                             cuzk_error *err)
{
    cuzk_tree_form form = cuzk_shape_form(&proof->tree, CUZK_TREE_POSEIDON);
    uint64_t *place = malloc(n * sizeof *place);
    cuzk_scalar *value = malloc(n * sizeof *value);
    cuzk_status status;
    if (place == NULL || value == NULL) {
        status = cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a sparse sector");
    } else {
        memcpy(place, leaf, n * sizeof *place);
        n = cuzk_places_sort(place, n);
        for (size_t i = 0; i < n; i++)
            value[i] = cuzk_seeded_value(seed, CUZK_SEEDED_TREE_R, 0, place[i]);
        status = cuzk_sparse_tree_init(tree, &form, seed, CUZK_SEEDED_TREE_R, place, value, n, NULL,
                                       err);
    }
    free(place);
    free(value);
    return status;
}

cuzk_status cuzk_sparse_post_open(cuzk_post_sector *post, cuzk_arena *arena,
                                  const cuzk_fil_proof *proof, uint64_t sector,
                                  const uint8_t seed[32], const uint64_t *leaf, size_t n,
                                  cuzk_error *err)
{
    cuzk_sparse_tree tree;
    CUZK_ASSERT(n > 0);
    CUZK_TRY(make_tree(&tree, proof, seed, leaf, n, err));
    cuzk_sector_view view = {.proof = proof,
                             .sector_id = sector,
                             .comm_c = cuzk_seeded_value(seed, CUZK_SEEDED_COMM_C, 0, 0),
                             .comm_r_last = *cuzk_sparse_tree_root(&tree),
                             .r = cuzk_sparse_tree_as_source(&tree)};
    cuzk_comm_r(&view.comm_r, &view.comm_c, &view.comm_r_last);
    cuzk_status status = cuzk_post_open(post, arena, &view, leaf, n, err);
    cuzk_sparse_tree_release(&tree);
    return status;
}
