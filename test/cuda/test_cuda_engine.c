/* The engine on a GPU: true proofs of circuits, keys that come and go, false witnesses and false
 * sums, and which device is chosen. */
#include "cuda_support.h"

#include "circuit/product_shared.h"
#include "engine/cuda/device_cuda.h"
#include "support/circuit.h"
#include "support/engine_folders.h"
#include "support/model_key.h"
#include "support/tricks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUZK_CUDA_DEVICE
#include "emulated.h"
#endif

static cuzk_error err;

static cuzk_engine_config on_gpu(const test_folders *folders)
{
    cuzk_engine_config config = test_engine_config(folders);
    config.gpus = (cuzk_gpu_choice){.n = 1, .number = {0}};
    config.quarantine_ms = 50;
    return config;
}

static void note_name(void *context, const cuzk_engine_view *view)
{
    snprintf(context, 64, "%s", view->device_names[0]);
}

static void expect_device(cuzk_engine *engine, const char *begin)
{
    char name[64];
    cuzk_engine_view_get(engine, note_name, name);
    cuzk_core_view view;
    test_view(engine, &view); /* after the other */
    if (strncmp(name, begin, strlen(begin)) != 0)
        fail_msg("computed on %s, not on %s", name, begin);
}

static void expect_failure(cuzk_engine *engine, const char *id, cuzk_status status,
                           const char *words)
{
    const test_answer a = test_await(engine, id, 0);
    assert_int_equal(a.state, CUZK_JOB_FAILED);
    if (a.status != status || strstr(a.message, words) == NULL)
        fail_msg("%s: %s: %s", id, cuzk_status_name(a.status), a.message);
}

/* The i-th job: see test_small_submit. */
static void prove(cuzk_engine *engine, const char *prefix, unsigned i)
{
    assert_int_equal(test_small_submit(engine, prefix, i).status, CUZK_OK);
    test_small_verify(engine, prefix, i);
}

/* --- proofs --- */

static void circuits_are_proved(void **state)
{
    (void)state;
    test_folders folders;
    cuzk_device_view device;
    test_folders_make(&folders, test_small_circuits, TEST_SMALL_CIRCUITS);
    const cuzk_engine_config config = on_gpu(&folders);
    cuzk_engine *engine = test_engine_open(&config);
    expect_device(engine, "cuda 0, ");
    for (unsigned i = 0; i < 2 * TEST_SMALL_CIRCUITS; i++)
        assert_int_equal(test_small_submit(engine, "job", i).status, CUZK_OK);
    for (unsigned i = 0; i < 2 * TEST_SMALL_CIRCUITS; i++)
        test_small_verify(engine, "job", i);
    assert_true(test_evict(engine, test_small_circuits[0]).flag);
    prove(engine, "again", 0);
    test_view_device(engine, 0, &device);
    assert_true(device.faults == 0 && device.bad_proofs == 0);
    assert_int_equal(device.partitions_done, 2 * TEST_SMALL_CIRCUITS + 1);
    cuzk_engine_close(engine);
    test_folders_remove(&folders);
}

/* The witness is to blame, not the device; also where the key cannot say which row fails. */
static void false_witnesses(void **state)
{
    (void)state;
    test_folders folders;
    size_t size;
    test_folders_make(&folders, test_small_circuits, 1);
    const cuzk_engine_config config = on_gpu(&folders);
    cuzk_engine *engine = test_engine_open(&config);
    uint8_t *witness = test_read_data("circom/multiplier-bn128/witness.wtns", &size);
    witness[size - 32] ^= 1; /* of the last value */
    test_submit_bytes(engine, "false", test_small_circuits[0], witness, size);
    expect_failure(engine, "false", CUZK_ERR_UNSATISFIED, "does not satisfy the key's circuit");
    prove(engine, "true", 0);
    cuzk_device_view device;
    test_view_device(engine, 0, &device);
    assert_true(device.faults == 0 && device.bad_proofs == 0);
    cuzk_engine_close(engine);
    free(witness);
    test_folders_remove(&folders);
}

static void false_sums(void **state)
{
    (void)state;
    static test_tricks tricks;
    test_folders folders;
    test_folders_make(&folders, test_small_circuits, 1);
    test_tricks_init(&tricks);
    cuzk_engine_config config = on_gpu(&folders);
    config.wrap = test_tricks_wrap;
    config.wrap_context = &tricks;
    cuzk_engine *engine = test_engine_open(&config);
    test_tricks_plan(&tricks, 0, TRICK_SPOIL_SUMS, 1);
    prove(engine, "sums", 0);
    test_tricks_plan(&tricks, 0, TRICK_SPOIL_PROOF, 1);
    prove(engine, "proof", 0);
    cuzk_device_view device;
    test_view_device(engine, 0, &device);
    assert_int_equal(device.bad_proofs, 2);
    cuzk_engine_close(engine);
    test_tricks_await_closed(&tricks);
    test_folders_remove(&folders);
}

/* --- a key of Filecoin's kind: packed assignments, shared rows --- */

typedef struct bench {
    cuzk_pool *pool;
    cuzk_device *gpu, *cpu;
    test_model_key model;
    cuzk_pk *pk, *host_pk;
    cuzk_device_key *key;
    cuzk_circuit_witness *witness;
} bench;

