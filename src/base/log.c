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

void cuzk_log_set_level(cuzk_log_level level)
{
    atomic_store(&threshold, (int)level);
}

static size_t format_prefix(char *line, size_t size, cuzk_log_level level)
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t used = strftime(line, size, "%Y-%m-%dT%H:%M:%S", &utc);
    int more = snprintf(line + used, size - used, ".%03dZ %s ", (int)(now.tv_nsec / 1000000),
                        names[level]);
    return used + (size_t)more;
}

void cuzk_log(cuzk_log_level level, const char *format, ...)
{
    if ((int)level > atomic_load(&threshold))
        return;
    char line[MAX_LINE + 1];
    size_t start = format_prefix(line, MAX_LINE, level);
    va_list args;
    va_start(args, format);
    vsnprintf(line + start, MAX_LINE - start, format, args);
    va_end(args);

    size_t length = strlen(line);
    for (size_t i = start; i < length; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = ' ';
    line[length++] = '\n';
    /* There is nowhere to report that the log cannot be written. */
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}
