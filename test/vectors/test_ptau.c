/* Setup: powers of tau, phase 2, contributions. What we make must be what snarkjs made from the
 * same powers, to the byte, and prove. */
#include "support/fixtures.h"

#include "base/decimal.h"
#include "iden3/ceremony.h"
#include "iden3/ptau.h"

#include <jansson.h>

static cuzk_pool *pool;

static const char *const curve_names[CUZK_CURVES] = {"bn128", "bls12381"};

static void scalar_from_text(cuzk_scalar *out, const char *text)
{
    uint8_t bytes[32];
    assert_int_equal(cuzk_decimal_parse(bytes, 32, text, strlen(text)), CUZK_DECIMAL_OK);
    memcpy(out, bytes, 32);
}

/* The secrets of the *-knowntau.ptau files; gamma = delta = 1. */
static cuzk_toxic known_toxic(cuzk_curve_id curve)
{
    cuzk_toxic toxic = {.gamma = {{1, 0, 0, 0}}, .delta = {{1, 0, 0, 0}}};
    char *text = (char *)test_read_data("circom/ptau/knowntau.json", NULL);
    json_t *root = json_loads(text, 0, NULL);
    json_t *values = json_object_get(root, curve_names[curve]);
    assert_non_null(values);
    scalar_from_text(&toxic.tau, json_string_value(json_object_get(values, "tau")));
    scalar_from_text(&toxic.alpha, json_string_value(json_object_get(values, "alpha")));
    scalar_from_text(&toxic.beta, json_string_value(json_object_get(values, "beta")));
    json_decref(root);
    free(text);
    return toxic;
}

static cuzk_map *open_ptau(cuzk_curve_id curve, const char *kind)
{
    char name[128];
    snprintf(name, sizeof name, "circom/ptau/%s-5-%s.ptau", curve_names[curve], kind);
    return open_data(name);
}

static void read_circuit(cuzk_r1cs *cs, const fixture *f)
{
    cuzk_error err;
    cuzk_map *map = open_fixture(f, "circuit.r1cs");
    assert_ok(cuzk_r1cs_read(cs, map, &err));
    cuzk_map_close(map);
}

static void assert_same_bytes(const cuzk_map *found, const cuzk_map *expected)
{
    assert_int_equal(cuzk_map_size(found), cuzk_map_size(expected));
    assert_memory_equal(cuzk_map_data(found), cuzk_map_data(expected), cuzk_map_size(expected));
}

static cuzk_map *write_zkey(const cuzk_setup *setup, const cuzk_r1cs *cs)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    char *path = test_write_temp("", 0);
    assert_ok(cuzk_zkey_write(path, setup, cs, NULL, &err));
    assert_ok(cuzk_map_open(&map, path, &err));
    unlink(path);
    free(path);
    return map;
}

static void known_powers_are_snarkjs_bytes(void **state)
{
    (void)state;
    cuzk_error err;
    for (int c = 0; c < CUZK_CURVES; c++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)c);
        cuzk_toxic toxic = known_toxic((cuzk_curve_id)c);
        cuzk_map *expected = open_ptau((cuzk_curve_id)c, "knowntau"), *found = NULL;
        char *path = test_write_temp("", 0);
        assert_ok(cuzk_ptau_write_known(path, curve, 5, &toxic.tau, &toxic.alpha, &toxic.beta, pool,
                                        &err));
        assert_ok(cuzk_map_open(&found, path, &err));
        /* The file has no close: a later change of it must not reach the map. */
        unlink(path);
        free(path);
        assert_same_bytes(found, expected);
        cuzk_map_close(found);
        cuzk_map_close(expected);
    }
}

