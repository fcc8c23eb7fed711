/* Threads that take tasks from one queue, first come first served. */
#ifndef CUZK_ENGINE_WORKERS_H
#define CUZK_ENGINE_WORKERS_H

typedef struct cuzk_workers cuzk_workers;

/* A task is part of the object that it works on: posting takes no memory and cannot fail. It
 * belongs to the workers from post until run begins. */
typedef struct cuzk_task {
    struct cuzk_task *next;
    void (*run)(struct cuzk_task *task);
} cuzk_task;

/* name: of the threads, at most 15 characters. NULL when threads cannot be started. */
cuzk_workers *cuzk_workers_new(unsigned threads, const char *name);
/* Any thread. */
void cuzk_workers_post(cuzk_workers *workers, cuzk_task *task);
/* Runs what is queued, then ends the threads. NULL is allowed. */
void cuzk_workers_free(cuzk_workers *workers);

#endif
