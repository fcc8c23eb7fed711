/* Reads TOML: the one module in C++, because the parser is toml++, which
 * includes this within extern "C". */
#ifndef CUZK_SERVER_CONFIG_TOML_H
#define CUZK_SERVER_CONFIG_TOML_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum cuzk_toml_kind {
    CUZK_TOML_TABLE, /* a section; its values follow */
    CUZK_TOML_LIST,  /* its values follow, with this key */
    CUZK_TOML_TEXT,
    CUZK_TOML_INTEGER,
    CUZK_TOML_REAL,
    CUZK_TOML_FLAG,
    CUZK_TOML_OTHER, /* dates, and what lists may not hold here */
} cuzk_toml_kind;

typedef struct cuzk_toml_value {
    const char *key; /* "daemon.listen" */
    cuzk_toml_kind kind;
    bool in_list;
    const char *text;
    int64_t integer;
    bool flag;
    unsigned line, column; /* from 1 */
} cuzk_toml_value;

typedef cuzk_status cuzk_toml_fn(void *context, const cuzk_toml_value *value, cuzk_error *err);

/* Calls fn for everything in the document until it fails. source names it in errors, with line and
 * column; a document that is no TOML is CUZK_ERR_FORMAT. */
cuzk_status cuzk_toml_read(const char *source, const char *text, size_t size, cuzk_toml_fn *fn,
                           void *context, cuzk_error *err);

#endif
