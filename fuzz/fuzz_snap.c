/* SnapDeals vanilla proofs: each blob as a partition of a 2 KiB and of a 32 GiB proof. What is read
 * is written to the same bytes; checks take whatever was read. */
#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/checks.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_proof(unsigned id, const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_fil_proof proof;
    cuzk_snap_partition partition;
    cuzk_arena arena = {0};
    uint8_t *written = NULL;
    size_t n = 0;
    if (cuzk_fil_proof_get(&proof, CUZK_FIL_SNAP, id, &err) != CUZK_OK)
        abort();
    if (cuzk_snap_read(&partition, &arena, &proof, data, size, "fuzz", &err) == CUZK_OK) {
        if (cuzk_snap_write(&written, &n, &partition, &err) != CUZK_OK || n != size ||
            memcmp(written, data, n) != 0)
            abort();
        free(written);
        const cuzk_snap_public comms = {.comm_r_old = partition.challenge[0].r_old.root};
        cuzk_snap_check_partition(&proof, &comms, &partition, 0, &err);
    }
    cuzk_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_proof(0, data, size);
    try_proof(3, data, size);
    return 0;
}
