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

const struct argp cuzk_common_argp = {.options = common_options, .parser = parse};
const struct argp cuzk_json_argp = {.options = json_options, .parser = parse};

cuzk_status cuzk_common_pool(const cuzk_common *common, cuzk_pool **pool, cuzk_error *err)
{
    *pool = cuzk_pool_new(common->threads);
    if (*pool == NULL)
        return cuzk_fail(err, CUZK_ERR_MEMORY,
                         "the worker threads cannot be started; try --threads=1");
    return CUZK_OK;
}

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
