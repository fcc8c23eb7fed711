/* Catches SIGBUS in mapped files: a page that is gone reads as zeros, and the fault is remembered.
 */
#ifndef CUZK_BASE_MAP_FAULT_H
#define CUZK_BASE_MAP_FAULT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cuzk_fault_range cuzk_fault_range;

/* Watches [start, start + size), which is mapped read-only. The first call installs the signal
 * handler; a SIGBUS outside all watched ranges goes to the handler that was there before. NULL: no
 * memory. */
cuzk_fault_range *cuzk_fault_watch(const void *start, size_t size);

/* Ends the watch; before the range is unmapped. */
void cuzk_fault_unwatch(cuzk_fault_range *range);

/* Whether a read in the range has faulted since the watch began. */
bool cuzk_fault_seen(const cuzk_fault_range *range);

#endif
