/* cuzk COMMAND ...: finds the command, runs it, and turns its status into a message and an exit
 * code. */
#include "base/cpu.h"
#include "base/cpu_count.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"
#include "cmd/service_exec.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cuzk_command *const commands[] = {
    &cuzk_command_prove,  &cuzk_command_verify,    &cuzk_command_setup,   &cuzk_command_check,
    &cuzk_command_info,   &cuzk_command_export_vk, &cuzk_command_circuit, &cuzk_command_filecoin,
    &cuzk_command_prover, &cuzk_command_bench,     &cuzk_command_version,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static const char doc_before[] = "Groth16 proofs over BN254 (bn128) and BLS12-381: circom circuits "
                                 "with snarkjs keys, and bellperson "
                                 "keys. Every proof is verified before it is written.";

static const char doc_after[] =
    "A first proof:\n"
    "  cuzk prove circuit.zkey witness.wtns -o proof.json --public public.json\n"
    "  cuzk verify verification_key.json public.json proof.json\n"
    "A first service:\n"
    "  cuzk serve --config cuzk.toml\n"
    "  cuzk submit circuit witness.wtns --wait -o proof.json\n"
    "\n"
    "`cuzk COMMAND --help` tells more and shows an example.\n"
    "\n"
    "Environment: CUZK_CPU=portable|adx|avx2|ifma forces an instruction set; CUZK_THREADS=N is the "
    "default "
    "of --threads; CUZK_NO_CACHE=1 checks the points of a key at every load.\n";

/* The list of commands before, that of exit codes after doc_after. */
static char *extend_help(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    if (stream == NULL)
        return (char *)(uintptr_t)text;
    fprintf(stream, "Commands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-10s  %s\n", commands[i]->name, commands[i]->summary);
    for (size_t i = 0; i < cuzk_service_names_count; i++)
        fprintf(stream, "  %-10s  %s\n", cuzk_service_names[i].name, cuzk_service_names[i].summary);
    fprintf(stream, "\n%s\nExit codes:\n", text);
    for (size_t i = 0; i < cuzk_exit_meanings_count; i++)
        fprintf(stream, "  %2d  %s\n", (int)cuzk_exit_meanings[i].status,
                cuzk_exit_meanings[i].text);
    fprintf(stream, "  20 and above: of the service and its clients; see `cuzk serve --help` and "
                    "`cuzk submit --help`\n");
    fclose(stream);
    return out;
}

/* argc and argv of the command, once it has been named. */
struct invocation {
    const cuzk_command *command;
    int argc;
    char **argv;
};

static const cuzk_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct invocation *invocation = state->input;
    switch (key) {
    case 'V':
        puts(cuzk_version());
        exit(0);
    case ARGP_KEY_ARG:
        invocation->command = find_command(arg);
        if (invocation->command == NULL)
            argp_error(state, "unknown command: %s", arg);
        invocation->argc = state->argc - state->next + 1;
        invocation->argv = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no command given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_error(const cuzk_common *common, int code, const cuzk_error *err)
{
    if (!common->json) {
        fprintf(stderr, "cuzk: %s\n", err->message);
        return;
    }
    json_t *report =
        json_pack("{s:{s:s, s:i, s:s}}", "error", "status", cuzk_status_name(err->status),
                  "exit_code", code, "message", err->message);
    char *text = report == NULL ? NULL : json_dumps(report, JSON_COMPACT);
    /* A name that is no UTF-8 cannot be in JSON. */
    fprintf(stderr, "%s\n",
            text != NULL ? text : "{\"error\":{\"message\":\"not representable\"}}");
    free(text);
    json_decref(report);
}

static int run(const struct invocation *invocation)
{
    const cuzk_command *command = invocation->command;
    cuzk_common common = {0};
    cuzk_error err = {0};
    char name[64];
    snprintf(name, sizeof name, "cuzk %s", command->name);
    invocation->argv[0] = name;
    cuzk_status status = cuzk_cpu_check(&err);
    if (status == CUZK_OK)
        status = cuzk_cpu_count_check(&err);
    if (status == CUZK_OK)
        status = command->run(&common, invocation->argc, invocation->argv, &err);
    if (status == CUZK_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = cuzk_fail(&err, CUZK_ERR_IO, "standard output cannot be written");
    if (status == CUZK_OK)
        return 0;
    int code = command->plain_exit ? EXIT_FAILURE : (int)status;
    print_error(&common, code, &err);
    return code;
}

int main(int argc, char **argv)
{
    static const struct argp_option options[] = {{"version", 'V', NULL, 0, "Print the version", 0},
                                                 {0}};
    static char doc[sizeof doc_before + sizeof doc_after + 1];
    snprintf(doc, sizeof doc, "%s\v%s", doc_before, doc_after);
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "COMMAND [ARGUMENT...]",
                              .doc = doc,
                              .help_filter = extend_help};
    struct invocation invocation = {0};
    if (cuzk_service_is_meant(argc, argv)) {
        cuzk_error err = {0};
        cuzk_status status = cuzk_service_exec(argc, argv, &err);
        fprintf(stderr, "cuzk: %s\n", err.message);
        return (int)status;
    }
    argp_err_exit_status = CUZK_ERR_ARGUMENT;
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &invocation);
    return run(&invocation);
}
