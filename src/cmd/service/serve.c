/* cuzk serve: reads the configuration, opens engine and servers, and waits for signals. */
#include "base/log.h"
#include "cmd/service/notify.h"
#include "cmd/service/servers.h"
#include "cmd/service/service.h"

#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Answers that are due when the service ends have this long to leave. */
#define GRACE_MS 1000

enum { KEY_LEVEL = 0x3000, KEY_PRINT };

struct arguments {
    const char *config, *listen, *level;
    bool print;
};

static const struct argp_option options[] = {
    {"config", 'c', "FILE", 0, "The configuration (default: " CUZK_CONFIG_PATH ", if it is there)",
     0},
    {"listen", 'l', "ADDRESS", 0,
     "Listen for gRPC there instead: unix:///run/cuzk.sock or 127.0.0.1:9820", 0},
    {"log-level", KEY_LEVEL, "LEVEL", 0, "error, warn, info or debug", 0},
    {"print-config", KEY_PRINT, NULL, 0, "Print the effective configuration and end", 0},
    {0}};

static const char doc[] =
    "Runs the service in the foreground: jobs come in by gRPC and HTTP, are stored, proved, "
    "verified and kept until they are collected.\v"
    "The first SIGTERM or SIGINT drains: no new jobs, those that have started end, queued ones "
    "stay in the store. A second one stops at once; jobs cut off run again at the next start.\n"
    "\n"
    "Example:\n"
    "  cuzk serve --print-config > cuzk.toml\n"
    "  cuzk serve --config cuzk.toml\n"
    "\n"
    "Exit codes: those of `cuzk --help`; 20: an address cannot be listened on (in use, for "
    "example), or a file of [tls] cannot be read; 21: stopped by a second signal.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    switch (key) {
    case 'c':
        a->config = arg;
        return 0;
    case 'l':
        a->listen = arg;
        return 0;
    case KEY_LEVEL:
        a->level = arg;
        return 0;
    case KEY_PRINT:
        a->print = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument: %s", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Lines that come before it is known how to log. */
struct notes {
    struct {
        cuzk_log_level level;
        char *line;
    } kept[64];
    size_t n;
};

static void keep_note(void *context, cuzk_log_level level, const char *line)
{
    struct notes *notes = context;
    if (notes->n == sizeof notes->kept / sizeof notes->kept[0])
        return;
    notes->kept[notes->n].level = level;
    notes->kept[notes->n].line = strdup(line);
    notes->n += notes->kept[notes->n].line != NULL;
}

static void log_notes(struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        cuzk_log(notes->kept[i].level, "%s", notes->kept[i].line);
        free(notes->kept[i].line);
    }
    notes->n = 0;
}

/* On success the caller releases config. */
static cuzk_status read_config(cuzk_config *config, const struct arguments *a, cuzk_error *err)
{
    struct notes notes = {.n = 0};
    cuzk_status status = cuzk_config_init(config, a->config, keep_note, &notes, err);
    const bool made = status == CUZK_OK;
    if (status == CUZK_OK && a->listen != NULL)
        status = cuzk_config_set(config, "--listen", "daemon.listen", a->listen, err);
    if (status == CUZK_OK && a->level != NULL)
        status = cuzk_config_set(config, "--log-level", "logging.level", a->level, err);
    if (status == CUZK_OK) {
        cuzk_log_set_level(cuzk_config_log_level(config));
        cuzk_log_set_json(config->log_format == 1);
    }
    log_notes(&notes);
    if (made && status != CUZK_OK)
        cuzk_config_release(config);
    return status;
}

