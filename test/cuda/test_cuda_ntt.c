/* Transforms, pairs, quotients and vectors on the device against the CPU, byte for byte. */
#include "cuda_support.h"

#include "compute/cuda/cuda_ntt.h"
#include "diff/ntt_support.h"

#define SMALL_LOG 13 /* both curves, both roots, every op */

/* One domain on both sides. */
typedef struct sides {
    fixture cpu;
    cuzk_cuda_ntt_plan plan;
    cuzk_fr coset;
    void *memory, *scratch;
} sides;

static sides sides_new(const cuzk_curve *curve, const cuzk_fr *root, unsigned log_m,
                       const cuzk_fr *coset, cuzk_pool *pool)
{
    sides s = {.cpu = fixture_new(curve, root, log_m, pool), .coset = *coset};
    s.memory = cuda_test_new(cuzk_cuda_ntt_plan_bytes(log_m));
    CUDA_OK(cuzk_cuda_ntt_plan_init(&s.plan, s.memory, curve, log_m, &s.cpu.omega, coset,
                                    cuda_test_stream(), &error));
    s.scratch = cuda_test_new(cuzk_cuda_ntt_scratch(&s.plan));
    return s;
}

static void sides_free(sides *s)
{
    cuda_test_free(s->memory);
    cuda_test_free(s->scratch);
    fixture_free(&s->cpu);
}

/* n elements; long vectors, which would take minutes to draw, are sums of two short ones. */
static cuzk_fr *vector_new(test_rng *rng, const cuzk_curve *curve, size_t n)
{
    const size_t part = (size_t)1 << 14;
    if (n <= 4 * part)
        return random_vector(rng, curve, n);
    cuzk_fr *v = guarded_new(n * sizeof *v), *near = random_vector(rng, curve, part),
            *far = random_vector(rng, curve, n / part + 1);
    for (size_t i = 0; i < n; i++)
        curve->fr_add(&v[i], &near[i % part], &far[i / part]);
    guarded_free(near, part * sizeof *near);
    guarded_free(far, (n / part + 1) * sizeof *far);
    return v;
}

static cuzk_fr *copy_of(const cuzk_fr *a, size_t n)
{
    cuzk_fr *copy = guarded_new(n * sizeof *copy);
    memcpy(copy, a, n * sizeof *copy);
    return copy;
}

static void expect(const void *device, const void *host, size_t n)
{
    cuzk_fr *found = guarded_new(n * sizeof *found);
    cuda_test_read(found, device, n * sizeof *found);
    assert_fr_equal(found, (const cuzk_fr *)host, n);
    guarded_free(found, n * sizeof *found);
}

static void check_transforms(const sides *s, const cuzk_fr *in, bool on_coset)
{
    const fixture *f = &s->cpu;
    const cuzk_fr *coset = on_coset ? &s->coset : NULL;
    cuzk_fr *expected = copy_of(in, f->m), *data = cuda_test_new_from(in, f->m * sizeof *in);
    cuzk_ntt_forward(f->plan, expected, coset, f->scratch, f->pool);
    CUDA_OK(
        cuzk_cuda_ntt_forward(&s->plan, data, on_coset, s->scratch, cuda_test_stream(), &error));
    expect(data, expected, f->m);
    cuzk_ntt_inverse(f->plan, expected, NULL, f->scratch, f->pool);
    CUDA_OK(cuzk_cuda_ntt_inverse(&s->plan, data, false, s->scratch, cuda_test_stream(), &error));
    expect(data, expected, f->m);
    cuzk_ntt_inverse(f->plan, expected, &s->coset, f->scratch, f->pool);
    CUDA_OK(cuzk_cuda_ntt_inverse(&s->plan, data, true, s->scratch, cuda_test_stream(), &error));
    expect(data, expected, f->m);
    cuda_test_free(data);
    guarded_free(expected, f->m * sizeof *in);
}

static void check_pair(const sides *s, const cuzk_fr *in)
{
    const fixture *f = &s->cpu;
    cuzk_fr *expected = copy_of(in, f->m), *data = cuda_test_new_from(in, f->m * sizeof *in);
    cuzk_ntt_inverse(f->plan, expected, NULL, f->scratch, f->pool);
    cuzk_ntt_forward(f->plan, expected, &s->coset, f->scratch, f->pool);
    CUDA_OK(cuzk_cuda_ntt_pair(&s->plan, data, cuda_test_stream(), &error));
    expect(data, expected, f->m);
    cuda_test_free(data);
    guarded_free(expected, f->m * sizeof *in);
}

