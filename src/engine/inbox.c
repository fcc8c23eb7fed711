#define _GNU_SOURCE
#include "engine/inbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

void cuzk_inbox_init(cuzk_inbox *inbox)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&inbox->lock, NULL);
    pthread_cond_init(&inbox->some, &monotonic);
    pthread_condattr_destroy(&monotonic);
    inbox->first = NULL;
    inbox->last = &inbox->first;
    inbox->asleep = false;
}

void cuzk_inbox_release(cuzk_inbox *inbox)
{
    pthread_cond_destroy(&inbox->some);
    pthread_mutex_destroy(&inbox->lock);
}

void cuzk_inbox_post(cuzk_inbox *inbox, cuzk_message *message)
{
    message->next = NULL;
    pthread_mutex_lock(&inbox->lock);
    *inbox->last = message;
    inbox->last = &message->next;
    const bool wake = inbox->asleep;
    pthread_mutex_unlock(&inbox->lock);
    if (wake)
        pthread_cond_signal(&inbox->some);
}

cuzk_message *cuzk_inbox_take(cuzk_inbox *inbox, uint64_t until_ns)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
                                   .tv_nsec = (long)(until_ns % 1000000000u)};
    int waited = 0;
    pthread_mutex_lock(&inbox->lock);
    inbox->asleep = true;
    while (inbox->first == NULL && waited == 0)
        waited = until_ns == UINT64_MAX
                     ? pthread_cond_wait(&inbox->some, &inbox->lock)
                     : pthread_cond_timedwait(&inbox->some, &inbox->lock, &until);
    inbox->asleep = false;
    cuzk_message *messages = inbox->first;
    inbox->first = NULL;
    inbox->last = &inbox->first;
    pthread_mutex_unlock(&inbox->lock);
    return messages;
}
