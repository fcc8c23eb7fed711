/* Failing allocations. Programs that use this are linked with --wrap for malloc, calloc, realloc,
 * aligned_alloc and free (tests of the kind "fault" are); what libc and libcrypto allocate for
 * themselves is not seen. */
#ifndef CUZK_TEST_FAULT_ALLOC_H
#define CUZK_TEST_FAULT_ALLOC_H

#include "support/test.h"

/* From now on the n-th allocation fails, and only that one; 0: none. */
void test_fault_arm(size_t n);

/* Allocations since test_fault_arm, the failed one included. */
size_t test_fault_count(void);

/* Blocks that are allocated and not freed. */
size_t test_fault_live(void);

#endif
