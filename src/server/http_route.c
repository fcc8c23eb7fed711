/* From libmicrohttpd's calls to handlers. A request is seen three times or more: with its head,
 * with each piece of its body, when it is whole, and again when it was suspended and goes on. */
#include "server/http_internal.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000u

static const struct route {
    cuzk_http_route route;
    unsigned methods;
    const char *allow;
} routes[] = {
    {CUZK_ROUTE_STATUS, HTTP_GET | HTTP_HEAD, "GET, HEAD"},
    {CUZK_ROUTE_METRICS, HTTP_GET | HTTP_HEAD, "GET, HEAD"},
    {CUZK_ROUTE_HEALTHZ, HTTP_GET | HTTP_HEAD, "GET, HEAD"},
    {CUZK_ROUTE_READYZ, HTTP_GET | HTTP_HEAD, "GET, HEAD"},
    {CUZK_ROUTE_CONFIG, HTTP_GET | HTTP_HEAD, "GET, HEAD"},
    {CUZK_ROUTE_JOBS, HTTP_POST, "POST"},
    {CUZK_ROUTE_JOB, HTTP_GET | HTTP_HEAD | HTTP_DELETE, "GET, HEAD, DELETE"},
    {CUZK_ROUTE_KEY, HTTP_POST | HTTP_DELETE, "POST, DELETE"},
};

static http_method parse_method(const char *method)
{
    static const struct {
        const char *name;
        http_method method;
    } methods[] = {{MHD_HTTP_METHOD_GET, HTTP_GET},
                   {MHD_HTTP_METHOD_HEAD, HTTP_HEAD},
                   {MHD_HTTP_METHOD_POST, HTTP_POST},
                   {MHD_HTTP_METHOD_DELETE, HTTP_DELETE}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(method, methods[i].name) == 0)
            return methods[i].method;
    return HTTP_OTHER;
}

/* Browsers name the page that sends a request which changes something; none has business here. */
static bool comes_from_a_page(const http_exchange *x)
{
    return (x->method & (HTTP_POST | HTTP_DELETE)) != 0 &&
           MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN) !=
               NULL;
}

static bool is_octets(const http_exchange *x)
{
    const char *type =
        MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_TYPE);
    return type == NULL || strcmp(type, "application/octet-stream") == 0;
}

static bool check_route(http_exchange *x)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (routes[i].route != x->target.route)
            continue;
        if (routes[i].methods & (unsigned)x->method)
            return true;
        x->answer.allow = routes[i].allow;
        http_answer_error(x, MHD_HTTP_METHOD_NOT_ALLOWED, "method_not_allowed",
                          "the methods here are %s", routes[i].allow);
        return false;
    }
    http_answer_error(x, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is nothing here; see /status, /metrics, /healthz, /readyz, /v1/jobs, "
                      "/v1/keys/NAME");
    return false;
}

static bool is_probe(const http_exchange *x)
{
    return x->target.route == CUZK_ROUTE_HEALTHZ || x->target.route == CUZK_ROUTE_READYZ;
}

/* Whether the request's head is in order; if not, x->answer says why. */
static bool check_head(http_exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    bool stopping = x->server->stopping;
    pthread_mutex_unlock(&x->server->lock);
    if (stopping) {
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "stopping", "the service is stopping");
        x->answer.close = true;
        return false;
    }
    if (!is_probe(x) && !http_auth_allows(x)) {
        http_answer_error(x, MHD_HTTP_UNAUTHORIZED, "unauthorized",
                          x->server->has_token ? "send the header Authorization: Bearer TOKEN"
                                               : "a client certificate is needed");
        return false;
    }
    if (x->target_status != CUZK_OK) {
        http_answer_error(x, MHD_HTTP_BAD_REQUEST, "bad_request", "%s", x->target_err.message);
        return false;
    }
    if (!check_route(x))
        return false;
    if (comes_from_a_page(x)) {
        http_answer_error(x, MHD_HTTP_FORBIDDEN, "cross_origin",
                          "requests of web pages (with an Origin header) change nothing here");
        return false;
    }
    if (x->target.route == CUZK_ROUTE_JOBS && !is_octets(x)) {
        http_answer_error(x, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "content_type",
                          "send the bytes with Content-Type: application/octet-stream");
        return false;
    }
    return true;
}

static void config(http_exchange *x)
{
    if (x->server->config_text == NULL)
        http_answer_error(x, MHD_HTTP_NOT_FOUND, "not_found", "no configuration was given");
    else
        http_answer_text(x, MHD_HTTP_OK, "text/plain; charset=utf-8",
                         strdup(x->server->config_text));
}

/* Answers, or suspends. */
static void act(http_exchange *x)
{
    bool deletes = x->method == HTTP_DELETE;
    switch (x->target.route) {
    case CUZK_ROUTE_STATUS:
    case CUZK_ROUTE_METRICS:
    case CUZK_ROUTE_HEALTHZ:
    case CUZK_ROUTE_READYZ:
        http_view(x);
        break;
    case CUZK_ROUTE_CONFIG:
        config(x);
        break;
    case CUZK_ROUTE_JOBS:
        http_job_submit(x);
        break;
    case CUZK_ROUTE_JOB:
        (deletes ? http_job_cancel : http_job_get)(x);
        break;
    case CUZK_ROUTE_KEY:
        (deletes ? http_key_evict : http_key_preload)(x);
        break;
    case CUZK_ROUTE_NONE:
        break; /* refused with its head */
    }
}

static void allow_answer_time(http_exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    http_conn_set_deadline(x->server, x->conn,
                           cuzk_clock_ns() + x->server->config.answer_ms * NS_PER_MS);
    pthread_mutex_unlock(&x->server->lock);
}

/* A refusal before the body has come ends the connection, so without a body it waits for the
 * request's end. */
static enum MHD_Result begin(http_exchange *x, const char *method)
{
    x->begun = true;
    x->method = parse_method(method);
    if ((check_head(x) && http_body_begin(x)) || !http_body_is_announced(x))
        return MHD_YES;
    allow_answer_time(x);
    return http_send(x);
}

static enum MHD_Result act_and_answer(http_exchange *x)
{
    x->acted = true;
    if (x->answer.code == 0)
        act(x);
    if (x->answer.code == 0)
        return MHD_YES; /* suspended */
    allow_answer_time(x);
    return http_send(x);
}

static enum MHD_Result go_on(http_exchange *x)
{
    pthread_mutex_lock(&x->server->lock);
    http_cut cut = x->settled ? x->cut : HTTP_CUT_GONE;
    pthread_mutex_unlock(&x->server->lock);
    if (cut == HTTP_CUT_GONE)
        return MHD_NO;
    if (cut == HTTP_CUT_STOPPED) {
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "stopping", "the service is stopping");
        x->answer.close = true;
    } else {
        x->finish(x);
    }
    return http_send(x);
}

enum MHD_Result http_handle(void *server, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *upload_data,
                            size_t *upload_data_size, void **exchange)
{
    (void)server;
    (void)connection;
    (void)url; /* x->target is made of the target as it was sent */
    (void)version;
    http_exchange *x = *exchange;
    if (x == NULL)
        return MHD_NO;
    if (!x->begun)
        return begin(x, method);
    if (*upload_data_size > 0) {
        http_body_take(x, upload_data, *upload_data_size);
        *upload_data_size = 0;
        return MHD_YES;
    }
    return x->acted ? go_on(x) : act_and_answer(x);
}
