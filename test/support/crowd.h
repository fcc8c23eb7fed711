/* Many jobs handed in to an engine without waiting for each. */
#ifndef CUZK_TEST_CROWD_H
#define CUZK_TEST_CROWD_H

#include "engine/engine.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct test_crowd {
    cuzk_engine *engine;
    atomic_uint handed_in, accepted, refused, ended; /* refused: the engine is full */
    atomic_uint bad; /* failed in any other way, or did not complete */
    pthread_mutex_t lock;
    pthread_cond_t more;
} test_crowd;

void test_crowd_init(test_crowd *crowd, cuzk_engine *engine);
/* Waits for all that was accepted; fails the test if a job did not complete. */
void test_crowd_release(test_crowd *crowd);
/* Without waiting for the verdict. The witness of a fixture, read once and kept. */
void test_crowd_hand_in(test_crowd *crowd, const char *fixture, const char *key, cuzk_class class_);
/* Waits for the verdict, and hands in again as long as the engine is full. */
void test_crowd_submit(test_crowd *crowd, const char *fixture, const char *key);
/* Until so many have ended. */
void test_crowd_wait(test_crowd *crowd, unsigned ended);
/* Frees the witnesses. */
void test_crowd_forget_witnesses(void);

#endif
