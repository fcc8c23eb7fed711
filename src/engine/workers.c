#define _GNU_SOURCE
#include "engine/workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct cuzk_workers {
    pthread_mutex_t lock;
    pthread_cond_t some;
    /* Under the lock. */
    cuzk_task *first, **last;
    bool ending;
    unsigned asleep;
    unsigned threads;
    pthread_t thread[];
};

static cuzk_task *take(cuzk_workers *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->first == NULL && !w->ending) {
        w->asleep++;
        pthread_cond_wait(&w->some, &w->lock);
        w->asleep--;
    }
    cuzk_task *task = w->first;
    if (task != NULL) {
        w->first = task->next;
        if (w->first == NULL)
            w->last = &w->first;
    }
    pthread_mutex_unlock(&w->lock);
    return task;
}

static void *work(void *context)
{
    cuzk_workers *w = context;
    for (cuzk_task *task = take(w); task != NULL; task = take(w))
        task->run(task);
    return NULL;
}

cuzk_workers *cuzk_workers_new(unsigned threads, const char *name)
{
    cuzk_workers *w = calloc(1, sizeof *w + threads * sizeof *w->thread);
    if (w == NULL)
        return NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->some, NULL);
    w->last = &w->first;
    for (; w->threads < threads; w->threads++) {
        if (pthread_create(&w->thread[w->threads], NULL, work, w) != 0) {
            cuzk_workers_free(w);
            return NULL;
        }
        (void)pthread_setname_np(w->thread[w->threads], name);
    }
    return w;
}

void cuzk_workers_post(cuzk_workers *w, cuzk_task *task)
{
    task->next = NULL;
    pthread_mutex_lock(&w->lock);
    *w->last = task;
    w->last = &task->next;
    const bool wake = w->asleep > 0;
    pthread_mutex_unlock(&w->lock);
    if (wake)
        pthread_cond_signal(&w->some);
}

void cuzk_workers_free(cuzk_workers *w)
{
    if (w == NULL)
        return;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_broadcast(&w->some);
    pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->threads; i++)
        pthread_join(w->thread[i], NULL);
    pthread_cond_destroy(&w->some);
    pthread_mutex_destroy(&w->lock);
    free(w);
}
