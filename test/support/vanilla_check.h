/* What a verifier of vanilla proofs checks: every hash and every derivation. Fails the test on what
 * is not so. */
#ifndef CUZK_TEST_VANILLA_CHECK_H
#define CUZK_TEST_VANILLA_CHECK_H

#include "circuit/filecoin/open.h"

/* Partitions as the proof has them; challenges by its rule from the vanilla proof's own seed and
 * commitments. */
void test_check_porep(const cuzk_porep_vanilla *vanilla, const cuzk_fil_proof *proof);

/* The leaves are the expected ones. */
void test_check_post(const cuzk_post_sector *post, const cuzk_fil_proof *proof,
                     const uint64_t *leaf, size_t n);

/* comms: of the deal. */
void test_check_snap(const cuzk_snap_partition *snap, const cuzk_deal_view *comms,
                     size_t partition);

#endif
