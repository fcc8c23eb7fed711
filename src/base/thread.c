#define _GNU_SOURCE
#include "base/thread.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS UINT64_C(100000) /* the least that Linux grants */

/* As the kernel has it; glibc declares it only since 2.41. */
typedef struct sched_request {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
} sched_request;

void cuzk_thread_be_prompt(void)
{
    const sched_request wanted = {
        .size = sizeof wanted,
        .policy = SCHED_OTHER,
        .nice = getpriority(PRIO_PROCESS, 0), /* on Linux: of this thread */
        .runtime = SLICE_NS,
    };
    (void)syscall(SYS_sched_setattr, 0, &wanted, 0);
}
