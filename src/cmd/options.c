#include "cmd/options.h"

#include <stdlib.h>

#define MAX_THREADS 4096

enum { KEY_JSON = 0x1000 };

static unsigned parse_threads(const char *text, struct argp_state *state)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < 1 || value > MAX_THREADS)
        argp_error(state, "--threads=%s: expected a number from 1 to %d", text, MAX_THREADS);
    return (unsigned)value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    cuzk_common *common = state->input;
    switch (key) {
    case KEY_JSON:
        common->json = true;
        return 0;
    case 't':
        common->threads = parse_threads(arg, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define OPTION_JSON                                                                                \
    {                                                                                              \
        "json", KEY_JSON, NULL, 0, "Print the result, or the error, as JSON for programs", 1       \
    }

static const struct argp_option common_options[] = {
    OPTION_JSON,
    {"threads", 't', "N", 0, "Use N threads (default: all processors this process may use)", 1},
    {0}};
static const struct argp_option json_options[] = {OPTION_JSON, {0}};

static const struct argp common_argp = {.options = common_options, .parser = parse};
static const struct argp json_argp = {.options = json_options, .parser = parse};
static const struct argp_child with_threads[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp_child without_threads[] = {{&json_argp, 0, NULL, 0}, {0}};

/* --- a command's usage --- */

typedef struct usage_call {
    const cuzk_usage *usage;
    cuzk_common *common;
    void *input;
} usage_call;

static error_t parse_usage(int key, char *arg, struct argp_state *state)
{
    usage_call *call = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = call->common;
        return 0;
    }
    state->input = call->input;
    const error_t error = call->usage->parser(key, arg, state);
    state->input = call;
    return error;
}

void cuzk_usage_parse(const cuzk_usage *usage, int argc, char **argv, cuzk_common *common,
                      void *input)
{
    const struct argp argp = {.options = usage->options,
                              .parser = parse_usage,
                              .args_doc = usage->args_doc,
                              .doc = usage->doc,
                              .children = usage->json_only ? without_threads : with_threads};
    usage_call call = {usage, common, input};
    argp_parse(&argp, argc, argv, 0, NULL, &call);
}

cuzk_status cuzk_common_pool(const cuzk_common *common, cuzk_pool **pool, cuzk_error *err)
{
    *pool = cuzk_pool_new(common->threads);
    if (*pool == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "the worker threads cannot be started; try --threads=1");
    return CUZK_OK;
}

/* --- arguments that are no options --- */

error_t cuzk_positionals_parse(cuzk_positionals *positionals, int key, char *arg,
                               struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_ARG:
        if (positionals->n == positionals->most)
            argp_error(state, "unexpected argument: %s", arg);
        else
            positionals->value[positionals->n++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (positionals->n < positionals->least)
            argp_error(state, "%u argument%s missing", positionals->least - positionals->n,
                       positionals->least - positionals->n == 1 ? " is" : "s are");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t cuzk_positionals_only(int key, char *arg, struct argp_state *state)
{
    return cuzk_positionals_parse(state->input, key, arg, state);
}
