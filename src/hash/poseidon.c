#include "hash/poseidon.h"

#include "base/cpu.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon_levels.h"
#include "hash/poseidon_matrix.h"

#include <string.h>

static void permute(cuzk_fr *state, const cuzk_poseidon *p)
{
#if CUZK_X86_LEVELS
    if (cuzk_cpu_selected() >= CUZK_CPU_ADX) {
        cuzk_poseidon_permute_adx(state, p);
        return;
    }
#endif
    cuzk_poseidon_permute_portable(state, p);
}

void cuzk_poseidon_hash(cuzk_fr *out, const cuzk_poseidon *p, uint64_t tag, const cuzk_fr *preimage)
{
    cuzk_fr state[CUZK_POSEIDON_MAX_WIDTH];
    bls12_381_fr_from_u64(&state[0], tag);
    memcpy(state + 1, preimage, p->arity * sizeof *state);
    permute(state, p);
    *out = state[1];
}

static void quintic(cuzk_fr *x)
{
    static const uint64_t five[1] = {5};
    bls12_381_fr_pow_var(x, x, five, 1);
}

void cuzk_poseidon_hash_reference(cuzk_fr *out, const cuzk_poseidon *p, uint64_t tag,
                                  const cuzk_fr *preimage)
{
    const unsigned t = p->width, half = CUZK_POSEIDON_FULL_ROUNDS / 2;
    cuzk_fr state[CUZK_POSEIDON_MAX_WIDTH], mixed[CUZK_POSEIDON_MAX_WIDTH];
    bls12_381_fr_from_u64(&state[0], tag);
    memcpy(state + 1, preimage, p->arity * sizeof *state);
    for (unsigned r = 0; r < CUZK_POSEIDON_FULL_ROUNDS + p->partial_rounds; r++) {
        bool partial = r >= half && r < half + p->partial_rounds;
        for (unsigned i = 0; i < t; i++)
            bls12_381_fr_add(&state[i], &state[i], &p->round[r * t + i]);
        for (unsigned i = 0; i < (partial ? 1 : t); i++)
            quintic(&state[i]);
        cuzk_matrix_times(mixed, p->mds, state, t);
        memcpy(state, mixed, t * sizeof *state);
    }
    *out = state[1];
}

/* Preimages of one tile: enough to make a tile's start cheap, few enough to share. */
#define TILE 64

typedef struct many {
    cuzk_scalar *out;
    const cuzk_poseidon *p;
    uint64_t tag;
    const cuzk_scalar *preimages;
    size_t n;
} many;

static void hash_tile(void *context, size_t tile, unsigned worker)
{
    const many *m = context;
    (void)worker;
    size_t end = (tile + 1) * TILE < m->n ? (tile + 1) * TILE : m->n;
    for (size_t i = tile * TILE; i < end; i++) {
        cuzk_fr preimage[CUZK_POSEIDON_MAX_ARITY], hash;
        for (unsigned j = 0; j < m->p->arity; j++)
            bls12_381_fr_from_canon(&preimage[j], &m->preimages[i * m->p->arity + j]);
        cuzk_poseidon_hash(&hash, m->p, m->tag, preimage);
        bls12_381_fr_to_canon(&m->out[i], &hash);
    }
}

void cuzk_poseidon_hash_many(cuzk_scalar *out, const cuzk_poseidon *p, uint64_t tag,
                             const cuzk_scalar *preimages, size_t n, cuzk_pool *pool)
{
    many m = {out, p, tag, preimages, n};
    cuzk_pool_run(pool, (n + TILE - 1) / TILE, hash_tile, &m);
}
