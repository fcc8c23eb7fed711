/* The circuits by name: their parameters give the hashes of Filecoin circuits, section 15.3, that
 * the original code was run for, and the row counts and densities of sections 7 to 9; compiled, not
 * by the direct system. CUZK_TEST_LONG=1 adds those of hundred million rows. */
#include "circuit/filecoin/registry.h"
#include "support/circuit.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static cuzk_error err;

typedef struct known_hash {
    const char *name;
    bool is_long;
    const char *hash;
} known_hash;

static const known_hash known_hashes[] = {
    {"porep-2k", false, "2c120b1125bd531d5a62b11932b2ae0e0cb47f455cea582994f97534e296bb42"},
    {"porep-8m", true, "b1fe5a4629fb8fc6684d6c90d6f8d6d32e5bccf6bc9439e4e8a9758e579328db"},
    {"porep-512m", true, "c7ade8c93707968e967cce4507669258eab20ff010e6dc1827d55544ee671cbb"},
    {"porep-32g", true, "a790207ea0435359e7d5f286563586e3f9a3a286c97af2440f65a4a18063d9cb"},
    {"porep-64g", true, "7686117961498d7849ede7429233254b20e3b149011eca8674ca8e9ab0655af6"},
    {"window-2k", false, "14279e1c38053fa35eab6f56dbf1c5ef337b533f2c42fd3d7b4e7a116796b331"},
    {"window-8m", false, "ee6185d4d0e58fb6f56f11ebc105ec7a08829c99bbf18b91634e40d07abaee6f"},
    {"window-512m", false, "24ea17320d86130abde49b4eff2f6df38d8806b99018c5c2ac68930d951325c6"},
    {"window-32g", true, "1036a47757014fa295aee4d8539d43c45adaf71c80a4b17c1dba6eca41b0d54f"},
    {"window-64g", true, "c0067486fdc1ab0885e045ae7e61190ec4cdc979f939d08d67c3d06fc3c6f42c"},
    {"winning-2k", false, "ce8079a9875ac8fafc46902e0e2368fa997e7f2ffb2065d2666ef92bc3ca2f67"},
    {"winning-8m", false, "f76fd7ab1915553c8dbffbd06ef73bc77119d7b4e2e129534256b9abd952d38e"},
    {"winning-512m", false, "1edcd1f497a9d12871d3f692ec90c670d9f837b3e37c31958dbf2ea239c021df"},
    {"winning-32g", false, "f65cddbca7106bac1a8b92148badb4d96f488d56c233bd59b0d0a6919445cf4f"},
    {"winning-64g", false, "280879cc466ac3a629e7369617c7f774b28b9e39d39bcf56b896ff72d2481107"},
    {"update-2k", false, "c787aea9329f4525b3bcde14533b9b775654f6a9afe0a7c671783c8bd4f1f7a5"},
    {"update-8m", true, "ee2b98435ff8e35305acee8e08f1428bf5d19dd1164174a356e150c11df28ae4"},
    {"update-512m", true, "d9f9e8c5646d12ad5a07ce7967df4e19fd998a0439a3eb1585baf51559b24751"},
    {"update-32g", true, "ed11b3af5ba3ae6e1e9e56122c31c51507edb6516c97baf1893a97da69517634"},
    {"update-64g", true, "8854cef703f930ed25d91a7e818524f3e4c67bb2393ba3c70fbfb0b1572c96af"},
};
_Static_assert(sizeof known_hashes / sizeof known_hashes[0] == CUZK_FIL_CIRCUITS, "one of each");

static bool skip_long(bool is_long)
{
    return is_long && getenv("CUZK_TEST_LONG") == NULL;
}

