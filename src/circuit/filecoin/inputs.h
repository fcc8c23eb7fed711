/* From vanilla proofs to circuits: which circuit a registered proof has, and what one partition
 * brings to it, in the order that the circuits' headers state. */
#ifndef CUZK_CIRCUIT_FILECOIN_INPUTS_H
#define CUZK_CIRCUIT_FILECOIN_INPUTS_H

#include "circuit/filecoin/challenges.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "circuit/filecoin/proofs.h"
#include "circuit/filecoin/vanilla.h"

/* A circuit with its parameters. It points into itself: neither copied nor moved. */
typedef struct cuzk_fil_circuit {
    cuzk_circuit circuit;
    char name[20];
    union {
        cuzk_porep_params porep;
        cuzk_post_params post;
        cuzk_update_params update;
    } params;
} cuzk_fil_circuit;
void cuzk_fil_circuit_init(cuzk_fil_circuit *circuit, const cuzk_fil_proof *proof);

/* How many field elements and words one partition's circuit takes, and how many public inputs it
 * has without ONE. */
typedef struct cuzk_fil_sizes {
    size_t field, word, statement;
} cuzk_fil_sizes;
cuzk_fil_sizes cuzk_fil_sizes_get(const cuzk_fil_proof *proof);

/* Where one partition's inputs go: arrays of the caller's of these sizes. statement: the
 * public inputs; may be NULL. */
typedef struct cuzk_fil_inputs {
    cuzk_scalar *field;
    uint64_t *word;
    cuzk_scalar *statement;
} cuzk_fil_inputs;

/* The following fill them. Proofs are of the shapes and numbers of `proof`, as the readers make
 * sure; public inputs (section 11) are those that the circuit will have: places of leaves come from
 * the paths. Any thread. */

/* Partition k of a C1 output. */
void cuzk_porep_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                       const cuzk_porep_vanilla *c1, size_t k);

/* n sectors of a Window proof, 1 to proof->sectors; the last one repeats up to that. */
void cuzk_window_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                        const cuzk_post_sector *sector, size_t n);

/* A Winning proof's only sector: each of its paths becomes a sector, the last one repeats. */
void cuzk_winning_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                         const cuzk_post_sector *sector);

/* Partition k. Words: none. */
void cuzk_snap_inputs(const cuzk_fil_inputs *out, const cuzk_fil_proof *proof,
                      const cuzk_snap_public *comms, const cuzk_snap_partition *partition,
                      size_t k);

#endif