/* in: three vectors, one after the other. */
static void check_quotient(const sides *s, const cuzk_fr *in, cuzk_h_kind kind, bool with_c)
{
    const fixture *f = &s->cpu;
    const size_t m = f->m, size = m * sizeof *in;
    cuzk_fr *host[3], *device[3];
    for (unsigned i = 0; i < 3; i++) {
        host[i] = copy_of(in + i * m, m);
        device[i] = cuda_test_new_from(in + i * m, size);
    }
    cuzk_scalar *expected = guarded_new(size), *h = cuda_test_new(size);
    cuzk_quotient(f->plan, kind, &s->coset, expected, host[0], host[1], with_c ? host[2] : NULL,
                  f->scratch, f->pool);
    CUDA_OK(cuzk_cuda_quotient(&s->plan, kind, h, device[0], device[1], with_c ? device[2] : NULL,
                               cuda_test_stream(), &error));
    expect(h, expected, m);
    for (unsigned i = 0; i < 3; i++) {
        guarded_free(host[i], size);
        cuda_test_free(device[i]);
    }
    guarded_free(expected, size);
    cuda_test_free(h);
}

static void check_domain(test_rng *rng, const cuzk_curve *curve, const cuzk_fr *root,
                         unsigned log_m, const cuzk_fr *coset, cuzk_pool *pool)
{
    sides s = sides_new(curve, root, log_m, coset, pool);
    cuzk_fr *in = vector_new(rng, curve, 3 * s.cpu.m);
    check_transforms(&s, in, false);
    check_transforms(&s, in, true);
    check_pair(&s, in);
    for (unsigned i = 0; i < 4; i++)
        check_quotient(&s, in, i & 1 ? CUZK_H_ODD_LAGRANGE : CUZK_H_COSET_MONOMIAL, i >= 2);
    guarded_free(in, 3 * s.cpu.m * sizeof *in);
    sides_free(&s);
}

/* A 2m-th root whose square is omega: snarkjs' coset. */
static cuzk_fr half_step(const cuzk_curve *curve, unsigned log_m)
{
    cuzk_fr g;
    cuzk_root_of_unity(&g, curve, &curve->root_iden3, log_m + 1);
    return g;
}

static void ops_equal_the_cpu(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(1);
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        for (unsigned log_m = 0; log_m <= SMALL_LOG; log_m++) {
            const cuzk_fr half = half_step(curve, log_m);
            check_domain(&rng, curve, &curve->root_zcash, log_m, &curve->coset_zcash, NULL);
            check_domain(&rng, curve, &curve->root_iden3, log_m, &half, NULL);
        }
    }
}

/* On a card: domains of two and three passes, with all divisions of bits between them. */
static void large_ops_equal_the_cpu(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    cuzk_pool *pool = cuzk_pool_new(0);
    const unsigned last = (unsigned)cuda_test_size(SMALL_LOG + 1, 24);
    for (unsigned log_m = SMALL_LOG + 1; log_m <= last; log_m++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)(log_m % 2));
        check_domain(&rng, curve, &curve->root_zcash, log_m, &curve->coset_zcash, pool);
    }
    cuzk_pool_free(pool);
}

/* Vectors of all zeros and of all -1 (the largest limbs). */
static void extreme_values(void **state)
{
    (void)state;
    for (int id = 0; id < CUZK_CURVES; id++) {
        const cuzk_curve *curve = cuzk_curve_get((cuzk_curve_id)id);
        sides s = sides_new(curve, &curve->root_zcash, 11, &curve->coset_zcash, NULL);
        cuzk_fr *in = guarded_new(s.cpu.m * sizeof *in);
        for (unsigned kind = 0; kind < 3; kind++) {
            cuzk_fr largest = {{0}}; /* limbs r - 1, then r - 1 and 0 in turn */
            memcpy(&largest, &curve->r, sizeof largest);
            largest.l[0]--;
            for (size_t i = 0; i < s.cpu.m; i++)
                in[i] = kind == 0 || (kind == 2 && i % 2) ? (cuzk_fr){{0}} : largest;
            check_transforms(&s, in, true);
            check_pair(&s, in);
        }
        guarded_free(in, s.cpu.m * sizeof *in);
        sides_free(&s);
    }
}

