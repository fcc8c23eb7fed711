/* The circuit hashes of Filecoin circuits, section 15.3: every row and coefficient of every
 * circuit, made by the original Rust code or by the Python model. The hashes that take longer than
 * some seconds want CUZK_TEST_LONG=1. */
#include "circuit/direct.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "support/small_circuits.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hashes that take long are left out unless asked for. */
static bool skip_long(bool is_long)
{
    return is_long && getenv("CUZK_TEST_LONG") == NULL;
}

static void expect_hash(const cuzk_circuit *circuit, size_t inputs, size_t rows,
                        const char *expected)
{
    uint8_t hash[CUZK_CIRCUIT_HASH_BYTES];
    char text[2 * CUZK_CIRCUIT_HASH_BYTES + 1];
    cuzk_circuit_counts counts;
    cuzk_error err;
    if (cuzk_circuit_hash(circuit, hash, &counts, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    if (rows != 0 && counts.rows != rows)
        fail_msg("%s: %zu rows, not %zu", circuit->name, counts.rows, rows);
    if (inputs != 0 && counts.inputs != inputs)
        fail_msg("%s: %zu inputs, not %zu", circuit->name, counts.inputs, inputs);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: hash %s, not %s", circuit->name, text, expected);
}

typedef struct por_case {
    test_por_params params;
    size_t rows;
    const char *hash;
} por_case;

static const por_case por_cases[] = {
    {{CUZK_TREE_SHA256, {2, 0, 0, 6}, false},
     272295,
     "06101b213e985a06aa97367fb756d504912d2edfa7169fe7390f3563e2b7bdbf"},
    {{CUZK_TREE_SHA256, {4, 0, 0, 3}, false},
     216258,
     "5e289198928d86549f36c81cfc167c6446d861f562620ff9289a00c931123960"},
    {{CUZK_TREE_SHA256, {8, 0, 0, 2}, false},
     250987,
     "f496fb64a3a535a75ff431c0d4618b6d49624f14a09d27b3ae62cade470307c0"},
    {{CUZK_TREE_POSEIDON, {2, 0, 0, 6}, false},
     1887,
     "e4a6b97ab322b5265befdbededdd16353db058e22cd88a9a9960f0f32efb95e9"},
    {{CUZK_TREE_POSEIDON, {4, 0, 0, 3}, false},
     1164,
     "ec45a446c4037ab2077accf70eff6ac48a5beba219648491be3e67a3f4b0c68c"},
    {{CUZK_TREE_POSEIDON, {8, 0, 0, 2}, false},
     1063,
     "3bd8cb4719e1ce8b020c078159a77bd5cf9d8eca04ed094eaca290c621f10a20"},
    {{CUZK_TREE_POSEIDON, {8, 2, 0, 2}, false},
     1377,
     "a04df283d7f0ecff20e7c42f6bb497b2714c70c4124f5489e881c23e67814070"},
    {{CUZK_TREE_POSEIDON, {8, 4, 2, 2}, false},
     1764,
     "6badd752fa6a04dc492ae54080ea68de802e67510aaad087c7a83abb2158624a"},
    {{CUZK_TREE_POSEIDON, {8, 8, 0, 2}, false},
     1593,
     "eca5c6440650cc590e477789dbbcc685627355c9c5dc6008dcb9fc6bfb8d34b8"},
    {{CUZK_TREE_POSEIDON, {8, 8, 2, 2}, false},
     1907,
     "1aaf5b3ff8221455ad5ba57746f23db956a2de780213b68d65d8ea0165607e84"},
    {{CUZK_TREE_POSEIDON, {8, 2, 4, 2}, false},
     1764,
     "ac74fcc017176bc18e77b5582225cf900dd5a8d3b82cd21462608906eb16baf1"},
};

static void hashes_por(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof por_cases / sizeof por_cases[0]; i++) {
        const cuzk_circuit circuit = {"por", test_por_build, &por_cases[i].params};
        expect_hash(&circuit, 3, por_cases[i].rows, por_cases[i].hash);
    }
}

typedef struct porep_case {
    const char *name;
    cuzk_porep_params params;
    size_t rows;
    const char *hash;
    bool is_long;
} porep_case;

static const porep_case porep_cases[] = {
    {"porep test 2-0-0",
     {{2, 0, 0, 3}, {2, 0, 0, 3}, 2, 1},
     1206212,
     "e933e8bea2e68a3569205187f61c428770f083c7e7d2113babedb204b9429bc3",
     false},
    {"porep test 8-0-0",
     {{8, 0, 0, 1}, {2, 0, 0, 3}, 2, 1},
     1199620,
     "b9e22ee377bc73c4e08f679252c4f87948f5812be8c95358a6bf87a7279a785f",
     false},
    {"porep test 8-4-0",
     {{8, 4, 0, 1}, {2, 0, 0, 5}, 2, 1},
     1296576,
     "2bb32fe1d16325b1afe3f67f42148047406233e23eae86605f53247273706615",
     false},
    {"porep test 8-4-2",
     {{8, 4, 2, 1}, {2, 0, 0, 6}, 2, 1},
     1346982,
     "c9b69c85139ae04bac789fecb881052900c660c6337ab4b520eaa0c9f7293f75",
     false},
    {"porep 2 KiB",
     {{8, 0, 0, 2}, {2, 0, 0, 6}, 2, 2},
     2687961 - 40,
     "2c120b1125bd531d5a62b11932b2ae0e0cb47f455cea582994f97534e296bb42",
     false},
    {"porep 8 MiB, 1 challenge",
     {{8, 0, 0, 6}, {2, 0, 0, 18}, 2, 1},
     0,
     "3ed0e1445b0917d16d28bffc99afa7b6acd02ad0b2fd037971a272d89dc14d07",
     false},
    {"porep 512 MiB, 1 challenge",
     {{8, 0, 0, 8}, {2, 0, 0, 24}, 2, 1},
     0,
     "2ca971bb9f1454ba4ad03570f0c0023b6d3dce2e901cce87e6ca1adf515ebc86",
     true},
    {"porep 32 GiB, 1 challenge",
     {{8, 8, 0, 9}, {2, 0, 0, 30}, 11, 1},
     0,
     "5d477993ad4d9f61d0bb3309e06fd6659635ddd6007f0b3fdf81feb9d4ed5ef6",
     true},
    {"porep 64 GiB, 1 challenge",
     {{8, 8, 2, 9}, {2, 0, 0, 31}, 11, 1},
     0,
     "f76ab217216b44c128deeefe2982423a61a43517655eac6e7090da1ac0d52e3d",
     true},
    {"porep 16 KiB 8-8-0",
     {{8, 8, 0, 2}, {2, 0, 0, 9}, 2, 2},
     2977173,
     "6825ed63d62c7afbb8b1fb2d25691c057e124fd150b78ffca3eeb6f3b12eda6a",
     true},
    {"porep 8 MiB",
     {{8, 0, 0, 6}, {2, 0, 0, 18}, 2, 2},
     3844969 - 40,
     "b1fe5a4629fb8fc6684d6c90d6f8d6d32e5bccf6bc9439e4e8a9758e579328db",
     true},
    {"porep 512 MiB",
     {{8, 0, 0, 8}, {2, 0, 0, 24}, 2, 2},
     4423473 - 40,
     "c7ade8c93707968e967cce4507669258eab20ff010e6dc1827d55544ee671cbb",
     true},
};

static void hashes_porep(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof porep_cases / sizeof porep_cases[0]; i++) {
        const porep_case *c = &porep_cases[i];
        const cuzk_circuit circuit = {c->name, cuzk_porep_build, &c->params};
        if (!skip_long(c->is_long))
            expect_hash(&circuit, 4 + 18 * (size_t)c->params.challenges, c->rows, c->hash);
    }
}

