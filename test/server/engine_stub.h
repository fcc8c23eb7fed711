/* An engine that answers as a test tells it to, from a thread of its own as the real one does. It
 * is linked in place of the engine and of the core's views. */
#ifndef CUZK_TEST_ENGINE_STUB_H
#define CUZK_TEST_ENGINE_STUB_H

#include "engine/engine.h"

/* What to do; set before the calls that it is about. Zero is a friendly engine, whose jobs complete
 * at once with the proof "proof of <job id>". */
typedef struct engine_stub_script {
    cuzk_submitted submitted; /* a verdict that is not NEW refuses all requests with it */
    cuzk_status submit_status;
    const char *message; /* of refusals, failures, keys */
    uint64_t job_ms;     /* how long jobs take; CUZK_NEVER: until they are cancelled */
    cuzk_job_state end;  /* 0: COMPLETED */
    cuzk_status end_status, key_status;
    size_t proof_size;     /* 0: see above; else so many bytes 'p' */
    uint64_t inflight_max; /* 0: no limit */
    bool unready;
} engine_stub_script;

typedef struct engine_stub_seen {
    unsigned submits, awaits, leaves, leaves_late, cancels;
    uint64_t inflight, inflight_peak;
    cuzk_job_request last; /* its strings and payload are copies that the stub keeps */
    char request_id[CUZK_REQUEST_ID_MAX + 1], key[CUZK_KEY_NAME_MAX];
} engine_stub_seen;

/* What the views read: one device, and one key if it is loaded. */
struct cuzk_core {
    cuzk_core_view view;
    char computing[CUZK_REQUEST_ID_MAX + 1]; /* the job on the device; "": none */
};

cuzk_engine *engine_stub_open(void);
/* All callbacks have come when it returns. */
void engine_stub_close(cuzk_engine *engine);
void engine_stub_set(cuzk_engine *engine, const engine_stub_script *script);
engine_stub_seen engine_stub_see(cuzk_engine *engine);

#endif