static void info_reads(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_ptau_info info;
    for (int c = 0; c < CUZK_CURVES; c++)
        for (int known = 0; known < 2; known++) {
            cuzk_map *map = open_ptau((cuzk_curve_id)c, known ? "knowntau" : "contributed");
            assert_ok(cuzk_ptau_info_read(&info, map, &err));
            assert_int_equal(info.curve->id, c);
            assert_int_equal(info.power, 5);
            assert_int_equal(info.ceremony_power, 5);
            assert_int_equal(info.contributions, known ? 0 : 1);
            assert_true(info.prepared);
            cuzk_map_close(map);
        }
}

/* One section of a container; test code's own reader. */
static const uint8_t *section(const cuzk_map *map, uint32_t wanted, uint64_t *size)
{
    const uint8_t *data = cuzk_map_data(map);
    uint64_t at = 12;
    while (at < cuzk_map_size(map)) {
        uint32_t id;
        memcpy(&id, data + at, 4);
        memcpy(size, data + at + 4, 8);
        if (id == wanted)
            return data + at + 12;
        at += 12 + *size;
    }
    fail_msg("no section %u", wanted);
    return NULL;
}

static bool from_power_5(const fixture *f)
{
    return f->log_m <= 5 && !f->custom_gates;
}

/* The fixtures' keys were set up from the contributed powers; one contribution later all but C, H
 * and the contribution itself are still what the setup made, the circuit hash included. */
static void setup_is_snarkjs_setup(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (!from_power_5(f))
            continue;
        cuzk_map *ptau = open_ptau(f->curve, "contributed");
        cuzk_map *expected = open_fixture(f, "circuit.zkey");
        cuzk_r1cs cs;
        cuzk_setup setup;
        read_circuit(&cs, f);
        assert_ok(cuzk_ptau_setup(&setup, ptau, &cs, pool, &err));
        cuzk_map *found = write_zkey(&setup, &cs);
        for (uint32_t id = 3; id <= 7; id++) {
            uint64_t size = 0, expected_size = 0;
            const uint8_t *data = section(found, id, &size);
            const uint8_t *wanted = section(expected, id, &expected_size);
            assert_int_equal(size, expected_size);
            assert_memory_equal(data, wanted, size);
        }
        uint64_t size = 0;
        assert_memory_equal(section(found, 10, &size), section(expected, 10, &size), 64);
        cuzk_map_close(found);
        cuzk_setup_release(&setup);
        cuzk_r1cs_release(&cs);
        cuzk_map_close(expected);
        cuzk_map_close(ptau);
    }
}

static void setup_without_contribution_is_the_whole_file(void **state)
{
    (void)state;
    cuzk_error err;
    const fixture *f = find_fixture("multiplier-bn128");
    cuzk_map *ptau = open_ptau(f->curve, "contributed");
    cuzk_map *expected = open_data("circom/negative/multiplier-bn128.no_contribution.zkey");
    cuzk_r1cs cs;
    cuzk_setup setup;
    read_circuit(&cs, f);
    assert_ok(cuzk_ptau_setup(&setup, ptau, &cs, pool, &err));
    cuzk_map *found = write_zkey(&setup, &cs);
    assert_same_bytes(found, expected);
    cuzk_map_close(found);
    cuzk_setup_release(&setup);
    cuzk_r1cs_release(&cs);
    cuzk_map_close(expected);
    cuzk_map_close(ptau);
}

/* With tau known, the direct way (scalars first) and the way over the file's points meet. */
static void known_tau_and_ptau_meet(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (!from_power_5(f))
            continue;
        cuzk_map *ptau = open_ptau(f->curve, "knowntau");
        cuzk_toxic toxic = known_toxic(f->curve);
        cuzk_r1cs cs;
        cuzk_setup from_points, from_scalars;
        read_circuit(&cs, f);
        assert_ok(cuzk_ptau_setup(&from_points, ptau, &cs, pool, &err));
        assert_ok(cuzk_zkey_setup(&from_scalars, &cs, &toxic, pool, &err));
        cuzk_map *expected = write_zkey(&from_points, &cs), *found = write_zkey(&from_scalars, &cs);
        if (f->log_m < 5)
            assert_same_bytes(found, expected);
        else /* the file lacks the top power, so its H is another one (formats, section 3.8) */
            assert_int_equal(cuzk_map_size(found), cuzk_map_size(expected));
        cuzk_map_close(expected);
        cuzk_map_close(found);
        cuzk_setup_release(&from_points);
        cuzk_setup_release(&from_scalars);
        cuzk_r1cs_release(&cs);
        cuzk_map_close(ptau);
    }
}

