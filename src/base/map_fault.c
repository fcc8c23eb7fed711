/* The handler walks a list of ranges that only grows: a range that is no longer watched stays in
 * it, empty, until the next watch takes it. So the walk needs no lock, which a signal handler could
 * not take. */
#include "base/map_fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct cuzk_fault_range {
    _Atomic uintptr_t start; /* 0: unused */
    _Atomic uintptr_t end;
    atomic_bool seen;
    cuzk_fault_range *next; /* set before the range is in the list, then constant */
};

static _Atomic(cuzk_fault_range *) ranges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held to add, take or empty a range */
static struct sigaction before;                          /* whose handler comes after ours */
static uintptr_t page_size;
static _Thread_local bool passing_on;

static cuzk_fault_range *find_range(uintptr_t address)
{
    for (cuzk_fault_range *r = atomic_load(&ranges); r != NULL; r = r->next) {
        uintptr_t start = atomic_load(&r->start);
        if (start != 0 && address >= start && address < atomic_load(&r->end))
            return r;
    }
    return NULL;
}

/* Two handlers that each saved the other would call each other for ever: the second time ends that.
 */
static void pass_on(int number, siginfo_t *info, void *context)
{
    bool again = passing_on;
    passing_on = true;
    if (!again && (before.sa_flags & SA_SIGINFO) != 0) {
        before.sa_sigaction(number, info, context);
    } else if (!again && before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(number);
    } else {
        /* The faulting instruction runs again and ends the process, as it would have without us. */
        signal(number, SIG_DFL);
        if (info->si_code <= 0)
            raise(number);
    }
    passing_on = false;
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    cuzk_fault_range *range = info->si_code > 0 ? find_range(address) : NULL;
    if (range != NULL) {
        void *page = (char *)info->si_addr - address % page_size;
        if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            page) {
            atomic_store(&range->seen, true);
            return;
        }
    }
    pass_on(number, info, context);
}

/* The lock is held. The program around us may have put a handler of its own in place of ours since
 * the last watch. */
static void install_handler(void)
{
    struct sigaction now;
    sigaction(SIGBUS, NULL, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_error)
        return;
    before = now;
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static cuzk_fault_range *take_range(void)
{
    for (cuzk_fault_range *r = atomic_load(&ranges); r != NULL; r = r->next)
        if (atomic_load(&r->start) == 0)
            return r;
    cuzk_fault_range *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->next = atomic_load(&ranges);
    atomic_store(&ranges, r);
    return r;
}

cuzk_fault_range *cuzk_fault_watch(const void *start, size_t size)
{
    pthread_mutex_lock(&lock);
    install_handler();
    cuzk_fault_range *r = take_range();
    if (r != NULL) {
        atomic_store(&r->seen, false);
        atomic_store(&r->end, (uintptr_t)start + size);
        atomic_store(&r->start, (uintptr_t)start);
    }
    pthread_mutex_unlock(&lock);
    return r;
}

void cuzk_fault_unwatch(cuzk_fault_range *range)
{
    pthread_mutex_lock(&lock);
    atomic_store(&range->start, 0);
    pthread_mutex_unlock(&lock);
}

bool cuzk_fault_seen(const cuzk_fault_range *range)
{
    return atomic_load(&range->seen);
}
