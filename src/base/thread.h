/* What the calling thread asks of the scheduler. */
#ifndef CUZK_BASE_THREAD_H
#define CUZK_BASE_THREAD_H

/* For threads that wake often and work for less than a millisecond while others of this process
 * compute for minutes: short slices, so that on waking they run before those (Linux 6.12:
 * sched_setattr(2)). Threads that it starts inherit it. A request: where the system does not know
 * it nothing changes. */
void cuzk_thread_be_prompt(void);

#endif
