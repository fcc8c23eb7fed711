/* Time that only moves forward, and the calendar's. */
#ifndef CUZK_BASE_CLOCK_H
#define CUZK_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some fixed moment of this boot. Any thread. */
uint64_t cuzk_clock_ns(void);

/* Milliseconds since 1970 by the machine's calendar, which may be set: for what outlives the
 * process. */
int64_t cuzk_clock_unix_ms(void);

#endif