static cuzk_status print_config(const cuzk_config *config, cuzk_error *err)
{
    char *text = cuzk_config_text(config);
    if (text == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the configuration");
    fputs(text, stdout);
    free(text);
    return CUZK_OK;
}

/* One line each, for who reads the log later. */
static void log_config(const cuzk_config *config)
{
    char *text = cuzk_config_text(config), *save = NULL;
    if (text == NULL)
        return;
    for (char *line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
        cuzk_log(CUZK_LOG_DEBUG, "config: %s", line);
    free(text);
}

/* --- until the end --- */

struct events {
    int signals, drained;
};

static void on_drained(void *context)
{
    const struct events *events = context;
    uint64_t one = 1;
    ssize_t written = write(events->drained, &one, sizeof one);
    CUZK_ASSERT(written == sizeof one);
}

/* Signals are blocked before there are threads, so that they come here and nowhere else. */
static cuzk_status open_events(struct events *events, cuzk_error *err)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    events->signals = signalfd(-1, &set, SFD_CLOEXEC);
    events->drained = eventfd(0, EFD_CLOEXEC);
    if (events->signals < 0 || events->drained < 0)
        return cuzk_fail(err, CUZK_ERR_IO, "signals cannot be received: %s", strerror(errno));
    return CUZK_OK;
}

static void close_events(const struct events *events)
{
    if (events->signals >= 0)
        close(events->signals);
    if (events->drained >= 0)
        close(events->drained);
}

static void start_drain(const cuzk_servers *servers, struct events *events, unsigned number)
{
    cuzk_log(CUZK_LOG_INFO,
             "signal %u: draining; no new jobs, those that have started end. Another signal stops "
             "at once",
             number);
    cuzk_notify("STOPPING=1\nSTATUS=Draining");
    cuzk_engine_drain(servers->engine, on_drained, events);
}

static int wait_for_end(const cuzk_servers *servers, struct events *events, cuzk_error *err)
{
    struct pollfd files[] = {{.fd = events->signals, .events = POLLIN},
                             {.fd = events->drained, .events = POLLIN}};
    bool draining = false;
    for (;;) {
        if (poll(files, 2, -1) < 0 && errno != EINTR)
            return (int)cuzk_fail(err, CUZK_ERR_IO, "poll: %s", strerror(errno));
        struct signalfd_siginfo info;
        if (files[1].revents != 0)
            return 0;
        if (files[0].revents == 0 || read(events->signals, &info, sizeof info) != sizeof info)
            continue;
        if (draining) {
            cuzk_fail(err, CUZK_ERR_CANCELLED,
                      "signal %u: stopped before all jobs that had started were done",
                      info.ssi_signo);
            return CUZK_EXIT_CUT_OFF;
        }
        draining = true;
        start_drain(servers, events, info.ssi_signo);
    }
}

static int serve(const cuzk_config *config, cuzk_error *err)
{
    struct events events = {-1, -1};
    cuzk_servers servers = {0};
    int code = (int)open_events(&events, err);
    if (code == 0)
        code = cuzk_servers_open(&servers, config, err);
    if (code == 0) {
        cuzk_log(CUZK_LOG_INFO, "cuzk %s, pid %ld: %s", cuzk_version(), (long)getpid(),
                 servers.where);
        log_config(config);
        cuzk_notify("READY=1\nSTATUS=%s", servers.where);
        code = wait_for_end(&servers, &events, err);
        cuzk_notify("STOPPING=1\nSTATUS=Ending");
        cuzk_servers_close(&servers, code == 0 ? GRACE_MS : 0);
        if (code == 0)
            cuzk_log(CUZK_LOG_INFO, "ended");
    }
    close_events(&events);
    return code;
}

static int run(bool *json, int argc, char **argv, cuzk_error *err)
{
    static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
    struct arguments a = {0};
    cuzk_config config;
    (void)json;
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    int code = (int)read_config(&config, &a, err);
    if (code != 0)
        return code;
    code = a.print ? (int)print_config(&config, err) : serve(&config, err);
    cuzk_config_release(&config);
    return code;
}

const cuzk_service_command cuzk_service_serve = {
    .name = "serve", .summary = "run the service", .run = run};
