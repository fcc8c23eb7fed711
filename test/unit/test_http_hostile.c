/* Clients that are slow, wrong, too many or gone. */
#include "server/http.h"

#include "support/fake_engine.h"
#include "support/http_client.h"
#include "support/test.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define POST_HEAD "POST /v1/jobs?key=k HTTP/1.1\r\nHost: x\r\n"

static cuzk_http_server *server;
static const char *address;

static void start(const cuzk_http_config *config)
{
    cuzk_error err;
    cuzk_http_config c = *config;
    c.listen = "127.0.0.1:0";
    fake_engine_start();
    if (cuzk_http_open(&server, NULL, &c, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    address = cuzk_http_address(server);
}

static void stop(void)
{
    cuzk_http_close(server);
    fake_engine_stop();
    assert_int_equal(fake_engine.inflight, 0);
}

/* Sends text and reads the answer; its code. */
static int talk(const char *text)
{
    int fd = http_connect(address);
    http_write_text(fd, text);
    char *answer = http_read_all(fd);
    int code = http_code(answer);
    free(answer);
    return code;
}

static int code_of(const char *target, const char *headers)
{
    char *answer = http_ask(address, "GET", target, headers, NULL, 0);
    int code = http_code(answer);
    free(answer);
    return code;
}

/* The server lives. Where its time limits are short and the machine is slow, it may take a few
 * tries. */
static void check_alive(void)
{
    int code = 0;
    for (int i = 0; i < 100 && code != 200; i++)
        code = code_of("/healthz", "");
    assert_int_equal(code, 200);
}

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

/* Waits until a number of the fake engine's is so; hours would do as well, but not for ever. */
static void wait_until(const unsigned *number, unsigned wanted)
{
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&fake_engine.lock);
        bool reached = *number == wanted;
        pthread_mutex_unlock(&fake_engine.lock);
        if (reached)
            return;
        pause_ms(1);
    }
    fail_msg("it never happened");
}

