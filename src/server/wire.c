#include "server/wire.h"

void cuzk_wire_init(cuzk_wire *wire, const void *message, size_t size)
{
    const uint8_t *bytes = message;
    *wire = (cuzk_wire){.at = bytes, .end = size > 0 ? bytes + size : bytes};
}

static bool fail(cuzk_wire *wire)
{
    wire->bad = true;
    return false;
}

static bool read_varint(cuzk_wire *wire, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (wire->at == wire->end)
            return fail(wire);
        uint8_t byte = *wire->at++;
        if (shift == 63 && byte > 1)
            return fail(wire);
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return fail(wire);
}

static bool read_fixed(cuzk_wire *wire, unsigned bytes, uint64_t *value)
{
    if ((size_t)(wire->end - wire->at) < bytes)
        return fail(wire);
    *value = 0;
    for (unsigned i = 0; i < bytes; i++)
        *value |= (uint64_t)*wire->at++ << (8 * i);
    return true;
}

static bool read_bytes(cuzk_wire *wire, cuzk_wire_field *field)
{
    uint64_t size;
    if (!read_varint(wire, &size))
        return false;
    if (size > (uint64_t)(wire->end - wire->at))
        return fail(wire);
    field->data = wire->at;
    field->size = (size_t)size;
    wire->at += size;
    return true;
}

bool cuzk_wire_next(cuzk_wire *wire, cuzk_wire_field *field)
{
    *field = (cuzk_wire_field){0};
    uint64_t key;
    if (wire->bad || wire->at == wire->end || !read_varint(wire, &key))
        return false;
    if (key >> 3 == 0 || key >> 3 > 0x1fffffff)
        return fail(wire);
    field->number = (uint32_t)(key >> 3);
    field->type = (cuzk_wire_type)(key & 7);
    switch (field->type) {
    case CUZK_WIRE_VARINT:
        return read_varint(wire, &field->value);
    case CUZK_WIRE_FIXED64:
        return read_fixed(wire, 8, &field->value);
    case CUZK_WIRE_BYTES:
        return read_bytes(wire, field);
    case CUZK_WIRE_FIXED32:
        return read_fixed(wire, 4, &field->value);
    }
    return fail(wire);
}

/* How many bytes the sequence that starts here has; 0: none does. *least: the smallest code point
 * that may be written so long. */
static unsigned sequence_length(uint8_t first, uint32_t *least)
{
    *least = first < 0x80 ? 0 : first < 0xe0 ? 0x80 : first < 0xf0 ? 0x800 : 0x10000;
    if (first < 0x80)
        return 1;
    if (first < 0xc0 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

bool cuzk_utf8_is_valid(const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t least;
        unsigned length = sequence_length(text[i], &least);
        if (length == 0 || length > size - i)
            return false;
        uint32_t code = length == 1 ? text[i] : text[i] & (0x7fu >> length);
        for (unsigned k = 1; k < length; k++) {
            if ((text[i + k] & 0xc0) != 0x80)
                return false;
            code = code << 6 | (text[i + k] & 0x3fu);
        }
        if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
        i += length;
    }
    return true;
}
