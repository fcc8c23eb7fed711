/* Keys over REST: POST loads one, DELETE drops one. */
#include "server/http_internal.h"

#include <stdio.h>

static void finish(http_exchange *x)
{
    bool evicts = x->method == HTTP_DELETE;
    if (x->reply.status == CUZK_ERR_ARGUMENT && evicts)
        http_answer_error(x, MHD_HTTP_CONFLICT, "in_use", "%s", x->reply.message);
    else if (x->reply.status != CUZK_OK)
        http_answer_status(x, x->reply.status, x->reply.message);
    else
        http_answer_json(x, MHD_HTTP_OK,
                         json_pack("{s:s, s:b, s:I, s:I}", "key", x->target.name, "was_loaded",
                                   (int)x->reply.flag, evicts ? "freed_bytes" : "bytes",
                                   (json_int_t)x->reply.bytes, "ms", (json_int_t)x->reply.ms));
}

static void on_key(void *context, cuzk_status status, const char *message, bool was_loaded,
                   uint64_t bytes, uint64_t ms)
{
    http_exchange *x = context;
    x->reply.status = status;
    x->reply.flag = was_loaded;
    x->reply.bytes = bytes;
    x->reply.ms = ms;
    snprintf(x->reply.message, sizeof x->reply.message, "%s", message != NULL ? message : "");
    http_settle(x);
}

void http_key_preload(http_exchange *x)
{
    if (http_wait_begin(x, finish))
        cuzk_engine_preload(x->server->engine, x->target.name, on_key, x);
}

void http_key_evict(http_exchange *x)
{
    if (http_wait_begin(x, finish))
        cuzk_engine_evict(x->server->engine, x->target.name, on_key, x);
}
