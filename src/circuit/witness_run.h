/* Inside of making a witness. Batches of instances of one template run together: bits as vectors
 * over the instances ("lanes"), field elements lane by lane. */
#ifndef CUZK_CIRCUIT_WITNESS_RUN_H
#define CUZK_CIRCUIT_WITNESS_RUN_H

#include "circuit/compile_state.h"
#include "circuit/dot.h"
#include "circuit/witness.h"

#define CUZK_LANES 256 /* per batch at most */

/* One bit of each lane: lane l is bit l % 64 of word l / 64. */
typedef uint64_t cuzk_half __attribute__((vector_size(16)));
typedef struct cuzk_lane_bits {
    cuzk_half half[2];
} cuzk_lane_bits;

/* What one thread works with. */
typedef struct cuzk_bench {
    cuzk_lane_bits *bit; /* by place */
    cuzk_fr *frame;      /* of each lane: ONE, wide ports, wide locals */
    cuzk_entry *term;    /* of one side of a step, with places instead of slots */
    uint32_t *bit_place, *bit_coef;
} cuzk_bench;

typedef struct cuzk_run {
    const cuzk_compiled *c;
    const cuzk_circuit_inputs *request;
    const cuzk_dot_ops *ops;
    cuzk_witness *w;
    cuzk_bench *bench;       /* one for each thread */
    const cuzk_batch *batch; /* of the level under way */
} cuzk_run;

/* A batch under way. */
typedef struct cuzk_lanes {
    const cuzk_run *run;
    cuzk_bench *bench;
    const cuzk_template *t;
    const cuzk_template_plan *plan;
    const uint32_t *instance; /* numbers */
    size_t n;                 /* lanes */
} cuzk_lanes;

void cuzk_run_instances(const cuzk_run *run, cuzk_bench *bench, const cuzk_batch *batch);
void cuzk_run_root(const cuzk_run *run, cuzk_bench *bench, const cuzk_batch *batch);
/* Steps that make bits, and those that make field elements. */
void cuzk_lanes_bits(cuzk_lanes *l, const cuzk_step *step);
void cuzk_lanes_wide(cuzk_lanes *l, const cuzk_step *step);

static inline const cuzk_instance *cuzk_lane_instance(const cuzk_lanes *l, size_t lane)
{
    return &l->run->c->instance[l->instance[lane]];
}

static inline cuzk_fr *cuzk_lane_frame(const cuzk_lanes *l, size_t lane)
{
    return l->bench->frame + lane * l->plan->wides;
}

static inline bool cuzk_lane_bit(const cuzk_lane_bits *bits, size_t lane)
{
    return (bits->half[lane / 128][lane / 64 % 2] >> (lane % 64) & 1) != 0;
}

/* Bits and values of the root's slots. Words at the ends of an instance's bits are shared with its
 * neighbours, which other threads write at the same time. */
static inline uint64_t cuzk_read_bit(const cuzk_witness *w, uint32_t slot)
{
    if (slot < CUZK_ROOT_BASE)
        return 1; /* ONE: other inputs are no bits */
    const uint32_t aux = slot - CUZK_ROOT_BASE;
    return __atomic_load_n(&w->bits[aux / 64], __ATOMIC_RELAXED) >> (aux % 64) & 1;
}

static inline void cuzk_or_word(uint64_t *word, uint64_t value)
{
    if (value != 0)
        __atomic_fetch_or(word, value, __ATOMIC_RELAXED);
}

static inline cuzk_fr *cuzk_wide_value(const cuzk_compiled *c, const cuzk_witness *w, uint32_t slot)
{
    if (slot < CUZK_ROOT_BASE)
        return &w->input[slot];
    return &w->value[cuzk_wide_before(&c->wide, slot - CUZK_ROOT_BASE)];
}

/* Bit j of word i becomes bit i of word j. */
static inline void cuzk_transpose_64(uint64_t m[64])
{
    uint64_t mask = 0x00000000ffffffff;
    for (unsigned width = 32; width != 0; width /= 2, mask ^= mask << width) {
        for (unsigned i = 0; i < 64; i = ((i | width) + 1) & ~width) {
            const uint64_t t = ((m[i] >> width) ^ m[i | width]) & mask;
            m[i] ^= t << width;
            m[i | width] ^= t;
        }
    }
}

#endif
