/* Whether the sections of a compiled circuit make sense: everything that code relies on. */
#ifndef CUZK_CIRCUIT_COMPILE_VERIFY_H
#define CUZK_CIRCUIT_COMPILE_VERIFY_H

#include "circuit/compile_state.h"

/* Before cuzk_compiled_prepare: sizes, ranges, order. Errors: CUZK_ERR_FORMAT; name is the file's.
 */
cuzk_status cuzk_compiled_verify(const cuzk_compiled *c, const char *name, cuzk_error *err);
/* After it: what is used as a bit is one, what is bound to a port is of its kind. */
cuzk_status cuzk_compiled_verify_kinds(const cuzk_compiled *c, const char *name, cuzk_error *err);

/* Calls visit for each slot that a step reads, until it returns false. */
typedef bool cuzk_slot_fn(void *user, uint32_t slot, bool as_bit);
bool cuzk_step_visit(const cuzk_step *step, const uint32_t *arg, cuzk_slot_fn *visit, void *user);

#endif
