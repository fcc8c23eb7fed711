/* Short forms for scenarios of the core in the simulated world. */
#ifndef CUZK_TEST_SCENARIO_H
#define CUZK_TEST_SCENARIO_H

#include "support/world.h"

/* A request of the world's usual kind. NULL: it was refused. */
world_job *scenario_submit(world *w, cuzk_class class_, uint32_t partitions);
void scenario_use_key(world *w, world_job *job, unsigned key);
/* Fails the test if the job is not known. */
cuzk_job_view scenario_view(world *w, const world_job *job);
cuzk_core_view scenario_view_all(world *w);

/* A script: the n-th op (from 0) of the kind `only`, or of all but frees of keys, ends with
 * outcome. */
typedef struct scenario_fault {
    uint64_t n, count;
    world_outcome outcome;
    world_op only; /* WORLD_NO_ANSWER: all */
} scenario_fault;
world_outcome scenario_fail_nth(world *w, const world_event *event);

#endif