static void prove_with(const fixture *f, const cuzk_map *zkey)
{
    cuzk_error err;
    cuzk_map *wtns = open_fixture(f, "witness.wtns");
    cuzk_pk *pk = NULL;
    cuzk_vk vk;
    cuzk_wtns witness;
    cuzk_proof proof;
    assert_ok(cuzk_zkey_open(&pk, zkey, 0, NULL, pool, &err));
    assert_ok(cuzk_zkey_read_vk(&vk, zkey, &err));
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = f->name};
    assert_ok(cuzk_prove(pk, &assignment, &proof, pool, &err));
    assert_ok(verify_once(&vk, witness.z + 1, &proof, &err));
    cuzk_vk_release(&vk);
    cuzk_wtns_release(&witness);
    cuzk_pk_free(pk);
    cuzk_map_close(wtns);
}

static bool pairings_equal(const cuzk_curve *curve, const uint64_t *p, const uint64_t *q,
                           const uint64_t *r, const uint64_t *s)
{
    const uint64_t *points[2] = {p, r};
    const uint64_t *twisted[2] = {q, s};
    cuzk_gt values[2];
    for (int i = 0; i < 2; i++) {
        void *prepared = malloc(curve->g2_prepared_bytes);
        curve->g2_prepare(prepared, twisted[i]);
        const void *lines[1] = {prepared};
        curve->miller(&values[i], &points[i], lines, 1);
        curve->final_exp(&values[i], &values[i]);
        free(prepared);
    }
    return curve->gt_equal(&values[0], &values[1]);
}

/* The contribution of a key with just one: what `snarkjs zkey verify` asks of it. */
static void check_contribution(const cuzk_map *zkey, const cuzk_curve *curve)
{
    uint64_t size = 0, header_size = 0;
    size_t g1 = 8 * (size_t)curve->g1_words, g2 = 8 * (size_t)curve->g2_words;
    const uint8_t *data = section(zkey, 10, &size);
    const uint8_t *header = section(zkey, 2, &header_size);
    uint32_t count;
    memcpy(&count, data + 64, 4);
    assert_int_equal(count, 1);
    data += 68;
    cuzk_g1 delta_after = {{0}}, g1_s = {{0}}, g1_sx = {{0}};
    cuzk_g2 g2_spx = {{0}}, sp = {{0}}, delta = {{0}};
    memcpy(delta_after.l, data, g1);
    memcpy(g1_s.l, data + g1, g1);
    memcpy(g1_sx.l, data + 2 * g1, g1);
    memcpy(g2_spx.l, data + 3 * g1, g2);
    memcpy(delta.l, header + header_size - g2, g2);
    assert_memory_equal(delta_after.l, header + header_size - g2 - g1, g1);
    cuzk_ceremony_hash_to_g2(sp.l, curve, data + 3 * g1 + g2);
    assert_int_equal(curve->g2_check(sp.l, true), CUZK_POINT_OK);
    assert_true(pairings_equal(curve, g1_s.l, g2_spx.l, g1_sx.l, sp.l));
    assert_true(pairings_equal(curve, curve->g1_generator, g2_spx.l, delta_after.l, sp.l));
    assert_true(
        pairings_equal(curve, delta_after.l, curve->g2_generator, curve->g1_generator, delta.l));
}

/* snarkjs' own contributions fix our map from a hash to G2. */
static void contributions_of_snarkjs_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        cuzk_map *map = open_fixture(&fixtures[i], "circuit.zkey");
        check_contribution(map, cuzk_curve_get(fixtures[i].curve));
        cuzk_map_close(map);
    }
}

