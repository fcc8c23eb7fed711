/* bellperson's flow against test/data/bellperson: known toxic waste, r and s, made by an
 * independent script and checked with blst. */
#include "support/circuit.h"

#include "base/digest.h"
#include "groth16/params.h"
#include "groth16/prove.h"
#include "groth16/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAU     "0x716e1a987ad3bbbe51766778a54597ae64511c4068fc0bcce080895d4ac41f23"
#define ALPHA   "0x2902808f9dc993e85d05757e72ef6ca06b1114f268fac0cad27a75c32e3a51b6"
#define BETA    "0x31bf451851e4b73f38fbb9b0f9d69b6b54f60ac2dfa435ac78b0e10132a5c7a7"
#define GAMMA   "0x2f684be7e343c82f92ad0e9cd1ac45fa8529730932c3fb6be24efcf74a0096c4"
#define DELTA   "0x5b05dad09d1eb8af475477b5f3f444e8d607df3abc46854755b7e430f1792917"
#define BLIND_R "0x2ec611e33a8e85aed61bf47f8e2e3b07ad63b751cd1d0ee57a353d0612de40b6"
#define BLIND_S "0x2af09911a8b6e6049f9968ec5e2813ec655e2135d84d1dc22f34a8d58f4ab35f"

/* The file's parts, formats, section 3.1. */
enum { G1 = 96, G2 = 192, SIZE = 3960, N_ARRAYS = 6 };
static const struct {
    const char *what;
    size_t count_at, points, point_bytes;
} arrays[N_ARRAYS] = {{"ic", 864, 2, G1}, {"h", 1060, 7, G1},    {"l", 1736, 5, G1},
                      {"a", 2220, 6, G1}, {"b_g1", 2800, 4, G1}, {"b_g2", 3188, 4, G2}};

static uint8_t *tiny;
static cuzk_error err;

static int setup_file(void **state)
{
    (void)state;
    size_t size;
    tiny = test_read_data("bellperson/tiny.params", &size);
    assert_int_equal(size, SIZE);
    return 0;
}

static int free_file(void **state)
{
    (void)state;
    free(tiny);
    return 0;
}

/* Opens these bytes as a key for the tiny circuit. */
static cuzk_status open_bytes(cuzk_pk **pk, const uint8_t *bytes, size_t size, uint32_t flags)
{
    test_circuit circuit;
    test_circuit_tiny(&circuit);
    cuzk_map *map;
    TEST_EXPECT(cuzk_map_borrow(&map, bytes, size, "tiny.params", &err), CUZK_OK, &err);
    cuzk_status status = cuzk_params_open(pk, map, &circuit.cs, flags, NULL, NULL, &err);
    cuzk_map_close(map);
    test_circuit_release(&circuit);
    return status;
}

