#include "circuit/filecoin/identity.h"

#include "hash/poseidon.h"
#include "hash/sha256_trim.h"

#include <string.h>

void cuzk_prover_id(uint8_t out[32], uint64_t miner)
{
    memset(out, 0, 32);
    for (; miner >= 0x80; miner >>= 7)
        *out++ = (uint8_t)(miner & 0x7f) | 0x80;
    *out = (uint8_t)miner;
}

cuzk_status cuzk_replica_id(cuzk_scalar *out, const cuzk_replica_source *source, cuzk_error *err)
{
    uint8_t message[32 + 8 + 32 + 32 + 32];
    cuzk_digest *digest;
    memcpy(message, source->prover_id, 32);
    for (unsigned i = 0; i < 8; i++)
        message[32 + i] = (uint8_t)(source->sector >> (56 - 8 * i));
    memcpy(message + 40, source->ticket, 32);
    memcpy(message + 72, source->comm_d.l, 32);
    memcpy(message + 104, source->porep_id, 32);
    CUZK_TRY(cuzk_digest_new(&digest, CUZK_SHA256, err));
    cuzk_status status = cuzk_sha256_trim(out, digest, message, sizeof message, err);
    cuzk_digest_free(digest);
    return status;
}

void cuzk_comm_r(cuzk_scalar *out, const cuzk_scalar *comm_c, const cuzk_scalar *comm_r_last)
{
    const cuzk_scalar both[2] = {*comm_c, *comm_r_last};
    cuzk_poseidon_hash_many(out, cuzk_poseidon_get(2), cuzk_poseidon_tag_merkle(2), both, 1, NULL);
}
