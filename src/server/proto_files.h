/* The descriptions of our protobuf files, as protoc compiled them into the program. */
#ifndef CUZK_SERVER_PROTO_FILES_H
#define CUZK_SERVER_PROTO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A serialised FileDescriptorProto. None of our files imports another. Static storage. */
typedef struct cuzk_proto_file {
    const uint8_t *data;
    size_t size;
} cuzk_proto_file;

#define CUZK_PROTO_SERVICES_MAX 8

/* false: there is none. */
bool cuzk_proto_file_by_name(cuzk_proto_file *file, const char *name);
/* symbol: a service, a method, a message or an enumeration with its package, also nested ones. */
bool cuzk_proto_file_by_symbol(cuzk_proto_file *file, const char *symbol);
/* Fills names with those of all services, with their packages; returns how many. */
size_t cuzk_proto_services(char names[CUZK_PROTO_SERVICES_MAX][128]);

#endif
