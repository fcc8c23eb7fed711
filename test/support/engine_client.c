#define _GNU_SOURCE
#include "support/engine_client.h"

#include "support/test.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct call {
    pthread_mutex_t lock;
    pthread_cond_t done_now;
    bool done;
    test_answer answer;
    cuzk_core_view *view;
    unsigned device;
    cuzk_device_view *device_view;
} call;

static void begin(call *c)
{
    memset(c, 0, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->done_now, NULL);
}

static void end(call *c)
{
    pthread_mutex_lock(&c->lock);
    c->done = true;
    pthread_cond_signal(&c->done_now);
    pthread_mutex_unlock(&c->lock);
}

static test_answer wait_for(call *c)
{
    pthread_mutex_lock(&c->lock);
    while (!c->done)
        pthread_cond_wait(&c->done_now, &c->lock);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->done_now);
    return c->answer;
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s: cannot be opened", path);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), length);
    bytes[length] = '\0';
    fclose(file);
    *size = (size_t)length;
    return bytes;
}

static void copy_file(const char *from, const char *to)
{
    size_t size;
    void *bytes = read_file(from, &size);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

const char *test_keys_folder(const char *const *names, size_t n)
{
    static char folder[64];
    strcpy(folder, "/tmp/cuzk-keys-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < n; i++) {
        char from[256], to[256];
        snprintf(from, sizeof from, "circom/%s/circuit.zkey", names[i]);
        snprintf(to, sizeof to, "%s/%s.zkey", folder, names[i]);
        copy_file(test_data_path(from), to);
    }
    return folder;
}

void test_remove_folder(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void submitted(void *context, const cuzk_submit_reply *reply)
{
    call *c = context;
    c->answer.status = reply->status;
    c->answer.submitted = reply->submitted;
    snprintf(c->answer.job_id, sizeof c->answer.job_id, "%s", reply->job_id);
    snprintf(c->answer.message, sizeof c->answer.message, "%s", reply->message);
    end(c);
}

test_answer test_submit_request(cuzk_engine *engine, const cuzk_job_request *request)
{
    call c;
    begin(&c);
    cuzk_engine_submit(engine, request, submitted, &c);
    return wait_for(&c);
}

test_answer test_submit_bytes(cuzk_engine *engine, const char *id, const char *key,
                              const void *bytes, size_t size)
{
    void *payload = malloc(size == 0 ? 1 : size);
    assert_non_null(payload);
    memcpy(payload, bytes, size);
    const cuzk_job_request request = {.request_id = id,
                                      .kind = CUZK_KIND_CIRCUIT,
                                      .class_ = CUZK_CLASS_NORMAL,
                                      .key = key,
                                      .payload = payload,
                                      .payload_size = size};
    return test_submit_request(engine, &request);
}

test_answer test_submit(cuzk_engine *engine, const char *id, const char *key, const char *wtns_path)
{
    size_t size;
    void *bytes = read_file(wtns_path, &size);
    const test_answer answer = test_submit_bytes(engine, id, key, bytes, size);
    free(bytes);
    return answer;
}

static void awaited(void *context, const cuzk_await_reply *reply)
{
    call *c = context;
    test_answer *a = &c->answer;
    a->known = reply->known;
    a->timeout = reply->timeout;
    a->state = reply->state;
    a->status = reply->status;
    snprintf(a->message, sizeof a->message, "%s", reply->message);
    if (reply->proof != NULL) { /* text, or bytes */
        a->text = calloc(reply->proof_size + 1, 1);
        memcpy(a->text, reply->proof, reply->proof_size);
    }
    a->size = reply->proof_size;
    a->queue_ms = reply->queue_ms;
    a->key_ms = reply->key_ms;
    a->synth_ms = reply->synth_ms;
    a->compute_ms = reply->compute_ms;
    a->total_ms = reply->total_ms;
    end(c);
}

test_answer test_await(cuzk_engine *engine, const char *id, uint64_t timeout_ms)
{
    call c;
    begin(&c);
    cuzk_engine_await(engine, id, timeout_ms, awaited, &c);
    return wait_for(&c);
}

static void cancelled(void *context, const cuzk_cancel_reply *reply)
{
    call *c = context;
    c->answer.known = reply->known;
    c->answer.cancelled = reply->cancelled;
    c->answer.flag = reply->was_running;
    c->answer.state = reply->state;
    end(c);
}

test_answer test_cancel(cuzk_engine *engine, const char *id)
{
    call c;
    begin(&c);
    cuzk_engine_cancel(engine, id, cancelled, &c);
    return wait_for(&c);
}

static void key_told(void *context, cuzk_status status, const char *message, bool was_loaded,
                     uint64_t bytes, uint64_t ms)
{
    (void)ms;
    call *c = context;
    c->answer.status = status;
    c->answer.flag = was_loaded;
    c->answer.bytes = bytes;
    snprintf(c->answer.message, sizeof c->answer.message, "%s", message);
    end(c);
}

test_answer test_preload(cuzk_engine *engine, const char *key)
{
    call c;
    begin(&c);
    cuzk_engine_preload(engine, key, key_told, &c);
    return wait_for(&c);
}

test_answer test_evict(cuzk_engine *engine, const char *key)
{
    call c;
    begin(&c);
    cuzk_engine_evict(engine, key, key_told, &c);
    return wait_for(&c);
}

static void viewed(void *context, const cuzk_engine_view *view)
{
    call *c = context;
    cuzk_core_view_get(view->core, view->now, c->view);
    cuzk_core_check(view->core);
    end(c);
}

void test_view(cuzk_engine *engine, cuzk_core_view *view)
{
    call c;
    begin(&c);
    c.view = view;
    cuzk_engine_view_get(engine, viewed, &c);
    wait_for(&c);
}

static void device_viewed(void *context, const cuzk_engine_view *view)
{
    call *c = context;
    cuzk_core_view_device(view->core, view->now, c->device, c->device_view);
    end(c);
}

void test_view_device(cuzk_engine *engine, unsigned device, cuzk_device_view *view)
{
    call c;
    begin(&c);
    c.device = device;
    c.device_view = view;
    cuzk_engine_view_get(engine, device_viewed, &c);
    wait_for(&c);
}

static void drained(void *context)
{
    end(context);
}

void test_drain(cuzk_engine *engine)
{
    call c;
    begin(&c);
    cuzk_engine_drain(engine, drained, &c);
    wait_for(&c);
}

static char *member(const json_t *root, const char *name)
{
    const json_t *value = json_object_get(root, name);
    assert_non_null(value);
    char *text = json_dumps(value, 0);
    assert_non_null(text);
    return text;
}

void test_assert_proof(const char *fixture, const char *text)
{
    char path[256];
    size_t size;
    cuzk_error err = {0};
    assert_non_null(text);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    char *proof = member(root, "proof"), *signals = member(root, "publicSignals");
    snprintf(path, sizeof path, "circom/%s/verification_key.json", fixture);
    char *vk = read_file(test_data_path(path), &size);
    if (cuzk_verify(vk, signals, proof, 0, &err) != CUZK_OK)
        fail_msg("%s: %s", fixture, err.message);
    free(vk);
    free(proof);
    free(signals);
    json_decref(root);
}
