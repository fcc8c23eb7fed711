/* Multiples for setups in pieces: made on the device and on the host, and whole keys from them. */
#include "cuda_support.h"

#include "compute/cuda/group_cuda.h"
#include "groth16/params.h"
#include "iden3/zkey.h"
#include "support/circuit.h"
#include "support/known_points.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a sink got; `room` points fit, one more is refused. */
typedef struct result {
    uint8_t *points;
    size_t bytes, n, room, calls;
} result;

static cuzk_status keep(void *context, const void *points, size_t n, cuzk_error *err)
{
    result *r = context;
    r->calls++;
    if (n > r->room - r->n)
        return cuzk_fail(err, CUZK_ERR_IO, "full");
    memcpy(r->points + r->n * r->bytes, points, n * r->bytes);
    r->n += n;
    return CUZK_OK;
}

static result run(const cuzk_group_ops *ops, cuzk_multiples_job job, size_t room,
                  cuzk_status expected)
{
    cuzk_error err;
    result r = {.bytes = cuzk_multiples_bytes(&job), .room = room};
    r.points = malloc(room * r.bytes + 1);
    assert_non_null(r.points);
    job.sink = keep;
    job.context = &r;
    const cuzk_status status = ops->multiples(ops, &job, &err);
    if (status != expected)
        fail_msg("status %d: %s", (int)status, status == CUZK_OK ? "" : err.message);
    return r;
}

static void compare(const cuzk_group_ops *ops, const cuzk_multiples_job *job, size_t piece)
{
    cuzk_group_host host;
    cuzk_group_host_init(&host, NULL);
    result expected = run(&host.ops, *job, job->n, CUZK_OK);
    result got = run(ops, *job, job->n, CUZK_OK);
    assert_int_equal(expected.n, job->n);
    assert_int_equal(got.n, job->n);
    assert_int_equal(got.calls, (job->n + piece - 1) / piece);
    assert_memory_equal(got.points, expected.points, got.n * got.bytes);
    free(got.points);
    free(expected.points);
    if (job->n < 2)
        return;
    got = run(ops, *job, job->n / 2, CUZK_ERR_IO); /* a sink that fails on the way */
    free(got.points);
}

static void test_pieces(void **state)
{
    (void)state;
    const size_t piece = cuda_test_size(50, 20000);
    const size_t sizes[] = {0, 1, piece, piece + 1, 2 * piece, 5 * piece + 17};
    test_rng rng = test_rng_seeded(1);
    cuzk_group_ops *ops;
    CUDA_OK(cuzk_group_cuda_open(&ops, 0, piece, &error));
    cuzk_scalar *scalars = malloc(6 * piece * sizeof *scalars);
    assert_non_null(scalars);
    for (unsigned i = 0; i < 8 * 6; i++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)(i % 2));
        cuzk_multiples_job job = {.curve = curve,
                                  .group = (cuzk_group)(i / 2 % 2),
                                  .zcash = i / 4 % 2 == 1 && curve->id == CUZK_BLS12_381,
                                  .scalars = scalars,
                                  .n = sizes[i / 8]};
        job.base = cuzk_generator(curve, job.group);
        for (size_t j = 0; j < job.n; j++)
            test_shaped_scalar(curve, &scalars[j], (unsigned)test_rng_below(&rng, TEST_SHAPES),
                               &rng);
        compare(ops, &job, piece);
    }
    cuzk_group_cuda_close(ops);
    free(scalars);
}

static void test_params(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    test_circuit circuit;
    test_circuit_random(&circuit, cuzk_curve_get(CUZK_BLS12_381), 45, 3, &rng);
    const cuzk_toxic toxic = test_toxic(circuit.cs.curve, CUZK_SETUP_BELLPERSON, &rng);
    cuzk_group_host host;
    cuzk_r1cs_columns columns;
    cuzk_group_ops *cuda;
    cuzk_group_host_init(&host, NULL);
    cuzk_r1cs_columns_init(&columns, &circuit.cs);
    CUDA_OK(cuzk_group_cuda_open(&cuda, 0, 16, &error));
    const cuzk_group_ops *ops[] = {&host.ops, cuda};
    uint8_t *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        cuzk_setup setup;
        char *path = test_write_temp("", 0);
        CUDA_OK(cuzk_params_make(path, &setup, &columns.columns, &toxic, ops[i], NULL, &error));
        bytes[i] = test_read_file(path, &size[i]);
        cuzk_setup_release(&setup);
        unlink(path);
        free(path);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
    cuzk_group_cuda_close(cuda);
    test_circuit_release(&circuit);
}

static void test_zkey(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    test_circuit circuit;
    test_circuit_random(&circuit, cuzk_curve_get(CUZK_BN254), 45, 3, &rng);
    const cuzk_toxic toxic = test_toxic(circuit.cs.curve, CUZK_SETUP_SNARKJS, &rng);
    cuzk_setup a, b;
    cuzk_group_ops *cuda;
    CUDA_OK(cuzk_group_cuda_open(&cuda, 0, 16, &error));
    CUDA_OK(cuzk_zkey_setup(&a, &circuit.cs, &toxic, NULL, &error));
    CUDA_OK(cuzk_zkey_setup_by(&b, &circuit.cs, &toxic, cuda, NULL, &error));
    const size_t g1 = 8 * (size_t)a.curve->g1_words;
    assert_memory_equal(a.vk.ic, b.vk.ic, (a.n_public + 1) * g1);
    assert_memory_equal(a.a, b.a, a.n_a * g1);
    assert_memory_equal(a.b1, b.b1, a.n_b * g1);
    assert_memory_equal(a.b2, b.b2, 2 * a.n_b * g1);
    assert_memory_equal(a.l, b.l, a.n_l * g1);
    assert_memory_equal(a.h, b.h, a.n_h * g1);
    cuzk_setup_release(&a);
    cuzk_setup_release(&b);
    cuzk_group_cuda_close(cuda);
    test_circuit_release(&circuit);
}

CUDA_TESTS(group, cmocka_unit_test(test_pieces), cmocka_unit_test(test_params),
           cmocka_unit_test(test_zkey))
