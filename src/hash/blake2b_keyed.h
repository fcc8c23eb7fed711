/* BLAKE2b with a key and 32 bytes of output. */
#ifndef CUZK_HASH_BLAKE2B_KEYED_H
#define CUZK_HASH_BLAKE2B_KEYED_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* key: at most 64 characters, without their NUL. */
cuzk_status cuzk_blake2b_keyed(uint8_t out[32], const char *key, const void *data, size_t n,
                               cuzk_error *err);

#endif
