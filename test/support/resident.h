/* The resident memory of this process, as the kernel counts it. */
#ifndef CUZK_TEST_RESIDENT_H
#define CUZK_TEST_RESIDENT_H

#include <stdbool.h>
#include <stdint.h>

/* Under a sanitizer it says nothing: false. */
bool resident_is_meant(void);
/* In bytes: now; and the most since the last reset. */
uint64_t resident_now(void);
uint64_t resident_peak(void);
/* false: the kernel does not allow it. */
bool resident_reset_peak(void);

#endif