static void contributed_setup_proves(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (!from_power_5(f))
            continue;
        cuzk_map *ptau = open_ptau(f->curve, "contributed");
        cuzk_r1cs cs;
        cuzk_setup setup;
        cuzk_pk *pk = NULL;
        read_circuit(&cs, f);
        assert_ok(cuzk_ptau_setup(&setup, ptau, &cs, pool, &err));
        cuzk_map *before = write_zkey(&setup, &cs);
        assert_refused(cuzk_zkey_open(&pk, before, 0, NULL, pool, &err), CUZK_ERR_INSECURE, "");
        assert_ok(cuzk_setup_contribute(&setup, pool, &err));
        cuzk_map *once = write_zkey(&setup, &cs);
        check_contribution(once, cs.curve);
        prove_with(f, once);
        assert_ok(cuzk_setup_contribute(&setup, pool, &err));
        cuzk_map *twice = write_zkey(&setup, &cs);
        cuzk_zkey_info info;
        assert_ok(cuzk_zkey_info_read(&info, twice, &err));
        assert_int_equal(info.contributions, 2);
        prove_with(f, twice);
        cuzk_map_close(before);
        cuzk_map_close(once);
        cuzk_map_close(twice);
        cuzk_setup_release(&setup);
        cuzk_r1cs_release(&cs);
        cuzk_map_close(ptau);
    }
}

static void known_toxic_setup_proves(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        bool small = f->log_m <= 5 && !f->custom_gates;
        if (!small && strcmp(f->name, "poseidon2-bn128") != 0)
            continue;
        cuzk_r1cs cs;
        cuzk_setup setup;
        cuzk_toxic toxic;
        read_circuit(&cs, f);
        assert_ok(cuzk_toxic_random(&toxic, cs.curve, &err));
        toxic.gamma = (cuzk_scalar){{1, 0, 0, 0}};
        assert_ok(cuzk_zkey_setup(&setup, &cs, &toxic, pool, &err));
        cuzk_map *zkey = write_zkey(&setup, &cs);
        check_contribution(zkey, cs.curve);
        prove_with(f, zkey);
        cuzk_map_close(zkey);
        cuzk_setup_release(&setup);
        cuzk_r1cs_release(&cs);
    }
}

/* A file without the Lagrange sections, as before "prepare phase2". */
static cuzk_map *unprepared(const cuzk_map *ptau, uint8_t **bytes)
{
    cuzk_error err;
    cuzk_map *map = NULL;
    uint64_t size = 0;
    size_t end = (size_t)(section(ptau, 12, &size) - cuzk_map_data(ptau)) - 12;
    *bytes = malloc(end);
    memcpy(*bytes, cuzk_map_data(ptau), end);
    (*bytes)[8] = 7;
    assert_ok(cuzk_map_borrow(&map, *bytes, end, "unprepared.ptau", &err));
    return map;
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_r1cs cs;
    cuzk_setup setup;
    uint8_t *bytes = NULL;
    cuzk_map *ptau = open_ptau(CUZK_BN254, "contributed");
    cuzk_map *early = unprepared(ptau, &bytes);
    cuzk_ptau_info info;

    read_circuit(&cs, find_fixture("rangecheck-bn128"));
    assert_refused(cuzk_ptau_setup(&setup, ptau, &cs, pool, &err), CUZK_ERR_MISMATCH,
                   "need power 9");
    cuzk_r1cs_release(&cs);
    read_circuit(&cs, find_fixture("multiplier-bls12381"));
    assert_refused(cuzk_ptau_setup(&setup, ptau, &cs, pool, &err), CUZK_ERR_MISMATCH, "bls12381");
    cuzk_r1cs_release(&cs);
    read_circuit(&cs, find_fixture("multiplier-bn128"));
    assert_ok(cuzk_ptau_info_read(&info, early, &err));
    assert_false(info.prepared);
    assert_refused(cuzk_ptau_setup(&setup, early, &cs, pool, &err), CUZK_ERR_UNSUPPORTED,
                   "prepare phase2");
    cuzk_r1cs_release(&cs);
    cuzk_map_close(early);
    cuzk_map_close(ptau);
    free(bytes);
}