static void proof_is_reproduced(void **state)
{
    (void)state;
    cuzk_pk *pk;
    TEST_EXPECT(open_bytes(&pk, tiny, SIZE, 0), CUZK_OK, &err);
    test_circuit circuit;
    test_circuit_tiny(&circuit);
    cuzk_assignment assignment = {.z = circuit.z, .n = circuit.cs.vars, .name = "tiny witness"};
    cuzk_scalar r = test_scalar_hex(BLIND_R), s = test_scalar_hex(BLIND_S);
    cuzk_proof proof;
    TEST_EXPECT(cuzk_prove_with_blinding(pk, &assignment, &r, &s, &proof, NULL, &err), CUZK_OK,
                &err);
    uint8_t bytes[CUZK_PROOF_BYTES];
    cuzk_proof_encode(bytes, &proof);
    size_t size;
    uint8_t *expected = test_read_data("bellperson/tiny.proof.bin", &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
    free(expected);
    test_circuit_release(&circuit);
    cuzk_pk_free(pk);
}

static cuzk_toxic tiny_toxic(void)
{
    return (cuzk_toxic){.tau = test_scalar_hex(TAU),
                        .alpha = test_scalar_hex(ALPHA),
                        .beta = test_scalar_hex(BETA),
                        .gamma = test_scalar_hex(GAMMA),
                        .delta = test_scalar_hex(DELTA)};
}

static void expect_file(const char *path, const uint8_t *expected, size_t expected_size)
{
    size_t size;
    uint8_t *written = test_read_file(path, &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(written, expected, size);
    free(written);
}

static void setup_reproduces_files(void **state)
{
    (void)state;
    test_circuit circuit;
    test_circuit_tiny(&circuit);
    cuzk_toxic toxic = tiny_toxic();
    cuzk_setup setup;
    TEST_EXPECT(cuzk_setup_make(&setup, &circuit.cs, &toxic, CUZK_SETUP_BELLPERSON, NULL, &err),
                CUZK_OK, &err);
    char *path = test_write_temp("old content", 11);
    TEST_EXPECT(cuzk_params_write(path, &setup, &err), CUZK_OK, &err);
    expect_file(path, tiny, SIZE);
    TEST_EXPECT(cuzk_params_write_vk(path, &setup.vk, &setup.beta_g1, &setup.delta_g1, &err),
                CUZK_OK, &err);
    size_t vk_size;
    uint8_t *vk = test_read_data("bellperson/tiny.vk", &vk_size);
    expect_file(path, vk, vk_size);
    free(vk);
    unlink(path);
    free(path);
    cuzk_setup_release(&setup);
    test_circuit_release(&circuit);
}

/* Written as its points are made, the file is the same. */
static void streamed_setup_reproduces_file(void **state)
{
    (void)state;
    test_circuit circuit;
    test_circuit_tiny(&circuit);
    cuzk_toxic toxic = tiny_toxic();
    cuzk_setup setup, whole;
    cuzk_group_host host;
    cuzk_r1cs_columns columns;
    cuzk_pool *pool = cuzk_pool_new(2);
    cuzk_r1cs_columns_init(&columns, &circuit.cs);
    cuzk_group_host_init(&host, pool);
    char *path = test_write_temp("old content", 11);
    TEST_EXPECT(cuzk_params_make(path, &setup, &columns.columns, &toxic, &host.ops, pool, &err),
                CUZK_OK, &err);
    expect_file(path, tiny, SIZE);
    TEST_EXPECT(cuzk_setup_make(&whole, &circuit.cs, &toxic, CUZK_SETUP_BELLPERSON, pool, &err),
                CUZK_OK, &err);
    assert_memory_equal(setup.vk.ic, whole.vk.ic,
                        (setup.n_public + 1) * setup.curve->g1_words * sizeof(uint64_t));
    assert_int_equal(setup.n_a, whole.n_a);
    assert_null(setup.a);
    unlink(path);
    free(path);
    cuzk_setup_release(&setup);
    cuzk_setup_release(&whole);
    cuzk_pool_free(pool);
    test_circuit_release(&circuit);
}

static void vk_round_trip(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = test_read_data("bellperson/tiny.vk", &size);
    cuzk_map *map;
    TEST_EXPECT(cuzk_map_borrow(&map, bytes, size, "tiny.vk", &err), CUZK_OK, &err);
    cuzk_vk vk;
    cuzk_g1 beta_g1, delta_g1;
    TEST_EXPECT(cuzk_params_read_vk(&vk, &beta_g1, &delta_g1, map, false, &err), CUZK_OK, &err);
    assert_int_equal(vk.n_public, 1);
    TEST_EXPECT(cuzk_vk_check(&vk, false, "tiny.vk", &err), CUZK_OK, &err);
    char *path = test_write_temp("", 0);
    TEST_EXPECT(cuzk_params_write_vk(path, &vk, &beta_g1, &delta_g1, &err), CUZK_OK, &err);
    expect_file(path, bytes, size);
    unlink(path);
    free(path);
    cuzk_vk_release(&vk);
    cuzk_map_close(map);

    for (size_t length = 0; length < size; length++) {
        TEST_EXPECT(cuzk_map_borrow(&map, bytes, length, "tiny.vk", &err), CUZK_OK, &err);
        TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, map, false, &err), CUZK_ERR_FORMAT, &err);
        cuzk_map_close(map);
    }
    /* A parameter file is not a verifying key. */
    TEST_EXPECT(cuzk_map_borrow(&map, tiny, SIZE, "tiny.params", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, map, false, &err), CUZK_ERR_FORMAT, &err);
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, map, true, &err), CUZK_OK, &err);
    cuzk_vk_release(&vk);
    cuzk_map_close(map);
    free(bytes);
}

static void info_of_worked_example(void **state)
{
    (void)state;
    cuzk_map *map;
    TEST_EXPECT(cuzk_map_borrow(&map, tiny, SIZE, "tiny.params", &err), CUZK_OK, &err);
    cuzk_params_info info;
    TEST_EXPECT(cuzk_params_info_read(&info, map, &err), CUZK_OK, &err);
    const size_t lengths[] = {info.ic_len, info.h_len, info.l_len,
                              info.a_len,  info.b_len, info.b_len};
    const size_t offsets[] = {info.ic_at, info.h_at,    info.l_at,
                              info.a_at,  info.b_g1_at, info.b_g2_at};
    for (size_t i = 0; i < N_ARRAYS; i++) {
        assert_int_equal(lengths[i], arrays[i].points);
        assert_int_equal(offsets[i], arrays[i].count_at + 4);
    }
    cuzk_map_close(map);
}

