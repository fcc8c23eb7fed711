/* Sizes of circuits. PoSt's follow from those of the gadgets; SHA-256 makes the others' irregular,
 * they are the known figures (Filecoin circuits, sections 7 and 9). */
#include "circuit/filecoin/proofs.h"

enum { HASH_2 = 311, HASH_8 = 505 }; /* Poseidon, variables and rows alike */

typedef struct fixed_counts {
    size_t aux, rows; /* rows without those of the public inputs */
} fixed_counts;

static const fixed_counts porep[CUZK_FIL_SIZES] = {
    {2685673, 2687961 - 40},      {3842449, 3844969 - 40},      {4420837, 4423473 - 40},
    {130169893, 130278869 - 328}, {131076643, 131186177 - 328},
};
static const fixed_counts snap[CUZK_FIL_SIZES] = {
    {1703569, 1705039},   {9998039, 10007503},  {57401314, 57450479},
    {80978488, 81049499}, {84931220, 85006101},
};

/* One level of a path: index bits, siblings, their arrangement, the hash. */
static fixed_counts level_counts(uint32_t arity)
{
    if (arity == 2)
        return (fixed_counts){1 + 1 + 2 + HASH_2, 1 + 2 + HASH_2};
    return (fixed_counts){3 + 7 + 22 + HASH_8, 3 + 22 + HASH_8}; /* 8: production has no other */
}

static cuzk_fil_counts post_counts(const cuzk_fil_proof *proof)
{
    fixed_counts path = {1, 2}; /* the leaf; its index as public input, the root's equality */
    for (uint32_t i = 0; i < cuzk_shape_levels(&proof->tree); i++) {
        fixed_counts level = level_counts(cuzk_shape_arity(&proof->tree, i));
        path.aux += level.aux;
        path.rows += level.rows;
    }
    return (cuzk_fil_counts){
        .inputs = 1 + proof->sectors * (1 + proof->challenges),
        .aux = proof->sectors * (3 + HASH_2 + proof->challenges * path.aux),
        .rows = proof->sectors * (2 + HASH_2 + proof->challenges * path.rows),
    };
}

cuzk_fil_counts cuzk_fil_counts_get(const cuzk_fil_proof *proof)
{
    switch (proof->kind) {
    case CUZK_FIL_POREP:
        return (cuzk_fil_counts){1 + 3 + 18 * proof->challenges, porep[proof->size].aux,
                                 porep[proof->size].rows};
    case CUZK_FIL_SNAP:
        return (cuzk_fil_counts){5, snap[proof->size].aux, snap[proof->size].rows};
    case CUZK_FIL_WINDOW:
    case CUZK_FIL_WINNING:
        break;
    }
    return post_counts(proof);
}