typedef struct post_case {
    const char *name;
    cuzk_post_params params;
    size_t rows;
    const char *hash;
    bool is_long;
} post_case;

static const post_case post_cases[] = {
    {"fallback 3 x 5, 8-0-0",
     {{8, 0, 0, 2}, 3, 5},
     16869,
     "aabc663ba989f3613ad4d3f9a623ea354ad306dc951d848e57e4bdcd9096675c",
     false},
    {"fallback 3 x 5, 8-4-0",
     {{8, 4, 0, 2}, 3, 5},
     22674,
     "07af760cb42b557f0a8db088081c672c6bc40d091804130de322a982d2d0ddcc",
     false},
    {"fallback 3 x 5, 8-4-2",
     {{8, 4, 2, 2}, 3, 5},
     27384,
     "1eb841edd9d456958e19edc409325f3851824527ca2153594ff6e3eda5a64800",
     false},
    {"fallback 2 x 5, 8-0-0",
     {{8, 0, 0, 2}, 2, 5},
     11246,
     "eb4032cb850e60a7782553d3a9431eb10f5b718c0c7450cf1eb0a1db9db97c73",
     false},
    {"window 2 KiB",
     {{8, 0, 0, 2}, 2, 10},
     21866,
     "14279e1c38053fa35eab6f56dbf1c5ef337b533f2c42fd3d7b4e7a116796b331",
     false},
    {"window 8 MiB",
     {{8, 0, 0, 6}, 2, 10},
     0,
     "ee6185d4d0e58fb6f56f11ebc105ec7a08829c99bbf18b91634e40d07abaee6f",
     false},
    {"window 512 MiB",
     {{8, 0, 0, 8}, 2, 10},
     0,
     "24ea17320d86130abde49b4eff2f6df38d8806b99018c5c2ac68930d951325c6",
     true},
    {"window 32 KiB 8-8-2",
     {{8, 8, 2, 2}, 1, 10},
     19373,
     "9b8f010cf473e2a5b9d0d317451a8f285846f5263a7919ee28ebad383bceec56",
     false},
    {"window 32 GiB, 2 sectors",
     {{8, 8, 0, 9}, 2, 10},
     0,
     "a68222dfa8afa86346fc06d07d587a2600ad4d370215ead08d6e96f72d553aef",
     false},
    {"window 64 GiB, 2 sectors",
     {{8, 8, 2, 9}, 2, 10},
     0,
     "5b13678b1566f7bbcc82a2cf8d98118ef6d74841a39c8fceef3c5ee7c63047f9",
     true},
    {"winning 2 KiB",
     {{8, 0, 0, 2}, 66, 1},
     90750,
     "ce8079a9875ac8fafc46902e0e2368fa997e7f2ffb2065d2666ef92bc3ca2f67",
     false},
    {"winning 8 MiB",
     {{8, 0, 0, 6}, 66, 1},
     0,
     "f76fd7ab1915553c8dbffbd06ef73bc77119d7b4e2e129534256b9abd952d38e",
     true},
    {"winning 512 MiB",
     {{8, 0, 0, 8}, 66, 1},
     0,
     "1edcd1f497a9d12871d3f692ec90c670d9f837b3e37c31958dbf2ea239c021df",
     true},
    {"winning 32 GiB",
     {{8, 8, 0, 9}, 66, 1},
     370590,
     "f65cddbca7106bac1a8b92148badb4d96f488d56c233bd59b0d0a6919445cf4f",
     true},
    {"winning 64 GiB",
     {{8, 8, 2, 9}, 66, 1},
     391314,
     "280879cc466ac3a629e7369617c7f774b28b9e39d39bcf56b896ff72d2481107",
     true},
};

