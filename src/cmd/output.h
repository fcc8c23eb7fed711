/* What commands write. */
#ifndef CUZK_CMD_OUTPUT_H
#define CUZK_CMD_OUTPUT_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* "-" stands for standard output. */
bool cuzk_output_is_stdout(const char *path);

/* A regular file, there or to be made: its content is put in place in one step. */
bool cuzk_output_is_file(const char *path);

/* Whether path will be writable: before hours of work and not after. */
cuzk_status cuzk_output_probe(const char *path, cuzk_error *err);

/* Writes bytes to path, whole or not at all (base/outfile.h), or to standard output. */
cuzk_status cuzk_output_write(const char *path, const void *data, size_t n, cuzk_error *err);

/* The same for a text; on standard output a newline follows it. */
cuzk_status cuzk_output_text(const char *path, const char *text, cuzk_error *err);

/* Prints a report, an object, on standard output, as JSON or as lines "name: value" for people, and
 * drops the reference. NULL, from a failed allocation, is CUZK_ERR_MEMORY. */
cuzk_status cuzk_output_report(json_t *report, bool json, cuzk_error *err);

#endif
