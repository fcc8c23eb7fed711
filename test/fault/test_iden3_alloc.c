/* Every allocation of the readers and writers of iden3's files fails once: an error that says so,
 * nothing leaked, and what a call was to fill is untouched. */
#include "support/fault_alloc.h"
#include "support/fixtures.h"

#include "iden3/ptau.h"

/* More allocations than any of the calls makes. */
#define MOST 2000u

/* What the calls work on; read once, without faults. */
static struct {
    cuzk_map *r1cs, *wtns, *zkey, *ptau;
    cuzk_r1cs cs;
    cuzk_vk vk;
    cuzk_setup setup;
    cuzk_toxic toxic;
    char *vk_text, *public_text, *path;
    size_t vk_size, public_size;
} given;

static cuzk_status call_r1cs_read(cuzk_error *err)
{
    cuzk_r1cs cs;
    CUZK_TRY(cuzk_r1cs_read(&cs, given.r1cs, err));
    cuzk_r1cs_release(&cs);
    return CUZK_OK;
}

static cuzk_status call_wtns_read(cuzk_error *err)
{
    cuzk_wtns witness;
    CUZK_TRY(cuzk_wtns_read(&witness, given.wtns, err));
    cuzk_wtns_release(&witness);
    return CUZK_OK;
}

static cuzk_status call_zkey_open(cuzk_error *err)
{
    cuzk_pk *pk = NULL;
    cuzk_status status = cuzk_zkey_open(&pk, given.zkey, 0, NULL, NULL, err);
    assert_true((status == CUZK_OK) == (pk != NULL));
    cuzk_pk_free(pk);
    return status;
}

static cuzk_status call_zkey_read_vk(cuzk_error *err)
{
    cuzk_vk vk;
    CUZK_TRY(cuzk_zkey_read_vk(&vk, given.zkey, err));
    cuzk_vk_release(&vk);
    return CUZK_OK;
}

static cuzk_status call_json_read(cuzk_error *err)
{
    cuzk_vk vk;
    cuzk_scalar *inputs = NULL;
    CUZK_TRY(cuzk_json_read_vk(&vk, given.vk_text, given.vk_size, "vk", err));
    cuzk_status status = cuzk_json_read_public(&inputs, vk.n_public, vk.curve, given.public_text,
                                               given.public_size, "public", err);
    assert_true((status == CUZK_OK) == (inputs != NULL));
    free(inputs);
    cuzk_vk_release(&vk);
    return status;
}

static cuzk_status call_json_write(cuzk_error *err)
{
    char *text = NULL;
    cuzk_status status = cuzk_json_write_vk(&text, &given.vk, err);
    assert_true((status == CUZK_OK) == (text != NULL));
    free(text);
    return status;
}

static cuzk_status call_write(cuzk_error *err)
{
    CUZK_TRY(cuzk_r1cs_write(given.path, &given.cs, err));
    CUZK_TRY(cuzk_zkey_write(given.path, &given.setup, &given.cs, given.r1cs, err));
    return cuzk_zkey_write(given.path, &given.setup, &given.cs, NULL, err);
}

static cuzk_status call_ptau_setup(cuzk_error *err)
{
    cuzk_setup setup;
    CUZK_TRY(cuzk_ptau_setup(&setup, given.ptau, &given.cs, NULL, err));
    cuzk_status status = cuzk_setup_contribute(&setup, NULL, err);
    cuzk_setup_release(&setup);
    return status;
}

static cuzk_status call_zkey_setup(cuzk_error *err)
{
    cuzk_setup setup;
    CUZK_TRY(cuzk_zkey_setup(&setup, &given.cs, &given.toxic, NULL, err));
    cuzk_setup_release(&setup);
    return CUZK_OK;
}

static cuzk_status call_ptau_write(cuzk_error *err)
{
    return cuzk_ptau_write_known(given.path, given.cs.curve, 2, &given.toxic.tau,
                                 &given.toxic.alpha, &given.toxic.beta, NULL, err);
}