static void counts_off_by_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ARRAYS; i++)
        for (int step = -1; step <= 1; step += 2) {
            uint8_t changed[SIZE];
            memcpy(changed, tiny, SIZE);
            changed[arrays[i].count_at + 3] = (uint8_t)((int)arrays[i].points + step);
            cuzk_pk *pk;
            cuzk_status status = open_bytes(&pk, changed, SIZE, 0);
            TEST_EXPECT(status, CUZK_ERR_FORMAT, &err);
        }
}

/* Counts whose sizes agree, but not with the circuit: one a point less, and its bytes are gone. */
static void lengths_of_another_circuit(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ARRAYS; i++) {
        if (arrays[i].point_bytes == G2)
            continue;
        uint8_t changed[SIZE];
        size_t cut = arrays[i].count_at + 4;
        memcpy(changed, tiny, cut);
        changed[cut - 1]--;
        memcpy(changed + cut, tiny + cut + G1, SIZE - G1 - cut);
        cuzk_pk *pk;
        cuzk_status status = open_bytes(&pk, changed, SIZE - G1, 0);
        bool between_arrays =
            strcmp(arrays[i].what, "h") == 0 || strcmp(arrays[i].what, "b_g1") == 0;
        TEST_EXPECT(status, between_arrays ? CUZK_ERR_FORMAT : CUZK_ERR_MISMATCH, &err);
    }
}

static void truncations(void **state)
{
    (void)state;
    cuzk_pk *pk;
    for (size_t size = 0; size < SIZE; size++)
        TEST_EXPECT(open_bytes(&pk, tiny, size, 0), CUZK_ERR_FORMAT, &err);
    uint8_t longer[SIZE + 1] = {0};
    memcpy(longer, tiny, SIZE);
    TEST_EXPECT(open_bytes(&pk, longer, SIZE + 1, 0), CUZK_ERR_FORMAT, &err);
}

/* Replaces the last point of an array; opens with checks and without. Only the subgroup may slip
 * through without: what must be refused either way is named by status. */
static void refuse_point(size_t array, const uint8_t *point, bool also_unchecked)
{
    uint8_t changed[SIZE];
    memcpy(changed, tiny, SIZE);
    size_t at = arrays[array].count_at + 4 + (arrays[array].points - 1) * arrays[array].point_bytes;
    memcpy(changed + at, point, arrays[array].point_bytes);
    cuzk_pk *pk;
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, 0), CUZK_ERR_FORMAT, &err);
    char place[32];
    snprintf(place, sizeof place, "%s[%zu]", arrays[array].what, arrays[array].points - 1);
    /* The key calls its queries b1 and b2. */
    if (strncmp(place, "b_g", 3) == 0)
        snprintf(place, sizeof place, "b%c[%zu]", arrays[array].what[3], arrays[array].points - 1);
    if (strstr(err.message, place) == NULL)
        fail_msg("\"%s\" does not name %s", err.message, place);
    if (also_unchecked)
        TEST_EXPECT(open_bytes(&pk, changed, SIZE, CUZK_PK_SKIP_CHECK), CUZK_ERR_FORMAT, &err);
}

static void bad_points(void **state)
{
    (void)state;
    static const uint8_t infinity[G2] = {0x40};
    static const uint8_t zero[G2] = {0};
    /* (0, 2) of order 3: on the curve, outside the subgroup. */
    static const uint8_t order3[G1] = {[95] = 2};
    uint8_t order3_negative[G1] = {0}; /* (0, -2) */
    memset(order3_negative, 0, sizeof order3_negative);
    for (size_t i = 0; i < N_ARRAYS; i++) {
        refuse_point(i, infinity, true);
        refuse_point(i, zero, true); /* off the curve */
        uint8_t flipped[G2];
        size_t at = arrays[i].count_at + 4 + (arrays[i].points - 1) * arrays[i].point_bytes;
        memcpy(flipped, tiny + at, arrays[i].point_bytes);
        flipped[arrays[i].point_bytes - 1] ^= 1;
        refuse_point(i, flipped, true);
        uint8_t large[G2]; /* x >= p */
        memset(large, 0xff, sizeof large);
        large[0] = 0x1f;
        refuse_point(i, large, true);
        if (arrays[i].point_bytes == G1)
            refuse_point(i, order3, strcmp(arrays[i].what, "ic") == 0);
    }
}

