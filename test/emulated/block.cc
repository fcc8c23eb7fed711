/* Blocks of threads as fibers.
 *
 * Passes over the block's threads in an order drawn anew for each pass: each one that is ready runs
 * until it waits or ends. A barrier opens when all threads wait at it, a warp's step when all lanes
 * of its mask do. If nothing is ready and something still waits, the kernel would hang or be
 * undefined on a card: that aborts. */
#include "state.h"

#include <numeric>
#include <vector>

#include "fiber.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

enum thread_state { READY, AT_BARRIER, AT_STEP, DONE };

struct thread {
    thread_state state;
    fiber *on; /* from its start to its end */
    cuzk_emulated_step step;
    unsigned mask, source;
    uint64_t value, result;
};

static thread threads[BLOCK_THREADS];
static unsigned thread_count, done_count, barrier_count;
static int barrier_votes, barrier_result;
static const std::function<void()> *kernel_body;
static const char *kernel_name;
/* Never destroyed: what it names is in use to the end, for who looks for leaks. */
static std::vector<fiber *> &idle_fibers = *new std::vector<fiber *>;

alignas(256) static unsigned char shared_memory[BLOCK_SHARED_OPTIN];

void *cuzk_emulated_shared(void)
{
    return shared_memory;
}

/* Visits 0..n-1 in the order start, start + stride, ..., modulo n. */
struct walk {
    size_t next, stride, n;
};

static walk walk_new(size_t n)
{
    walk w = {device_random(n), 1 + device_random(n), n};
    while (std::gcd(w.stride, n) != 1)
        w.stride++;
    w.stride %= n;
    return w;
}

static size_t walk_next(walk *w)
{
    size_t at = w->next;
    w->next = (w->next + w->stride) % w->n;
    return at;
}

static void run_body(void *argument)
{
    (void)argument;
    (*kernel_body)();
}

int cuzk_emulated_barrier(int predicate)
{
    thread *self = &threads[threadIdx.x];
    self->state = AT_BARRIER;
    barrier_count++;
    barrier_votes += predicate != 0;
    fiber_pause(self->on);
    return barrier_result;
}

uint64_t cuzk_emulated_warp(cuzk_emulated_step step, unsigned mask, uint64_t value, unsigned source)
{
    thread *self = &threads[threadIdx.x];
    if ((mask >> threadIdx.x % 32 & 1) == 0)
        device_die("%s: thread %u of block %u takes part in a warp operation whose mask %08x does "
                   "not have it",
                   kernel_name, threadIdx.x, blockIdx.x, mask);
    self->state = AT_STEP;
    self->step = step;
    self->mask = mask;
    self->value = value;
    self->source = source;
    fiber_pause(self->on);
    return self->result;
}

static bool step_complete(const thread *warp, unsigned lanes, const thread *one)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        if ((one->mask >> lane & 1) == 0)
            continue;
        const thread *t = &warp[lane];
        if (lane >= lanes || t->state == DONE)
            device_die("%s: block %u: a warp operation's mask %08x has lane %u, which %s",
                       kernel_name, blockIdx.x, one->mask, lane,
                       lane >= lanes ? "the block does not have" : "has returned");
        if (t->state != AT_STEP || t->mask != one->mask || t->step != one->step)
            return false;
    }
    return true;
}

static void open_step(thread *warp, unsigned mask)
{
    uint64_t votes = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1)
            votes |= (uint64_t)(warp[lane].value != 0) << lane;
    for (unsigned lane = 0; lane < 32; lane++) {
        thread *t = &warp[lane];
        if ((mask >> lane & 1) == 0)
            continue;
        if (t->step == CUZK_EMULATED_BALLOT)
            t->result = votes;
        else if (t->source < 32 && mask >> t->source & 1)
            t->result = warp[t->source].value;
        else
            t->result = 0xa5a5a5a5a5a5a5a5; /* undefined on a card */
        t->state = READY;
    }
}

/* Runs a ready thread until it waits or ends; opens the warp step that this completes. */
static void run_thread(unsigned index)
{
    thread *t = &threads[index];
    if (t->on == NULL) {
        if (idle_fibers.empty())
            idle_fibers.push_back(fiber_new(run_body));
        t->on = idle_fibers.back();
        idle_fibers.pop_back();
    }
    threadIdx.x = index;
    if (fiber_resume(t->on, NULL)) {
        t->state = DONE;
        done_count++;
        idle_fibers.push_back(t->on);
    }
    if (t->state != AT_STEP)
        return;
    unsigned first = index / 32 * 32;
    if (step_complete(&threads[first], thread_count - first, t))
        open_step(&threads[first], t->mask);
}

static void open_barrier(void)
{
    for (unsigned i = 0; i < thread_count; i++)
        threads[i].state = READY;
    barrier_result = barrier_votes;
    barrier_votes = 0;
    barrier_count = 0;
}

[[noreturn]] static void report_hang(void)
{
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].state == AT_STEP)
            device_die("%s: block %u hangs: thread %u waits for the lanes of mask %08x; %u of %u "
                       "threads are at a barrier, %u have returned",
                       kernel_name, blockIdx.x, i, threads[i].mask, barrier_count, thread_count,
                       done_count);
    device_die("%s: block %u: %u of %u threads are at a barrier, %u have returned", kernel_name,
               blockIdx.x, barrier_count, thread_count, done_count);
}

static void run_block(void)
{
    for (unsigned i = 0; i < thread_count; i++) {
        threads[i].state = READY;
        threads[i].on = NULL;
    }
    done_count = barrier_count = 0;
    barrier_votes = 0;
    while (done_count < thread_count) {
        bool progress = false;
        walk order = walk_new(thread_count);
        for (unsigned i = 0; i < thread_count; i++) {
            unsigned index = (unsigned)walk_next(&order);
            if (threads[index].state != READY)
                continue;
            run_thread(index);
            progress = true;
        }
        if (barrier_count == thread_count)
            open_barrier();
        else if (!progress)
            report_hang();
    }
}

void device_run_blocks(const cuzk_emulated_shape *shape, const std::function<void()> &body)
{
    kernel_body = &body;
    kernel_name = shape->name;
    thread_count = (unsigned)shape->threads;
    blockDim = dim3(thread_count);
    gridDim = dim3((unsigned)shape->blocks);
    threadIdx = blockIdx = uint3{0, 0, 0};
    walk order = walk_new(shape->blocks);
    for (size_t i = 0; i < shape->blocks; i++) {
        blockIdx.x = (unsigned)walk_next(&order);
        memset(shared_memory, POISON, shape->shared);
        run_block();
    }
}
