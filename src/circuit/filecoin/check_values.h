/* Comparisons with messages, for the checks. */
#ifndef CUZK_CIRCUIT_FILECOIN_CHECK_VALUES_H
#define CUZK_CIRCUIT_FILECOIN_CHECK_VALUES_H

#include "circuit/filecoin/vanilla.h"
#include "hash/tree.h"

/* "what is <hex>, expected <hex>", bytes in the order of files. */
cuzk_status cuzk_check_equal(const cuzk_scalar *found, const cuzk_scalar *expected,
                             const char *what, cuzk_status status, cuzk_error *err);

cuzk_status cuzk_check_not_zero(const void *bytes32, const char *what, cuzk_error *err);

/* comm_r is the hash of comm_c and comm_r_last. */
cuzk_status cuzk_check_comm_r(const cuzk_scalar *comm_r, const cuzk_scalar *comm_c,
                              const cuzk_scalar *comm_r_last, const char *what, cuzk_error *err);

/* The path opens that node, says that its root is `root`, and hashes to it. name: of the path, in
 * messages. */
cuzk_status cuzk_check_path(const cuzk_merkle_path *path, cuzk_tree_hash hash, uint64_t node,
                            const cuzk_scalar *root, const char *name, cuzk_error *err);

/* The path says that its root is `root` and hashes to it, whatever node it opens. */
cuzk_status cuzk_check_root(const cuzk_merkle_path *path, cuzk_tree_hash hash,
                            const cuzk_scalar *root, const char *name, cuzk_error *err);

#endif