static cuzk_compiled *compile(const char *name)
{
    cuzk_fil_proof proof;
    cuzk_compiled *compiled;
    TEST_EXPECT(cuzk_fil_circuit_find(&proof, name, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_compile(&compiled, &proof, &err), CUZK_OK, &err);
    return compiled;
}

static void expect_hash(const known_hash *known)
{
    uint8_t hash[32];
    char text[65];
    const time_t start = time(NULL);
    cuzk_compiled *compiled = compile(known->name);
    TEST_EXPECT(cuzk_compiled_hash(compiled, hash, &err), CUZK_OK, &err);
    cuzk_compiled_free(compiled);
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    if (strcmp(text, known->hash) != 0)
        fail_msg("%s: hash %s, not %s", known->name, text, known->hash);
    if (known->is_long)
        print_message("%s: hash as expected, in %ld s\n", known->name, (long)(time(NULL) - start));
}

static void hashes_of_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        if (!skip_long(known_hashes[i].is_long))
            expect_hash(&known_hashes[i]);
    }
}

/* Rows without, nnz A without those that Groth16 appends, one for each input. */
static const struct {
    const char *name;
    bool is_long;
    size_t inputs, aux, rows, nnz_a, nnz_b, nnz_c, a_aux, b_input, b_aux;
} known_counts[] = {
    {"porep-2k", false, 40, 2685673, 2687921, 6420965, 2689006, 5824682, 2674908, 1, 685521},
    {"porep-8m", true, 40, 3842449, 3844929, 9388413, 3847886, 8234882, 3814996, 1, 1011289},
    {"porep-512m", true, 40, 4420837, 4423433, 10872137, 4427326, 9439982, 4385040, 1, 1174173},
    {"porep-32g", true, 328, 130169893, 130278541, 309404723, 130327340, 282656500, 129753292, 1,
     33112281},
    {"porep-64g", true, 328, 131076643, 131185849, 311892197, 131235764, 284512534, 130637542, 1,
     33386943},
    {"window-2k", false, 23, 22128, 21866, 150262, 22230, 27456, 16770, 1, 16028},
    {"window-32g", true, 25840, 126902376, 125279217, 862390719, 127398015, 157401792, 96179805, 1,
     91925766},
    {"window-64g", true, 25301, 131500200, 129887900, 893299300, 132008500, 163088400, 99624500, 1,
     95413200},
    {"winning-2k", false, 133, 91674, 90750, 621852, 92070, 113652, 69300, 1, 66792},
    {"winning-32g", false, 133, 375210, 370590, 2549052, 376662, 465300, 284196, 1, 272184},
    {"winning-64g", false, 133, 396000, 391314, 2689368, 397518, 491040, 299838, 1, 287694},
    {"update-2k", false, 5, 1703569, 1705039, 4030887, 1706537, 3616648, 1697189, 1, 444403},
    {"update-8m", true, 5, 9998039, 10007503, 23284273, 10015181, 21302734, 9981015, 1, 2567921},
    {"update-512m", true, 5, 57401314, 57450479, 135362847, 57500527, 121971144, 57212317, 1,
     14916879},
    {"update-32g", true, 5, 80978488, 81049499, 190374907, 81118127, 172187492, 80743581, 1,
     20983607},
    {"update-64g", true, 5, 84931220, 85006101, 199699027, 85077653, 180585650, 84682725, 1,
     22012683},
};

static size_t count_bits(const uint64_t *set, size_t bits)
{
    size_t n = 0;
    for (size_t i = 0; i < (bits + 63) / 64; i++)
        n += (size_t)__builtin_popcountll(set[i]);
    return n;
}

static void expect_densities(const cuzk_compiled *compiled, const cuzk_compiled_info *info,
                             size_t a_aux, size_t b_input, size_t b_aux)
{
    uint64_t *a = calloc((info->aux + 63) / 64, 8), *b = calloc((info->aux + 63) / 64, 8);
    uint64_t *in = calloc((info->inputs + 63) / 64, 8);
    assert_true(a != NULL && b != NULL && in != NULL);
    TEST_EXPECT(cuzk_compiled_densities(compiled, a, b, in, &err), CUZK_OK, &err);
    assert_int_equal(count_bits(a, info->aux), a_aux);
    assert_int_equal(count_bits(b, info->aux), b_aux);
    assert_int_equal(count_bits(in, info->inputs), b_input);
    free(a);
    free(b);
    free(in);
}

