/* Time that only moves forward. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment of this boot. Any thread. */
uint64_t cuzk_clock_ns(void);

#endif
