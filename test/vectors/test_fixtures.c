/* Files that circom and snarkjs made: everything reads, satisfies, proves and verifies, and what we
 * write is what they wrote. */
#include "support/fixtures.h"

#include "compute/ntt.h"

static cuzk_pool *pool;

static void r1cs_reads_and_is_satisfied(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        cuzk_map *map = open_fixture(f, "circuit.r1cs"), *wtns = open_fixture(f, "witness.wtns");
        cuzk_r1cs_info info;
        cuzk_r1cs cs;
        cuzk_wtns witness;
        assert_ok(cuzk_r1cs_info_read(&info, map, &err));
        assert_int_equal(info.curve->id, f->curve);
        assert_int_equal(info.constraints, f->rows);
        assert_int_equal(info.pub_out + info.pub_in, f->n_public);
        assert_int_equal(info.custom_gates, f->custom_gates);
        assert_ok(cuzk_wtns_read(&witness, wtns, &err));
        assert_int_equal(witness.curve->id, f->curve);
        assert_int_equal(witness.n, info.wires);
        if (f->custom_gates) {
            assert_refused(cuzk_r1cs_read(&cs, map, &err), CUZK_ERR_UNSUPPORTED, "custom gates");
        } else {
            assert_ok(cuzk_r1cs_read(&cs, map, &err));
            assert_int_equal(cs.rows, f->rows);
            assert_int_equal(cs.vars, f->wires);
            cuzk_fr *z = malloc(witness.n * sizeof *z);
            cuzk_fr_import(cs.curve, z, witness.z, witness.n, pool);
            assert_int_equal(cuzk_r1cs_check(&cs, z, NULL, NULL, NULL, pool), cs.rows);
            /* The last wire is private and used: another value violates a row. */
            cs.curve->fr_add(&z[witness.n - 1], &z[witness.n - 1], &cs.curve->fr_one);
            assert_true(cuzk_r1cs_check(&cs, z, NULL, NULL, NULL, pool) < cs.rows);
            free(z);
            cuzk_r1cs_release(&cs);
        }
        cuzk_wtns_release(&witness);
        cuzk_map_close(map);
        cuzk_map_close(wtns);
    }
}

static void zkey_describes_itself(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        cuzk_map *map = open_fixture(f, "circuit.zkey");
        cuzk_zkey_info info;
        assert_ok(cuzk_zkey_info_read(&info, map, &err));
        assert_int_equal(info.curve->id, f->curve);
        assert_int_equal(info.n_public, f->n_public);
        assert_int_equal(info.domain, 1u << f->log_m);
        assert_int_equal(info.contributions, 1);
        assert_false(info.gamma_is_delta);
        if (!f->custom_gates)
            assert_int_equal(info.vars, f->wires);
        cuzk_map_close(map);
    }
}

/* The key in a .zkey and the one in verification_key.json are one, and print as snarkjs printed. */
static void vk_regenerates(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        cuzk_map *map = open_fixture(f, "circuit.zkey");
        size_t size = 0;
        char *expected = (char *)test_read_data(fixture_file(f, "verification_key.json"), &size);
        cuzk_vk vk, parsed;
        char *text = NULL;
        assert_ok(cuzk_zkey_read_vk(&vk, map, &err));
        assert_ok(cuzk_vk_check(&vk, false, f->name, &err));
        assert_ok(cuzk_json_write_vk(&text, &vk, &err));
        assert_string_equal(text, expected);
        free(text);
        assert_ok(cuzk_json_read_vk(&parsed, expected, size, f->name, &err));
        assert_ok(cuzk_json_write_vk(&text, &parsed, &err));
        assert_string_equal(text, expected);
        free(text);
        free(expected);
        cuzk_vk_release(&vk);
        cuzk_vk_release(&parsed);
        cuzk_map_close(map);
    }
}

static void proof_round_trips(const char *name, const cuzk_vk *vk, cuzk_proof *proof)
{
    cuzk_error err;
    size_t size = 0;
    char *expected = (char *)test_read_data(name, &size), *text = NULL;
    assert_ok(cuzk_json_read_proof(proof, vk->curve, expected, size, name, &err));
    assert_ok(cuzk_json_write_proof(&text, proof, vk->curve, CUZK_JSON_SNARKJS, &err));
    assert_string_equal(text, expected);
    free(text);
    free(expected);
}

