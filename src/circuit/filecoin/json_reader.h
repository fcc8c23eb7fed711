/* Pulls the parts of a JSON text one after another (RFC 8259), in constant memory, for C1 outputs:
 * 50 MB, nearly all of it arrays of 32 small integers.
 *
 * Why not a library: jansson, which reads all other JSON here, holds the document (several hundred
 * megabytes). Packaged ones that stream were measured on 40 MB: yajl takes 0.32 s, RapidJSON 0.19 s
 * (recursing as deep as the text asks) or 0.27 s, for the bare grammar; this reader 0.08 s with all
 * that is made of the text. Both end the process when memory is short.
 *
 * Strict: members that are asked for exist exactly once, others are skipped (their grammar and
 * depth are checked); integers have no sign, fraction, exponent or leading zero. The first error
 * sticks: it is in *err, with name, place and byte, and all later calls return false or -1. */
#ifndef CUZK_CIRCUIT_FILECOIN_JSON_READER_H
#define CUZK_CIRCUIT_FILECOIN_JSON_READER_H

#include "base/status.h"
#include "circuit/filecoin/place.h"
#include "field/scalar.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cuzk_json_reader {
    const char *start, *at, *end; /* the part in hand, and where reading stands */
    uint64_t before;              /* bytes of the text before start */
    /* Called when all in hand is read: brings the next part, setting start, at, end and before.
     * Returns false when there is none, or having failed. NULL: all is in hand. */
    bool (*more)(struct cuzk_json_reader *in, void *source);
    void *source;
    const char *name; /* of the text, in messages */
    cuzk_place place;
    cuzk_error *err;
    bool failed;
} cuzk_json_reader;

/* Reads n bytes of text. name and err live as long as the reader. */
void cuzk_json_reader_init(cuzk_json_reader *in, const char *text, size_t n, const char *name,
                           cuzk_error *err);

/* An object or array that is being read; {0} before its first part. */
typedef struct cuzk_json_scope {
    size_t count;  /* parts so far */
    uint32_t seen; /* bit i: member i */
    bool inside;   /* the place is that of a part */
} cuzk_json_scope;

/* Returns which of the n members (at most 32) of the object comes next, having read its name: the
 * caller reads its value before it asks again. At the end, when all have been there, -1. */
int cuzk_json_member(cuzk_json_reader *in, cuzk_json_scope *scope, const char *const *names, int n);

/* The same for an object whose only member is `name`. True once. */
bool cuzk_json_variant(cuzk_json_reader *in, cuzk_json_scope *scope, const char *name);

/* True for each of the array's n elements, which the caller reads; its number is scope->count - 1.
 * Any other number of elements is an error. */
bool cuzk_json_item(cuzk_json_reader *in, cuzk_json_scope *scope, size_t n);

/* An integer from 0 to most. */
bool cuzk_json_u64(cuzk_json_reader *in, uint64_t *value, uint64_t most);

/* An array of 32 integers from 0 to 255. */
bool cuzk_json_bytes32(cuzk_json_reader *in, uint8_t out[32]);

/* The same as a number, the lowest byte first, below the order r of BLS12-381. */
bool cuzk_json_fr(cuzk_json_reader *in, cuzk_scalar *value);

/* A string with a NUL. One that is not shorter than room, or has characters beyond ASCII, comes out
 * as something that is no known name. */
bool cuzk_json_string(cuzk_json_reader *in, char *out, size_t room);

/* The characters of a string in a text that is all in hand, as they stand there: base64 has none
 * that are written with a backslash. */
bool cuzk_json_span(cuzk_json_reader *in, const char **text, size_t *n);

/* Only white space is left. */
bool cuzk_json_end(cuzk_json_reader *in);

/* Records the error "name: place (byte n): ..." of the part being read. Returns false. */
bool cuzk_json_fail(cuzk_json_reader *in, cuzk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
