#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for n more bytes and a NUL. */
static bool make_room(cuzk_buffer *buffer, size_t n)
{
    if (buffer->failed || n < buffer->room - buffer->size)
        return !buffer->failed;
    size_t room = buffer->room < 256 ? 256 : buffer->room;
    while (room - buffer->size <= n && room <= SIZE_MAX / 2)
        room *= 2;
    uint8_t *data = room - buffer->size > n ? realloc(buffer->data, room) : NULL;
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->room = room;
    return true;
}

void cuzk_buffer_add(cuzk_buffer *buffer, const void *data, size_t n)
{
    if (n == 0 || !make_room(buffer, n))
        return;
    memcpy(buffer->data + buffer->size, data, n);
    buffer->size += n;
}

void cuzk_buffer_add_text(cuzk_buffer *buffer, const char *text)
{
    cuzk_buffer_add(buffer, text, strlen(text));
}

void cuzk_buffer_add_decimal(cuzk_buffer *buffer, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    cuzk_buffer_add(buffer, digits + at, sizeof digits - at);
}

cuzk_status cuzk_buffer_take(cuzk_buffer *buffer, uint8_t **data, size_t *size, cuzk_error *err)
{
    if (!make_room(buffer, 0)) {
        size_t reached = buffer->size;
        cuzk_buffer_release(buffer);
        return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for more than %zu bytes of output",
                         reached);
    }
    buffer->data[buffer->size] = 0;
    *data = buffer->data;
    *size = buffer->size;
    *buffer = (cuzk_buffer){0};
    return CUZK_OK;
}

void cuzk_buffer_release(cuzk_buffer *buffer)
{
    free(buffer->data);
    *buffer = (cuzk_buffer){0};
}
