/* What a device does for the engine: the one interface of all back ends. A partition comes to it as
 * cuzk_device_work and passes upload, compute and finish in this order, each a blocking call that
 * the engine makes from a thread of its own per device and step; so three partitions are under way
 * at once, and no call is made twice at a time. */
#ifndef CUZK_ENGINE_DEVICE_H
#define CUZK_ENGINE_DEVICE_H

#include "base/pool.h"
#include "compute/shared_rows.h"
#include "engine/buffers.h"
#include "engine/types.h"
#include "groth16/prove.h"

#include <stdatomic.h>

/* A key where a device keeps it, beside a cuzk_pk without points. Made and freed by threads that
 * load and free keys, also while other keys are. Whoever makes one puts it at the head of what it
 * knows.
 */
typedef struct cuzk_device_key cuzk_device_key;
struct cuzk_device_key {
    cuzk_base_sink *sink; /* takes the points while pk is made */
    /* Once complete: bytes of the device's memory, and of this machine's. */
    uint64_t device_bytes, host_bytes;
    /* pk was made with the sink, by the same thread, and outlives the key. rows: of a circuit whose
     * assignments are packed, else NULL; not needed afterwards. CUZK_ERR_MEMORY: the message says
     * how much the device would need. */
    cuzk_status (*complete)(cuzk_device_key *key, const cuzk_pk *pk, const cuzk_shared_rows *rows,
                            cuzk_error *err);
    /* Also of one that is not complete. No work with it is under way. */
    void (*free)(cuzk_device_key *key);
};

typedef struct cuzk_device_work {
    const cuzk_pk *pk;
    cuzk_device_key *key; /* of a device that keeps keys; else NULL */
    cuzk_assignment assignment;
    const atomic_bool *cancelled; /* looked at between steps: work on is in vain */

    /* A buffer of the engine's, of at least work_bytes: the device's from upload to drop, which
     * leaves no secret in it. */
    void *scratch;
    size_t scratch_bytes;

    /* The device's own. */
    cuzk_sums sums; /* secret */
    cuzk_proof proof;
} cuzk_device_work;

typedef struct cuzk_device cuzk_device;

typedef struct cuzk_device_ops {
    /* Fails with CUZK_ERR_MEMORY, CUZK_ERR_DEVICE or CUZK_ERR_CANCELLED; input errors have other
     * statuses. */
    cuzk_status (*upload)(cuzk_device *device, cuzk_device_work *work, cuzk_error *err);
    cuzk_status (*compute)(cuzk_device *device, cuzk_device_work *work, cuzk_error *err);
    /* Fresh blinding, and the proof, not verified yet. */
    cuzk_status (*finish)(cuzk_device *device, cuzk_device_work *work, cuzk_error *err);
    /* Verifies the proof. CUZK_ERR_DEVICE: it is false, and the device is to blame. Any thread. */
    cuzk_status (*check)(cuzk_device *device, cuzk_device_work *work, cuzk_error *err);
    /* The checked proof in CUZK_PROOF_BYTES bytes, points compressed (BLS12-381). */
    void (*encode)(const cuzk_device *device, const cuzk_device_work *work,
                   uint8_t out[CUZK_PROOF_BYTES]);
    /* The checked proof as the job's answer; *text is the caller's (free). */
    cuzk_status (*answer)(cuzk_device *device, const cuzk_device_work *work, char **text,
                          cuzk_error *err);
    /* Wipes and frees what the device holds for the work. Any thread, no step under way. Also for
     * work that never came to it. */
    void (*drop)(cuzk_device *device, cuzk_device_work *work);
    /* The scratch that a partition of this key needs. */
    size_t (*work_bytes)(const cuzk_device *device, const cuzk_pk *pk);
    /* The most that this can be for a key with these counts. */
    size_t (*work_bound)(const cuzk_device *device, const cuzk_curve *curve,
                         const cuzk_prove_counts *counts);
    /* Of a device that keeps keys: begins one. */
    cuzk_status (*key_new)(cuzk_device *device, cuzk_device_key **key, cuzk_error *err);
    void (*close)(cuzk_device *device);
} cuzk_device_ops;

struct cuzk_device {
    const cuzk_device_ops *ops;
    const char *name;                  /* for status: "cpu, 16 threads, ifma" */
    const cuzk_buffer_source *buffers; /* makes the scratch, which any device of the engine can
                                          use; NULL: cuzk_buffer_pages */
    bool keeps_keys;                   /* in its own memory: keys are loaded with key_new's sink */
    bool quick_upload; /* upload takes microseconds and does not block: the engine makes the call
                          from its own thread, and others may be under way */
};

/* The processors of this machine, through the pool's threads. */
cuzk_status cuzk_device_cpu_open(cuzk_device **device, cuzk_pool *pool, cuzk_error *err);

/* The device of this configuration: a GPU, or the processors. Says in the log which, and why not a
 * GPU. Fails if a GPU is asked for by number and cannot be used. */
cuzk_status cuzk_device_choose(cuzk_device **device, const cuzk_gpu_choice *choice, cuzk_pool *pool,
                               cuzk_error *err);

/* A device for tests of the engine: it proves nothing, takes the time it is told to, and errs when
 * it is told to. Its answers say that they are no proofs; the daemon cannot be configured to use
 * it. */
typedef struct cuzk_fake_script {
    uint64_t upload_us, compute_us, finish_us;
    uint64_t fault_every, false_every; /* compute fails, check finds a false proof; 0: never */
} cuzk_fake_script;
cuzk_status cuzk_device_fake_open(cuzk_device **device, unsigned index,
                                  const cuzk_fake_script *script, cuzk_error *err);

#endif
