/* Poseidon on every processor level, and many at a time, against the textbook permutation. */
#include "base/cpu.h"
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const unsigned arities[] = {1, 2, 4, 8, 11, 16, 24, 36};
static const cuzk_cpu_level levels[] = {CUZK_CPU_PORTABLE, CUZK_CPU_ADX};

static void random_scalar(test_rng *rng, cuzk_scalar *out)
{
    do {
        test_rng_bytes(rng, out, sizeof *out);
        out->l[3] &= UINT64_MAX >> 1;
    } while (!bls12_381_fr_limbs_valid(out->l));
}

static void check_arity(const cuzk_poseidon *p, test_rng *rng)
{
    for (unsigned round = 0; round < 20; round++) {
        cuzk_fr preimage[CUZK_POSEIDON_MAX_ARITY], expected, hash;
        uint64_t tag = round % 2 == 0 ? CUZK_POSEIDON_TAG_SNAP : cuzk_poseidon_tag_merkle(p->arity);
        for (unsigned i = 0; i < p->arity; i++) {
            cuzk_scalar s;
            random_scalar(rng, &s);
            bls12_381_fr_from_canon(&preimage[i], &s);
        }
        cuzk_poseidon_hash_reference(&expected, p, tag, preimage);
        cuzk_poseidon_hash(&hash, p, tag, preimage);
        assert_memory_equal(&hash, &expected, sizeof hash);
    }
}

static void levels_equal_reference(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (size_t l = 0; l < sizeof levels / sizeof levels[0] && levels[l] <= cuzk_cpu_best(); l++) {
        cuzk_cpu_force(levels[l]);
        for (size_t i = 0; i < sizeof arities / sizeof arities[0]; i++)
            check_arity(cuzk_poseidon_get(arities[i]), &rng);
    }
    cuzk_cpu_force(cuzk_cpu_best());
}

/* Counts around a tile's size, on several threads. */
static void many_equal_single(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 63, 64, 65, 200};
    test_rng rng = test_rng_seeded(2);
    cuzk_pool *pool = cuzk_pool_new(3);
    const cuzk_poseidon *p = cuzk_poseidon_get(8);
    cuzk_scalar *preimages = malloc(8 * 200 * sizeof *preimages);
    cuzk_scalar *hashes = malloc(201 * sizeof *hashes);
    assert_non_null(pool);
    assert_non_null(preimages);
    assert_non_null(hashes);
    for (size_t i = 0; i < 8 * 200; i++)
        random_scalar(&rng, &preimages[i]);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        cuzk_scalar guard, single;
        memset(hashes, 0x5a, 201 * sizeof *hashes);
        guard = hashes[200];
        cuzk_poseidon_hash_many(hashes, p, 255, preimages, counts[c], pool);
        for (size_t i = 0; i < counts[c]; i++) {
            cuzk_poseidon_hash_many(&single, p, 255, preimages + 8 * i, 1, NULL);
            assert_memory_equal(&hashes[i], &single, sizeof single);
        }
        assert_memory_equal(&hashes[counts[c]], &guard, sizeof guard);
    }
    free(preimages);
    free(hashes);
    cuzk_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_equal_reference),
        cmocka_unit_test(many_equal_single),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