static void bad_head(void **state)
{
    (void)state;
    static const size_t places[] = {0, 96, 192, 384, 576, 672};
    cuzk_pk *pk;
    uint8_t changed[SIZE];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bool g2 = places[i] != 0 && places[i] != 96 && places[i] != 576;
        memcpy(changed, tiny, SIZE);
        changed[places[i] + (g2 ? G2 : G1) - 1] ^= 1;
        TEST_EXPECT(open_bytes(&pk, changed, SIZE, CUZK_PK_SKIP_CHECK), CUZK_ERR_FORMAT, &err);
        memset(changed + places[i], 0, g2 ? G2 : G1);
        changed[places[i]] = 0x40;
        TEST_EXPECT(open_bytes(&pk, changed, SIZE, CUZK_PK_SKIP_CHECK), CUZK_ERR_FORMAT, &err);
    }
    /* gamma = delta. */
    memcpy(changed, tiny, SIZE);
    memcpy(changed + 384, changed + 672, G2);
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, 0), CUZK_ERR_INSECURE, &err);
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, CUZK_PK_ALLOW_INSECURE), CUZK_OK, &err);
    cuzk_pk_free(pk);
}

/* A key whose points fit in number but belong to another circuit: the proof does not verify, and
 * the witness is not to blame. */
static void key_of_another_circuit(void **state)
{
    (void)state;
    uint8_t changed[SIZE], swap[G1];
    memcpy(changed, tiny, SIZE);
    uint8_t *l = changed + arrays[2].count_at + 4;
    memcpy(swap, l, G1);
    memcpy(l, l + G1, G1);
    memcpy(l + G1, swap, G1);
    cuzk_pk *pk;
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, 0), CUZK_OK, &err);
    test_circuit circuit;
    test_circuit_tiny(&circuit);
    cuzk_assignment assignment = {.z = circuit.z, .n = circuit.cs.vars, .name = "tiny witness"};
    cuzk_proof proof;
    TEST_EXPECT(cuzk_prove(pk, &assignment, &proof, NULL, &err), CUZK_ERR_MISMATCH, &err);
    test_circuit_release(&circuit);
    cuzk_pk_free(pk);
}

static void digest_bytes(uint8_t out[CUZK_SHA256_BYTES], const uint8_t *bytes, size_t size)
{
    cuzk_digest *digest;
    TEST_EXPECT(cuzk_digest_new(&digest, CUZK_SHA256, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_update(digest, bytes, size, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_finish(digest, out, &err), CUZK_OK, &err);
    cuzk_digest_free(digest);
}

/* A good file's verdict is kept, a bad one's is not; a known verdict stands for the subgroup check.
 */
static void verdict_is_kept_and_used(void **state)
{
    (void)state;
    char root[] = "/tmp/cuzk-test-XXXXXX";
    assert_non_null(mkdtemp(root));
    setenv("XDG_CACHE_HOME", root, 1);
    unsetenv("CUZK_NO_CACHE");

    uint8_t digest[CUZK_SHA256_BYTES], changed[SIZE];
    cuzk_pk *pk;
    digest_bytes(digest, tiny, SIZE);
    TEST_EXPECT(open_bytes(&pk, tiny, SIZE, CUZK_PK_SKIP_CHECK), CUZK_OK, &err);
    cuzk_pk_free(pk);
    assert_false(cuzk_verdict_known(digest));
    TEST_EXPECT(open_bytes(&pk, tiny, SIZE, 0), CUZK_OK, &err);
    assert_memory_equal(pk->digest, digest, sizeof digest);
    cuzk_pk_free(pk);
    assert_true(cuzk_verdict_known(digest));

    memcpy(changed, tiny, SIZE);
    size_t at = arrays[3].count_at + 4;
    memset(changed + at, 0, G1);
    changed[at + G1 - 1] = 2; /* (0, 2), of order 3 */
    digest_bytes(digest, changed, SIZE);
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, 0), CUZK_ERR_FORMAT, &err);
    assert_false(cuzk_verdict_known(digest));
    cuzk_verdict_store(digest);
    TEST_EXPECT(open_bytes(&pk, changed, SIZE, 0), CUZK_OK, &err);
    cuzk_pk_free(pk);

    setenv("CUZK_NO_CACHE", "1", 1);
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    /* Verdicts of other runs must not hide what the checks find. */
    setenv("CUZK_NO_CACHE", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proof_is_reproduced),
        cmocka_unit_test(setup_reproduces_files),
        cmocka_unit_test(streamed_setup_reproduces_file),
        cmocka_unit_test(vk_round_trip),
        cmocka_unit_test(info_of_worked_example),
        cmocka_unit_test(counts_off_by_one),
        cmocka_unit_test(lengths_of_another_circuit),
        cmocka_unit_test(truncations),
        cmocka_unit_test(bad_points),
        cmocka_unit_test(bad_head),
        cmocka_unit_test(verdict_is_kept_and_used),
        cmocka_unit_test(key_of_another_circuit),
    };
    return cmocka_run_group_tests(tests, setup_file, free_file);
}
