#include "cmd/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct choice {
    const cuzk_group *group;
    const cuzk_command *action;
    int argc;
    char **argv;
};

static char *extend_help(int key, const char *text, void *input)
{
    const struct choice *choice = input;
    char *out = NULL;
    size_t size = 0;
    FILE *stream = key == ARGP_KEY_HELP_POST_DOC ? open_memstream(&out, &size) : NULL;
    if (stream == NULL)
        return (char *)(uintptr_t)text;
    fprintf(stream, "Actions:\n");
    for (size_t i = 0; i < choice->group->n; i++)
        fprintf(stream, "  %-8s  %s\n", choice->group->actions[i].name,
                choice->group->actions[i].summary);
    fprintf(stream, "\n%s", text);
    fclose(stream);
    return out;
}

static const cuzk_command *find(const cuzk_group *group, const char *name)
{
    for (size_t i = 0; i < group->n; i++)
        if (strcmp(group->actions[i].name, name) == 0)
            return &group->actions[i];
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        choice->action = find(choice->group, arg);
        if (choice->action == NULL)
            argp_error(state, "unknown action: %s", arg);
        choice->argc = state->argc - state->next + 1;
        choice->argv = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no action given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

cuzk_status cuzk_group_run(const cuzk_group *group, cuzk_common *common, int argc, char **argv,
                           cuzk_error *err)
{
    char doc[1024], name[64];
    struct choice choice = {.group = group};
    snprintf(doc, sizeof doc, "%s\v%s", group->before, group->after);
    const struct argp argp = {.parser = parse,
                              .args_doc = "ACTION [ARGUMENT...]",
                              .doc = doc,
                              .help_filter = extend_help};
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
    snprintf(name, sizeof name, "cuzk %s %s", group->name, choice.action->name);
    choice.argv[0] = name;
    return choice.action->run(common, choice.argc, choice.argv, err);
}
