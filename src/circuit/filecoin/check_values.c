#include "circuit/filecoin/check_values.h"

#include "circuit/filecoin/identity.h"
#include "circuit/filecoin/trees.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEX = 65 };

static const char *hex(char out[HEX], const cuzk_scalar *value)
{
    for (size_t i = 0; i < 32; i++)
        snprintf(out + 2 * i, 3, "%02x", (unsigned)(value->l[i / 8] >> 8 * (i % 8) & 0xff));
    return out;
}

cuzk_status cuzk_check_equal(const cuzk_scalar *found, const cuzk_scalar *expected,
                             const char *what, cuzk_status status, cuzk_error *err)
{
    char a[HEX], b[HEX];
    if (memcmp(found, expected, sizeof *found) == 0)
        return CUZK_OK;
    return cuzk_fail(err, status, "%s is %s, expected %s", what, hex(a, found), hex(b, expected));
}

cuzk_status cuzk_check_not_zero(const void *bytes32, const char *what, cuzk_error *err)
{
    static const uint8_t zero[32];
    if (memcmp(bytes32, zero, sizeof zero) != 0)
        return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_FORMAT, "%s is zero, expected another value", what);
}

cuzk_status cuzk_check_comm_r(const cuzk_scalar *comm_r, const cuzk_scalar *comm_c,
                              const cuzk_scalar *comm_r_last, const char *what, cuzk_error *err)
{
    cuzk_scalar hash;
    cuzk_comm_r(&hash, comm_c, comm_r_last);
    return cuzk_check_equal(&hash, comm_r, what, CUZK_ERR_FORMAT, err);
}

cuzk_status cuzk_check_root(const cuzk_merkle_path *path, cuzk_tree_hash hash,
                            const cuzk_scalar *root, const char *name, cuzk_error *err)
{
    cuzk_scalar found;
    cuzk_status status = cuzk_check_equal(&path->root, root, "its root", CUZK_ERR_FORMAT, err);
    if (status == CUZK_OK)
        status = cuzk_merkle_path_root(&found, path, hash, err);
    if (status == CUZK_OK)
        status =
            cuzk_check_equal(&found, root, "what its leaf and siblings hash to (over all levels)",
                             CUZK_ERR_FORMAT, err);
    return status == CUZK_OK ? CUZK_OK : cuzk_fail_context(err, "%s", name);
}

cuzk_status cuzk_check_path(const cuzk_merkle_path *path, cuzk_tree_hash hash, uint64_t node,
                            const cuzk_scalar *root, const char *name, cuzk_error *err)
{
    const uint64_t place = cuzk_merkle_path_leaf(path);
    if (place != node)
        return cuzk_fail(err, CUZK_ERR_FORMAT,
                         "%s: its indices lead to leaf %" PRIu64 ", expected %" PRIu64, name, place,
                         node);
    return cuzk_check_root(path, hash, root, name, err);
}