static void public_round_trips(const char *name, const cuzk_vk *vk, const cuzk_scalar *inputs)
{
    cuzk_error err;
    char *expected = (char *)test_read_data(name, NULL), *text = NULL;
    assert_ok(cuzk_json_write_public(&text, inputs, vk->n_public, CUZK_JSON_SNARKJS, &err));
    assert_string_equal(text, expected);
    free(text);
    free(expected);
}

/* snarkjs' own proof of a folder verifies, and no longer with another input or another point. */
static void check_proof_of(const char *folder)
{
    cuzk_error err;
    char vk_name[128], proof_name[128], public_name[128];
    snprintf(vk_name, sizeof vk_name, "circom/%s/verification_key.json", folder);
    snprintf(proof_name, sizeof proof_name, "circom/%s/proof.json", folder);
    snprintf(public_name, sizeof public_name, "circom/%s/public.json", folder);
    cuzk_vk vk;
    cuzk_proof proof;
    read_fixture_vk(&vk, vk_name);
    cuzk_scalar *inputs = read_fixture_public(&vk, public_name);
    proof_round_trips(proof_name, &vk, &proof);
    public_round_trips(public_name, &vk, inputs);
    assert_ok(verify_once(&vk, inputs, &proof, &err));
    if (vk.n_public > 0) {
        inputs[vk.n_public - 1].l[0] ^= 1;
        assert_int_equal(verify_once(&vk, inputs, &proof, &err), CUZK_ERR_REJECTED);
        inputs[vk.n_public - 1].l[0] ^= 1;
    }
    vk.curve->g1_neg(proof.c.l, proof.c.l);
    assert_int_equal(verify_once(&vk, inputs, &proof, &err), CUZK_ERR_REJECTED);
    free(inputs);
    cuzk_vk_release(&vk);
}

static void proofs_of_snarkjs_verify(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_FIXTURES; i++)
        check_proof_of(fixtures[i].name);
    check_proof_of("sha256_512-bn128");
    check_proof_of("sha256_512-bls12381");
}

/* With r = 7 and s = 11 the proof is determined: it must be snarkjs' to the byte. */
static void prove_golden(const fixture *f, uint32_t flags)
{
    cuzk_error err;
    const cuzk_scalar r = {{7, 0, 0, 0}}, s = {{11, 0, 0, 0}};
    cuzk_map *map = open_fixture(f, "circuit.zkey"), *wtns = open_fixture(f, "witness.wtns");
    char *expected = read_golden(f);
    cuzk_pk *pk = NULL;
    cuzk_wtns witness;
    cuzk_proof proof;
    char *text = NULL;
    assert_ok(cuzk_zkey_open(&pk, map, flags, NULL, pool, &err));
    cuzk_map_close(map);
    assert_ok(cuzk_wtns_read(&witness, wtns, &err));
    cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = f->name};
    assert_ok(cuzk_prove_with_blinding(pk, &assignment, &r, &s, &proof, pool, &err));
    assert_ok(cuzk_json_write_proof(&text, &proof, pk->vk.curve, CUZK_JSON_SNARKJS, &err));
    assert_string_equal(text, expected);
    free(text);
    free(expected);
    cuzk_wtns_release(&witness);
    cuzk_map_close(wtns);
    cuzk_pk_free(pk);
}

/* Under a sanitizer the large circuits take too long for each level: the best one does. */
static void goldens_on_every_level(void **state)
{
    (void)state;
    cuzk_cpu_level selected = cuzk_cpu_selected();
    for (int level = 0; level <= (int)cuzk_cpu_best(); level++) {
        bool best = level == (int)cuzk_cpu_best();
        cuzk_cpu_force((cuzk_cpu_level)level);
        print_message("goldens on %s\n", cuzk_cpu_name((cuzk_cpu_level)level));
        for (size_t i = 0; i < N_FIXTURES; i++)
            if (best || !TEST_SANITIZED || fixtures[i].log_m < 10)
                prove_golden(&fixtures[i], best ? 0 : CUZK_PK_SKIP_CHECK);
    }
    cuzk_cpu_force(selected);
}

