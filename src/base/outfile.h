/* Writing a file so that its name shows either the old content or the whole new one. */
#ifndef CUZK_BASE_OUTFILE_H
#define CUZK_BASE_OUTFILE_H

#include "base/status.h"

#include <stddef.h>

typedef struct cuzk_outfile cuzk_outfile;

/* cuzk_outfile_open makes a new file beside path, or beside what a link at path leads to. A path
 * that is a device or a pipe (/dev/stdout) is written to directly. On success *file is owned by the
 * caller, until one of cuzk_outfile_commit and cuzk_outfile_abandon. Errors name the path. */
cuzk_status cuzk_outfile_open(cuzk_outfile **file, const char *path, cuzk_error *err);

/* Appends n bytes. A failure is remembered and reported by cuzk_outfile_commit, so that calls can
 * follow one another without checks. */
void cuzk_outfile_write(cuzk_outfile *file, const void *data, size_t n);

/* Flushes, syncs, and renames over path. Frees file; on failure path is as it was. */
cuzk_status cuzk_outfile_commit(cuzk_outfile *file, cuzk_error *err);

/* Deletes what was written and frees file. NULL is allowed. */
void cuzk_outfile_abandon(cuzk_outfile *file);

#endif
