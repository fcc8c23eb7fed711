/* Random circuits, with every operation, calls in calls, and every pattern of ports. */
#ifndef CUZK_TEST_RANDOM_CIRCUIT_H
#define CUZK_TEST_RANDOM_CIRCUIT_H

#include "circuit/cs.h"

/* cuzk_circuit's build; params: a uint64_t, the seed. Its rows hold for any request, but for one in
 * eight that are random; they hold for none. */
typedef struct test_random_circuit {
    uint64_t seed;
    unsigned calls, steps; /* of the circuit; steps of each gadget */
    bool honest;           /* all rows hold */
} test_random_circuit;
void test_random_build(cuzk_cs *cs, const void *params);

#endif
