#include "support/log_reader.h"

#include "support/test.h"

#include <jansson.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUPS_MAX 12
#define TIME       "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z"

static FILE *captured;
static int kept = -1;

void log_capture(void)
{
    captured = tmpfile();
    assert_non_null(captured);
    kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(fileno(captured), STDERR_FILENO) >= 0);
}

bool log_match(const char *message, const char *expression, char (*text)[LOG_TEXT], size_t groups)
{
    char whole[LOG_TEXT];
    regex_t regex;
    regmatch_t match[GROUPS_MAX + 1];
    snprintf(whole, sizeof whole, "^%s$", expression);
    assert_true(groups <= GROUPS_MAX);
    if (regcomp(&regex, whole, REG_EXTENDED) != 0)
        fail_msg("no expression: %s", whole);
    assert_true(regex.re_nsub >= groups);
    const bool found = regexec(&regex, message, groups + 1, match, 0) == 0;
    for (size_t i = 0; found && i < groups; i++)
        snprintf(text[i], LOG_TEXT, "%.*s", (int)(match[i + 1].rm_eo - match[i + 1].rm_so),
                 message + match[i + 1].rm_so);
    regfree(&regex);
    return found;
}

static void read_text(log_line *line, const char *text)
{
    char part[2][LOG_TEXT];
    if (strncmp(text, "TIMELINE,", 9) == 0) {
        snprintf(line->message, sizeof line->message, "%s", text);
        return;
    }
    if (!log_match(text, TIME " (ERROR|WARN|INFO|DEBUG) (.*)", part, 2))
        fail_msg("no line of a log: %s", text);
    snprintf(line->level, sizeof line->level, "%.7s", part[0]);
    memcpy(line->message, part[1], sizeof line->message);
}

static void read_json(log_line *line, const char *text)
{
    json_error_t where;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    if (object == NULL)
        fail_msg("no JSON: %s: %s", text, where.text);
    const char *time, *level, *message;
    assert_int_equal(
        json_unpack(object, "{s:s, s:s, s:s}", "ts", &time, "level", &level, "message", &message),
        0);
    assert_true(log_match(time, TIME, NULL, 0));
    snprintf(line->level, sizeof line->level, "%s", level);
    snprintf(line->message, sizeof line->message, "%s", message);
    json_decref(object);
}

void log_read(log_file *f, bool json)
{
    static char text[4096];
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    rewind(captured);
    *f = (log_file){0};
    while (fgets(text, sizeof text, captured) != NULL) {
        const size_t length = strcspn(text, "\n");
        assert_int_equal(text[length], '\n');
        text[length] = '\0';
        f->lines = realloc(f->lines, (f->n + 1) * sizeof *f->lines);
        assert_non_null(f->lines);
        memset(&f->lines[f->n], 0, sizeof f->lines[f->n]);
        (json ? read_json : read_text)(&f->lines[f->n++], text);
    }
    fclose(captured);
}

/* A field of a CSV line, up to a comma; returns what is after that. */
static const char *take_field(char *to, size_t room, const char *from)
{
    size_t n = 0;
    const bool quoted = *from == '"';
    for (from += quoted; *from != '\0'; from++) {
        if (quoted && *from == '"' && *++from != '"')
            break;
        if (!quoted && *from == ',')
            break;
        assert_true(n + 1 < room);
        to[n++] = *from;
    }
    to[n] = '\0';
    assert_int_equal(*from, ',');
    return from + 1;
}

bool log_timeline_read(log_timeline *t, const char *message)
{
    char word[32];
    if (strncmp(message, "TIMELINE,", 9) != 0)
        return false;
    message = take_field(word, sizeof word, message);
    message = take_field(word, sizeof word, message);
    assert_true(log_match(word, "[0-9]+", NULL, 0));
    t->ms = strtoull(word, NULL, 10);
    message = take_field(t->event, sizeof t->event, message);
    message = take_field(t->job_id, sizeof t->job_id, message);
    snprintf(t->detail, sizeof t->detail, "%s", message); /* the rest: it has commas of its own */
    return true;
}