static void set_up_bench(bench *b)
{
    cuzk_shared_rows rows;
    b->pool = cuzk_pool_new(2);
    assert_non_null(b->pool);
    TEST_EXPECT(cuzk_device_cuda_open(&b->gpu, 0, b->pool, &err), CUZK_OK, &err);
    TEST_EXPECT(cuzk_device_cpu_open(&b->cpu, b->pool, &err), CUZK_OK, &err);
    const model_kind kind = (model_kind)cuda_test_size(MODEL_POR, MODEL_WINNING);
    test_model_key_make(&b->model, kind, true, b->pool);
    b->host_pk = test_model_key_open(&b->model, NULL, b->pool);
    TEST_EXPECT(b->gpu->ops->key_new(b->gpu, &b->key, &err), CUZK_OK, &err);
    b->pk = test_model_key_open(&b->model, b->key->sink, b->pool);
    TEST_EXPECT(cuzk_compiled_shared_rows(b->model.compiled, &rows, &err), CUZK_OK, &err);
    TEST_EXPECT(b->key->complete(b->key, b->pk, &rows, &err), CUZK_OK, &err);
    cuzk_shared_rows_release(&rows);
    assert_true(b->key->device_bytes > 0 && b->key->host_bytes > 0);
    b->witness = test_model_key_witness(&b->model);
}

static void tear_down_bench(bench *b)
{
    cuzk_circuit_witness_free(b->witness);
    b->key->free(b->key);
    cuzk_pk_free(b->pk);
    cuzk_pk_free(b->host_pk);
    test_model_key_release(&b->model);
    b->gpu->ops->close(b->gpu);
    b->cpu->ops->close(b->cpu);
    cuzk_pool_free(b->pool);
}

/* Up to the proof, which is not verified; the caller drops the work and frees its scratch. */
static void run(cuzk_device *device, cuzk_device_work *work)
{
    work->scratch_bytes = device->ops->work_bytes(device, work->pk);
    work->scratch = aligned_alloc(64, (work->scratch_bytes + 63) / 64 * 64);
    assert_non_null(work->scratch);
    TEST_EXPECT(device->ops->upload(device, work, &err), CUZK_OK, &err);
    TEST_EXPECT(device->ops->compute(device, work, &err), CUZK_OK, &err);
    TEST_EXPECT(device->ops->finish(device, work, &err), CUZK_OK, &err);
}

static void packed_keys(void **state)
{
    (void)state;
    bench b = {.key = NULL};
    atomic_bool cancelled = false;
    set_up_bench(&b);
    const cuzk_assignment assignment = cuzk_circuit_witness_assign(b.witness, "model");
    cuzk_device_work gpu = {
        .pk = b.pk, .key = b.key, .assignment = assignment, .cancelled = &cancelled};
    cuzk_device_work cpu = {.pk = b.host_pk, .assignment = assignment, .cancelled = &cancelled};
    run(b.gpu, &gpu);
    run(b.cpu, &cpu);
    assert_memory_equal(&gpu.sums, &cpu.sums, sizeof gpu.sums);
    TEST_EXPECT(b.gpu->ops->check(b.gpu, &gpu, &err), CUZK_OK, &err);
    gpu.proof.c = gpu.proof.a; /* on the curve, and false */
    TEST_EXPECT(b.gpu->ops->check(b.gpu, &gpu, &err), CUZK_ERR_DEVICE, &err);
    assert_non_null(strstr(err.message, "satisfies every row"));
    b.witness->value[1].l[3] = UINT64_MAX;
    TEST_EXPECT(b.gpu->ops->upload(b.gpu, &gpu, &err), CUZK_ERR_FORMAT, &err);
    atomic_store(&cancelled, true);
    TEST_EXPECT(b.gpu->ops->compute(b.gpu, &gpu, &err), CUZK_ERR_CANCELLED, &err);
    b.gpu->ops->drop(b.gpu, &gpu);
    b.cpu->ops->drop(b.cpu, &cpu);
    free(gpu.scratch);
    free(cpu.scratch);
    tear_down_bench(&b);
}

/* --- the choice of a device --- */

static void expect_refused(const test_folders *folders, const cuzk_gpu_choice *choice,
                           const char *words)
{
    cuzk_engine_config config = test_engine_config(folders);
    cuzk_engine *engine = NULL;
    config.gpus = *choice;
    assert_int_not_equal(cuzk_engine_open(&engine, &config, &err), CUZK_OK);
    if (strstr(err.message, words) == NULL)
        fail_msg("%s", err.message);
}

static void choices(void **state)
{
    (void)state;
    test_folders folders;
    test_folders_make(&folders, test_small_circuits, 1);
    expect_refused(&folders, &(cuzk_gpu_choice){.n = 2, .number = {0, 1}}, "names 2 GPUs");
    expect_refused(&folders, &(cuzk_gpu_choice){.n = 1, .number = {99}}, "there is no GPU 99");
    cuzk_engine_config config = test_engine_config(&folders);
    cuzk_engine *engine = test_engine_open(&config);
    expect_device(engine, "cpu, ");
    cuzk_engine_close(engine);
    config.gpus.automatic = true;
    engine = test_engine_open(&config);
    expect_device(engine, "cuda 0, ");
    cuzk_engine_close(engine);
#ifndef CUZK_CUDA_DEVICE
    cuzk_emulated_devices(0, 0);
    engine = test_engine_open(&config);
    expect_device(engine, "cpu, ");
    prove(engine, "without", 0);
    cuzk_engine_close(engine);
    expect_refused(&folders, &(cuzk_gpu_choice){.n = 1}, "no GPU can be used");
    cuzk_emulated_devices(1, (size_t)4 << 30);
#endif
    test_folders_remove(&folders);
}

CUDA_TESTS(engine, cmocka_unit_test(circuits_are_proved), cmocka_unit_test(false_witnesses),
           cmocka_unit_test(false_sums), cmocka_unit_test(packed_keys), cmocka_unit_test(choices))
