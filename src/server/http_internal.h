/* What the files of the HTTP server share.
 *
 * Threads: libmicrohttpd's one calls the handlers; the watch thread looks after deadlines and
 * clients that hang up; the engine's core thread delivers replies. `lock` guards the list of
 * connections and, of an exchange, what the comment there names. It is never held while the engine
 * is called. */
#ifndef CUZK_SERVER_HTTP_INTERNAL_H
#define CUZK_SERVER_HTTP_INTERNAL_H

#include "server/http.h"
#include "server/http_listen.h"
#include "server/http_target.h"
#include "server/snapshot.h"

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdarg.h>

/* libmicrohttpd's own names for these differ between its versions. */
enum { HTTP_TOO_LARGE = 413, HTTP_UNPROCESSABLE = 422 };

typedef struct http_exchange http_exchange;
typedef struct http_conn http_conn;

typedef enum http_method {
    HTTP_GET = 1,
    HTTP_HEAD = 2,
    HTTP_POST = 4,
    HTTP_DELETE = 8,
    HTTP_OTHER = 16
} http_method;

struct cuzk_http_server {
    cuzk_engine *engine;
    cuzk_http_config config; /* with defaults; strings are NULL here */
    char *config_text;
    bool has_token, has_client_ca;
    uint8_t token_digest[32];
    cuzk_listen listen;
    struct MHD_Daemon *daemon;
    char mhd_message[256]; /* the library's last complaint while it starts */
    pthread_t watch;
    int wake; /* eventfd of the watch thread */
    struct pollfd *polled;

    pthread_mutex_t lock;
    unsigned refs; /* the owner's and one per exchange */
    http_conn *conns;
    uint64_t watch_sleeps_until;
    bool stopping, watch_stop;
};

/* A connection, from accept to close. Guarded by the lock. */
struct http_conn {
    http_conn *prev, *next;
    int fd;
    uint64_t deadline;      /* CUZK_NEVER: none */
    bool shut;              /* its time was up: the library finds it closed */
    bool in_request;        /* between a request's first line and the end of its answer */
    http_exchange *waiting; /* suspended, for the engine */
};

typedef enum http_cut { HTTP_CUT_NONE, HTTP_CUT_GONE, HTTP_CUT_STOPPED } http_cut;

/* A request and its answer. */
struct http_exchange {
    cuzk_http_server *server;
    struct MHD_Connection *connection;
    http_conn *conn;
    http_method method;
    cuzk_http_target target;
    cuzk_status target_status;
    cuzk_error target_err;
    bool begun, acted;

    /* The body; room is what the engine has been told of. */
    uint8_t *body;
    size_t body_size, body_room, body_total; /* total: announced; SIZE_MAX: not */
    uint64_t body_began;
    size_t body_handed;    /* room of a body that the engine took over */
    unsigned body_refused; /* a status code; what comes is thrown away */

    /* Guarded by the server's lock. */
    unsigned refs; /* the library's, and the engine's while a callback is due */
    bool settled;  /* resumed: the reply is here, or it was cut */
    http_cut cut;
    uint64_t waiter; /* of cuzk_engine_await */

    /* The engine's reply: written by its thread before it settles. */
    void (*finish)(http_exchange *x); /* makes the answer of it */
    struct {
        char job_id[CUZK_REQUEST_ID_MAX + 1], message[1024];
        cuzk_status status;
        cuzk_submitted submitted;
        bool known, flag; /* flag: timeout, was_running or was_loaded */
        cuzk_job_state state;
        cuzk_kind kind;
        void *proof;
        size_t proof_size;
        uint64_t queue_ms, key_ms, synth_ms, compute_ms, total_ms;
        uint64_t bytes, ms;
        cuzk_snapshot *snapshot;
    } reply;

    struct {
        unsigned code;
        char *text; /* malloc'd */
        size_t size;
        const char *type, *allow;
        unsigned retry_s;
        bool cors, close;
        char location[3 * CUZK_REQUEST_ID_MAX + 16]; /* "": none */
    } answer;
};

/* --- http_exchange.c --- */
/* Suspends x until something settles it, then calls finish and sends the answer. The caller starts
 * the engine's work next: its callback owns a reference. false: the server stops, answer at once.
 */
bool http_wait_begin(http_exchange *x, void (*finish)(http_exchange *x));
/* The end of the engine's callback: lets x go on, unless it was cut off; drops the reference. */
void http_settle(http_exchange *x);
/* Cuts x off: the client is gone, or the server stops. Under the lock; the caller then calls
 * http_cut_finish without it. */
void http_cut_begin(http_exchange *x, http_cut cut);
void http_cut_finish(http_exchange *x);
/* Remembers what cuzk_engine_await returned. */
void http_wait_leaves_by(http_exchange *x, uint64_t waiter);
http_exchange *http_exchange_new(cuzk_http_server *server, struct MHD_Connection *connection,
                                 const char *uri);
void http_exchange_unref(http_exchange *x);
void http_server_unref(cuzk_http_server *server);
/* Under the lock. */
void http_conn_set_deadline(cuzk_http_server *server, http_conn *conn, uint64_t deadline);

/* --- http_reply.c: these set x->answer --- */
void http_answer_text(http_exchange *x, unsigned code, const char *type, char *text);
/* Takes object; NULL: no memory. */
void http_answer_json(http_exchange *x, unsigned code, json_t *object);
/* {"error":{"code":code,"message":...}} */
void http_answer_error(http_exchange *x, unsigned status, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a cuzk_status. */
void http_answer_status(http_exchange *x, cuzk_status status, const char *message);
enum MHD_Result http_send(http_exchange *x);

/* --- http_auth.c --- */
/* May this request in? It is not told why not. */
bool http_auth_allows(const http_exchange *x);
cuzk_status http_auth_open(cuzk_http_server *server, const cuzk_http_config *config,
                           cuzk_error *err);

/* --- http_body.c --- */
bool http_body_is_announced(const http_exchange *x);
/* Checks the headers that announce a body; false: answered. */
bool http_body_begin(http_exchange *x);
void http_body_take(http_exchange *x, const void *data, size_t size);
void http_body_release(http_exchange *x);

/* --- http_route.c, http_jobs.c, http_views.c: what libmicrohttpd calls, and the handlers --- */
enum MHD_Result http_handle(void *server, struct MHD_Connection *connection, const char *url,
                            const char *method, const char *version, const char *upload_data,
                            size_t *upload_data_size, void **exchange);
void http_job_submit(http_exchange *x);
void http_job_get(http_exchange *x);
void http_job_cancel(http_exchange *x);
void http_key_preload(http_exchange *x);
void http_key_evict(http_exchange *x);
void http_view(http_exchange *x); /* status, metrics, healthz, readyz */

/* --- http_watch.c --- */
cuzk_status http_watch_start(cuzk_http_server *server, cuzk_error *err);
void http_watch_wake(cuzk_http_server *server);
void http_watch_stop(cuzk_http_server *server);

#endif