/* The templates make up the whole. */
static void expect_templates(const cuzk_compiled *compiled, const cuzk_compiled_info *info)
{
    size_t instances = 0, rows = 0, aux = 0;
    for (size_t i = 0; i < info->templates; i++) {
        cuzk_template_info t;
        cuzk_compiled_template(compiled, i, &t);
        assert_true((i == 0) == (t.name[0] == '\0'));
        instances += t.instances;
        rows += t.instances * t.rows;
        aux += t.instances * t.aux;
    }
    assert_int_equal(instances, info->instances + 1);
    assert_int_equal(rows, info->rows);
    assert_int_equal(aux, info->aux);
}

static void counts_of_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_counts / sizeof known_counts[0]; i++) {
        cuzk_compiled_info info;
        if (skip_long(known_counts[i].is_long))
            continue;
        cuzk_compiled *compiled = compile(known_counts[i].name);
        cuzk_compiled_describe(compiled, &info);
        assert_string_equal(info.name, known_counts[i].name);
        assert_int_equal(info.inputs, known_counts[i].inputs);
        assert_int_equal(info.aux, known_counts[i].aux);
        assert_int_equal(info.rows, known_counts[i].rows);
        assert_int_equal(info.nnz_a, known_counts[i].nnz_a);
        assert_int_equal(info.nnz_b, known_counts[i].nnz_b);
        assert_int_equal(info.nnz_c, known_counts[i].nnz_c);
        expect_densities(compiled, &info, known_counts[i].a_aux, known_counts[i].b_input,
                         known_counts[i].b_aux);
        expect_templates(compiled, &info);
        cuzk_compiled_free(compiled);
    }
}

/* What is known of a circuit without compiling it is what compiling finds. */
static void counts_without_compiling(void **state)
{
    (void)state;
    for (size_t i = 0; i < CUZK_FIL_CIRCUITS; i++) {
        cuzk_fil_proof proof;
        cuzk_compiled_info info;
        if (skip_long(known_hashes[i].is_long))
            continue;
        cuzk_fil_circuit_at(&proof, i);
        assert_string_equal(proof.circuit, known_hashes[i].name);
        const cuzk_fil_counts counts = cuzk_fil_counts_get(&proof);
        cuzk_compiled *compiled = compile(proof.circuit);
        cuzk_compiled_describe(compiled, &info);
        assert_int_equal(counts.inputs, info.inputs);
        assert_int_equal(counts.aux, info.aux);
        assert_int_equal(counts.rows, info.rows);
        cuzk_compiled_free(compiled);
    }
}

static void names_that_are_not_there(void **state)
{
    (void)state;
    static const char *const names[] = {"", "porep", "porep-2K", "porep-2kx", "snap-2k"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cuzk_fil_proof proof;
        assert_int_equal(cuzk_fil_circuit_find(&proof, names[i], &err), CUZK_ERR_ARGUMENT);
        assert_non_null(strstr(err.message, "is not known"));
    }
}

/* A saved circuit is opened under its own name only. */
static void saved_under_its_id(void **state)
{
    (void)state;
    cuzk_fil_proof proof, other;
    cuzk_compiled *compiled, *opened;
    uint8_t id[CUZK_CIRCUIT_ID_BYTES];
    char *path = test_write_temp("", 0);
    TEST_EXPECT(cuzk_fil_circuit_find(&proof, "window-2k", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_find(&other, "winning-2k", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_compile(&compiled, &proof, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_id(id, &proof, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_compiled_save(compiled, id, path, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_open(&opened, path, &proof, &err), CUZK_OK, &err);
    cuzk_compiled_free(opened);
    TEST_EXPECT(cuzk_fil_circuit_open(&opened, path, &other, &err), CUZK_ERR_MISMATCH, &err);
    id[0] ^= 1;
    TEST_EXPECT(cuzk_compiled_save(compiled, id, path, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_circuit_open(&opened, path, &proof, &err), CUZK_ERR_MISMATCH, &err);
    cuzk_compiled_free(compiled);
    unlink(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_not_there),
        cmocka_unit_test(saved_under_its_id),
        cmocka_unit_test(counts_without_compiling),
        cmocka_unit_test(counts_of_all),
        cmocka_unit_test(hashes_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
