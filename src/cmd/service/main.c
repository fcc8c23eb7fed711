/* cuzk-service COMMAND ...: finds the command, runs it, reports. */
#include "base/cpu.h"
#include "base/cpu_count.h"
#include "cmd/exit_code.h"
#include "cmd/service/service.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cuzk_service_command *const commands[] = {
    &cuzk_service_serve,  &cuzk_service_submit,  &cuzk_service_await, &cuzk_service_cancel,
    &cuzk_service_status, &cuzk_service_preload, &cuzk_service_evict, &cuzk_service_top,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static const char *code_name(int code)
{
    switch (code) {
    case CUZK_EXIT_LISTEN:
        return "LISTEN";
    case CUZK_EXIT_CUT_OFF:
        return "CUT_OFF";
    case CUZK_EXIT_UNREACHABLE:
        return "UNREACHABLE";
    case CUZK_EXIT_NOT_ENDED:
        return "NOT_ENDED";
    case CUZK_EXIT_TRY_LATER:
        return "TRY_LATER";
    case CUZK_EXIT_UNKNOWN:
        return "UNKNOWN";
    case CUZK_EXIT_DENIED:
        return "DENIED";
    case CUZK_EXIT_REFUSED:
        return "REFUSED";
    default:
        return cuzk_status_name((cuzk_status)code);
    }
}

static void print_error(bool json, int code, const cuzk_error *err)
{
    if (!json) {
        fprintf(stderr, "cuzk: %s\n", err->message);
        return;
    }
    json_t *report = json_pack("{s:{s:s, s:i, s:s}}", "error", "status", code_name(code),
                               "exit_code", code, "message", err->message);
    char *text = report == NULL ? NULL : json_dumps(report, JSON_COMPACT);
    /* A name that is no UTF-8 cannot be in JSON. */
    fprintf(stderr, "%s\n",
            text != NULL ? text : "{\"error\":{\"message\":\"not representable\"}}");
    free(text);
    json_decref(report);
}

static int run(const cuzk_service_command *command, int argc, char **argv)
{
    static char name[64];
    cuzk_error err = {0};
    bool json = false;
    snprintf(name, sizeof name, "cuzk %s", command->name);
    argv[0] = name;
    cuzk_status status = cuzk_cpu_check(&err);
    if (status == CUZK_OK)
        status = cuzk_cpu_count_check(&err);
    int code = status == CUZK_OK ? command->run(&json, argc, argv, &err) : (int)status;
    if (code == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        code = (int)cuzk_fail(&err, CUZK_ERR_IO, "standard output cannot be written");
    if (code != 0)
        print_error(json, code, &err);
    return code;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = CUZK_ERR_ARGUMENT;
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    for (size_t i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(commands[i]->name, argv[1]) == 0)
            return run(commands[i], argc - 1, argv + 1);
    fprintf(stderr, "cuzk-service is run by cuzk; commands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stderr, "  cuzk %-8s  %s\n", commands[i]->name, commands[i]->summary);
    return CUZK_ERR_ARGUMENT;
}
