/* PoSt vanilla proofs: each blob as one of Window and of Winning. What is read is written to the
 * same bytes; checks take whatever was read. */
#include "circuit/filecoin/bincode.h"
#include "circuit/filecoin/bincode_write.h"
#include "circuit/filecoin/checks.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_proof(cuzk_fil_kind kind, unsigned id, const uint8_t *data, size_t size)
{
    cuzk_error err;
    cuzk_fil_proof proof;
    cuzk_post_sector sector;
    cuzk_arena arena = {0};
    const cuzk_post_claim claim = {.partition = 1};
    uint8_t *written = NULL;
    size_t n = 0;
    if (cuzk_fil_proof_get(&proof, kind, id, &err) != CUZK_OK)
        abort();
    if (cuzk_post_read(&sector, &arena, &proof, data, size, "fuzz", &err) == CUZK_OK) {
        if (cuzk_post_write(&written, &n, &sector, &err) != CUZK_OK || n != size ||
            memcmp(written, data, n) != 0)
            abort();
        free(written);
        cuzk_post_check_sector(&proof, &claim, &sector, 0, &err);
    }
    cuzk_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_proof(CUZK_FIL_WINDOW, 5, data, size);
    try_proof(CUZK_FIL_WINDOW, 9, data, size); /* Top paths */
    try_proof(CUZK_FIL_WINNING, 0, data, size);
    return 0;
}