static void check_vectors(test_rng *rng, const cuzk_curve *curve, size_t n)
{
    const size_t size = n * sizeof(cuzk_fr);
    cuzk_stream stream = cuda_test_stream();
    cuzk_fr *a = vector_new(rng, curve, n), *b = vector_new(rng, curve, n),
            *c = vector_new(rng, curve, n), *expected = guarded_new(size);
    cuzk_fr *x = cuda_test_new_from(a, size), *y = cuda_test_new_from(b, size),
            *z = cuda_test_new_from(c, size), *r = cuda_test_new(size);
    cuzk_fr_export(curve, (cuzk_scalar *)expected, a, n, NULL);
    CUDA_OK(cuzk_cuda_fr_export(curve, (cuzk_scalar *)r, x, n, stream, &error));
    expect(r, expected, n);
    CUDA_OK(cuzk_cuda_fr_import(curve, r, (const cuzk_scalar *)r, n, stream, &error));
    expect(r, a, n);
    cuzk_fr_mul_vec(curve, expected, a, b, n, NULL);
    CUDA_OK(cuzk_cuda_fr_mul_vec(curve, r, x, y, NULL, n, stream, &error));
    expect(r, expected, n);
    for (size_t i = 0; i < n; i++)
        curve->fr_sub(&expected[i], &expected[i], &c[i]);
    CUDA_OK(cuzk_cuda_fr_mul_vec(curve, r, x, y, z, n, stream, &error));
    expect(r, expected, n);
    cuzk_fr_export(curve, (cuzk_scalar *)expected, expected, n, NULL);
    CUDA_OK(cuzk_cuda_fr_mul_export(curve, (cuzk_scalar *)z, x, y, z, n, stream, &error));
    expect(z, expected, n);
    cuda_test_free(x);
    cuda_test_free(y);
    cuda_test_free(z);
    cuda_test_free(r);
    guarded_free(a, size);
    guarded_free(b, size);
    guarded_free(c, size);
    guarded_free(expected, size);
}

static void vectors_equal_the_cpu(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(3);
    const size_t sizes[] = {1, 255, 256, 257, 5000, cuda_test_size(6001, 3000001)};
    for (int id = 0; id < CUZK_CURVES; id++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            check_vectors(&rng, cuzk_curve_get((cuzk_curve_id)id), sizes[i]);
}

/* Too long to ask the CPU for all of it: values at a few points, and the way back. */
static void check_largest(test_rng *rng, const cuzk_curve *curve, unsigned log_m)
{
    const size_t m = (size_t)1 << log_m, size = m * sizeof(cuzk_fr);
    cuzk_stream stream = cuda_test_stream();
    cuzk_fr omega, *in = vector_new(rng, curve, m);
    cuzk_cuda_ntt_plan plan;
    void *memory = cuda_test_new(cuzk_cuda_ntt_plan_bytes(log_m));
    cuzk_root_of_unity(&omega, curve, &curve->root_zcash, log_m);
    CUDA_OK(cuzk_cuda_ntt_plan_init(&plan, memory, curve, log_m, &omega, &curve->coset_zcash,
                                    stream, &error));
    void *scratch = cuda_test_new(cuzk_cuda_ntt_scratch(&plan));
    cuzk_fr *data = cuda_test_new_from(in, size);
    CUDA_OK(cuzk_cuda_ntt_forward(&plan, data, false, scratch, stream, &error));
    for (unsigned i = 0; i < 2; i++) {
        const size_t at = test_rng_below(rng, m);
        cuzk_fr x, found;
        curve->fr_pow(&x, &omega, at);
        const cuzk_fr value = evaluate(curve, in, m, &x);
        cuda_test_read(&found, data + at, sizeof found);
        assert_fr_equal(&found, &value, 1);
    }
    /* Values on the domain to values on the coset to coefficients. */
    CUDA_OK(cuzk_cuda_ntt_pair(&plan, data, stream, &error));
    CUDA_OK(cuzk_cuda_ntt_inverse(&plan, data, true, scratch, stream, &error));
    expect(data, in, m);
    cuda_test_free(data);
    cuda_test_free(memory);
    cuda_test_free(scratch);
    guarded_free(in, size);
}

static void largest_domains(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(4);
    const unsigned first = (unsigned)cuda_test_size(14, 25),
                   last = (unsigned)cuda_test_size(14, 28);
    for (unsigned log_m = first; log_m <= last; log_m++)
        check_largest(&rng, cuzk_curve_get((cuzk_curve_id)(log_m % 2)), log_m);
}

static void refuses_domains_without_root(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    cuzk_cuda_ntt_plan plan;
    cuzk_error err;
    assert_int_equal(cuzk_cuda_ntt_plan_init(&plan, NULL, curve, curve->two_adicity + 1,
                                             &curve->fr_one, &curve->coset_zcash,
                                             cuda_test_stream(), &err),
                     CUZK_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.message, "2^29"));
}

CUDA_TESTS(cuda_ntt, cmocka_unit_test(ops_equal_the_cpu), cmocka_unit_test(large_ops_equal_the_cpu),
           cmocka_unit_test(extreme_values), cmocka_unit_test(vectors_equal_the_cpu),
           cmocka_unit_test(largest_domains), cmocka_unit_test(refuses_domains_without_root))
