#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINE 2048

static const char *const names[] = {"ERROR", "WARN", "INFO", "DEBUG"};
static atomic_int threshold = CUZK_LOG_WARN;

static atomic_bool as_json;

void cuzk_log_set_level(cuzk_log_level level)
{
    atomic_store(&threshold, (int)level);
}

bool cuzk_log_wants(cuzk_log_level level)
{
    return (int)level <= atomic_load(&threshold);
}

void cuzk_log_set_json(bool json)
{
    atomic_store(&as_json, json);
}

bool cuzk_log_is_json(void)
{
    return atomic_load(&as_json);
}

static size_t format_time(char *text, size_t size)
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    const size_t used = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &utc);
    return used + (size_t)snprintf(text + used, size - used, ".%06dZ", (int)(now.tv_nsec / 1000));
}

static size_t text_line(char *line, const char *time, cuzk_log_level level, const char *message)
{
    size_t used = (size_t)snprintf(line, MAX_LINE, "%s %s ", time, names[level]);
    for (; *message != '\0' && used < MAX_LINE; message++)
        line[used++] = (unsigned char)*message < 0x20 || *message == 0x7f ? ' ' : *message;
    return used;
}

/* Control characters are spaces here too; bytes from 0x80 on are passed on as they are. */
static size_t json_line(char *line, const char *time, cuzk_log_level level, const char *message)
{
    size_t used = (size_t)snprintf(line, MAX_LINE, "{\"ts\":\"%s\",\"level\":\"%s\",\"message\":\"",
                                   time, names[level]);
    for (; *message != '\0' && used < MAX_LINE - 4; message++) {
        if (*message == '"' || *message == '\\')
            line[used++] = '\\';
        line[used++] = (unsigned char)*message < 0x20 || *message == 0x7f ? ' ' : *message;
    }
    line[used++] = '"';
    line[used++] = '}';
    return used;
}

void cuzk_log(cuzk_log_level level, const char *format, ...)
{
    if (!cuzk_log_wants(level))
        return;
    char time[40], message[MAX_LINE], line[MAX_LINE + 1];
    format_time(time, sizeof time);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t length = atomic_load(&as_json) ? json_line(line, time, level, message)
                                          : text_line(line, time, level, message);
    line[length++] = '\n';
    /* There is nowhere to report that the log cannot be written. */
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}
