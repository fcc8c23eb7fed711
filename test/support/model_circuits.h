/* The circuits that the vanilla proofs of test/data/filecoin belong to, with what they take. */
#ifndef CUZK_TEST_MODEL_CIRCUITS_H
#define CUZK_TEST_MODEL_CIRCUITS_H

#include "circuit/cs.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "support/plain_inputs.h"
#include "support/small_circuits.h"

typedef enum model_kind {
    MODEL_POR, /* comm_r_last's path of the first PoRep challenge, 2 KiB; public root */
    MODEL_POREP,
    MODEL_WINDOW,
    MODEL_WINNING,
    MODEL_SNAP,
    MODEL_POREP_SUB,  /* 16 KiB, 8-8-0 */
    MODEL_WINDOW_TOP, /* 32 KiB, 8-8-2; one sector */
    MODELS
} model_kind;

typedef struct model_circuit {
    cuzk_circuit circuit;
    union {
        test_por_params por;
        cuzk_porep_params porep;
        cuzk_post_params post;
        cuzk_update_params update;
    } params;
    test_inputs inputs;
} model_circuit;

/* Must not be moved afterwards: the circuit points into it. */
void model_circuit_open(model_circuit *m, model_kind kind);
void model_circuit_release(model_circuit *m);

#endif
