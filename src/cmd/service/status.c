/* cuzk status, once; cuzk top, again and again. */
#include "base/clock.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/service/service.h"
#include "cmd/service/status_text.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define WIDE 10000u

struct arguments {
    cuzk_client_options client;
    cuzk_positionals none;
    uint64_t every_ms;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->client;
        return 0;
    case 'd':
        a->every_ms = cuzk_client_duration("--delay", arg, state);
        return 0;
    default:
        return cuzk_positionals_parse(&a->none, key, arg, state);
    }
}

static const struct argp_option no_options[] = {{0}};
static const struct argp_option top_options[] = {
    {"delay", 'd', "TIME", 0, "Ask that often (default: 1s)", 0}, {0}};
static const struct argp_child children[] = {{&cuzk_client_argp, 0, NULL, 0}, {0}};

static int ask(cuzk_grpc_client *client, uint64_t timeout_ms, ProtobufCMessage **answer,
               cuzk_error *err)
{
    const Cuzk__V1__GetStatusRequest request = CUZK__V1__GET_STATUS_REQUEST__INIT;
    return cuzk_client_call(client, "GetStatus", &request.base,
                            &cuzk__v1__get_status_response__descriptor, timeout_ms, answer, err);
}

static int run_status(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {
        no_options, parse, "",  "Shows what the service is doing.\v" CUZK_CLIENT_CODES,
        children,   NULL,  NULL};
    struct arguments a = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    *json = a.client.json;
    cuzk_grpc_client *client = NULL;
    ProtobufCMessage *answer = NULL;
    int code = (int)cuzk_client_open(&client, &a.client, err);
    if (code != 0)
        return code;
    code = ask(client, 0, &answer, err);
    cuzk_grpc_client_close(client);
    if (code != 0)
        return code;
    const Cuzk__V1__GetStatusResponse *status = (const void *)answer;
    if (a.client.json)
        code = (int)cuzk_output_report(cuzk_status_text_json(status), true, err);
    else
        cuzk_status_text_print(stdout, status, WIDE, "\n");
    protobuf_c_message_free_unpacked(answer, NULL);
    return code;
}

/* --- top --- */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static unsigned terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Waits; true if the user wants to end. */
static bool wants_end(uint64_t ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char key = 0;
    uint64_t end = cuzk_clock_ns() + ms * 1000000;
    for (uint64_t now; !interrupted && (now = cuzk_clock_ns()) < end;) {
        if (poll(&input, 1, (int)((end - now) / 1000000 + 1)) <= 0)
            continue;
        if (read(STDIN_FILENO, &key, 1) != 1)
            input.fd = -1; /* no more keys will come */
        if (key == 'q' || key == 3)
            return true;
    }
    return interrupted != 0;
}

/* From the top left, each line cleared to its end, then all below. */
static int show(cuzk_grpc_client *client, const cuzk_client_options *o, cuzk_error *err)
{
    ProtobufCMessage *answer = NULL;
    int code = ask(client, 5000, &answer, err);
    if (code != 0 && code != CUZK_EXIT_UNREACHABLE && code != CUZK_EXIT_NOT_ENDED)
        return code;
    printf("\033[Hcuzk top  %.200s  (q ends)\033[K\r\n\033[K\r\n", o->address);
    if (code == 0)
        cuzk_status_text_print(stdout, (const void *)answer, terminal_columns(), "\033[K\r\n");
    else
        printf("no answer: %s\033[K\r\n", err->message);
    printf("\033[J");
    fflush(stdout);
    if (code == 0)
        protobuf_c_message_free_unpacked(answer, NULL);
    return 0;
}

static int watch(cuzk_grpc_client *client, const struct arguments *a, cuzk_error *err)
{
    struct termios before, raw;
    bool keys = tcgetattr(STDIN_FILENO, &before) == 0;
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (keys) {
        raw = before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    printf("\033[?1049h\033[?25l"); /* the other screen, no cursor */
    int code = 0;
    do {
        code = show(client, &a->client, err);
    } while (code == 0 && !wants_end(a->every_ms));
    printf("\033[?25h\033[?1049l");
    fflush(stdout);
    if (keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return code;
}

static int run_top(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {
        top_options, parse,
        "",          "Shows what the service is doing, again and again.\v" CUZK_CLIENT_CODES,
        children,    NULL,
        NULL};
    struct arguments a = {.every_ms = 1000};
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    *json = a.client.json;
    if (a.client.json || !isatty(STDOUT_FILENO))
        return (int)cuzk_fail(err, CUZK_ERR_ARGUMENT,
                              "top needs a terminal; programs use `cuzk status --json`");
    cuzk_grpc_client *client = NULL;
    int code = (int)cuzk_client_open(&client, &a.client, err);
    if (code != 0)
        return code;
    code = watch(client, &a, err);
    cuzk_grpc_client_close(client);
    return code;
}

const cuzk_service_command cuzk_service_status = {
    .name = "status", .summary = "show what the service is doing", .run = run_status};
const cuzk_service_command cuzk_service_top = {
    .name = "top", .summary = "show it again and again", .run = run_top};