static void slow_heads_are_cut(void **state)
{
    (void)state;
    start(&(cuzk_http_config){.head_ms = 200});
    assert_int_equal(talk("GET /healthz HTT"), 0);
    assert_int_equal(talk(""), 0);
    /* A byte now and then does not help. */
    int fd = http_connect(address);
    const char *text = "GET /healthz HTTP/1.1\r\nX: ";
    int i = 0;
    while (i < 10000 && http_write(fd, text[i] != '\0' ? &text[i] : "y", 1)) {
        pause_ms(20);
        i += text[i] != '\0';
    }
    close(fd);
    /* A connection may be kept, but not without end. */
    fd = http_connect(address);
    http_write_text(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    free(http_read_all(fd));
    check_alive();
    stop();
}

static void slow_bodies_are_cut(void **state)
{
    (void)state;
    start(&(cuzk_http_config){.body_ms = 200});
    assert_int_equal(talk(POST_HEAD "Content-Length: 100000000\r\n\r\nabc"), 0);
    assert_int_equal(talk(POST_HEAD "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), 0);
    stop();
    assert_true(fake_engine.inflight_peak <= 1 << 20); /* what is announced is not charged */
    assert_int_equal(fake_engine.n_jobs, 0);
}

static void sizes_are_limited(void **state)
{
    (void)state;
    start(&(cuzk_http_config){.body_max = 1000});
    char *big = malloc(200001);
    assert_non_null(big);
    memset(big, 'a', 200000);
    big[200000] = '\0';
    char *text = malloc(300000);
    assert_non_null(text);
    sprintf(text, "GET /%s HTTP/1.1\r\nHost: x\r\n\r\n", big);
    int code = talk(text);
    assert_true(code == 414 || code == 0);
    sprintf(text, "GET /status HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n", big);
    code = talk(text);
    assert_true(code == 431 || code == 0);

    assert_int_equal(talk(POST_HEAD "Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n"), 413);
    big[1001] = '\0';
    sprintf(text,
            POST_HEAD
            "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n%s\r\n0\r\n\r\n",
            big);
    assert_int_equal(talk(text), 413);
    big[1000] = '\0';
    sprintf(text,
            POST_HEAD
            "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n%s\r\n0\r\n\r\n",
            big);
    assert_int_equal(talk(text), 202);
    free(text);
    free(big);
    assert_int_equal(code_of("/healthz", ""), 200);
    stop();
}

static void bytes_in_flight_are_limited(void **state)
{
    (void)state;
    start(&(cuzk_http_config){0});
    size_t size = 2 << 20;
    char *body = calloc(1, size);
    assert_non_null(body);
    fake_engine.inflight_max = 100;
    char *answer = http_ask(address, "POST", "/v1/jobs?key=k", "", body, 5000);
    assert_int_equal(http_code(answer), 429);
    assert_non_null(strstr(answer, "\r\nRetry-After: 1\r\n"));
    free(answer);
    fake_engine.inflight_max = 300 << 10; /* enough to begin with */
    answer = http_ask(address, "POST", "/v1/jobs?key=k", "", body, size);
    assert_int_equal(http_code(answer), 429);
    free(answer);
    fake_engine.inflight_max = size;
    answer = http_ask(address, "POST", "/v1/jobs?key=k", "", body, size);
    assert_int_equal(http_code(answer), 202);
    free(answer);
    free(body);
    assert_int_equal(fake_engine.n_jobs, 1);
    stop();
}

static void bodies_have_one_length(void **state)
{
    (void)state;
    start(&(cuzk_http_config){0});
    assert_int_equal(talk(POST_HEAD "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    "3\r\nabc\r\n0\r\n\r\n"),
                     400);
    assert_int_equal(talk(POST_HEAD "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), 400);
    assert_int_equal(talk(POST_HEAD "Content-Length: 3x\r\n\r\nabc"), 400);
    assert_int_equal(fake_engine.n_jobs, 0);
    stop();
}

static void garbage_costs_nobody_else(void **state)
{
    (void)state;
    test_rng rng = test_rng_seeded(2);
    start(&(cuzk_http_config){.head_ms = 60, .body_ms = 60});
    static const char *const before[] = {
        "", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /status HTTP/1.1\r\nHost: x\r\nX: ", POST_HEAD "Content-Length: 10\r\n\r\n",
        POST_HEAD "Transfer-Encoding: chunked\r\n\r\n"};
    for (int i = 0; i < 100; i++) {
        uint8_t junk[512];
        size_t size = test_rng_below(&rng, sizeof junk);
        test_rng_bytes(&rng, junk, size);
        int fd = http_connect(address);
        http_write_text(fd, before[test_rng_below(&rng, 5)]);
        http_write(fd, junk, size);
        shutdown(fd, SHUT_WR);
        free(http_read_all(fd));
        if (i % 25 == 0)
            check_alive();
    }
    check_alive();
    stop();
}

static void many_connections_are_served(void **state)
{
    (void)state;
    enum { N = 300 };
    static int fds[N];
    start(&(cuzk_http_config){.connections_max = 64});
    for (int i = 0; i < N; i++) {
        fds[i] = http_connect(address);
        assert_true(http_write_text(fds[i], i % 2 ? "GET /status HTTP/1.1\r\nHost: x\r\n"
                                                    "Connection: close\r\n\r\n"
                                                  : POST_HEAD "Content-Length: 2\r\n"
                                                              "Connection: close\r\n\r\nab"));
    }
    for (int i = 0; i < N; i++) {
        char *answer = http_read_all(fds[i]);
        assert_true(http_code(answer) == 200 || (i % 2 == 0 && http_code(answer) == 202));
        free(answer);
    }
    stop();
}

static void a_client_that_leaves_is_noticed(void **state)
{
    (void)state;
    start(&(cuzk_http_config){0});
    free(http_ask(address, "POST", "/v1/jobs?key=never&id=n", "", "x", 1));
    int fds[20];
    for (size_t i = 0; i < 20; i++) {
        fds[i] = http_connect(address);
        assert_true(
            http_write_text(fds[i], "GET /v1/jobs/n?wait_ms=600000 HTTP/1.1\r\nHost: x\r\n\r\n"));
    }
    /* They wait: an answer to a later request says that the earlier ones were seen. */
    for (int i = 0; i < 20; i++)
        assert_int_equal(code_of("/v1/jobs/n", ""), 200);
    for (size_t i = 0; i < 10; i++)
        close(fds[i]);
    wait_until(&fake_engine.left, 10);
    char *answer = http_ask(address, "DELETE", "/v1/jobs/n", "", NULL, 0);
    assert_int_equal(http_code(answer), 200);
    free(answer);
    for (size_t i = 10; i < 20; i++) {
        shutdown(fds[i], SHUT_RD);
        close(fds[i]);
    }
    /* A load that nobody waits for any more ends by itself. */
    int fd = http_connect(address);
    assert_true(http_write_text(fd, "POST /v1/keys/slow HTTP/1.1\r\nHost: x\r\n\r\n"));
    close(fd);
    assert_int_equal(code_of("/healthz", ""), 200);
    stop();
}

static void waiting_requests_are_told_of_the_end(void **state)
{
    (void)state;
    start(&(cuzk_http_config){0});
    free(http_ask(address, "POST", "/v1/jobs?key=never&id=n", "", "x", 1));
    int waits = http_connect(address), loads = http_connect(address);
    assert_true(
        http_write_text(waits, "GET /v1/jobs/n?wait_ms=600000 HTTP/1.1\r\nHost: x\r\n\r\n"));
    assert_true(http_write_text(loads, "POST /v1/keys/slow HTTP/1.1\r\nHost: x\r\n\r\n"));
    pause_ms(50);
    cuzk_http_stop(server);
    char *answer = http_read_all(waits);
    assert_true(http_code(answer) == 503 || http_code(answer) == 0);
    assert_true(http_code(answer) == 0 || strstr(answer, "\"stopping\"") != NULL);
    free(answer);
    free(http_read_all(loads));
    /* The load's answer comes when the server is gone. */
    stop();
}

static void tokens_are_asked_for(void **state)
{
    (void)state;
    start(&(cuzk_http_config){.token = "correct horse"});
    static const char *const targets[] = {"/status", "/metrics", "/v1/jobs/x", "/nothing",
                                          "/v1/config"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        assert_int_equal(code_of(targets[i], ""), 401);
    static const char *const wrong[] = {
        "Authorization: Bearer correct hors\r\n", "Authorization: Bearer correct horse2\r\n",
        "Authorization: Bearer \r\n", "Authorization: Basic eDp5\r\n",
        "Authorization: correct horse\r\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(code_of("/status", wrong[i]), 401);
    char *answer = http_ask(address, "POST", "/v1/jobs?key=k", "", "x", 1);
    assert_int_equal(http_code(answer), 401);
    assert_non_null(strstr(answer, "\r\nWWW-Authenticate: Bearer"));
    free(answer);
    assert_int_equal(code_of("/status", "Authorization: Bearer correct horse\r\n"), 200);
    assert_int_equal(code_of("/healthz", ""), 200);
    assert_int_equal(code_of("/readyz", ""), 200);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_heads_are_cut),
        cmocka_unit_test(slow_bodies_are_cut),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(bytes_in_flight_are_limited),
        cmocka_unit_test(bodies_have_one_length),
        cmocka_unit_test(garbage_costs_nobody_else),
        cmocka_unit_test(many_connections_are_served),
        cmocka_unit_test(a_client_that_leaves_is_noticed),
        cmocka_unit_test(waiting_requests_are_told_of_the_end),
        cmocka_unit_test(tokens_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
