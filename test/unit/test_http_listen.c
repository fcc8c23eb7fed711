/* Where the HTTP server listens, and TLS. */
#include "server/http.h"

#include "support/fake_engine.h"
#include "support/http_client.h"
#include "support/test.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cuzk-http-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if anything was left behind */
}

static cuzk_status open_server(cuzk_http_server **server, const cuzk_http_config *config,
                               cuzk_error *err)
{
    *server = NULL;
    memset(err, 0, sizeof *err);
    return cuzk_http_open(server, NULL, config, err);
}

static void check_open(const cuzk_http_config *config, cuzk_status wanted, const char *says)
{
    cuzk_http_server *server;
    cuzk_error err;
    cuzk_status status = open_server(&server, config, &err);
    if (status != wanted || (says != NULL && strstr(err.message, says) == NULL))
        fail_msg("%s: status %d: %s", config->listen, (int)status, err.message);
    cuzk_http_close(server);
}

static int get(const char *address, const char *target)
{
    char *answer = http_ask(address, "GET", target, "", NULL, 0);
    int code = http_code(answer);
    free(answer);
    return code;
}

static void addresses_are_checked(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",        "localhost", "127.0.0.1", "127.0.0.1:", ":80",         "127.0.0.1:http",
        "[::1:80", "::1:80",    "unix://x",  "unix://",    "127.0.0.1:x1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_open(&(cuzk_http_config){.listen = wrong[i]}, CUZK_ERR_ARGUMENT, "HTTP");
    check_open(&(cuzk_http_config){.listen = NULL}, CUZK_ERR_ARGUMENT, "no address");
    check_open(&(cuzk_http_config){.listen = "localhost:0"}, CUZK_OK, NULL);
    check_open(&(cuzk_http_config){.listen = "127.0.0.1:0", .token = ""}, CUZK_ERR_ARGUMENT,
               "empty");
    check_open(&(cuzk_http_config){.listen = "127.0.0.1:0", .tls_cert = "x"}, CUZK_ERR_ARGUMENT,
               "both");
}

static void others_machines_need_auth(void **state)
{
    (void)state;
    check_open(&(cuzk_http_config){.listen = "0.0.0.0:0"}, CUZK_ERR_INSECURE, "token");
    check_open(&(cuzk_http_config){.listen = "0.0.0.0:0", .token = "t"}, CUZK_OK, NULL);
    check_open(&(cuzk_http_config){.listen = "0.0.0.0:0", .allow_insecure = true}, CUZK_OK, NULL);
}

static void a_busy_port_is_named(void **state)
{
    (void)state;
    cuzk_http_server *server;
    cuzk_error err;
    fake_engine_start();
    assert_int_equal(open_server(&server, &(cuzk_http_config){.listen = "127.0.0.1:0"}, &err),
                     CUZK_OK);
    const char *address = cuzk_http_address(server);
    check_open(&(cuzk_http_config){.listen = address}, CUZK_ERR_IO, address);
    assert_int_equal(get(address, "/healthz"), 200);
    cuzk_http_close(server);
    fake_engine_stop();
}

static void unix_sockets(void **state)
{
    (void)state;
    char path[64], address[80];
    snprintf(path, sizeof path, "%s/s", folder);
    snprintf(address, sizeof address, "unix://%s", path);
    const cuzk_http_config config = {.listen = address, .token = "not asked for here"};
    cuzk_http_server *server;
    cuzk_error err;
    struct stat info;
    fake_engine_start();
    assert_int_equal(open_server(&server, &config, &err), CUZK_OK);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0660);
    assert_int_equal(get(address, "/status"), 200);
    check_open(&config, CUZK_ERR_IO, "another process serves");
    assert_int_equal(get(address, "/status"), 200); /* it was not stolen */
    cuzk_http_close(server);
    assert_int_not_equal(stat(path, &info), 0);
    fake_engine_stop();
}

static void stale_sockets_are_replaced_and_files_are_not(void **state)
{
    (void)state;
    char path[64], address[80];
    snprintf(path, sizeof path, "%s/s", folder);
    snprintf(address, sizeof address, "unix://%s", path);
    const cuzk_http_config config = {.listen = address};
    struct stat info;

    /* What a killed process leaves: a socket that nobody listens to. */
    struct sockaddr_storage left = {.ss_family = AF_UNIX};
    memcpy((char *)&left + offsetof(struct sockaddr, sa_data), path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&left, sizeof left.ss_family + 108), 0);
    close(fd);
    check_open(&config, CUZK_OK, NULL);

    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    check_open(&config, CUZK_ERR_IO, "is not a socket");
    assert_int_equal(stat(path, &info), 0);
    unlink(path);
}

/* --- TLS --- */

