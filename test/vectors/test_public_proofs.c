/* Real proofs of Filecoin's 32 GiB sectors, made by others with keys of the mainnet's kind. The
 * files are not part of this project: read from $CUZK_SHARED or from ../shared beside the source,
 * else skipped.
 *
 * seal32_x10.prf, window.prf: u64 number of proofs, u64 inputs per proof, verifying key, then per
 * proof 192 bytes and its inputs. winning32.prf: proof, u64 number of inputs, inputs, verifying
 * key. All big-endian. */
#include "support/circuit.h"
#include "support/group_pool.h"

#include "groth16/params.h"
#include "groth16/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_BYTES = 32, VK_HEAD = 864, G1 = 96 };

typedef struct proof_file {
    size_t n, n_inputs;
    cuzk_verifier *verifier;
    cuzk_scalar *inputs;
    uint8_t *bytes; /* n proofs, as they stood in the file */
    cuzk_proof *proofs;
} proof_file;

static cuzk_error err;

static const char *shared_path(const char *name)
{
    static char path[4096];
    const char *shared = getenv("CUZK_SHARED");
    if (shared != NULL)
        snprintf(path, sizeof path, "%s/spec/vectors/public/%s", shared, name);
    else
        snprintf(path, sizeof path, "%s/../../../shared/spec/vectors/public/%s", CUZK_TEST_DATA,
                 name);
    return access(path, R_OK) == 0 ? path : NULL;
}

static uint64_t read_u64(const uint8_t *in)
{
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++)
        value = value << 8 | in[i];
    return value;
}

static cuzk_scalar read_input(const uint8_t *in)
{
    cuzk_scalar value;
    for (size_t i = 0; i < 4; i++)
        value.l[3 - i] = read_u64(in + 8 * i);
    return value;
}

