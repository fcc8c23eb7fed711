/* Random circuits, with every operation, calls in calls, and every pattern of ports. */
#ifndef CUZK_TEST_RANDOM_CIRCUIT_H
#define CUZK_TEST_RANDOM_CIRCUIT_H

#include "circuit/cs.h"

/* Without `honest` one row in eight is random, and holds for no request. */
typedef struct test_random_circuit {
    uint64_t seed;
    unsigned calls, steps; /* of the circuit; steps of each gadget */
    bool honest;           /* all rows hold */
} test_random_circuit;
/* cuzk_circuit's build; params: a test_random_circuit. */
void test_random_build(cuzk_cs *cs, const void *params);

#endif
