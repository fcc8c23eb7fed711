#define _GNU_SOURCE
#include "base/thread.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS UINT64_C(100000) /* the least that Linux grants */
#define NICER    10               /* weighs nine times as much as a thread that computes */

/* As the kernel has it; glibc declares it only since 2.41. */
typedef struct sched_request {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} sched_request;

static bool ask(int nice)
{
    const sched_request wanted = {
        .size = sizeof wanted, .policy = SCHED_OTHER, .nice = nice, .runtime = SLICE_NS};
    return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0;
}

void cuzk_thread_be_prompt(void)
{
    const int nice = getpriority(PRIO_PROCESS, 0); /* on Linux: of this thread */
    if (!ask(nice - NICER))
        (void)ask(nice);
}
