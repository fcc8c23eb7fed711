#include "server/grpc_health.h"
#include "server/grpc_methods.h"

#include <grpc/health/v1/health.pb-c.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SERVING GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__NOT_SERVING
#define SERVING     GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING
#define UNKNOWN     GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN

struct cuzk_grpc_watches {
    pthread_mutex_t lock;
    cuzk_grpc_call *first;
    bool ended;
    atomic_int last; /* what was told last */
};

cuzk_grpc_watches *cuzk_grpc_watches_new(void)
{
    cuzk_grpc_watches *watches = calloc(1, sizeof *watches);
    if (watches != NULL)
        pthread_mutex_init(&watches->lock, NULL);
    return watches;
}

void cuzk_grpc_watches_free(cuzk_grpc_watches *watches)
{
    if (watches != NULL)
        pthread_mutex_destroy(&watches->lock);
    free(watches);
}

static int status_now(const cuzk_grpc_shared *shared)
{
    return cuzk_engine_is_ready(shared->engine) ? SERVING : NOT_SERVING;
}

static void *pack(int status, size_t *size)
{
    Grpc__Health__V1__HealthCheckResponse response = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    response.status = (Grpc__Health__V1__HealthCheckResponse__ServingStatus)status;
    return cuzk_grpc_pack(&response.base, size);
}

/* Whether the request names a service that is here; "" is all of them. */
static bool is_known(void *message, size_t size, bool *malformed)
{
    Grpc__Health__V1__HealthCheckRequest *request =
        grpc__health__v1__health_check_request__unpack(NULL, size, message);
    *malformed = request == NULL;
    bool known = request != NULL && (request->service[0] == '\0' ||
                                     strcmp(request->service, "cuzk.v1.ProvingEngine") == 0);
    if (request != NULL)
        grpc__health__v1__health_check_request__free_unpacked(request, NULL);
    return known;
}

void cuzk_grpc_health_check(cuzk_grpc_call *call, void *message, size_t size)
{
    bool malformed, known = is_known(message, size, &malformed);
    free(message);
    if (malformed) {
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, "the request is malformed");
    } else if (!known) {
        cuzk_grpc_call_fail(call, GRPC_STATUS_NOT_FOUND, "there is no such service");
    } else {
        void *data = pack(status_now(call->shared), &size);
        cuzk_grpc_call_reply(call, data, size);
    }
}

/* Under the lock: sends the status to a watch that was told another and is not being told now. */
static void tell(cuzk_grpc_call *call, int status);

static void told(cuzk_grpc_call *call, bool success)
{
    cuzk_grpc_watches *watches = call->shared->watches;
    pthread_mutex_lock(&watches->lock);
    call->watch_telling = false;
    if (watches->ended)
        cuzk_grpc_call_end(call);
    else if (success && call->watch_last != UNKNOWN)
        tell(call, status_now(call->shared));
    pthread_mutex_unlock(&watches->lock);
}

static void tell(cuzk_grpc_call *call, int status)
{
    if (call->watch_telling || call->watch_last == status)
        return;
    size_t size;
    void *data = pack(status, &size);
    call->watch_last = status;
    call->watch_telling = true;
    cuzk_grpc_call_send(call, data, size, told);
}

/* The caller is gone: forget it. */
static void unwatch(cuzk_grpc_call *call)
{
    cuzk_grpc_watches *watches = call->shared->watches;
    bool found = false;
    pthread_mutex_lock(&watches->lock);
    cuzk_grpc_call **at = &watches->first;
    while (*at != NULL && *at != call)
        at = &(*at)->watch_next;
    if (*at == call) {
        *at = call->watch_next;
        found = true;
    }
    pthread_mutex_unlock(&watches->lock);
    if (found)
        cuzk_grpc_call_unref(call);
}

void cuzk_grpc_health_watch(cuzk_grpc_call *call, void *message, size_t size)
{
    cuzk_grpc_watches *watches = call->shared->watches;
    bool malformed, known = is_known(message, size, &malformed);
    free(message);
    if (malformed) {
        cuzk_grpc_call_fail(call, GRPC_STATUS_INVALID_ARGUMENT, "the request is malformed");
        return;
    }
    cuzk_grpc_call_ref(call);
    pthread_mutex_lock(&watches->lock);
    call->watch_next = watches->first;
    watches->first = call;
    call->watch_last = -1;
    tell(call, !known ? UNKNOWN : watches->ended ? NOT_SERVING : status_now(call->shared));
    pthread_mutex_unlock(&watches->lock);

    pthread_mutex_lock(&call->lock);
    bool closed = call->closed;
    call->on_closed = unwatch;
    pthread_mutex_unlock(&call->lock);
    if (closed)
        unwatch(call);
}

void cuzk_grpc_watches_update(cuzk_grpc_shared *shared)
{
    cuzk_grpc_watches *watches = shared->watches;
    int status = status_now(shared);
    if (atomic_exchange(&watches->last, status) == status)
        return;
    pthread_mutex_lock(&watches->lock);
    for (cuzk_grpc_call *call = watches->first; call != NULL && !watches->ended;
         call = call->watch_next) {
        if (call->watch_last != UNKNOWN)
            tell(call, status);
    }
    pthread_mutex_unlock(&watches->lock);
}

void cuzk_grpc_watches_end(cuzk_grpc_shared *shared)
{
    cuzk_grpc_watches *watches = shared->watches;
    pthread_mutex_lock(&watches->lock);
    watches->ended = true;
    for (cuzk_grpc_call *call = watches->first; call != NULL; call = call->watch_next) {
        if (call->watch_telling)
            continue; /* ends when it is told */
        if (call->watch_last == UNKNOWN || call->watch_last == NOT_SERVING)
            cuzk_grpc_call_end(call);
        else
            tell(call, NOT_SERVING);
    }
    pthread_mutex_unlock(&watches->lock);
}
