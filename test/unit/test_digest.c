/* The answers are the published ones: FIPS 180-4 examples and RFC 7693 appendix A. */
#include "base/digest.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static void expect(cuzk_digest *digest, size_t bytes, const char *hex)
{
    uint8_t out[CUZK_DIGEST_MAX_BYTES];
    char text[2 * CUZK_DIGEST_MAX_BYTES + 1];
    assert_int_equal(cuzk_digest_finish(digest, out, NULL), CUZK_OK);
    for (size_t i = 0; i < bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    assert_string_equal(text, hex);
}

static const char sha_empty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char sha_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char sha_million[] =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
static const char blake_abc[] = "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                                "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923";

static void sha256(void **state)
{
    (void)state;
    cuzk_digest *digest;
    assert_int_equal(cuzk_digest_new(&digest, CUZK_SHA256, NULL), CUZK_OK);
    expect(digest, CUZK_SHA256_BYTES, sha_empty);
    assert_int_equal(cuzk_digest_update(digest, "abc", 3, NULL), CUZK_OK);
    expect(digest, CUZK_SHA256_BYTES, sha_abc);
    char block[1000];
    memset(block, 'a', sizeof block);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(cuzk_digest_update(digest, block, sizeof block, NULL), CUZK_OK);
    expect(digest, CUZK_SHA256_BYTES, sha_million);
    cuzk_digest_free(digest);
}

static void blake2b(void **state)
{
    (void)state;
    cuzk_digest *digest;
    assert_int_equal(cuzk_digest_new(&digest, CUZK_BLAKE2B, NULL), CUZK_OK);
    assert_int_equal(cuzk_digest_update(digest, "a", 1, NULL), CUZK_OK);
    assert_int_equal(cuzk_digest_update(digest, NULL, 0, NULL), CUZK_OK);
    assert_int_equal(cuzk_digest_update(digest, "bc", 2, NULL), CUZK_OK);
    expect(digest, CUZK_BLAKE2B_BYTES, blake_abc);
    cuzk_digest_free(digest);
    cuzk_digest_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256),
        cmocka_unit_test(blake2b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
