/* The model's sealed sectors of test/data/filecoin. */
#ifndef CUZK_TEST_FILECOIN_H
#define CUZK_TEST_FILECOIN_H

#include "circuit/filecoin/seal.h"
#include "support/test.h"

#include <jansson.h>

/* test/data/filecoin/<name>, parsed; the caller's (json_decref). */
json_t *test_fil_json(const char *name);

/* 32 bytes from 64 hexadecimal digits. */
void test_hex_32(uint8_t out[32], const char *hex);
cuzk_scalar test_fil_scalar(const json_t *hex);

/* A member that must be there. */
json_t *test_member(const json_t *object, const char *name);

/* Fails the test unless values[i] are the strings of the array, which has n. */
void test_assert_scalars(const cuzk_scalar *values, size_t n, const json_t *array);
void test_assert_scalar(const cuzk_scalar *value, const json_t *hex);

/* The first n nodes of data that the model seals: n from the start of its random stream; then as
 * many more as asked for by the next call on the same stream. */
typedef struct test_xorshift {
    uint32_t x, y, z, w;
} test_xorshift;
test_xorshift test_xorshift_new(void);
uint32_t test_xorshift_next(test_xorshift *rng);
cuzk_scalar test_xorshift_scalar(test_xorshift *rng); /* a field element, as Fr::random */
void test_fil_nodes(cuzk_scalar *out, size_t n, test_xorshift *rng);

/* The sector of model-2kib.json; of its shape-8-8-0 and 8-8-2 relatives, whose proofs are written
 * as registered ones of 32 and 64 GiB (layers 2). Fails the test on error. */
void test_seal_2kib(cuzk_sector *sector);
void test_seal_16kib(cuzk_sector *sector);
void test_seal_32kib(cuzk_sector *sector);

#endif
