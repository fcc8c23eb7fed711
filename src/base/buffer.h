/* Bytes that grow: for writers that cannot say beforehand how much they write. */
#ifndef CUZK_BASE_BUFFER_H
#define CUZK_BASE_BUFFER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty one. A failed allocation is remembered: later bytes are dropped, and
 * cuzk_buffer_take reports it. */
typedef struct cuzk_buffer {
    uint8_t *data;
    size_t size, room;
    bool failed;
} cuzk_buffer;

void cuzk_buffer_add(cuzk_buffer *buffer, const void *data, size_t n);
void cuzk_buffer_add_text(cuzk_buffer *buffer, const char *text);
void cuzk_buffer_add_decimal(cuzk_buffer *buffer, uint64_t value);

/* Moves the bytes out: *data is the caller's (free), with a NUL behind it that *size does not
 * count. The buffer is empty afterwards, also on failure. */
cuzk_status cuzk_buffer_take(cuzk_buffer *buffer, uint8_t **data, size_t *size, cuzk_error *err);

void cuzk_buffer_release(cuzk_buffer *buffer);

#endif
