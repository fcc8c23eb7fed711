/* Stacks between which one host thread switches: see block.cc. */
#ifndef CUZK_TEST_EMULATED_FIBER_H
#define CUZK_TEST_EMULATED_FIBER_H

struct fiber;

/* A fiber that calls work(its argument) again and again, each time when resumed after it returned.
 * Never released: they are reused. Aborts without memory. */
fiber *fiber_new(void (*work)(void *argument));

/* Runs the fiber until it pauses, or until work has returned; true for the latter. */
bool fiber_resume(fiber *fiber, void *argument);

/* In a fiber: back to where it was resumed. */
void fiber_pause(fiber *fiber);

#endif