static gnutls_x509_privkey_t new_key(void)
{
    gnutls_x509_privkey_t key;
    assert_int_equal(gnutls_x509_privkey_init(&key), 0);
    assert_int_equal(gnutls_x509_privkey_generate(
                         key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
                     0);
    return key;
}

/* A certificate that signs itself, in files PREFIX.crt and PREFIX.key. */
static void make_certificate(const char *prefix)
{
    gnutls_x509_privkey_t key = new_key();
    gnutls_x509_crt_t cert;
    gnutls_datum_t pem;
    char path[128];
    assert_int_equal(gnutls_x509_crt_init(&cert), 0);
    gnutls_x509_crt_set_version(cert, 3);
    gnutls_x509_crt_set_serial(cert, "\1", 1);
    gnutls_x509_crt_set_activation_time(cert, time(NULL) - 3600);
    gnutls_x509_crt_set_expiration_time(cert, time(NULL) + 86400);
    gnutls_x509_crt_set_ca_status(cert, 1);
    gnutls_x509_crt_set_dn(cert, "CN=localhost", NULL);
    gnutls_x509_crt_set_key(cert, key);
    gnutls_x509_crt_sign2(cert, cert, key, GNUTLS_DIG_SHA256, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i == 0 ? gnutls_x509_crt_export2(cert, GNUTLS_X509_FMT_PEM, &pem)
                                : gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &pem),
                         0);
        snprintf(path, sizeof path, "%s/%s.%s", folder, prefix, i == 0 ? "crt" : "key");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(pem.data, 1, pem.size, file), pem.size);
        fclose(file);
        gnutls_free(pem.data);
    }
    gnutls_x509_crt_deinit(cert);
    gnutls_x509_privkey_deinit(key);
}

/* The status code of GET target over TLS; 0: no answer. prefix: the client's certificate, or NULL.
 */
static int get_tls(const char *address, const char *target, const char *prefix)
{
    gnutls_certificate_credentials_t credentials;
    gnutls_session_t session;
    char request[256], answer[4096] = "", cert[128], key[128];
    assert_int_equal(gnutls_certificate_allocate_credentials(&credentials), 0);
    if (prefix != NULL) {
        snprintf(cert, sizeof cert, "%s/%s.crt", folder, prefix);
        snprintf(key, sizeof key, "%s/%s.key", folder, prefix);
        assert_int_equal(
            gnutls_certificate_set_x509_key_file(credentials, cert, key, GNUTLS_X509_FMT_PEM), 0);
        /* Sent also when the server's list of authorities does not name it. */
        gnutls_certificate_set_flags(credentials, GNUTLS_CERTIFICATE_SKIP_KEY_CERT_MATCH);
    }
    assert_int_equal(gnutls_init(&session, GNUTLS_CLIENT | GNUTLS_FORCE_CLIENT_CERT), 0);
    gnutls_set_default_priority(session);
    gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials);
    int fd = http_connect(address);
    gnutls_transport_set_int(session, fd);
    int code;
    do
        code = gnutls_handshake(session);
    while (code < 0 && !gnutls_error_is_fatal(code));
    if (code == 0) {
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", target);
        gnutls_record_send(session, request, strlen(request));
        size_t size = 0;
        ssize_t n;
        while (size < sizeof answer - 1 &&
               (n = gnutls_record_recv(session, answer + size, sizeof answer - 1 - size)) > 0)
            size += (size_t)n;
    }
    gnutls_deinit(session);
    gnutls_certificate_free_credentials(credentials);
    close(fd);
    return http_code(answer);
}

static void remove_file(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void tls_and_client_certificates(void **state)
{
    (void)state;
    char cert[64], key[64], ca[64], other[64];
    make_certificate("server");
    make_certificate("client");
    make_certificate("stranger");
    snprintf(cert, sizeof cert, "%s/server.crt", folder);
    snprintf(key, sizeof key, "%s/server.key", folder);
    snprintf(ca, sizeof ca, "%s/client.crt", folder);
    snprintf(other, sizeof other, "%s/stranger.key", folder);
    cuzk_http_config config = {.listen = "127.0.0.1:0", .tls_cert = cert, .tls_key = key};
    cuzk_http_server *server;
    cuzk_error err;
    fake_engine_start();
    assert_int_equal(open_server(&server, &config, &err), CUZK_OK);
    assert_int_equal(get_tls(cuzk_http_address(server), "/status", NULL), 200);
    assert_int_equal(get(cuzk_http_address(server), "/status"), 0); /* not in the clear */
    cuzk_http_close(server);

    config.listen = "0.0.0.0:0"; /* certificates are enough to listen there */
    config.tls_client_ca = ca;
    assert_int_equal(open_server(&server, &config, &err), CUZK_OK);
    assert_int_equal(get_tls(cuzk_http_address(server), "/status", NULL), 401);
    assert_int_equal(get_tls(cuzk_http_address(server), "/status", "stranger"), 401);
    assert_int_equal(get_tls(cuzk_http_address(server), "/status", "client"), 200);
    assert_int_equal(get_tls(cuzk_http_address(server), "/healthz", NULL), 200);
    cuzk_http_close(server);

    config.tls_key = "/nonexistent/key";
    check_open(&config, CUZK_ERR_IO, "/nonexistent/key");
    config.tls_key = cert; /* no key */
    check_open(&config, CUZK_ERR_FORMAT, "no unencrypted PEM key");
    config.tls_key = other; /* of another certificate */
    check_open(&config, CUZK_ERR_MISMATCH, "not the key");
    fake_engine_stop();
    static const char *const files[] = {"server.crt", "server.key",   "client.crt",
                                        "client.key", "stranger.crt", "stranger.key"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove_file(files[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_checked),
        cmocka_unit_test(others_machines_need_auth),
        cmocka_unit_test(a_busy_port_is_named),
        cmocka_unit_test(unix_sockets),
        cmocka_unit_test(stale_sockets_are_replaced_and_files_are_not),
        cmocka_unit_test(tls_and_client_certificates),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
