/* Log lines about the course of partitions, with the keys that tools for the Rust daemon look for:
 * GPU_TIMING, FIN_TIMING and TIMELINE. What that one waited for and this one does not have (locks,
 * the marking of workers) is 0. */
#ifndef CUZK_ENGINE_ENGINE_TIMING_H
#define CUZK_ENGINE_ENGINE_TIMING_H

#include "engine/engine_internal.h"

/* "TIMELINE,<ms since the engine's start>,<event>,<job id>,<detail>" on standard error, if lines of
 * level info are wanted; as the message of a log line if those are JSON. A job id with commas or
 * quotes is quoted as in CSV files. */
void cuzk_timeline(const cuzk_engine *engine, const char *event, const char *job_id,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

void cuzk_timing_synthesised(const cuzk_engine_attempt *attempt);
void cuzk_timing_uploaded(const cuzk_engine_attempt *attempt);
void cuzk_timing_computed(const cuzk_engine_attempt *attempt);
void cuzk_timing_finished(cuzk_engine_attempt *attempt);
void cuzk_timing_checked(const cuzk_engine_attempt *attempt);

/* A job was taken; it ended, as reply says, and for COMPLETED with these times. */
void cuzk_timing_accepted(const cuzk_engine_job *job);
void cuzk_timing_ended(const cuzk_engine_job *job, const cuzk_await_reply *reply);

/* After a job: gives memory back to the system, on the thread for slow things, within two seconds
 * and at most every two. */
void cuzk_engine_trim(cuzk_engine *engine, const char *job_id);
void cuzk_engine_trim_if_due(cuzk_engine *engine, uint64_t now);

#endif
