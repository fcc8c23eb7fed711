#include "circuit/filecoin/challenges.h"

#include "hash/poseidon.h"

enum { CAPACITY = 254 }; /* bits of a hash that challenges may be taken from */

static cuzk_scalar small(uint64_t value)
{
    return (cuzk_scalar){{value, 0, 0, 0}};
}

static void hash_pair(cuzk_scalar *out, const cuzk_scalar *a, const cuzk_scalar *b)
{
    const cuzk_scalar both[2] = {*a, *b};
    cuzk_poseidon_hash_many(out, cuzk_poseidon_get(2), CUZK_POSEIDON_TAG_SNAP, both, 1, NULL);
}

uint64_t cuzk_snap_k_h(const cuzk_fil_proof *proof, size_t partition)
{
    return partition + ((uint64_t)proof->h_select << proof->partition_bits);
}

unsigned cuzk_snap_high_bits(const cuzk_fil_proof *proof)
{
    unsigned position = 0;
    while ((proof->h_select >> position & 1) == 0)
        position++;
    return proof->h_bits[position];
}

/* Bits first .. first + n - 1 of a number. */
static uint64_t bits_of(const cuzk_scalar *value, unsigned first, unsigned n)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= (value->l[(first + i) / 64] >> (first + i) % 64 & 1) << i;
    return bits;
}

/* A hash gives as many challenges as it has room for; the top bits are the partition. */
void cuzk_snap_challenges(uint64_t *out, const cuzk_fil_proof *proof, const cuzk_scalar *comm_r_new,
                          size_t partition)
{
    unsigned bits = proof->data.base_levels - proof->partition_bits;
    size_t per_hash = CAPACITY / bits;
    size_t hashes = (proof->challenges + per_hash - 1) / per_hash;
    cuzk_scalar hash = {{0}};
    for (size_t i = 0; i < proof->challenges; i++) {
        size_t group = i % per_hash;
        if (group == 0) {
            cuzk_scalar number = small(partition * hashes + i / per_hash);
            hash_pair(&hash, comm_r_new, &number);
        }
        out[i] = bits_of(&hash, (unsigned)group * bits, bits) | (uint64_t)partition << bits;
    }
}

void cuzk_snap_phi(cuzk_scalar *out, const cuzk_scalar *comm_d_new, const cuzk_scalar *comm_r_old)
{
    hash_pair(out, comm_d_new, comm_r_old);
}

void cuzk_snap_rho(cuzk_scalar *out, const cuzk_scalar *phi, uint64_t high)
{
    cuzk_scalar number = small(high);
    hash_pair(out, phi, &number);
}

void cuzk_snap_public_inputs(cuzk_scalar out[CUZK_SNAP_INPUTS], const cuzk_fil_proof *proof,
                             const cuzk_snap_public *comms, size_t partition)
{
    out[0] = small(cuzk_snap_k_h(proof, partition));
    out[1] = comms->comm_r_old;
    out[2] = comms->comm_d_new;
    out[3] = comms->comm_r_new;
}
