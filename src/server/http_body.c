/* Bodies: charged to the engine's account of bytes in flight as they come, so an announcement alone
 * takes nothing. */
#include "server/http_internal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_ROOM  ((size_t)256 << 10)
#define NS_PER_MS   1000000u
#define NS_PER_BYTE 954u /* 1 MiB/s */

static const char *header(const http_exchange *x, const char *name)
{
    return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, name);
}

typedef struct length_headers {
    unsigned lengths, encodings;
} length_headers;

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    (void)kind;
    (void)value;
    length_headers *seen = context;
    seen->lengths += strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0;
    seen->encodings += strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0;
    return MHD_YES;
}

/* Two opinions about where a body ends are how requests are smuggled past a proxy. */
static bool frame_is_plain(const http_exchange *x)
{
    length_headers seen = {0, 0};
    MHD_get_connection_values(x->connection, MHD_HEADER_KIND, count_header, &seen);
    return seen.lengths + seen.encodings <= 1;
}

static bool grow(http_exchange *x, size_t room)
{
    if (!cuzk_engine_receive(x->server->engine, room - x->body_room)) {
        x->body_refused = MHD_HTTP_TOO_MANY_REQUESTS;
        return false;
    }
    uint8_t *body = realloc(x->body, room);
    if (body == NULL) {
        cuzk_engine_received(x->server->engine, room - x->body_room);
        x->body_refused = MHD_HTTP_SERVICE_UNAVAILABLE;
        return false;
    }
    x->body = body;
    x->body_room = room;
    return true;
}

static size_t room_for(const http_exchange *x, size_t size)
{
    size_t most = x->body_total != SIZE_MAX ? x->body_total : x->server->config.body_max;
    size_t room = x->body_room > 0 ? x->body_room : FIRST_ROOM;
    while (room < size)
        room *= 2;
    return room < most ? room : most;
}

bool http_body_is_announced(const http_exchange *x)
{
    const char *length = header(x, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return header(x, MHD_HTTP_HEADER_TRANSFER_ENCODING) != NULL ||
           (length != NULL && strspn(length, "0") != strlen(length));
}

/* What Content-Length says; SIZE_MAX: there is none. */
static size_t read_length(const http_exchange *x)
{
    const char *length = header(x, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (length == NULL)
        return SIZE_MAX;
    char *end;
    unsigned long long total = strtoull(length, &end, 10);
    return *end == '\0' && total < SIZE_MAX ? (size_t)total : SIZE_MAX - 1;
}

bool http_body_begin(http_exchange *x)
{
    size_t most = x->server->config.body_max;
    bool wanted = x->method == HTTP_POST && x->target.route == CUZK_ROUTE_JOBS;
    x->body_began = cuzk_clock_ns();
    x->body_total = read_length(x);
    if (!frame_is_plain(x)) {
        http_answer_error(x, MHD_HTTP_BAD_REQUEST, "bad_request",
                          "more than one header says how long the body is");
    } else if (!http_body_is_announced(x)) {
        if (!wanted)
            return true;
        http_answer_error(x, MHD_HTTP_BAD_REQUEST, "bad_request",
                          "the body is empty; send the bytes of a .wtns file, or a vanilla proof");
    } else if (!wanted) {
        http_answer_error(x, MHD_HTTP_BAD_REQUEST, "bad_request", "no body is expected here");
    } else if (x->body_total != SIZE_MAX && x->body_total > most) {
        http_answer_error(x, HTTP_TOO_LARGE, "too_large", "the body is over %zu bytes", most);
    } else if (!grow(x, room_for(x, 1))) {
        x->answer.retry_s = 1;
        http_answer_error(x, x->body_refused, "busy",
                          "too many bytes of requests are being received; try again");
    } else {
        return true;
    }
    x->answer.close = http_body_is_announced(x);
    return false;
}

/* A client must keep up an average of 1 MiB/s after the first body_ms. */
static void extend(http_exchange *x, size_t size)
{
    uint64_t deadline = x->body_began + x->server->config.body_ms * NS_PER_MS + size * NS_PER_BYTE;
    pthread_mutex_lock(&x->server->lock);
    http_conn_set_deadline(x->server, x->conn, deadline);
    pthread_mutex_unlock(&x->server->lock);
}

void http_body_take(http_exchange *x, const void *data, size_t size)
{
    size_t most = x->server->config.body_max;
    if (x->body_refused != 0)
        return; /* its deadline is not extended any more */
    extend(x, x->body_size + size);
    if (size > most - x->body_size)
        x->body_refused = HTTP_TOO_LARGE;
    else if (x->body_size + size > x->body_room)
        grow(x, room_for(x, x->body_size + size));
    if (x->body_refused != 0) {
        http_body_release(x);
        return;
    }
    memcpy(x->body + x->body_size, data, size);
    x->body_size += size;
}

void http_body_release(http_exchange *x)
{
    free(x->body);
    if (x->body_room > 0)
        cuzk_engine_received(x->server->engine, x->body_room);
    x->body = NULL;
    x->body_room = x->body_size = 0;
}
