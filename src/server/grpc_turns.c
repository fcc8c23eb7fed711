#include "server/grpc_turns.h"
#include "server/grpc.h"

#include <stdlib.h>

struct cuzk_grpc_turns {
    pthread_mutex_t lock;
    uint64_t left;
    cuzk_grpc_call *first, **end; /* that wait, each with a reference */
};

cuzk_grpc_turns *cuzk_grpc_turns_new(uint64_t bytes)
{
    cuzk_grpc_turns *turns = calloc(1, sizeof *turns);
    if (turns == NULL)
        return NULL;
    turns->left = bytes / CUZK_GRPC_MESSAGE_MAX > 0 ? bytes / CUZK_GRPC_MESSAGE_MAX : 1;
    turns->end = &turns->first;
    pthread_mutex_init(&turns->lock, NULL);
    return turns;
}

void cuzk_grpc_turns_free(cuzk_grpc_turns *turns)
{
    if (turns != NULL)
        pthread_mutex_destroy(&turns->lock);
    free(turns);
}

void cuzk_grpc_turns_wait(cuzk_grpc_turns *turns, cuzk_grpc_call *call)
{
    pthread_mutex_lock(&turns->lock);
    bool now = turns->left > 0;
    if (now) {
        turns->left--;
    } else {
        cuzk_grpc_call_ref(call);
        *turns->end = call;
        turns->end = &call->turn_next;
    }
    pthread_mutex_unlock(&turns->lock);
    if (now) {
        call->has_turn = true;
        cuzk_grpc_call_receive(call);
    }
}

void cuzk_grpc_turns_end(cuzk_grpc_turns *turns, cuzk_grpc_call *call)
{
    if (!call->has_turn)
        return;
    call->has_turn = false;
    pthread_mutex_lock(&turns->lock);
    cuzk_grpc_call *next = turns->first;
    if (next != NULL) {
        turns->first = next->turn_next;
        if (turns->first == NULL)
            turns->end = &turns->first;
    } else {
        turns->left++;
    }
    pthread_mutex_unlock(&turns->lock);
    if (next != NULL) { /* one whose caller is gone fails at once, and ends its turn */
        next->has_turn = true;
        cuzk_grpc_call_receive(next);
        cuzk_grpc_call_unref(next);
    }
}
