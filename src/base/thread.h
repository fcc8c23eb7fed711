/* How urgently the calling thread wants the processor, among the threads of this process: those
 * that answer people against those that compute for minutes. Threads that it starts inherit it.
 * Both are requests; where the system does not know them nothing changes. */
#ifndef CUZK_BASE_THREAD_H
#define CUZK_BASE_THREAD_H

/* For threads that wake often and work for microseconds: short slices, so that on waking they run
 * before those that compute (Linux 6.12: the slice of sched_setattr(2)). */
void cuzk_thread_be_prompt(void);

/* For threads that compute: no short slices, and a third of the weight of others (niceness 5),
 * which cannot be taken back. More would starve proofs beside other programs that compute. */
void cuzk_thread_give_way(void);

#endif
