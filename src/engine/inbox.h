/* Messages to one thread from any thread: the only way into the core. */
#ifndef CUZK_ENGINE_INBOX_H
#define CUZK_ENGINE_INBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Part of what it speaks of, like cuzk_task. */
typedef struct cuzk_message {
    struct cuzk_message *next;
    void (*handle)(void *owner, struct cuzk_message *message); /* on the owner's thread */
} cuzk_message;

typedef struct cuzk_inbox {
    pthread_mutex_t lock;
    pthread_cond_t some;
    /* Under the lock. */
    cuzk_message *first, **last;
    bool asleep;
} cuzk_inbox;

void cuzk_inbox_init(cuzk_inbox *inbox);
void cuzk_inbox_release(cuzk_inbox *inbox);
void cuzk_inbox_post(cuzk_inbox *inbox, cuzk_message *message);
/* Takes all messages, in order, waiting for one until the clock (base/clock.h) reaches until_ns;
 * NULL: none came. */
cuzk_message *cuzk_inbox_take(cuzk_inbox *inbox, uint64_t until_ns);

#endif
