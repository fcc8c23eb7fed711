/* Registered proofs: everything that a kind and a registered id stand for (Filecoin circuits,
 * section 10). */
#ifndef CUZK_CIRCUIT_FILECOIN_PROOFS_H
#define CUZK_CIRCUIT_FILECOIN_PROOFS_H

#include "base/status.h"
#include "circuit/filecoin/shape.h"

#include <stddef.h>
#include <stdint.h>

/* The numbers are those of requests. */
typedef enum cuzk_fil_kind {
    CUZK_FIL_POREP = 1,  /* ids 0 to 19 */
    CUZK_FIL_SNAP = 2,   /* ids 0 to 4 */
    CUZK_FIL_WINDOW = 3, /* ids 5 to 14 */
    CUZK_FIL_WINNING = 4 /* ids 0 to 4 */
} cuzk_fil_kind;

typedef enum cuzk_fil_api { CUZK_FIL_V1_0, CUZK_FIL_V1_1, CUZK_FIL_V1_2 } cuzk_fil_api;

/* How PoRep challenges are derived (section 11.2). */
typedef enum cuzk_porep_rule {
    CUZK_POREP_INTERACTIVE,
    CUZK_POREP_SYNTHETIC,
    CUZK_POREP_NON_INTERACTIVE
} cuzk_porep_rule;

enum { CUZK_SNAP_HS = 6, CUZK_FIL_SIZES = 5 };

typedef struct cuzk_fil_proof {
    cuzk_fil_kind kind;
    unsigned id;
    char name[56];    /* "StackedDrg32GiBV1_1" */
    char circuit[20]; /* "porep-32g": proofs with the same have the same circuit and parameters */
    unsigned size;    /* 0 to 4: 2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB */
    uint64_t sector_bytes, nodes;
    cuzk_tree_shape tree; /* C and R */
    cuzk_tree_shape data; /* D */
    cuzk_fil_api api;

    size_t partitions; /* that a whole proof has; Window and Winning 1 */
    size_t sectors;    /* of one partition's circuit: Window 2, 2349, 2300, Winning 66, else 1 */
    size_t challenges; /* of one sector in one partition's circuit */

    cuzk_porep_rule rule; /* PoRep */
    unsigned layers;      /* PoRep */
    uint8_t porep_id[32]; /* PoRep */

    size_t apex;                   /* Snap: apex leaves of a partition */
    unsigned partition_bits;       /* Snap: log2 of partitions */
    unsigned h_bits[CUZK_SNAP_HS]; /* Snap: the values of h to select from */
    unsigned h_select;             /* Snap: the bit of the one in use */
} cuzk_fil_proof;

/* Fills *proof; CUZK_ERR_ARGUMENT, naming what there is, where no such proof is registered. */
cuzk_status cuzk_fil_proof_get(cuzk_fil_proof *proof, cuzk_fil_kind kind, unsigned id,
                               cuzk_error *err);

/* "PoRep", "SnapDeals", "WindowPoSt", "WinningPoSt"; "?" for other numbers. */
const char *cuzk_fil_kind_name(cuzk_fil_kind kind);

/* A tree's name in identifiers and file names: "merkletree-poseidon_hasher-8-8-0". */
typedef struct cuzk_fil_tree_name {
    char text[64];
} cuzk_fil_tree_name;
cuzk_fil_tree_name cuzk_fil_tree_name_get(const cuzk_tree_shape *tree);

/* Parameter files of a proof's circuit (section 10.5). */
typedef struct cuzk_fil_params {
    char identifier[320]; /* what is hashed into the name */
    char name[200];       /* of the files, without .params or .vk: the parameters' key name */
    /* Of the published files: the first 16 bytes of their BLAKE2b-512, in hexadecimal; static. */
    const char *params_digest, *vk_digest;
} cuzk_fil_params;
cuzk_status cuzk_fil_params_get(cuzk_fil_params *params, const cuzk_fil_proof *proof,
                                cuzk_error *err);

/* Sizes of one partition's circuit. Constraints of Groth16 are rows + inputs (section 1.2). */
typedef struct cuzk_fil_counts {
    size_t inputs; /* with ONE */
    size_t aux, rows;
} cuzk_fil_counts;
cuzk_fil_counts cuzk_fil_counts_get(const cuzk_fil_proof *proof);

#endif
