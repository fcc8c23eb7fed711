/* Answers. */
#include "server/http_internal.h"
#include "server/status_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPE_JSON "application/json"

void http_answer_text(http_exchange *x, unsigned code, const char *type, char *text)
{
    free(x->answer.text);
    x->answer.text = text;
    x->answer.size = text != NULL ? strlen(text) : 0;
    x->answer.code = text != NULL ? code : MHD_HTTP_INTERNAL_SERVER_ERROR;
    x->answer.type = type;
}

void http_answer_json(http_exchange *x, unsigned code, json_t *object)
{
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    http_answer_text(x, code, TYPE_JSON, text);
}

void http_answer_error(http_exchange *x, unsigned status, const char *code, const char *format, ...)
{
    char message[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    http_answer_json(
        x, status,
        json_pack("{s:{s:s, s:o}}", "error", "code", code, "message", cuzk_json_text(message)));
}

static unsigned code_of(cuzk_status status)
{
    switch (status) {
    case CUZK_ERR_ARGUMENT:
    case CUZK_ERR_FORMAT:
        return MHD_HTTP_BAD_REQUEST;
    case CUZK_ERR_UNSUPPORTED:
        return MHD_HTTP_NOT_IMPLEMENTED;
    case CUZK_ERR_MISMATCH:
    case CUZK_ERR_INSECURE:
    case CUZK_ERR_UNSATISFIED:
    case CUZK_ERR_REJECTED:
        return HTTP_UNPROCESSABLE;
    case CUZK_ERR_MEMORY:
    case CUZK_ERR_CANCELLED:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    case CUZK_OK:
    case CUZK_ERR_IO:
    case CUZK_ERR_RANDOM:
    case CUZK_ERR_DEVICE:
        break;
    }
    return MHD_HTTP_INTERNAL_SERVER_ERROR;
}

void http_answer_status(http_exchange *x, cuzk_status status, const char *message)
{
    http_answer_error(x, code_of(status), cuzk_status_name(status), "%s", message);
}

static void add_headers(const http_exchange *x, struct MHD_Response *response)
{
    char number[16];
    if (x->answer.type != NULL)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, x->answer.type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (x->answer.cors)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    if (x->answer.allow != NULL)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, x->answer.allow);
    if (x->answer.location[0] != '\0')
        MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, x->answer.location);
    if (x->answer.code == MHD_HTTP_UNAUTHORIZED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE,
                                "Bearer realm=\"cuzk\"");
    if (x->answer.retry_s > 0) {
        snprintf(number, sizeof number, "%u", x->answer.retry_s);
        MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, number);
    }
    if (x->answer.close)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
}

enum MHD_Result http_send(http_exchange *x)
{
    char *text = x->answer.text;
    x->answer.text = NULL;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        x->answer.size, text != NULL ? text : (void *)"",
        text != NULL ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        free(text);
        return MHD_NO;
    }
    add_headers(x, response);
    enum MHD_Result sent = MHD_queue_response(x->connection, x->answer.code, response);
    MHD_destroy_response(response);
    return sent;
}
