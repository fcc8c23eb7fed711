/* Reads protobuf's wire format in place, without copies: for requests of up to 128 MiB, of which
 * unpacking would make two. */
#ifndef CUZK_SERVER_WIRE_H
#define CUZK_SERVER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cuzk_wire_type {
    CUZK_WIRE_VARINT = 0,
    CUZK_WIRE_FIXED64 = 1,
    CUZK_WIRE_BYTES = 2,
    CUZK_WIRE_FIXED32 = 5,
} cuzk_wire_type;

typedef struct cuzk_wire {
    const uint8_t *at, *end;
    bool bad; /* malformed: nothing more is read */
} cuzk_wire;

typedef struct cuzk_wire_field {
    uint32_t number;
    cuzk_wire_type type;
    uint64_t value;      /* VARINT, FIXED64, FIXED32 */
    const uint8_t *data; /* BYTES: points into the message */
    size_t size;
} cuzk_wire_field;

void cuzk_wire_init(cuzk_wire *wire, const void *message, size_t size);
/* false: the end, or malformed (wire->bad). Groups, which proto3 does not have, are malformed. */
bool cuzk_wire_next(cuzk_wire *wire, cuzk_wire_field *field);

/* Well-formed UTF-8 without overlong forms and surrogates, as protobuf demands of strings. */
bool cuzk_utf8_is_valid(const uint8_t *text, size_t size);

#endif
