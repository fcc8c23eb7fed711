/* The HTTP server's routes, over real sockets, with a scripted engine behind it. */
#include "server/http.h"

#include "support/fake_engine.h"
#include "support/http_client.h"
#include "support/test.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#define OCTETS "Content-Type: application/octet-stream\r\n"

static cuzk_http_server *server;
static const char *address;
static char *answer; /* the last one */

static int start(void **state)
{
    (void)state;
    cuzk_error err;
    const cuzk_http_config config = {.listen = "127.0.0.1:0", .config_text = "[daemon]\n"};
    fake_engine_start();
    if (cuzk_http_open(&server, NULL, &config, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    address = cuzk_http_address(server);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cuzk_http_close(server);
    fake_engine_stop();
    assert_int_equal(fake_engine.inflight, 0);
    free(answer);
    answer = NULL;
    return 0;
}

static int ask(const char *method, const char *target)
{
    free(answer);
    answer = http_ask(address, method, target, "", NULL, 0);
    return http_code(answer);
}

static int post(const char *target, const char *headers, const void *body, size_t size)
{
    free(answer);
    answer = http_ask(address, "POST", target, headers, body, size);
    return http_code(answer);
}

static int submit(const char *target)
{
    return post(target, OCTETS, "wtns", 4);
}

/* The answer's JSON: a string at "a.b"; "" if it is none there. Valid until the next call. */
static const char *field(const char *path)
{
    static char text[1024];
    json_t *root = json_loads(http_body(answer), JSON_REJECT_DUPLICATES, NULL);
    const char *dot = strchr(path, '.');
    json_t *value = root;
    char first[64];
    if (dot != NULL) {
        snprintf(first, sizeof first, "%.*s", (int)(dot - path), path);
        value = json_object_get(root, first);
        path = dot + 1;
    }
    value = json_object_get(value, path);
    if (json_is_string(value))
        snprintf(text, sizeof text, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else
        snprintf(text, sizeof text, "%s",
                 json_is_true(value)    ? "true"
                 : json_is_false(value) ? "false"
                                        : "");
    json_decref(root);
    return text;
}

static void views_answer(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/status"), 200);
    assert_non_null(strstr(answer, "\r\nContent-Type: application/json\r\n"));
    assert_non_null(strstr(answer, "\r\nAccess-Control-Allow-Origin: *\r\n"));
    assert_string_equal(field("memory.source"), "configured \"8 MiB\"");
    assert_int_equal(ask("GET", "/status?x=%zz"), 200); /* the query does not matter there */
    assert_int_equal(ask("GET", "/metrics"), 200);
    assert_non_null(strstr(answer, "text/plain; version=0.0.4"));
    assert_non_null(strstr(answer, "\ncuzk_build_info{version=\""));
    assert_int_equal(ask("GET", "/healthz"), 200);
    assert_string_equal(http_body(answer), "ok\n");
    assert_int_equal(ask("GET", "/v1/config"), 200);
    assert_string_equal(http_body(answer), "[daemon]\n");
}

static void head_has_no_body(void **state)
{
    (void)state;
    assert_int_equal(ask("HEAD", "/status"), 200);
    assert_string_equal(http_body(answer), "");
    assert_null(strstr(answer, "Content-Length: 0\r\n"));
}

static void readiness_says_why_not(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/readyz"), 200);
    fake_engine.not_ready = fake_core.view.draining = true;
    assert_int_equal(ask("GET", "/readyz"), 503);
    assert_string_equal(field("error.code"), "draining");
    assert_non_null(strstr(answer, "\r\nRetry-After: "));
    fake_core.view.draining = false;
    fake_core.devices[0].quarantined = true;
    assert_int_equal(ask("GET", "/readyz"), 503);
    assert_string_equal(field("error.code"), "no_device");
    assert_int_equal(ask("GET", "/healthz"), 200); /* it lives all the same */
}

static void unknown_targets_and_methods(void **state)
{
    (void)state;
    static const char *const nothing[] = {"/",         "/statusfoo",   "/status/",  "/v1",
                                          "/v1/jobs/", "/v1/jobs/a/b", "/v1/keys/", "/%73tatus"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_int_equal(ask("GET", nothing[i]), 404);
    assert_int_equal(ask("POST", "/status"), 405);
    assert_non_null(strstr(answer, "\r\nAllow: GET, HEAD\r\n"));
    assert_int_equal(ask("GET", "/v1/jobs"), 405);
    assert_int_equal(ask("PUT", "/v1/jobs/x"), 405);
    assert_int_equal(ask("OPTIONS", "/status"), 405);
    assert_int_equal(ask("GET", "/v1/keys/a"), 405);
}

static void bad_targets_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"/v1/jobs/%",
                                      "/v1/jobs/%4",
                                      "/v1/jobs/%zz",
                                      "/v1/jobs/%00",
                                      "/v1/jobs/a%0ab",
                                      "/v1/jobs/%ff",
                                      "/v1/jobs/x?wait_ms",
                                      "/v1/jobs/x?wait_ms=",
                                      "/v1/jobs/x?wait_ms=1e3",
                                      "/v1/jobs/x?wait_ms=-1",
                                      "/v1/jobs/x?wait_ms=600001",
                                      "/v1/jobs/x?wait_ms=1&wait_ms=1",
                                      "/v1/jobs/x?other=1",
                                      "/v1/jobs/x?wait_ms=99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (ask("GET", bad[i]) != 400)
            fail_msg("%s: %.80s", bad[i], answer);
        assert_string_equal(field("error.code"), "bad_request");
    }
    static const char *const keys[] = {"/v1/keys/../x",  "/v1/keys/a..b", "/v1/keys//etc",
                                       "/v1/keys/a//b",  "/v1/keys/a/",   "/v1/keys/%2e%2e/x",
                                       "/v1/keys/a%20b", "/v1/keys/a;b"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(ask("POST", keys[i]), 400);
    assert_int_equal(submit("/v1/jobs?key=k&priority=urgent"), 400);
    assert_int_equal(submit("/v1/jobs?key=k&id=a+b"), 400);
    assert_int_equal(submit("/v1/jobs?id=a"), 400);
}

static void a_job_from_submission_to_proof(void **state)
{
    (void)state;
    uint8_t body[300000];
    test_rng rng = test_rng_seeded(1);
    uint64_t checksum = 0;
    test_rng_bytes(&rng, body, sizeof body);
    for (size_t i = 0; i < sizeof body; i++)
        checksum = checksum * 31 + body[i];
    assert_int_equal(
        post("/v1/jobs?kind=circuit&key=dir/k.1&id=a%2Fb%C3%A9&priority=high&timeout_ms=5000",
             OCTETS, body, sizeof body),
        202);
    assert_string_equal(field("job_id"), "a/b\xc3\xa9");
    assert_string_equal(field("queue_position"), "2");
    assert_non_null(strstr(answer, "\r\nLocation: /v1/jobs/a%2Fb%C3%A9\r\n"));
    const fake_submitted *job = &fake_engine.jobs[0];
    assert_string_equal(job->key, "dir/k.1");
    assert_int_equal(job->class_, CUZK_CLASS_HIGH);
    assert_int_equal(job->timeout_ms, 5000);
    assert_int_equal(job->size, sizeof body);
    assert_true(job->checksum == checksum);
    assert_int_equal(ask("GET", "/v1/jobs/a%2Fb%C3%A9?wait_ms=10000"), 200);
    assert_string_equal(field("state"), "completed");
    assert_string_equal(field("proof.protocol"), "groth16");
    assert_string_equal(field("timings.total_ms"), "20");
    assert_non_null(strstr(answer, "\"publicSignals\":[\"33\"]"));
    assert_int_equal(submit("/v1/jobs?key=dir/k.1&id=a%2Fb%C3%A9"), 200); /* done: joined */
    assert_string_equal(field("completed"), "true");
    assert_int_equal(submit("/v1/jobs?key=k"), 202);
    assert_string_equal(field("job_id"), "made-for-you");
}

static void states_of_jobs(void **state)
{
    (void)state;
    assert_int_equal(ask("GET", "/v1/jobs/none"), 404);
    assert_int_equal(ask("DELETE", "/v1/jobs/none"), 404);
    assert_int_equal(submit("/v1/jobs?key=never&id=n"), 202);
    assert_int_equal(submit("/v1/jobs?key=never&id=n"), 202);
    assert_string_equal(field("joined"), "true");
    assert_int_equal(ask("GET", "/v1/jobs/n"), 200);
    assert_string_equal(field("state"), "running");
    assert_int_equal(ask("GET", "/v1/jobs/n?wait_ms=50"), 200);
    assert_string_equal(field("state"), "running");
    assert_int_equal(ask("DELETE", "/v1/jobs/n"), 200);
    assert_string_equal(field("was_running"), "true");
    assert_string_equal(field("state"), "cancelled");
    assert_int_equal(ask("GET", "/v1/jobs/n"), 200);
    assert_string_equal(field("state"), "cancelled");
    assert_int_equal(ask("DELETE", "/v1/jobs/n"), 200); /* as was wished */
    assert_string_equal(field("was_running"), "false");
    assert_int_equal(submit("/v1/jobs?key=broken&id=b"), 202);
    assert_int_equal(ask("GET", "/v1/jobs/b?wait_ms=10000"), 200);
    assert_string_equal(field("state"), "failed");
    assert_string_equal(field("error.code"), "UNSATISFIED");
    assert_string_equal(field("error.message"), "row 3 does not hold");
    assert_int_equal(ask("DELETE", "/v1/jobs/b"), 409);
    assert_string_equal(field("error.code"), "ended");
    assert_non_null(strstr(field("error.message"), "failed"));
}

static void refusals_have_their_codes(void **state)
{
    (void)state;
    assert_int_equal(submit("/v1/jobs?key=full"), 429);
    assert_non_null(strstr(answer, "\r\nRetry-After: 2\r\n"));
    assert_int_equal(submit("/v1/jobs?key=large"), 413);
    assert_int_equal(submit("/v1/jobs?key=conflict"), 409);
    assert_int_equal(submit("/v1/jobs?key=draining"), 503);
    assert_string_equal(field("error.code"), "draining");
    assert_int_equal(submit("/v1/jobs?key=nodevice"), 503);
    assert_string_equal(field("error.code"), "no_device");
    assert_int_equal(submit("/v1/jobs?key=bad"), 400);
    assert_string_equal(field("error.code"), "FORMAT");
    assert_string_equal(field("error.message"), "witness: section 2 is cut off");
    assert_int_equal(submit("/v1/jobs?kind=porep-c2&key=k"), 400);
    assert_non_null(strstr(field("error.message"), "key=NAME"));
    assert_int_equal(submit("/v1/jobs?kind=snap-update"), 400);
    assert_non_null(strstr(field("error.message"), "comm_r_old"));
    assert_int_equal(submit("/v1/jobs?kind=winning-post"), 400);
    assert_non_null(strstr(field("error.message"), "randomness"));
    assert_int_equal(submit("/v1/jobs?kind=winning-post&randomness=00ff"), 400);
    assert_non_null(strstr(field("error.message"), "64 hexadecimal digits"));
    assert_int_equal(fake_engine.n_jobs, 0);
    assert_int_equal(post("/v1/jobs?key=k", OCTETS, "", 0), 400);
    assert_int_equal(post("/v1/jobs?key=k", "Content-Type: text/plain\r\n", "x", 1), 415);
    assert_int_equal(post("/v1/jobs?key=k", OCTETS "Origin: http://evil\r\n", "x", 1), 403);
    assert_int_equal(post("/v1/keys/k", "", "x", 1), 400);
}

static void keys_are_loaded_and_dropped(void **state)
{
    (void)state;
    assert_int_equal(ask("POST", "/v1/keys/slow"), 200);
    assert_string_equal(field("was_loaded"), "false");
    assert_string_equal(field("bytes"), "4096");
    assert_int_equal(ask("POST", "/v1/keys/absent"), 500);
    assert_string_equal(field("error.message"), "there is no such file");
    assert_int_equal(ask("DELETE", "/v1/keys/some/key"), 200);
    assert_string_equal(field("freed_bytes"), "4096");
    assert_int_equal(ask("DELETE", "/v1/keys/busy"), 409);
}

/* Requests on one connection, one after the other without waiting. */
static void connections_are_kept(void **state)
{
    (void)state;
    int fd = http_connect(address);
    assert_true(http_write_text(fd,
                                "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
                                "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
                                "POST /v1/jobs?key=k HTTP/1.1\r\nHost: x\r\n"
                                "Content-Length: 3\r\n\r\nabc"
                                "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    free(answer);
    answer = http_read_all(fd);
    const char *at = answer;
    static const char *const lines[] = {"HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 202",
                                        "HTTP/1.1 200"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = strstr(at, lines[i]);
        assert_non_null(at);
        at++;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(views_answer, start, stop),
        cmocka_unit_test_setup_teardown(head_has_no_body, start, stop),
        cmocka_unit_test_setup_teardown(readiness_says_why_not, start, stop),
        cmocka_unit_test_setup_teardown(unknown_targets_and_methods, start, stop),
        cmocka_unit_test_setup_teardown(bad_targets_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(a_job_from_submission_to_proof, start, stop),
        cmocka_unit_test_setup_teardown(states_of_jobs, start, stop),
        cmocka_unit_test_setup_teardown(refusals_have_their_codes, start, stop),
        cmocka_unit_test_setup_teardown(keys_are_loaded_and_dropped, start, stop),
        cmocka_unit_test_setup_teardown(connections_are_kept, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
