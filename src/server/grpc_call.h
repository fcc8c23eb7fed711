/* One call of the gRPC service: it is received, handed to its method and answered once. Internal to
 * the service's files.
 *
 * A call lives as long as something refers to it: the connection, until the call is closed; each
 * operation under way; and whoever took a reference, such as a callback that the engine owes. */
#ifndef CUZK_SERVER_GRPC_CALL_H
#define CUZK_SERVER_GRPC_CALL_H

#include "engine/engine.h"

#include <grpc/grpc.h>
#include <grpc/support/alloc.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct cuzk_grpc_call cuzk_grpc_call;

/* What the completion queue gives back: done is called with the owner and whether it succeeded. */
typedef struct cuzk_grpc_event {
    void (*done)(void *owner, bool success);
    void *owner;
    /* The queue itself orders what is done before an operation is started and after it has ended;
     * the counter says so to race detectors, which do not see into the library. */
    atomic_uint started;
} cuzk_grpc_event;

static inline void cuzk_grpc_event_start(cuzk_grpc_event *event)
{
    atomic_fetch_add_explicit(&event->started, 1, memory_order_release);
}

static inline void cuzk_grpc_event_end(cuzk_grpc_event *event, bool success)
{
    atomic_load_explicit(&event->started, memory_order_acquire);
    event->done(event->owner, success);
}

/* What calls need of their server. */
typedef struct cuzk_grpc_shared {
    grpc_server *server;
    grpc_completion_queue *queue;
    cuzk_engine *engine;
    char *token; /* NULL: none */
    struct cuzk_grpc_watches *watches;
    struct cuzk_grpc_turns *turns;
} cuzk_grpc_shared;

/* A method: message is the request's bytes, malloc'd, NUL-terminated behind its size, and the
 * method's to free. It answers, now or later, exactly once. */
typedef void cuzk_grpc_method_fn(cuzk_grpc_call *call, void *message, size_t size);

typedef struct cuzk_grpc_method {
    const char *path;
    cuzk_grpc_method_fn *start;
    bool open;  /* asks no token */
    bool large; /* its requests are received by turns */
} cuzk_grpc_method;

/* NULL: there is none of this name. */
const cuzk_grpc_method *cuzk_grpc_method_find(const char *path, size_t size);

struct cuzk_grpc_call {
    cuzk_grpc_shared *shared;
    grpc_call *call;
    grpc_call_details details;
    grpc_metadata_array metadata;
    const cuzk_grpc_method *method;
    grpc_byte_buffer *request;
    size_t charged; /* bytes on the engine's account of what is being received */
    cuzk_grpc_event accept, receive, send, close;
    int cancelled;
    atomic_uint refs;
    atomic_bool answered;
    bool has_turn;
    cuzk_grpc_call *turn_next;

    /* For streams: what happens once a message is sent, or the next one received. */
    void (*sent)(cuzk_grpc_call *call, bool success);
    bool initial_sent;

    pthread_mutex_t lock; /* of what follows */
    bool closed;          /* the caller is gone, or has its answer */
    bool waiting;         /* the engine owes a callback */
    uint64_t waiter;      /* its number; 0: none yet */
    void (*on_closed)(cuzk_grpc_call *call);
    cuzk_grpc_call *watch_next; /* in shared->watches, under its lock */
    int watch_last;             /* the status that it was told */
    bool watch_telling;
};

/* Waits for the next call of the server; false: it is stopping. */
bool cuzk_grpc_call_expect(cuzk_grpc_shared *shared);

void cuzk_grpc_call_ref(cuzk_grpc_call *call);
void cuzk_grpc_call_unref(cuzk_grpc_call *call);
bool cuzk_grpc_call_is_closed(cuzk_grpc_call *call);

/* Answers: the first one counts. Any thread. data is malloc'd and becomes the call's. */
void cuzk_grpc_call_reply(cuzk_grpc_call *call, void *data, size_t size);
void cuzk_grpc_call_fail(cuzk_grpc_call *call, grpc_status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* RESOURCE_EXHAUSTED or UNAVAILABLE, with a hint when to try again. */
void cuzk_grpc_call_fail_retry(cuzk_grpc_call *call, grpc_status_code code, uint64_t retry_ms,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
/* What a status of ours is to gRPC's callers. */
grpc_status_code cuzk_grpc_code(cuzk_status status);

/* Streams: sends one message and calls sent; receives the next one and calls the method again (with
 * message NULL at the end of the stream); ends the stream well. One send and one receive at a time.
 */
void cuzk_grpc_call_send(cuzk_grpc_call *call, void *data, size_t size,
                         void (*sent)(cuzk_grpc_call *call, bool success));
void cuzk_grpc_call_receive(cuzk_grpc_call *call);
void cuzk_grpc_call_end(cuzk_grpc_call *call);

/* The bytes are received: what was charged for the request is given back. */
void cuzk_grpc_call_uncharge(cuzk_grpc_call *call);

#endif
