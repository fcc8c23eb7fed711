/* The circuit hashes of whole partitions at 512 MiB to 64 GiB (Filecoin circuits, section 15.3), by
 * way of compiled circuits: up to 131 million rows and 50 GB that are hashed each. Only with
 * CUZK_TEST_LONG=1; CUZK_TEST_CIRCUIT names one circuit. */
#include "circuit/compile.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cuzk_porep_params porep_32g = {{8, 8, 0, 9}, {2, 0, 0, 30}, 11, 18};
static const cuzk_porep_params porep_64g = {{8, 8, 2, 9}, {2, 0, 0, 31}, 11, 18};
static const cuzk_post_params window_32g = {{8, 8, 0, 9}, 2349, 10};
static const cuzk_post_params window_64g = {{8, 8, 2, 9}, 2300, 10};
static const cuzk_update_params update_512m = {{8, 0, 0, 8}, 24, 4, 7, 86, {7, 8, 9, 10, 11, 12}};
static const cuzk_update_params update_32g = {{8, 8, 0, 9}, 30, 4, 7, 86, {7, 8, 9, 10, 11, 12}};
static const cuzk_update_params update_64g = {{8, 8, 2, 9}, 31, 4, 7, 86, {7, 8, 9, 10, 11, 12}};

static const struct {
    cuzk_circuit circuit;
    const char *hash;
} cases[] = {
    {{"update-512m", cuzk_update_build, &update_512m},
     "d9f9e8c5646d12ad5a07ce7967df4e19fd998a0439a3eb1585baf51559b24751"},
    {{"update-32g", cuzk_update_build, &update_32g},
     "ed11b3af5ba3ae6e1e9e56122c31c51507edb6516c97baf1893a97da69517634"},
    {{"update-64g", cuzk_update_build, &update_64g},
     "8854cef703f930ed25d91a7e818524f3e4c67bb2393ba3c70fbfb0b1572c96af"},
    {{"porep-32g", cuzk_porep_build, &porep_32g},
     "a790207ea0435359e7d5f286563586e3f9a3a286c97af2440f65a4a18063d9cb"},
    {{"porep-64g", cuzk_porep_build, &porep_64g},
     "7686117961498d7849ede7429233254b20e3b149011eca8674ca8e9ab0655af6"},
    {{"window-32g", cuzk_post_build, &window_32g},
     "1036a47757014fa295aee4d8539d43c45adaf71c80a4b17c1dba6eca41b0d54f"},
    {{"window-64g", cuzk_post_build, &window_64g},
     "c0067486fdc1ab0885e045ae7e61190ec4cdc979f939d08d67c3d06fc3c6f42c"},
};

static void expect_hash(const cuzk_circuit *circuit, const char *expected)
{
    uint8_t hash[32];
    char text[2 * sizeof hash + 1];
    cuzk_compiled *compiled;
    cuzk_error err;
    if (cuzk_compile(&compiled, circuit, &err) != CUZK_OK ||
        cuzk_compiled_hash(compiled, hash, &err) != CUZK_OK)
        fail_msg("%s: %s", circuit->name, err.message);
    cuzk_compiled_free(compiled);
    for (size_t i = 0; i < sizeof hash; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: hash %s, not %s", circuit->name, text, expected);
    print_message("%s: %s\n", circuit->name, text);
}

static void large_hashes(void **state)
{
    (void)state;
    const char *only = getenv("CUZK_TEST_CIRCUIT");
    if (getenv("CUZK_TEST_LONG") == NULL)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (only == NULL || strcmp(only, cases[i].circuit.name) == 0)
            expect_hash(&cases[i].circuit, cases[i].hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
