#include "support/filecoin.h"

#include "field/bls12_381_fr.h"
#include "support/circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *test_fil_json(const char *name)
{
    char path[128];
    size_t size;
    json_error_t error;
    snprintf(path, sizeof path, "filecoin/%s", name);
    uint8_t *text = test_read_data(path, &size);
    json_t *json = json_loadb((const char *)text, size, 0, &error);
    free(text);
    assert_non_null(json);
    return json;
}

void test_hex_32(uint8_t out[32], const char *hex)
{
    assert_int_equal(strlen(hex), 64);
    for (unsigned i = 0; i < 32; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
}

cuzk_scalar test_fil_scalar(const json_t *hex)
{
    cuzk_scalar s;
    assert_true(json_is_string(hex));
    test_hex_32((uint8_t *)s.l, json_string_value(hex));
    return s;
}

json_t *test_member(const json_t *object, const char *name)
{
    json_t *member = json_object_get(object, name);
    assert_non_null(member);
    return member;
}

void test_assert_scalar(const cuzk_scalar *value, const json_t *hex)
{
    cuzk_scalar expected = test_fil_scalar(hex);
    assert_memory_equal(value, &expected, sizeof expected);
}

void test_assert_scalars(const cuzk_scalar *values, size_t n, const json_t *array)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++)
        test_assert_scalar(&values[i], json_array_get(array, i));
}

/* The seed of the storage tests (Filecoin circuits, section 15.4). */
test_xorshift test_xorshift_new(void)
{
    static const uint8_t seed[16] = {0x59, 0x62, 0xbe, 0x5d, 0x76, 0x3d, 0x31, 0x8d,
                                     0x17, 0xdb, 0x37, 0x32, 0x54, 0x06, 0xbc, 0xe5};
    test_xorshift rng;
    memcpy(&rng, seed, sizeof rng);
    return rng;
}

uint32_t test_xorshift_next(test_xorshift *rng)
{
    uint32_t t = rng->x ^ rng->x << 11;
    rng->x = rng->y;
    rng->y = rng->z;
    rng->z = rng->w;
    rng->w = rng->w ^ rng->w >> 19 ^ t ^ t >> 8;
    return rng->w;
}

cuzk_scalar test_xorshift_scalar(test_xorshift *rng)
{
    cuzk_scalar s;
    do {
        for (unsigned i = 0; i < 4; i++) {
            s.l[i] = test_xorshift_next(rng);
            s.l[i] |= (uint64_t)test_xorshift_next(rng) << 32;
        }
        s.l[3] &= UINT64_MAX >> 1;
    } while (!bls12_381_fr_limbs_valid(s.l));
    return s;
}

void test_fil_nodes(cuzk_scalar *out, size_t n, test_xorshift *rng)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t bytes[32];
        for (unsigned j = 0; j < 32; j++)
            bytes[j] = (uint8_t)test_xorshift_next(rng);
        bytes[31] &= 0x3f;
        memcpy(out[i].l, bytes, 32);
    }
}

/* Miner 1000, sector 7, as all of the model's. */
static void seal(cuzk_sector *sector, const cuzk_fil_proof *proof)
{
    cuzk_error err = {0};
    cuzk_seal_source source = {.proof = *proof, .miner = 1000, .sector = 7};
    test_xorshift rng = test_xorshift_new();
    cuzk_scalar *data = malloc(proof->nodes * sizeof *data);
    assert_non_null(data);
    memset(source.ticket, 3, sizeof source.ticket);
    test_fil_nodes(data, proof->nodes, &rng);
    source.data = data;
    TEST_EXPECT(cuzk_sector_seal(sector, &source, NULL, &err), CUZK_OK, &err);
    free(data);
}

static cuzk_fil_proof small_proof(unsigned id, cuzk_tree_shape tree, uint32_t log_nodes)
{
    cuzk_fil_proof proof;
    assert_int_equal(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, id, NULL), CUZK_OK);
    proof.tree = tree;
    proof.data.base_levels = log_nodes;
    proof.nodes = UINT64_C(1) << log_nodes;
    proof.sector_bytes = proof.nodes * 32;
    proof.layers = 2;
    proof.partitions = 1;
    proof.challenges = 2;
    return proof;
}

void test_seal_2kib(cuzk_sector *sector)
{
    cuzk_fil_proof proof;
    assert_int_equal(cuzk_fil_proof_get(&proof, CUZK_FIL_POREP, 5, NULL), CUZK_OK);
    seal(sector, &proof);
}

void test_seal_16kib(cuzk_sector *sector)
{
    cuzk_fil_proof proof = small_proof(8, (cuzk_tree_shape){8, 8, 0, 2}, 9);
    seal(sector, &proof);
}

void test_seal_32kib(cuzk_sector *sector)
{
    cuzk_fil_proof proof = small_proof(9, (cuzk_tree_shape){8, 8, 2, 2}, 10);
    seal(sector, &proof);
}
