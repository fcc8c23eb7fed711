/* Sockets, TLS, tokens, limits, callers that go away, and stopping. */
#include "server/grpc_fixture.h"
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <grpc/health/v1/health.pb-c.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define HEALTH_CHECK "/grpc.health.v1.Health/Check"

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* The code with which GetStatus ends over this connection. */
static int try_status(const cuzk_grpc_client_config *config)
{
    cuzk_error err;
    cuzk_grpc_client *client;
    cuzk_grpc_answer answer;
    assert_int_equal(cuzk_grpc_client_open(&client, config, &err), CUZK_OK);
    assert_int_equal(
        cuzk_grpc_client_call(client, ENGINE_METHOD("GetStatus"), "", 0, 20000, &answer, &err),
        CUZK_OK);
    int code = answer.code;
    cuzk_grpc_answer_release(&answer);
    cuzk_grpc_client_close(client);
    return code;
}

static void tcp_in_clear_text(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(NULL);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->tcp_address}), 0);
    char name[64];
    snprintf(name, sizeof name, "localhost:%u", cuzk_grpc_port(f->server, 1));
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = name}), 0);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = "127.0.0.1:1"}), 14);
    grpc_fixture_close(f);
}

static void a_token_is_asked_for_on_tcp(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(&(cuzk_grpc_config){.token = "open sesame"});
    const char *const wrong[] = {NULL, "", "open sesam", "open sesame!", "open sesamE", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            try_status(&(cuzk_grpc_client_config){.address = f->tcp_address, .token = wrong[i]}),
            16);
    assert_int_equal(
        try_status(&(cuzk_grpc_client_config){.address = f->tcp_address, .token = "open sesame"}),
        0);
    /* The socket's mode says who may come that way. */
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->unix_address}), 0);
    assert_int_equal(engine_stub_see(f->engine).submits, 0);
    grpc_fixture_close(f);
}

/* Makes a CA and certificates of a server and a client in the folder. */
static void make_certificates(const char *folder)
{
    grpc_shell("cd %s && exec >/dev/null 2>&1 && set -e\n"
               "new='openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'\n"
               "$new -x509 -days 2 -subj /CN=ca -keyout ca.key -out ca.pem\n"
               "for who in server client; do\n"
               "  $new -subj /CN=$who -keyout $who.key -out $who.csr\n"
               "  printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\n' >ext\n"
               "  openssl x509 -req -in $who.csr -CA ca.pem -CAkey ca.key -CAcreateserial"
               "    -days 2 -extfile ext -out $who.pem\n"
               "done\n"
               "$new -x509 -days 2 -subj /CN=other -keyout other.key -out other.pem\n",
               folder);
}

typedef struct certificates {
    char folder[64], ca[96], server[96], server_key[96], client[96], client_key[96], other[96],
        other_key[96];
} certificates;

static certificates certificates_new(void)
{
    certificates c = {.folder = "/tmp/cuzk-tls-XXXXXX"};
    assert_non_null(mkdtemp(c.folder));
    make_certificates(c.folder);
    char *const paths[] = {c.ca,         c.server, c.server_key, c.client,
                           c.client_key, c.other,  c.other_key};
    const char *const names[] = {"ca.pem",     "server.pem", "server.key", "client.pem",
                                 "client.key", "other.pem",  "other.key"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        snprintf(paths[i], sizeof c.ca, "%s/%s", c.folder, names[i]);
    return c;
}

static void tls(void **state)
{
    (void)state;
    certificates c = certificates_new();
    grpc_fixture *f = grpc_fixture_open(
        &(cuzk_grpc_config){.tls_cert_file = c.server, .tls_key_file = c.server_key, .token = "t"});
    cuzk_grpc_client_config to = {
        .address = f->tcp_address, .tls_ca_file = c.ca, .tls_name = "localhost", .token = "t"};
    assert_int_equal(try_status(&to), 0);
    to.tls_name = NULL; /* the certificate is for 127.0.0.1 too */
    assert_int_equal(try_status(&to), 0);
    to.tls_name = "elsewhere.example";
    assert_int_equal(try_status(&to), 14);
    to.tls_name = NULL;
    to.tls_ca_file = c.other;
    assert_int_equal(try_status(&to), 14);
    to.tls_ca_file = c.ca;
    to.token = "wrong";
    assert_int_equal(try_status(&to), 16);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->tcp_address}), 14);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->unix_address}), 0);
    grpc_fixture_close(f);
    grpc_shell("rm -r %s", c.folder);
}

