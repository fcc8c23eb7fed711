/* Walks descriptor.proto's messages by their field numbers. */
#include "server/proto_files.h"
#include "server/wire.h"

#include <stdio.h>
#include <string.h>

/* Made from proto/ by the build. */
extern const unsigned char cuzk_proto_set[];
extern const size_t cuzk_proto_set_size;

enum { SET_FILE = 1 };
enum { FILE_NAME = 1, FILE_PACKAGE = 2, FILE_MESSAGE = 4, FILE_ENUM = 5, FILE_SERVICE = 6 };
enum { ANY_NAME = 1, SERVICE_METHOD = 2, MESSAGE_NESTED = 3, MESSAGE_ENUM = 4 };

static bool next_file(cuzk_wire *set, cuzk_proto_file *file)
{
    cuzk_wire_field field;
    while (cuzk_wire_next(set, &field)) {
        if (field.number == SET_FILE) {
            *file = (cuzk_proto_file){field.data, field.size};
            return true;
        }
    }
    return false;
}

static void open_set(cuzk_wire *set)
{
    cuzk_wire_init(set, cuzk_proto_set, cuzk_proto_set_size);
}

/* The text of a field of a message; "" if it is not there. */
static void get_text(char *out, size_t room, const uint8_t *message, size_t size, uint32_t number)
{
    cuzk_wire wire;
    cuzk_wire_field field;
    out[0] = '\0';
    cuzk_wire_init(&wire, message, size);
    while (cuzk_wire_next(&wire, &field)) {
        if (field.number == number)
            snprintf(out, room, "%.*s", (int)field.size, (const char *)field.data);
    }
}

bool cuzk_proto_file_by_name(cuzk_proto_file *file, const char *name)
{
    cuzk_wire set;
    open_set(&set);
    while (next_file(&set, file)) {
        char found[128];
        get_text(found, sizeof found, file->data, file->size, FILE_NAME);
        if (strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* What is left of symbol behind "scope." or behind all of it; NULL: it is not in the scope. */
static const char *behind(const char *symbol, const char *scope)
{
    size_t size = strlen(scope);
    if (strncmp(symbol, scope, size) != 0)
        return NULL;
    return symbol[size] == '.' ? symbol + size + 1 : symbol[size] == '\0' ? symbol + size : NULL;
}

/* Whether the declaration (of a service, message or enumeration) or one within it is named so. The
 * depth is that of our own files. */
static bool declares(const uint8_t *declaration, size_t size, const char *symbol, bool service)
{
    char name[128];
    get_text(name, sizeof name, declaration, size, ANY_NAME);
    const char *rest = behind(symbol, name);
    if (rest == NULL || rest[0] == '\0')
        return rest != NULL;
    cuzk_wire wire;
    cuzk_wire_field field;
    cuzk_wire_init(&wire, declaration, size);
    while (cuzk_wire_next(&wire, &field)) {
        bool within = service ? field.number == SERVICE_METHOD
                              : field.number == MESSAGE_NESTED || field.number == MESSAGE_ENUM;
        if (within && declares(field.data, field.size, rest, false))
            return true;
    }
    return false;
}

bool cuzk_proto_file_by_symbol(cuzk_proto_file *file, const char *symbol)
{
    cuzk_wire set, wire;
    cuzk_wire_field field;
    open_set(&set);
    while (next_file(&set, file)) {
        char package[128];
        get_text(package, sizeof package, file->data, file->size, FILE_PACKAGE);
        const char *rest = behind(symbol, package);
        cuzk_wire_init(&wire, file->data, file->size);
        while (rest != NULL && cuzk_wire_next(&wire, &field)) {
            if (field.number >= FILE_MESSAGE && field.number <= FILE_SERVICE &&
                declares(field.data, field.size, rest, field.number == FILE_SERVICE))
                return true;
        }
    }
    return false;
}

size_t cuzk_proto_services(char names[CUZK_PROTO_SERVICES_MAX][128])
{
    cuzk_wire set, wire;
    cuzk_wire_field field;
    cuzk_proto_file file;
    size_t count = 0;
    open_set(&set);
    while (next_file(&set, &file)) {
        char package[60], name[60];
        get_text(package, sizeof package, file.data, file.size, FILE_PACKAGE);
        cuzk_wire_init(&wire, file.data, file.size);
        while (count < CUZK_PROTO_SERVICES_MAX && cuzk_wire_next(&wire, &field)) {
            if (field.number != FILE_SERVICE)
                continue;
            get_text(name, sizeof name, field.data, field.size, ANY_NAME);
            snprintf(names[count++], 128, "%s.%s", package, name);
        }
    }
    return count;
}
