/* Log lines on standard error. */
#ifndef CUZK_BASE_LOG_H
#define CUZK_BASE_LOG_H

#include <stdbool.h>

typedef enum cuzk_log_level {
    CUZK_LOG_ERROR = 0,
    CUZK_LOG_WARN = 1,
    CUZK_LOG_INFO = 2,
    CUZK_LOG_DEBUG = 3
} cuzk_log_level;

/* Lines above this level are dropped. The default is CUZK_LOG_WARN. Any thread. */
void cuzk_log_set_level(cuzk_log_level level);

/* Whether lines of this level are written. Any thread. */
bool cuzk_log_wants(cuzk_log_level level);

/* Lines as text (the default) or as JSON objects {"ts", "level", "message"}. Any thread. */
void cuzk_log_set_json(bool json);
bool cuzk_log_is_json(void);

/* Writes one line, "2026-01-31T12:00:00.123456Z WARN message", in one piece whatever other threads
 * write. Control characters become spaces, so a file name cannot forge a line; over 2000 bytes are
 * cut. */
void cuzk_log(cuzk_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