static void mutual_tls(void **state)
{
    (void)state;
    certificates c = certificates_new();
    grpc_fixture *f = grpc_fixture_open(&(cuzk_grpc_config){
        .tls_cert_file = c.server, .tls_key_file = c.server_key, .tls_client_ca_file = c.ca});
    cuzk_grpc_client_config to = {.address = f->tcp_address,
                                  .tls_ca_file = c.ca,
                                  .tls_cert_file = c.client,
                                  .tls_key_file = c.client_key};
    assert_int_equal(try_status(&to), 0);
    to.tls_cert_file = c.other;
    to.tls_key_file = c.other_key;
    assert_int_equal(try_status(&to), 14);
    to.tls_cert_file = to.tls_key_file = NULL;
    assert_int_equal(try_status(&to), 14);
    grpc_fixture_close(f);

    cuzk_error err;
    cuzk_grpc_client *client;
    to.tls_cert_file = c.client;
    to.tls_key_file = c.server_key;
    assert_int_equal(cuzk_grpc_client_open(&client, &to, &err), CUZK_ERR_MISMATCH);
    assert_non_null(strstr(err.message, c.server_key));
    grpc_shell("rm -r %s", c.folder);
}

static cuzk_status try_open(const cuzk_grpc_config *config, const char *address, cuzk_error *err)
{
    cuzk_grpc_config with = *config;
    with.addresses = &address;
    with.addresses_count = 1;
    cuzk_engine *engine = engine_stub_open();
    cuzk_grpc_server *server = NULL;
    cuzk_status status = cuzk_grpc_open(&server, &with, engine, err);
    cuzk_grpc_close(server);
    engine_stub_close(engine);
    return status;
}

static void addresses_that_are_refused(void **state)
{
    (void)state;
    const cuzk_grpc_config plain = {0};
    cuzk_error err;
    const char *const malformed[] = {
        "",      "localhost", "localhost:",  ":9820",           "::1:9820",
        "[::1]", "unix:",     "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:-1"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_int_equal(try_open(&plain, malformed[i], &err), CUZK_ERR_ARGUMENT);
    assert_int_equal(try_open(&plain, "no-such-host.invalid:0", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "no-such-host.invalid"));

    assert_int_equal(try_open(&plain, "0.0.0.0:0", &err), CUZK_ERR_INSECURE);
    assert_non_null(strstr(err.message, "token"));
    assert_int_equal(try_open(&plain, "[::]:0", &err), CUZK_ERR_INSECURE);
    assert_int_equal(try_open(&(cuzk_grpc_config){.token = "t"}, "0.0.0.0:0", &err), CUZK_OK);
    assert_int_equal(
        try_open(&(cuzk_grpc_config){.allow_unauthenticated = true}, "0.0.0.0:0", &err), CUZK_OK);
    assert_int_equal(try_open(&plain, "localhost:0", &err), CUZK_OK);

    grpc_fixture *f = grpc_fixture_open(NULL);
    assert_int_equal(try_open(&plain, f->tcp_address, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, strerror(EADDRINUSE)));
    assert_int_equal(try_open(&plain, f->unix_address, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "another process serves this socket"));
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->unix_address}), 0);
    grpc_fixture_close(f);

    const cuzk_grpc_config half = {.tls_cert_file = "/nonexistent.pem"};
    assert_int_equal(try_open(&half, "127.0.0.1:0", &err), CUZK_ERR_ARGUMENT);
    const cuzk_grpc_config missing = {.tls_cert_file = "/nonexistent.pem",
                                      .tls_key_file = "/nonexistent.key"};
    assert_int_equal(try_open(&missing, "127.0.0.1:0", &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "/nonexistent.pem"));
}

static void unix_sockets_are_made_and_removed(void **state)
{
    (void)state;
    char folder[] = "/tmp/cuzk-unix-XXXXXX", path[64], address[80];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/deeper/s", folder);
    snprintf(address, sizeof address, "unix:%s", path);
    const cuzk_grpc_config plain = {0};
    cuzk_error err;

    /* The folder is made; the socket is for the owner and the group, and gone at the end. */
    cuzk_grpc_config config = plain;
    const char *const addresses[] = {address};
    config.addresses = addresses;
    config.addresses_count = 1;
    cuzk_engine *engine = engine_stub_open();
    cuzk_grpc_server *server;
    assert_int_equal(cuzk_grpc_open(&server, &config, engine, &err), CUZK_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0660);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = address}), 0);
    cuzk_grpc_close(server);
    engine_stub_close(engine);
    assert_int_equal(stat(path, &info), -1);

    /* What a dead process left is replaced; a file is not. */
    struct sockaddr_un dead = {.sun_family = AF_UNIX};
    snprintf(dead.sun_path, sizeof dead.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (const void *)&dead, sizeof dead), 0);
    close(fd);
    assert_int_equal(try_open(&plain, address, &err), CUZK_OK);
    assert_int_equal(stat(path, &info), -1);
    grpc_shell("echo precious > %s", path);
    assert_int_equal(try_open(&plain, address, &err), CUZK_ERR_IO);
    assert_non_null(strstr(err.message, "not a socket"));
    grpc_shell("grep -q precious %s && rm -r %s", path, folder);
}