/* A point off the curve in any section that setup uses. */
static void bad_powers_are_refused(void **state)
{
    (void)state;
    cuzk_error err;
    cuzk_map *ptau = open_ptau(CUZK_BN254, "contributed");
    size_t size = cuzk_map_size(ptau);
    uint8_t *bytes = malloc(size);
    cuzk_r1cs cs;
    read_circuit(&cs, find_fixture("chain30-bn128"));
    const uint32_t sections[] = {2, 4, 5, 6, 12, 13, 14, 15};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        cuzk_map *map = NULL;
        cuzk_setup setup;
        uint64_t length = 0;
        memcpy(bytes, cuzk_map_data(ptau), size);
        size_t at = (size_t)(section(ptau, sections[i], &length) - cuzk_map_data(ptau));
        /* Section 4, 5, 6: the first point is used; else the last, but for 12's, which is all used.
         */
        bytes[sections[i] >= 12 ? at + length - 64 : at] ^= 1;
        assert_ok(cuzk_map_borrow(&map, bytes, size, "bad.ptau", &err));
        assert_refused(cuzk_ptau_setup(&setup, map, &cs, pool, &err), CUZK_ERR_FORMAT,
                       "not on the curve");
        cuzk_map_close(map);
    }
    cuzk_r1cs_release(&cs);
    free(bytes);
    cuzk_map_close(ptau);
}

/* snarkjs keeps the order in which circom wrote the terms of a row, which is not always that of the
 * wires; a contribution copies the section. */
static void coefficients_keep_the_order_of_the_file(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (f->custom_gates || strcmp(f->name, "merkle20-bls12381") == 0)
            continue;
        cuzk_map *expected = open_fixture(f, "circuit.zkey"),
                 *r1cs = open_fixture(f, "circuit.r1cs");
        cuzk_map *found = NULL;
        cuzk_r1cs cs;
        cuzk_setup setup;
        cuzk_toxic toxic = known_toxic(f->curve);
        char *path = test_write_temp("", 0);
        assert_ok(cuzk_r1cs_read(&cs, r1cs, &err));
        assert_ok(cuzk_setup_make(&setup, &cs, &toxic, CUZK_SETUP_SNARKJS, pool, &err));
        assert_ok(cuzk_zkey_write(path, &setup, &cs, r1cs, &err));
        assert_ok(cuzk_map_open(&found, path, &err));
        uint64_t size = 0, expected_size = 0;
        const uint8_t *data = section(found, 4, &size);
        const uint8_t *wanted = section(expected, 4, &expected_size);
        assert_int_equal(size, expected_size);
        assert_memory_equal(data, wanted, size);
        unlink(path);
        free(path);
        cuzk_map_close(found);
        cuzk_map_close(r1cs);
        cuzk_map_close(expected);
        cuzk_setup_release(&setup);
        cuzk_r1cs_release(&cs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_powers_are_snarkjs_bytes),
        cmocka_unit_test(info_reads),
        cmocka_unit_test(setup_is_snarkjs_setup),
        cmocka_unit_test(setup_without_contribution_is_the_whole_file),
        cmocka_unit_test(known_tau_and_ptau_meet),
        cmocka_unit_test(contributions_of_snarkjs_check),
        cmocka_unit_test(contributed_setup_proves),
        cmocka_unit_test(known_toxic_setup_proves),
        cmocka_unit_test(coefficients_keep_the_order_of_the_file),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(bad_powers_are_refused),
    };
    disable_cache();
    pool = cuzk_pool_new(2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cuzk_pool_free(pool);
    return failed;
}
