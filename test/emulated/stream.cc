/* Streams and events, copies and launches: queues of work that run when somebody waits. */
#include "state.h"

#include <deque>
#include <map>
#include <memory>
#include <set>

#include <time.h>

struct CUstream_st {
    std::deque<std::function<void()>> queue;
    bool running; /* its front item is being done, further up the stack */
};

/* One record of an event: a place in a stream. */
struct mark {
    bool done;
    double ms;
    CUstream_st *stream;
};

struct CUevent_st {
    bool timed;
    std::shared_ptr<mark> last;
};

static CUstream_st default_stream;
static size_t events_live;

static std::set<CUstream_st *> &streams(void)
{
    static std::set<CUstream_st *> all = {&default_stream};
    return all;
}

static std::map<const void *, int> &shared_limits(void)
{
    static std::map<const void *, int> all;
    return all;
}

size_t device_streams_live(void)
{
    return streams().size() - 1 + events_live;
}

static void do_one(CUstream_st *stream)
{
    if (stream->running)
        device_die("streams wait for each other in a circle");
    stream->running = true;
    stream->queue.front()();
    stream->queue.pop_front();
    stream->running = false;
}

/* Does one item of some stream, so that not only the one that is waited for moves on. */
static void do_some(void)
{
    uint64_t skip = device_random(streams().size());
    for (CUstream_st *stream : streams())
        if (skip-- == 0 && !stream->queue.empty() && !stream->running)
            do_one(stream);
}

static void drain(CUstream_st *stream)
{
    while (!stream->queue.empty()) {
        if (device_random(4) == 0)
            do_some();
        if (!stream->queue.empty())
            do_one(stream);
    }
}

static void drain_mark(const mark *m)
{
    while (!m->done)
        do_one(m->stream);
}

void device_drain(void)
{
    for (CUstream_st *stream : streams())
        drain(stream);
}

/* The stream that is meant, or NULL if there is none such. */
static CUstream_st *find_stream(cudaStream_t stream)
{
    if (stream == NULL)
        return &default_stream;
    return streams().count(stream) != 0 ? stream : NULL;
}

void device_drain_stream(cudaStream_t stream)
{
    drain(find_stream(stream));
}

cudaError_t device_enqueue(cudaStream_t to, std::function<void()> work)
{
    CUstream_st *stream = find_stream(to);
    if (stream == NULL)
        return device_set_error(cudaErrorInvalidResourceHandle);
    stream->queue.push_back(std::move(work));
    return cudaSuccess;
}

cudaError_t cuzk_emulated_enqueue(const char *name, cudaStream_t stream, std::function<void()> work)
{
    (void)name;
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    return code != cudaSuccess ? code : device_enqueue(stream, std::move(work));
}

cudaError_t cuzk_emulated_set_attribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess || attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return code;
    if (value < 0 || value > BLOCK_SHARED_OPTIN)
        return device_set_error(cudaErrorInvalidValue);
    shared_limits()[kernel] = value;
    return cudaSuccess;
}

static cudaError_t check_shape(const cuzk_emulated_shape *shape)
{
    auto limit = shared_limits().find(shape->kernel);
    size_t shared = BLOCK_SHARED;
    if (limit != shared_limits().end() && (size_t)limit->second > shared)
        shared = (size_t)limit->second;
    if (shape->blocks == 0 || shape->blocks > 0x7fffffff || shape->threads == 0 ||
        shape->threads > BLOCK_THREADS)
        return cudaErrorInvalidConfiguration;
    return shape->shared > shared ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cuzk_emulated_launch(const cuzk_emulated_shape *shape, cudaStream_t stream,
                                 std::function<void()> body)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code == cudaSuccess)
        code = device_set_error(check_shape(shape));
    if (code != cudaSuccess) {
        cudaGetLastError(); /* CUZK_LAUNCH takes it away too */
        return code;
    }
    const cuzk_emulated_shape copy = *shape;
    return device_enqueue(stream, [copy, body]() { device_run_blocks(&copy, body); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    *stream = new CUstream_st();
    streams().insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    if (stream == NULL || find_stream(stream) == NULL)
        return device_set_error(cudaErrorInvalidResourceHandle);
    drain(stream);
    streams().erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    CUstream_st *found = find_stream(stream);
    if (found == NULL)
        return device_set_error(cudaErrorInvalidResourceHandle);
    drain(found);
    return code;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    CUstream_st *found = find_stream(stream);
    if (found == NULL)
        return device_set_error(cudaErrorInvalidResourceHandle);
    if (code != cudaSuccess || found->queue.empty())
        return code;
    do_one(found);
    return cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess || event->last == NULL)
        return code;
    std::shared_ptr<mark> last = event->last;
    return device_enqueue(stream, [last]() { drain_mark(last.get()); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0, NULL};
    events_live++;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    device_guard guard(cuzk_emulated_lock);
    events_live--;
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    std::shared_ptr<mark> m = std::make_shared<mark>(mark{false, 0, find_stream(stream)});
    event->last = m;
    return device_enqueue(stream, [m]() {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        m->ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
        m->done = true;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (event->last != NULL)
        drain_mark(event->last.get());
    return code;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess || event->last == NULL || event->last->done)
        return code;
    do_one(event->last->stream);
    return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    device_guard guard(cuzk_emulated_lock);
    cudaError_t code = device_enter();
    if (code != cudaSuccess)
        return code;
    if (!from->timed || !to->timed || from->last == NULL || to->last == NULL)
        return device_set_error(cudaErrorInvalidResourceHandle);
    if (!from->last->done || !to->last->done)
        return device_set_error(cudaErrorNotReady);
    *ms = (float)(to->last->ms - from->last->ms);
    return cudaSuccess;
}
