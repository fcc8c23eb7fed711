#include "cmd/exit_code.h"

const cuzk_exit_meaning cuzk_exit_meanings[] = {
    {CUZK_OK, "done; for verify: the proof is valid"},
    {CUZK_ERR_ARGUMENT, "wrong usage, or arguments that contradict each other"},
    {CUZK_ERR_IO, "a file cannot be read or written"},
    {CUZK_ERR_FORMAT, "a file is malformed, cut short, or of another kind than needed"},
    {CUZK_ERR_UNSUPPORTED, "well formed, but something that cuzk refuses or lacks"},
    {CUZK_ERR_MISMATCH, "files that are fine one by one, but do not belong together"},
    {CUZK_ERR_INSECURE, "a key with which anyone could forge proofs"},
    {CUZK_ERR_UNSATISFIED, "the witness does not satisfy the circuit"},
    {CUZK_ERR_REJECTED, "the proof is well formed and false"},
    {CUZK_ERR_MEMORY, "out of memory"},
    {CUZK_ERR_RANDOM, "the system gave no random bytes"},
    {CUZK_ERR_CANCELLED, "cancelled"},
    {CUZK_ERR_DEVICE, "the machine computed wrongly"},
};

const size_t cuzk_exit_meanings_count = sizeof cuzk_exit_meanings / sizeof cuzk_exit_meanings[0];
