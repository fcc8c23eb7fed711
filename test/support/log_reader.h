/* An engine's log, read back the way an operator's script does. */
#ifndef CUZK_TEST_LOG_READER_H
#define CUZK_TEST_LOG_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_TEXT 1200

typedef struct log_line {
    char message[LOG_TEXT]; /* without time and level; of a TIMELINE line, all of it */
    char level[8];          /* "": a TIMELINE line in text form */
} log_line;

typedef struct log_file {
    log_line *lines;
    size_t n;
} log_file;

/* Standard error goes to a file from here on. */
void log_capture(void);
/* Ends that, and reads the lines; each must have the form asked for. The caller frees f->lines. */
void log_read(log_file *f, bool json);

/* The fields of a "TIMELINE,..." line, unquoted; false: it is none. */
typedef struct log_timeline {
    unsigned long long ms;
    char event[32], job_id[LOG_TEXT], detail[LOG_TEXT];
} log_timeline;
bool log_timeline_read(log_timeline *t, const char *message);

/* Whether the message matches an extended regular expression as a whole; text[i] gets group
 * i + 1, each of LOG_TEXT bytes. */
bool log_match(const char *message, const char *expression, char (*text)[LOG_TEXT], size_t groups);

#endif