static void large_messages(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(NULL);
    /* Under the limit by its headers' few bytes, both ways. */
    size_t size = CUZK_GRPC_MESSAGE_MAX - 1000;
    engine_stub_set(f->engine, &(engine_stub_script){.proof_size = size});
    uint8_t *bytes = calloc(1, CUZK_GRPC_MESSAGE_MAX);
    Cuzk__V1__SubmitProofRequest submit = grpc_circuit_request("large");
    Cuzk__V1__ProveRequest prove = CUZK__V1__PROVE_REQUEST__INIT;
    prove.submit = &submit;
    submit.witness = (ProtobufCBinaryData){size, bytes};
    bytes[size - 1] = 9;
    Cuzk__V1__ProveResponse *answer = (void *)grpc_call_expect(
        f->client, ENGINE_METHOD("Prove"), &prove.base, &cuzk__v1__prove_response__descriptor, 0);
    assert_int_equal(answer->result->proof.len, size);
    assert_int_equal(answer->result->proof.data[size - 1], 'p');
    grpc_message_free(answer);
    engine_stub_seen seen = engine_stub_see(f->engine);
    assert_int_equal(seen.last.payload_size, size);
    assert_int_equal(((uint8_t *)seen.last.payload)[size - 1], 9);

    submit.witness.len = CUZK_GRPC_MESSAGE_MAX;
    grpc_call_expect(f->client, ENGINE_METHOD("Prove"), &prove.base, NULL, 8);
    assert_non_null(strstr(grpc_said(), "134217728"));
    /* The connection is still good, and so is one for an answer that is too large. */
    engine_stub_set(f->engine, &(engine_stub_script){.proof_size = CUZK_GRPC_MESSAGE_MAX});
    submit = grpc_circuit_request("small");
    grpc_call_expect(f->client, ENGINE_METHOD("Prove"), &prove.base, NULL, 8);
    assert_int_equal(engine_stub_see(f->engine).submits, 2);
    free(bytes);
    grpc_fixture_close(f);
}

static void bytes_in_flight_are_limited(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(NULL);
    engine_stub_set(f->engine, &(engine_stub_script){.inflight_max = 1000});
    uint8_t bytes[2000] = {1};
    Cuzk__V1__SubmitProofRequest submit = grpc_circuit_request("a");
    submit.witness = (ProtobufCBinaryData){sizeof bytes, bytes};
    grpc_call_expect(f->client, ENGINE_METHOD("SubmitProof"), &submit.base, NULL, 8);
    assert_int_equal(grpc_said_retry(), 1000);
    assert_int_equal(engine_stub_see(f->engine).submits, 0);
    submit.witness.len = 500;
    grpc_message_free(grpc_call_expect(f->client, ENGINE_METHOD("SubmitProof"), &submit.base,
                                       &cuzk__v1__submit_proof_response__descriptor, 0));
    assert_int_equal(engine_stub_see(f->engine).inflight, 0);
    assert_in_range(engine_stub_see(f->engine).inflight_peak, 500, 1000);
    grpc_fixture_close(f);
}

typedef struct prover {
    grpc_fixture *fixture;
    cuzk_grpc_client *client;
    unsigned number;
    uint64_t timeout_ms;
    int code;
    bool right;
    pthread_t thread;
} prover;

static void *run_prover(void *context)
{
    prover *p = context;
    char id[32], proof[48];
    snprintf(id, sizeof id, "job-%u", p->number);
    snprintf(proof, sizeof proof, "proof of %s", id);
    Cuzk__V1__SubmitProofRequest submit = grpc_circuit_request(id);
    Cuzk__V1__ProveRequest prove = CUZK__V1__PROVE_REQUEST__INIT;
    prove.submit = &submit;
    uint8_t packed[256];
    size_t size = cuzk__v1__prove_request__pack(&prove, packed);
    cuzk_grpc_answer answer;
    cuzk_error err;
    if (cuzk_grpc_client_call(p->client, ENGINE_METHOD("Prove"), packed, size, p->timeout_ms,
                              &answer, &err) != CUZK_OK)
        return NULL;
    p->code = answer.code;
    Cuzk__V1__ProveResponse *got =
        answer.code == 0 ? cuzk__v1__prove_response__unpack(NULL, answer.size, answer.data) : NULL;
    p->right = got != NULL && got->result->proof.len == strlen(proof) &&
               memcmp(got->result->proof.data, proof, strlen(proof)) == 0;
    if (got != NULL)
        grpc_message_free(got);
    cuzk_grpc_answer_release(&answer);
    return NULL;
}

