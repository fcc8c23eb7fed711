/* A look at a TOML document before it is parsed. */
#ifndef CUZK_SERVER_CONFIG_SCAN_H
#define CUZK_SERVER_CONFIG_SCAN_H

#include "base/status.h"

#include <stddef.h>

/* CUZK_ERR_FORMAT, with line and column, if a byte that is not printable ASCII stands outside of
 * strings and comments: TOML wants none there, and toml++ 3.3 is undefined on some. */
cuzk_status cuzk_config_scan(const char *source, const char *text, size_t size, cuzk_error *err);

#endif
