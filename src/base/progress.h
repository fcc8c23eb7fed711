/* A progress bar for the person at a terminal. */
#ifndef CUZK_BASE_PROGRESS_H
#define CUZK_BASE_PROGRESS_H

#include <stdint.h>

typedef struct cuzk_progress cuzk_progress;

/* cuzk_progress_start prepares a bar for total > 0 steps. It shows on standard error once the work
 * has taken a second. Returns NULL, which all functions accept, when standard error is no terminal
 * or there is no memory. what: a few words, kept by the caller until the end. */
cuzk_progress *cuzk_progress_start(const char *what, uint64_t total);

/* Counts steps that are done. Any thread; cheap enough for each tile, not for each element. */
void cuzk_progress_add(cuzk_progress *progress, uint64_t steps);

/* Erases the bar and frees it. No other thread may still be counting. */
void cuzk_progress_end(cuzk_progress *progress);

#endif