static void many_callers_at_once(void **state)
{
    (void)state;
    enum { CALLERS = 200 };
    grpc_fixture *f = grpc_fixture_open(NULL);
    engine_stub_set(f->engine, &(engine_stub_script){.job_ms = 200});
    cuzk_grpc_client *tcp;
    cuzk_error err;
    const cuzk_grpc_client_config to = {.address = f->tcp_address};
    assert_int_equal(cuzk_grpc_client_open(&tcp, &to, &err), CUZK_OK);
    static prover provers[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) {
        provers[i] =
            (prover){.fixture = f, .client = i % 2 == 0 ? f->client : tcp, .number = i, .code = -1};
        assert_int_equal(pthread_create(&provers[i].thread, NULL, run_prover, &provers[i]), 0);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        pthread_join(provers[i].thread, NULL);
        assert_int_equal(provers[i].code, 0);
        assert_true(provers[i].right);
    }
    assert_int_equal(engine_stub_see(f->engine).submits, CALLERS);
    cuzk_grpc_client_close(tcp);
    grpc_fixture_close(f);
}

typedef struct uploader {
    const char *address;
    uint64_t timeout_ms;
    int code;
    pthread_t thread;
} uploader;

static void *upload(void *context)
{
    enum { BYTES = 16 << 20 };
    uploader *u = context;
    uint8_t *bytes = calloc(1, BYTES), *packed = malloc(BYTES + 100);
    Cuzk__V1__SubmitProofRequest submit = grpc_circuit_request("");
    submit.witness = (ProtobufCBinaryData){BYTES, bytes};
    size_t size = cuzk__v1__submit_proof_request__pack(&submit, packed);
    cuzk_grpc_client *client;
    cuzk_grpc_answer answer;
    cuzk_error err;
    const cuzk_grpc_client_config to = {.address = u->address};
    if (cuzk_grpc_client_open(&client, &to, &err) == CUZK_OK) {
        if (cuzk_grpc_client_call(client, ENGINE_METHOD("SubmitProof"), packed, size, u->timeout_ms,
                                  &answer, &err) == CUZK_OK) {
            u->code = answer.code;
            cuzk_grpc_answer_release(&answer);
        }
        cuzk_grpc_client_close(client);
    }
    free(bytes);
    free(packed);
    return NULL;
}

/* Of these only one may be received at a time. All get through, but for those who give up. */
static void large_requests_take_turns(void **state)
{
    (void)state;
    enum { UPLOADERS = 12 };
    grpc_fixture *f =
        grpc_fixture_open(&(cuzk_grpc_config){.receive_bytes_max = CUZK_GRPC_MESSAGE_MAX});
    static uploader uploaders[UPLOADERS];
    for (unsigned i = 0; i < UPLOADERS; i++) {
        uploaders[i] = (uploader){.address = i % 2 == 0 ? f->tcp_address : f->unix_address,
                                  .timeout_ms = i % 4 == 3 ? 20 : 0,
                                  .code = -1};
        assert_int_equal(pthread_create(&uploaders[i].thread, NULL, upload, &uploaders[i]), 0);
    }
    unsigned through = 0;
    for (unsigned i = 0; i < UPLOADERS; i++) {
        pthread_join(uploaders[i].thread, NULL);
        if (i % 4 != 3)
            assert_int_equal(uploaders[i].code, 0);
        else
            assert_true(uploaders[i].code == 0 || uploaders[i].code == 4);
        through += uploaders[i].code == 0;
    }
    /* One that gave up may have been complete just then. */
    assert_in_range(engine_stub_see(f->engine).submits, through, UPLOADERS);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->tcp_address}), 0);
    grpc_fixture_close(f);
}

/* Waits until the engine was left so often. A slow machine only takes longer. */
static void expect_leaves(cuzk_engine *engine, unsigned count)
{
    while (engine_stub_see(engine).leaves < count)
        pause_ms(2);
    assert_int_equal(engine_stub_see(engine).leaves, count);
}