/* Without blinding of our choice: fresh r and s each time, valid each time. */
static void fresh_proofs_differ_and_verify(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (f->log_m >= 10)
            continue;
        cuzk_map *map = open_fixture(f, "circuit.zkey"), *wtns = open_fixture(f, "witness.wtns");
        cuzk_pk *pk = NULL;
        cuzk_wtns witness;
        cuzk_proof first, second;
        cuzk_vk vk;
        read_fixture_vk(&vk, fixture_file(f, "verification_key.json"));
        cuzk_scalar *inputs = read_fixture_public(&vk, fixture_file(f, "public.json"));
        assert_ok(cuzk_zkey_open(&pk, map, CUZK_PK_SKIP_CHECK, NULL, pool, &err));
        assert_ok(cuzk_wtns_read(&witness, wtns, &err));
        cuzk_assignment assignment = {.z = witness.z, .n = witness.n, .name = f->name};
        assert_ok(cuzk_prove(pk, &assignment, &first, pool, &err));
        assert_ok(cuzk_prove(pk, &assignment, &second, pool, &err));
        size_t g1_bytes = 8 * (size_t)vk.curve->g1_words;
        assert_memory_not_equal(first.a.l, second.a.l, g1_bytes);
        assert_memory_not_equal(first.c.l, second.c.l, g1_bytes);
        assert_ok(verify_once(&vk, inputs, &first, &err));
        assert_ok(verify_once(&vk, inputs, &second, &err));
        free(inputs);
        cuzk_vk_release(&vk);
        cuzk_wtns_release(&witness);
        cuzk_pk_free(pk);
        cuzk_map_close(map);
        cuzk_map_close(wtns);
    }
}

/* What we write of a circuit and a witness is what circom wrote, up to the order of sections and
 * the names of wires: reading it again gives the same constraints. */
static void r1cs_and_wtns_round_trip(void **state)
{
    (void)state;
    cuzk_error err;
    for (size_t i = 0; i < N_FIXTURES; i++) {
        const fixture *f = &fixtures[i];
        if (f->custom_gates)
            continue;
        cuzk_map *map = open_fixture(f, "circuit.r1cs"), *wtns = open_fixture(f, "witness.wtns");
        char *path = test_write_temp("", 0);
        cuzk_r1cs cs, again;
        cuzk_map *copy = NULL;
        assert_ok(cuzk_r1cs_read(&cs, map, &err));
        assert_ok(cuzk_r1cs_write(path, &cs, &err));
        assert_ok(cuzk_map_open(&copy, path, &err));
        assert_ok(cuzk_r1cs_read(&again, copy, &err));
        assert_int_equal(again.rows, cs.rows);
        assert_int_equal(again.vars, cs.vars);
        assert_int_equal(again.n_public, cs.n_public);
        const cuzk_matrix *old[3] = {&cs.a, &cs.b, &cs.c};
        const cuzk_matrix *new[3] = {&again.a, &again.b, &again.c};
        for (int m = 0; m < 3; m++) {
            size_t entries = old[m]->row_start[cs.rows];
            assert_memory_equal(new[m]->row_start, old[m]->row_start, 8 * (cs.rows + 1));
            assert_memory_equal(new[m]->col, old[m]->col, 4 * entries);
            for (size_t e = 0; e < entries; e++)
                assert_memory_equal(&again.coefs.value[new[m]->coef[e]],
                                    &cs.coefs.value[old[m]->coef[e]], sizeof(cuzk_fr));
        }
        cuzk_map_close(copy);

        cuzk_wtns witness;
        assert_ok(cuzk_wtns_read(&witness, wtns, &err));
        assert_ok(cuzk_wtns_write(path, witness.curve, witness.z, witness.n, &err));
        size_t size = 0;
        uint8_t *written = test_read_file(path, &size);
        assert_int_equal(size, cuzk_map_size(wtns));
        assert_memory_equal(written, cuzk_map_data(wtns), size);
        free(written);
        cuzk_wtns_release(&witness);
        cuzk_r1cs_release(&cs);
        cuzk_r1cs_release(&again);
        cuzk_map_close(map);
        cuzk_map_close(wtns);
        unlink(path);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r1cs_reads_and_is_satisfied),
        cmocka_unit_test(zkey_describes_itself),
        cmocka_unit_test(vk_regenerates),
        cmocka_unit_test(proofs_of_snarkjs_verify),
        cmocka_unit_test(goldens_on_every_level),
        cmocka_unit_test(fresh_proofs_differ_and_verify),
        cmocka_unit_test(r1cs_and_wtns_round_trip),
    };
    disable_cache();
    pool = cuzk_pool_new(2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cuzk_pool_free(pool);
    return failed;
}