static void read_key(proof_file *file, const uint8_t *bytes, size_t size)
{
    cuzk_map *map;
    cuzk_vk vk;
    TEST_EXPECT(cuzk_map_borrow(&map, bytes, size, "verifying key", &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_params_read_vk(&vk, NULL, NULL, map, false, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_vk_check(&vk, false, "verifying key", &err), CUZK_OK, &err);
    assert_int_equal(vk.n_public, file->n_inputs);
    TEST_EXPECT(cuzk_verifier_new(&file->verifier, &vk, NULL, &err), CUZK_OK, &err);
    cuzk_vk_release(&vk);
    cuzk_map_close(map);
}

static void allocate(proof_file *file)
{
    file->inputs = calloc(file->n * file->n_inputs, sizeof *file->inputs);
    file->bytes = calloc(file->n, CUZK_PROOF_BYTES);
    file->proofs = calloc(file->n, sizeof *file->proofs);
    assert_true(file->inputs != NULL && file->bytes != NULL && file->proofs != NULL);
}

static void read_inputs(proof_file *file, size_t proof, const uint8_t *in)
{
    for (size_t i = 0; i < file->n_inputs; i++)
        file->inputs[proof * file->n_inputs + i] = read_input(in + i * INPUT_BYTES);
}

static void decode_proofs(proof_file *file)
{
    TEST_EXPECT(
        cuzk_proof_decode(file->proofs, file->n, file->bytes, file->n * CUZK_PROOF_BYTES, &err),
        CUZK_OK, &err);
}

static proof_file parse_many(const uint8_t *data, size_t size)
{
    proof_file file = {.n = read_u64(data), .n_inputs = read_u64(data + 8)};
    size_t vk_size = VK_HEAD + 4 + (file.n_inputs + 1) * G1;
    size_t stride = CUZK_PROOF_BYTES + file.n_inputs * INPUT_BYTES;
    assert_int_equal(size, 16 + vk_size + file.n * stride);
    read_key(&file, data + 16, vk_size);
    allocate(&file);
    for (size_t i = 0; i < file.n; i++) {
        const uint8_t *at = data + 16 + vk_size + i * stride;
        memcpy(file.bytes + i * CUZK_PROOF_BYTES, at, CUZK_PROOF_BYTES);
        read_inputs(&file, i, at + CUZK_PROOF_BYTES);
    }
    decode_proofs(&file);
    return file;
}

static proof_file parse_winning(const uint8_t *data, size_t size)
{
    proof_file file = {.n = 1, .n_inputs = read_u64(data + CUZK_PROOF_BYTES)};
    size_t inputs_at = CUZK_PROOF_BYTES + 8;
    size_t vk_at = inputs_at + file.n_inputs * INPUT_BYTES;
    allocate(&file);
    memcpy(file.bytes, data, CUZK_PROOF_BYTES);
    read_inputs(&file, 0, data + inputs_at);
    read_key(&file, data + vk_at, size - vk_at);
    decode_proofs(&file);
    return file;
}

static void release(proof_file *file)
{
    cuzk_verifier_free(file->verifier);
    free(file->inputs);
    free(file->bytes);
    free(file->proofs);
}

static cuzk_status verify_one(const proof_file *file, size_t i, const cuzk_scalar *inputs)
{
    return cuzk_verify_proof(file->verifier, inputs, file->n_inputs, &file->proofs[i], test_pool,
                             &err);
}

/* No single flipped bit of proof i may leave it valid. step bits are skipped between two flips. */
static void flip_proof_bits(const proof_file *file, size_t i, size_t step)
{
    for (size_t bit = 0; bit < 8 * CUZK_PROOF_BYTES; bit += step) {
        uint8_t changed[CUZK_PROOF_BYTES];
        memcpy(changed, file->bytes + i * CUZK_PROOF_BYTES, sizeof changed);
        changed[bit / 8] ^= (uint8_t)(1u << bit % 8);
        cuzk_proof proof;
        cuzk_status status = cuzk_proof_decode(&proof, 1, changed, sizeof changed, &err);
        if (status != CUZK_OK) {
            assert_int_equal(status, CUZK_ERR_FORMAT);
            continue;
        }
        status = cuzk_verify_proof(file->verifier, file->inputs + i * file->n_inputs,
                                   file->n_inputs, &proof, test_pool, &err);
        TEST_EXPECT(status, CUZK_ERR_REJECTED, &err);
    }
}

/* The sign flag of A, B or C: always decodes, never verifies. */
static void flip_signs(const proof_file *file, size_t i)
{
    static const size_t places[] = {0, 48, 144};
    for (size_t k = 0; k < 3; k++) {
        uint8_t changed[CUZK_PROOF_BYTES];
        memcpy(changed, file->bytes + i * CUZK_PROOF_BYTES, sizeof changed);
        changed[places[k]] ^= 0x20;
        cuzk_proof proof;
        TEST_EXPECT(cuzk_proof_decode(&proof, 1, changed, sizeof changed, &err), CUZK_OK, &err);
        TEST_EXPECT(cuzk_verify_proof(file->verifier, file->inputs + i * file->n_inputs,
                                      file->n_inputs, &proof, test_pool, &err),
                    CUZK_ERR_REJECTED, &err);
    }
}

static void change_inputs(const proof_file *file, size_t i)
{
    cuzk_scalar *inputs = calloc(file->n_inputs, sizeof *inputs);
    assert_non_null(inputs);
    memcpy(inputs, file->inputs + i * file->n_inputs, file->n_inputs * sizeof *inputs);
    for (size_t k = 0; k < file->n_inputs; k += 1 + file->n_inputs / 8) {
        inputs[k].l[0] ^= 1;
        TEST_EXPECT(verify_one(file, i, inputs), CUZK_ERR_REJECTED, &err);
        inputs[k].l[0] ^= 1;
    }
    TEST_EXPECT(verify_one(file, i, inputs), CUZK_OK, &err);
    free(inputs);
}

static void encode_again(const proof_file *file)
{
    for (size_t i = 0; i < file->n; i++) {
        uint8_t bytes[CUZK_PROOF_BYTES];
        cuzk_proof_encode(bytes, &file->proofs[i]);
        assert_memory_equal(bytes, file->bytes + i * CUZK_PROOF_BYTES, sizeof bytes);
    }
}

static void check_batch(const proof_file *file)
{
    size_t bad = SIZE_MAX;
    TEST_EXPECT(cuzk_verify_batch(file->verifier, file->inputs, file->n_inputs, file->proofs,
                                  file->n, &bad, test_pool, &err),
                CUZK_OK, &err);
    assert_int_equal(bad, SIZE_MAX);
    for (size_t i = 0; i < file->n; i++) {
        file->inputs[i * file->n_inputs].l[0] ^= 1;
        TEST_EXPECT(cuzk_verify_batch(file->verifier, file->inputs, file->n_inputs, file->proofs,
                                      file->n, &bad, test_pool, &err),
                    CUZK_ERR_REJECTED, &err);
        assert_int_equal(bad, i);
        file->inputs[i * file->n_inputs].l[0] ^= 1;
    }
}

static void check_all(const proof_file *file)
{
    for (size_t i = 0; i < file->n; i++)
        TEST_EXPECT(verify_one(file, i, file->inputs + i * file->n_inputs), CUZK_OK, &err);
    print_message("%zu proofs of %zu inputs hold\n", file->n, file->n_inputs);
    encode_again(file);
    check_batch(file);
    change_inputs(file, 0);
    flip_signs(file, 0);
}

static void seal_proofs(void **state)
{
    (void)state;
    const char *path = shared_path("seal32_x10.prf");
    if (path == NULL)
        skip();
    size_t size;
    uint8_t *data = test_read_file(path, &size);
    proof_file file = parse_many(data, size);
    assert_int_equal(file.n, 10);
    check_all(&file);
    flip_proof_bits(&file, 3, 29);
    release(&file);
    free(data);
}

static void winning_proof(void **state)
{
    (void)state;
    const char *path = shared_path("winning32.prf");
    if (path == NULL)
        skip();
    size_t size;
    uint8_t *data = test_read_file(path, &size);
    proof_file file = parse_winning(data, size);
    check_all(&file);
    release(&file);
    free(data);
}

/* Through gzip(1), which is everywhere; zlib would be one more thing to build with. */
static uint8_t *unzip(const char *path, size_t *size)
{
    char command[4200];
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    size_t room = (size_t)1 << 20, n;
    uint8_t *data = malloc(room);
    *size = 0;
    while (data != NULL && (n = fread(data + *size, 1, room - *size, in)) > 0) {
        *size += n;
        if (*size == room)
            data = realloc(data, room *= 2);
    }
    assert_non_null(data);
    assert_int_equal(pclose(in), 0);
    return data;
}

static void window_proof(void **state)
{
    (void)state;
    const char *path = shared_path("window.prf.gz");
    if (path == NULL)
        skip();
    size_t size;
    uint8_t *data = unzip(path, &size);
    proof_file file = parse_many(data, size);
    check_all(&file);
    release(&file);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seal_proofs),
        cmocka_unit_test(winning_proof),
        cmocka_unit_test(window_proof),
    };
    return cmocka_run_group_tests(tests, test_pool_start, test_pool_stop);
}