static void hashes_post(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof post_cases / sizeof post_cases[0]; i++) {
        const post_case *c = &post_cases[i];
        const cuzk_circuit circuit = {c->name, cuzk_post_build, &c->params};
        if (!skip_long(c->is_long))
            expect_hash(&circuit, 1 + (size_t)c->params.sectors * (1 + c->params.challenges),
                        c->rows, c->hash);
    }
}

typedef struct update_case {
    const char *name;
    cuzk_update_params params;
    size_t rows;
    const char *hash;
    bool is_long;
} update_case;

#define HIGH_SMALL                                                                                 \
    {                                                                                              \
        1, 1, 1, 1, 1, 1                                                                           \
    }
#define HIGH                                                                                       \
    {                                                                                              \
        7, 8, 9, 10, 11, 12                                                                        \
    }

static const update_case update_cases[] = {
    {"update 1 KiB",
     {{8, 4, 0, 1}, 5, 0, 3, 10, HIGH_SMALL},
     1248389,
     "9aa72227dad454f80a1ccbe181a4cae6d74c61eefde0323939b9df51d1f800b4",
     false},
    {"update 2 KiB",
     {{8, 0, 0, 2}, 6, 0, 3, 10, HIGH_SMALL},
     1705039,
     "c787aea9329f4525b3bcde14533b9b775654f6a9afe0a7c671783c8bd4f1f7a5",
     false},
    {"update 4 KiB",
     {{8, 2, 0, 2}, 7, 0, 3, 10, HIGH_SMALL},
     2165109,
     "ec26a8b7d5c248e9f958fdf76a30fed2c27802e1786e6e9bc8fe02796e6a98f3",
     false},
    {"update 8 KiB",
     {{8, 4, 0, 2}, 8, 0, 3, 10, HIGH_SMALL},
     2620359,
     "eec9a4e731edafe069668d6a2041d1c8b4a3164d5465f1af2f5bd2867eac3fcb",
     true},
    {"update 16 KiB",
     {{8, 8, 0, 2}, 9, 1, 7, 10, HIGH_SMALL},
     6300021,
     "95a1d46c7000ac6634072da5fa76d2c6faf4f399e8e2b25bd2c2266913c1ddaa",
     true},
    {"update 32 KiB",
     {{8, 8, 2, 2}, 10, 1, 7, 10, HIGH_SMALL},
     6760091,
     "6a4de18617ff15850d2f183cfd81a8ff7b06a84855cd425e1f85ff838ac6a215",
     true},
    {"update 8 MiB",
     {{8, 0, 0, 6}, 18, 2, 7, 10, HIGH},
     10007503,
     "ee2b98435ff8e35305acee8e08f1428bf5d19dd1164174a356e150c11df28ae4",
     true},
};

static void hashes_update(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof update_cases / sizeof update_cases[0]; i++) {
        const update_case *c = &update_cases[i];
        const cuzk_circuit circuit = {c->name, cuzk_update_build, &c->params};
        if (!skip_long(c->is_long))
            expect_hash(&circuit, 5, c->rows, c->hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_por),
        cmocka_unit_test(hashes_post),
        cmocka_unit_test(hashes_porep),
        cmocka_unit_test(hashes_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
