#include "cmd/circuit_source.h"

#include "base/clock.h"

#include <unistd.h>

double cuzk_seconds_since(uint64_t start)
{
    return (double)(cuzk_clock_ns() - start) * 1e-9;
}

cuzk_status cuzk_circuit_source_take(cuzk_compiled **compiled, double *seconds, const char *name,
                                     cuzk_error *err)
{
    const uint64_t start = cuzk_clock_ns();
    cuzk_fil_proof proof;
    cuzk_status status = cuzk_fil_circuit_find(&proof, name, err);
    if (status == CUZK_OK)
        status = cuzk_fil_circuit_compile(compiled, &proof, err);
    else if (access(name, F_OK) == 0)
        status = cuzk_compiled_open(compiled, name, NULL, NULL, err);
    else
        status = cuzk_fail(err, status,
                           "%s is neither a circuit (`cuzk circuit list` shows all) "
                           "nor a file",
                           name);
    *seconds = cuzk_seconds_since(start);
    return status;
}
