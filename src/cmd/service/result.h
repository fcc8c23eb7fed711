/* The end of a job, as clients write it. */
#ifndef CUZK_CMD_SERVICE_RESULT_H
#define CUZK_CMD_SERVICE_RESULT_H

#include "cmd/service/client.h"

/* Where a proof goes. With public_signals the answer {"proof":..., "publicSignals":...} is written
 * as the two files of snarkjs; without, as it came. NULL: standard output. */
typedef struct cuzk_result_files {
    const char *proof, *public_signals;
} cuzk_result_files;

/* The options of both; input: a cuzk_result_files. */
extern const struct argp cuzk_result_argp;

/* Before anything is asked of the service: whether the files can be written. */
cuzk_status cuzk_result_check(const cuzk_result_files *files, bool json, cuzk_error *err);

/* Writes the proof, and with json a report. Returns an exit code: that of the failure, if the job
 * failed. */
int cuzk_result_write(const cuzk_result_files *files, bool json,
                      const Cuzk__V1__AwaitProofResponse *result, cuzk_error *err);

#endif
