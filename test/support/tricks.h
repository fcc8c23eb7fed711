/* A device around another one that errs when it is told to: its next steps hang until they are
 * released, or what they make is spoiled by one bit. */
#ifndef CUZK_TEST_TRICKS_H
#define CUZK_TEST_TRICKS_H

#include "engine/device.h"

#include <pthread.h>

typedef enum test_trick {
    TRICK_HANG_UPLOAD,
    TRICK_HANG_COMPUTE,
    TRICK_HANG_FINISH,
    TRICK_SPOIL_SUMS,  /* between compute and finish */
    TRICK_SPOIL_PROOF, /* between finish and check */
} test_trick;
#define TRICKS        5
#define TRICK_DEVICES 4u

typedef struct test_tricks {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under the lock. */
    unsigned next[TRICK_DEVICES][TRICKS]; /* so many steps are still to err so */
    unsigned hanging, releases, open;
    uint64_t read; /* what hung steps have seen of their input, so that they must look */
} test_tricks;

void test_tricks_init(test_tricks *tricks);
/* For the engine's configuration: wrap, with the tricks as wrap_context. They must outlive the
 * devices. */
cuzk_device *test_tricks_wrap(void *context, unsigned index, cuzk_device *device);
void test_tricks_plan(test_tricks *tricks, unsigned device, test_trick trick, unsigned steps);
/* Until so many hang. */
void test_tricks_await_hanging(test_tricks *tricks, unsigned steps);
/* All that hang go on: they read their key, input and work, and do what they should have done. */
void test_tricks_release(test_tricks *tricks);
/* Until all devices are closed. */
void test_tricks_await_closed(test_tricks *tricks);

#endif