static void fail_each(cuzk_status (*call)(cuzk_error *err))
{
    const size_t live = test_fault_live();
    size_t failures = 0;
    for (size_t n = 1;; n++) {
        cuzk_error err = {.status = CUZK_OK};
        assert_true(n < MOST);
        test_fault_arm(n);
        cuzk_status status = call(&err);
        size_t count = test_fault_count();
        test_fault_arm(0);
        assert_int_equal(test_fault_live(), live);
        if (count < n) {
            assert_int_equal(status, CUZK_OK);
            assert_true(failures > 0);
            return;
        }
        /* A matrix that cannot be shrunk to its size stays as it is. */
        if (status != CUZK_ERR_MEMORY && status != CUZK_OK)
            fail_msg("allocation %zu failed, status %s: %s", n, cuzk_status_name(status),
                     err.message);
        failures += status == CUZK_ERR_MEMORY;
    }
}

#define TEST_OF(call)                                                                              \
    static void call##_fails_cleanly(void **state)                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        fail_each(call);                                                                           \
    }
TEST_OF(call_r1cs_read)
TEST_OF(call_wtns_read)
TEST_OF(call_zkey_open)
TEST_OF(call_zkey_read_vk)
TEST_OF(call_json_read)
TEST_OF(call_json_write)
TEST_OF(call_write)
TEST_OF(call_ptau_setup)
TEST_OF(call_zkey_setup)
TEST_OF(call_ptau_write)

static int read_given(void **state)
{
    (void)state;
    cuzk_error err;
    const fixture *f = find_fixture("multiplier-bn128");
    given.r1cs = open_fixture(f, "circuit.r1cs");
    given.wtns = open_fixture(f, "witness.wtns");
    given.zkey = open_fixture(f, "circuit.zkey");
    given.ptau = open_data("circom/ptau/bn128-5-contributed.ptau");
    given.vk_text =
        (char *)test_read_data(fixture_file(f, "verification_key.json"), &given.vk_size);
    given.public_text = (char *)test_read_data(fixture_file(f, "public.json"), &given.public_size);
    given.path = test_write_temp("", 0);
    assert_ok(cuzk_r1cs_read(&given.cs, given.r1cs, &err));
    assert_ok(cuzk_zkey_read_vk(&given.vk, given.zkey, &err));
    assert_ok(cuzk_toxic_random(&given.toxic, given.cs.curve, &err));
    given.toxic.gamma = (cuzk_scalar){{1, 0, 0, 0}};
    assert_ok(cuzk_zkey_setup(&given.setup, &given.cs, &given.toxic, NULL, &err));
    return 0;
}

static int release_given(void **state)
{
    (void)state;
    cuzk_map_close(given.r1cs);
    cuzk_map_close(given.wtns);
    cuzk_map_close(given.zkey);
    cuzk_map_close(given.ptau);
    cuzk_r1cs_release(&given.cs);
    cuzk_vk_release(&given.vk);
    cuzk_setup_release(&given.setup);
    unlink(given.path);
    free(given.path);
    free(given.vk_text);
    free(given.public_text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_r1cs_read_fails_cleanly),
        cmocka_unit_test(call_wtns_read_fails_cleanly),
        cmocka_unit_test(call_zkey_open_fails_cleanly),
        cmocka_unit_test(call_zkey_read_vk_fails_cleanly),
        cmocka_unit_test(call_json_read_fails_cleanly),
        cmocka_unit_test(call_json_write_fails_cleanly),
        cmocka_unit_test(call_write_fails_cleanly),
        cmocka_unit_test(call_ptau_setup_fails_cleanly),
        cmocka_unit_test(call_zkey_setup_fails_cleanly),
        cmocka_unit_test(call_ptau_write_fails_cleanly),
    };
    disable_cache();
    return cmocka_run_group_tests(tests, read_given, release_given);
}
