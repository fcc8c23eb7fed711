/* What Filecoin's circuits take, laid out from vanilla proofs by following the circuits' headers
 * word by word: for tests of circuits, and to compare with how the program does it. */
#ifndef CUZK_TEST_PLAIN_INPUTS_H
#define CUZK_TEST_PLAIN_INPUTS_H

#include "circuit/cs.h"
#include "circuit/filecoin/vanilla.h"

/* {0} is empty. */
typedef struct test_inputs {
    cuzk_circuit_inputs inputs;
    cuzk_scalar *field;
    uint64_t *word;
} test_inputs;
void test_inputs_release(test_inputs *t);

void test_inputs_field(test_inputs *t, const cuzk_scalar *field, size_t n);
void test_inputs_word(test_inputs *t, uint64_t word);
/* Words and siblings of a path. */
void test_inputs_path(test_inputs *t, const cuzk_merkle_path *path);

void test_inputs_porep(test_inputs *t, const cuzk_porep_vanilla *vanilla, size_t partition);
/* The head of a sector and n of its paths. */
void test_inputs_sector(test_inputs *t, const cuzk_post_sector *sector,
                        const cuzk_merkle_path *path, size_t n);
/* comm_r_old, comm_d_new, comm_r_new as `public` after k_h. */
void test_inputs_snap(test_inputs *t, const cuzk_snap_partition *p, const cuzk_scalar public[4],
                      uint32_t partition_bits, uint32_t apex_bits);

#endif
