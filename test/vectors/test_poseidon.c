/* Poseidon: published hashes (Filecoin circuits, section 5.7), and the shape of the optimised
 * constants. */
#include "field/bls12_381_fr.h"
#include "hash/poseidon.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static const unsigned arities[] = {1, 2, 4, 8, 11, 16, 24, 36};

/* The Merkle hash of 0, 1, ..., arity - 1; limbs, the lowest first. */
static const struct {
    unsigned arity;
    uint64_t limbs[4];
} counting[] = {
    {2, {0x2e203c369a02e7ff, 0xa6fba9339d05a69d, 0x739e0fd902efe161, 0x396508d75e76a56b}},
    {4, {0x019814ff6662075d, 0xfb6b4605bf1327ec, 0x00db3c6579229399, 0x58a54b10a9e5848a}},
    {8, {0x2a9934f56d38a5e6, 0x4b682e9d9cc4aed9, 0x1201004211677077, 0x2394611da3a5de55}},
    {11, {0xcee3bbc32b693163, 0x09f3dcd8ccb08fc1, 0x6ca537e232ebe87a, 0x0c0fc1b2e5227f28}},
    {16, {0x1291c74060266d37, 0x5b8dbc6d30680a6f, 0xc1c2fb5a6f871e63, 0x2d3ae2663381ae8a}},
    {24, {0xd7ef3569f585b321, 0xc3e779f6468815b1, 0x066f39bf783f3d9f, 0x63beb8831f11ae15}},
    {36, {0x4473606dfa4e8140, 0x75cd368df8a8ac3c, 0x540a30e03c10bbaa, 0x699303082a6e5d5f}},
};

static void published(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counting / sizeof counting[0]; i++) {
        cuzk_scalar preimage[CUZK_POSEIDON_MAX_ARITY] = {{{0}}}, hash;
        const cuzk_poseidon *p = cuzk_poseidon_get(counting[i].arity);
        assert_non_null(p);
        for (unsigned j = 0; j < p->arity; j++)
            preimage[j].l[0] = j;
        cuzk_poseidon_hash_many(&hash, p, cuzk_poseidon_tag_merkle(p->arity), preimage, 1, NULL);
        assert_memory_equal(hash.l, counting[i].limbs, sizeof hash.l);
    }
}

static void scalar_of_hex(cuzk_scalar *out, const char *hex)
{
    uint8_t bytes[32];
    for (unsigned i = 0; i < 32; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    memcpy(out->l, bytes, 32);
}

/* Curio's vector, little-endian bytes. */
static const char *const curio[9] = {
    "f743111428ecda9b74a18826f1cc62d48ae1510de17e58645997559f86442f31",
    "197a6efa37086e3a37108f8460c52bc810e2781aff0091bfd7b74e3f6f752f02",
    "01c2c12f7930bbb59e3b36dae1c694b33ac6b3f199ec32a8665fadb8338f4f21",
    "bbe672a853f65cdb2563339ca61d6ad648473b4b4ce44bf3a48486424b865a2d",
    "937d57295f488cea8099f5525958f1af39c6241614b917835292e8e2314cf908",
    "3272570cd8ba38c1183629ca72d5e9149d76786ed22c1d591db3d2bccfa7d308",
    "2d3fc90e11aaf601bd1beae80fc3aba15a9e1f886d8140533ce36cda3dd9f936",
    "0a017e264d0728bfcd2edb3c6c60cc5a05a02af31a71cdd7bb2da27616f5f630",
    "0737ca506df7d4544f8512df35aaa07ed8a40691e96ae868c23320220fec6866",
};

static void published_bytes(void **state)
{
    (void)state;
    cuzk_scalar preimage[8], expected, hash;
    for (unsigned i = 0; i < 8; i++)
        scalar_of_hex(&preimage[i], curio[i]);
    scalar_of_hex(&expected, curio[8]);
    cuzk_poseidon_hash_many(&hash, cuzk_poseidon_get(8), cuzk_poseidon_tag_merkle(8), preimage, 1,
                            NULL);
    assert_memory_equal(&hash, &expected, sizeof hash);
}

static void shapes(void **state)
{
    (void)state;
    static const unsigned rounds[] = {55, 55, 56, 57, 57, 59, 59, 60};
    for (size_t i = 0; i < sizeof arities / sizeof arities[0]; i++) {
        const cuzk_poseidon *p = cuzk_poseidon_get(arities[i]);
        assert_non_null(p);
        assert_ptr_equal(p, cuzk_poseidon_get(arities[i]));
        assert_int_equal(p->arity, arities[i]);
        assert_int_equal(p->width, arities[i] + 1);
        assert_int_equal(p->partial_rounds, rounds[i]);
        for (unsigned r = 0; r < p->width; r++)
            for (unsigned c = 0; c < r; c++)
                assert_memory_equal(&p->mds[r * p->width + c], &p->mds[c * p->width + r],
                                    sizeof(cuzk_fr));
    }
    static const unsigned absent[] = {0, 3, 7, 9, 12, 35, 37};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_null(cuzk_poseidon_get(absent[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published),
        cmocka_unit_test(published_bytes),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
