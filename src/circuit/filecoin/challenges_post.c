#include "circuit/filecoin/challenges.h"

#include "base/bytes.h"

#include <string.h>

cuzk_status cuzk_post_leaf(uint64_t *leaf, const uint8_t randomness[32], uint64_t sector_id,
                           uint64_t index, uint64_t leaves, cuzk_error *err)
{
    uint8_t message[32 + 8 + 8], hash[CUZK_SHA256_BYTES];
    cuzk_digest *sha256;
    memcpy(message, randomness, 32);
    cuzk_store_le64(message + 32, sector_id);
    cuzk_store_le64(message + 40, index);
    CUZK_TRY(cuzk_digest_new(&sha256, CUZK_SHA256, err));
    cuzk_status status = cuzk_digest_update(sha256, message, sizeof message, err);
    if (status == CUZK_OK)
        status = cuzk_digest_finish(sha256, hash, err);
    cuzk_digest_free(sha256);
    if (status == CUZK_OK)
        *leaf = cuzk_load_le64(hash) % leaves;
    return status;
}

uint64_t cuzk_post_index(const cuzk_fil_proof *proof, uint64_t sector, uint64_t n)
{
    return proof->api == CUZK_FIL_V1_2 ? n : sector * proof->challenges + n;
}

void cuzk_post_public_inputs(cuzk_scalar *out, const cuzk_scalar *comm_r, const uint64_t *leaf,
                             size_t n)
{
    out[0] = *comm_r;
    for (size_t i = 0; i < n; i++)
        out[1 + i] = (cuzk_scalar){{leaf[i], 0, 0, 0}};
}
