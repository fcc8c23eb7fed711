/* Circuits that commands name: of the program's own, or of a file. */
#ifndef CUZK_CMD_CIRCUIT_SOURCE_H
#define CUZK_CMD_CIRCUIT_SOURCE_H

#include "circuit/filecoin/registry.h"

/* name: of a registered circuit, which is compiled, or of a file that `cuzk circuit compile` wrote,
 * of any circuit. On success *compiled is the caller's, and *seconds is the time that it took. */
cuzk_status cuzk_circuit_source_take(cuzk_compiled **compiled, double *seconds, const char *name,
                                     cuzk_error *err);

/* Seconds since cuzk_clock_ns gave start. */
double cuzk_seconds_since(uint64_t start);

#endif