static void callers_that_go_away(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(NULL);
    engine_stub_set(f->engine, &(engine_stub_script){.job_ms = CUZK_NEVER});
    /* Its deadline passes. */
    prover late = {.fixture = f, .client = f->client, .number = 1, .timeout_ms = 300};
    run_prover(&late);
    assert_int_equal(late.code, 4);
    expect_leaves(f->engine, 1);

    /* It cancels. */
    cuzk_grpc_client *client;
    cuzk_error err;
    const cuzk_grpc_client_config to = {.address = f->tcp_address};
    assert_int_equal(cuzk_grpc_client_open(&client, &to, &err), CUZK_OK);
    prover fickle = {.fixture = f, .client = client, .number = 2};
    assert_int_equal(pthread_create(&fickle.thread, NULL, run_prover, &fickle), 0);
    while (engine_stub_see(f->engine).awaits < 2)
        pause_ms(2);
    cuzk_grpc_client_cancel(client);
    pthread_join(fickle.thread, NULL);
    assert_int_equal(fickle.code, 1);
    expect_leaves(f->engine, 2);
    /* Nobody told the engine to cancel: others may wait for the job. */
    assert_int_equal(engine_stub_see(f->engine).cancels, 0);
    cuzk_grpc_client_close(client);
    grpc_fixture_close(f);
}

static void stopping_ends_calls(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(NULL);
    engine_stub_set(f->engine, &(engine_stub_script){.job_ms = 300});
    prover quick = {.fixture = f, .client = f->client, .number = 1};
    assert_int_equal(pthread_create(&quick.thread, NULL, run_prover, &quick), 0);
    while (engine_stub_see(f->engine).awaits < 1)
        pause_ms(2);
    engine_stub_set(f->engine, &(engine_stub_script){.job_ms = CUZK_NEVER});
    prover endless = {.fixture = f, .client = f->client, .number = 2};
    assert_int_equal(pthread_create(&endless.thread, NULL, run_prover, &endless), 0);
    while (engine_stub_see(f->engine).awaits < 2)
        pause_ms(2);
    cuzk_grpc_stop(f->server, 2000);
    pthread_join(quick.thread, NULL);
    pthread_join(endless.thread, NULL);
    assert_int_equal(quick.code, 0);
    assert_true(quick.right);
    assert_int_not_equal(endless.code, 0);
    expect_leaves(f->engine, 1);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->unix_address}), 14);
    assert_int_equal(try_status(&(cuzk_grpc_client_config){.address = f->tcp_address}), 14);
    grpc_fixture_close(f);
}

static void health(void **state)
{
    (void)state;
    grpc_fixture *f = grpc_fixture_open(&(cuzk_grpc_config){.token = "t"});
    cuzk_grpc_client *client;
    cuzk_error err;
    const cuzk_grpc_client_config to = {.address = f->tcp_address};
    assert_int_equal(cuzk_grpc_client_open(&client, &to, &err), CUZK_OK);
    Grpc__Health__V1__HealthCheckRequest request = GRPC__HEALTH__V1__HEALTH_CHECK_REQUEST__INIT;
    for (int ready = 1; ready >= 0; ready--) {
        engine_stub_set(f->engine, &(engine_stub_script){.unready = !ready});
        Grpc__Health__V1__HealthCheckResponse *answer =
            (void *)grpc_call_expect(client, HEALTH_CHECK, &request.base,
                                     &grpc__health__v1__health_check_response__descriptor, 0);
        assert_int_equal(answer->status, ready ? 1 : 2);
        grpc_message_free(answer);
    }
    request.service = (char *)(uintptr_t) "no.such.Service";
    grpc_call_expect(client, HEALTH_CHECK, &request.base, NULL, 5);
    request.service = (char *)(uintptr_t) "cuzk.v1.ProvingEngine";
    grpc_message_free(grpc_call_expect(client, HEALTH_CHECK, &request.base,
                                       &grpc__health__v1__health_check_response__descriptor, 0));
    cuzk_grpc_client_close(client);
    grpc_fixture_close(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tcp_in_clear_text),
        cmocka_unit_test(a_token_is_asked_for_on_tcp),
        cmocka_unit_test(tls),
        cmocka_unit_test(mutual_tls),
        cmocka_unit_test(addresses_that_are_refused),
        cmocka_unit_test(unix_sockets_are_made_and_removed),
        cmocka_unit_test(large_messages),
        cmocka_unit_test(bytes_in_flight_are_limited),
        cmocka_unit_test(many_callers_at_once),
        cmocka_unit_test(large_requests_take_turns),
        cmocka_unit_test(callers_that_go_away),
        cmocka_unit_test(stopping_ends_calls),
        cmocka_unit_test(health),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
