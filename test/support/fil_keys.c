#define _GNU_SOURCE
#include "support/fil_keys.h"

#include "api/filecoin_key.h"
#include "base/digest.h"
#include "groth16/params.h"
#include "support/circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cuzk_error err;

cuzk_scalar test_secret(const char *name)
{
    uint8_t bytes[CUZK_SHA256_BYTES];
    cuzk_digest *digest;
    cuzk_scalar s = {{0}};
    TEST_EXPECT(cuzk_digest_new(&digest, CUZK_SHA256, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_update(digest, name, strlen(name), &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_digest_finish(digest, bytes, &err), CUZK_OK, &err);
    cuzk_digest_free(digest);
    bytes[31] &= 0x3f;
    for (size_t i = 0; i < sizeof bytes; i++)
        s.l[i / 8] |= (uint64_t)bytes[i] << (8 * (i % 8));
    return s;
}

cuzk_toxic test_known_toxic(void)
{
    return (cuzk_toxic){.tau = test_secret("tau"),
                        .alpha = test_secret("alpha"),
                        .beta = test_secret("beta"),
                        .gamma = test_secret("gamma"),
                        .delta = test_secret("delta")};
}

/* The verifying key first: where the parameters are, both are. */
static void write_key(const char *path, const cuzk_setup *setup)
{
    char vk[4096];
    snprintf(vk, sizeof vk, "%.*s.vk", (int)(strlen(path) - strlen(".params")), path);
    TEST_EXPECT(cuzk_params_write_vk(vk, &setup->vk, &setup->beta_g1, &setup->delta_g1, &err),
                CUZK_OK, &err);
    TEST_EXPECT(cuzk_params_write(path, setup, &err), CUZK_OK, &err);
}

static void make_key(const char *path, const cuzk_fil_proof *proof, cuzk_pool *pool)
{
    const cuzk_toxic toxic = test_known_toxic();
    cuzk_compiled *compiled;
    cuzk_r1cs r1cs;
    cuzk_setup setup;
    TEST_EXPECT(cuzk_fil_circuit_compile(&compiled, proof, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_compiled_expand(compiled, &r1cs, &err), CUZK_OK, &err);
    cuzk_compiled_free(compiled);
    TEST_EXPECT(cuzk_setup_make(&setup, &r1cs, &toxic, CUZK_SETUP_BELLPERSON, pool, &err), CUZK_OK,
                &err);
    cuzk_r1cs_release(&r1cs);
    write_key(path, &setup);
    cuzk_setup_release(&setup);
}

const char *test_fil_keys(const char *circuit, cuzk_pool *pool)
{
    const char *folder = getenv("CUZK_TEST_KEYS");
    cuzk_fil_proof proof;
    char *path;
    if (folder == NULL)
        folder = CUZK_TEST_BUILD "/filecoin-keys";
    (void)mkdir(folder, 0777);
    TEST_EXPECT(cuzk_fil_circuit_find(&proof, circuit, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_fil_key_path(&path, folder, &proof, &err), CUZK_OK, &err);
    if (access(path, R_OK) != 0)
        make_key(path, &proof, pool);
    free(path);
    return folder;
}
