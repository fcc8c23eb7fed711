/* Steps that make bits, for all lanes of a batch at once. */
#include "circuit/witness_run.h"

#include "field/bls12_381_fr.h"

#define SUM_COLUMNS 36

static inline cuzk_lane_bits load(const cuzk_lanes *l, uint32_t ref)
{
    cuzk_lane_bits v = l->bench->bit[l->plan->place[ref / 2]];
    const uint64_t mask = 0 - (uint64_t)(ref & 1);
    for (int h = 0; h < 2; h++)
        v.half[h] ^= (cuzk_half){mask, mask};
    return v;
}

/* A full adder for each lane: *carry is in and out. */
static inline cuzk_lane_bits add(cuzk_lane_bits a, cuzk_lane_bits b, cuzk_lane_bits *carry)
{
    cuzk_lane_bits sum;
    for (int h = 0; h < 2; h++) {
        const cuzk_half c = carry->half[h], ab = a.half[h] ^ b.half[h];
        sum.half[h] = ab ^ c;
        carry->half[h] = (a.half[h] & b.half[h]) | (ab & c);
    }
    return sum;
}

/* The words are added one after the other to a sum of n columns. */
static void make_sum(const cuzk_lanes *l, const uint32_t *arg, uint32_t n, cuzk_lane_bits *to)
{
    const cuzk_lane_bits zero = {{{0, 0}, {0, 0}}};
    cuzk_lane_bits sum[SUM_COLUMNS];
    const uint32_t width = n < 32 ? n : 32;
    for (uint32_t i = 0; i < n; i++)
        sum[i] = zero;
    for (uint32_t w = 0; w < arg[0]; w++) {
        const uint32_t *ref = arg + 1 + 32 * (size_t)w;
        cuzk_lane_bits carry = zero;
        for (uint32_t i = 0; i < width; i++)
            sum[i] = add(sum[i], load(l, ref[i]), &carry);
        for (uint32_t i = 32; i < n; i++)
            sum[i] = add(sum[i], zero, &carry);
    }
    for (uint32_t i = 0; i < n; i++)
        to[i] = sum[i];
}

/* From one word of each lane in m: bits 0 .. n-1 go to `to`, in their block of 64 lanes. */
static void spread(uint64_t m[64], size_t block, uint32_t n, cuzk_lane_bits *to)
{
    cuzk_transpose_64(m);
    for (uint32_t i = 0; i < n; i++)
        to[i].half[block / 2][block % 2] = m[i];
}

static void make_word(const cuzk_lanes *l, const uint32_t *arg, uint32_t n, cuzk_lane_bits *to)
{
    for (size_t block = 0; block * 64 < l->n; block++) {
        uint64_t m[64] = {0};
        for (size_t i = 0; i < 64 && block * 64 + i < l->n; i++) {
            const cuzk_instance *in = cuzk_lane_instance(l, block * 64 + i);
            m[i] = l->run->request->word[in->first_word + arg[0]] >> arg[1];
        }
        spread(m, block, n, to);
    }
}

static void make_bits(const cuzk_lanes *l, uint32_t slot, uint32_t n, cuzk_lane_bits *to)
{
    const uint32_t place = l->plan->place[slot];
    if ((place & CUZK_PLACE_WIDE) == 0) { /* the canonical value of a bit */
        const cuzk_lane_bits zero = {{{0, 0}, {0, 0}}};
        for (uint32_t i = 1; i < n; i++)
            to[i] = zero;
        to[0] = l->bench->bit[place];
        return;
    }
    for (size_t block = 0; block * 64 < l->n; block++) {
        uint64_t m[4][64] = {{0}};
        for (size_t i = 0; i < 64 && block * 64 + i < l->n; i++) {
            cuzk_scalar s;
            bls12_381_fr_to_canon(&s,
                                  &cuzk_lane_frame(l, block * 64 + i)[place & ~CUZK_PLACE_WIDE]);
            for (int limb = 0; limb < 4; limb++)
                m[limb][i] = s.l[limb];
        }
        for (uint32_t limb = 0; 64 * limb < n; limb++)
            spread(m[limb], block, n - 64 * limb < 64 ? n - 64 * limb : 64, to + (size_t)64 * limb);
    }
}

/* XOR, AND, CH, MAJ. */
static void make_one(const cuzk_lanes *l, uint32_t kind, const uint32_t *arg, cuzk_lane_bits *to)
{
    const cuzk_lane_bits x = load(l, arg[0]), y = load(l, arg[1]);
    cuzk_lane_bits r, z = x;
    if (kind == CUZK_STEP_CH || kind == CUZK_STEP_MAJ)
        z = load(l, arg[2]);
    for (int h = 0; h < 2; h++) {
        const cuzk_half p = x.half[h], q = y.half[h], s = z.half[h];
        if (kind == CUZK_STEP_XOR)
            r.half[h] = p ^ q;
        else if (kind == CUZK_STEP_AND)
            r.half[h] = p & q;
        else if (kind == CUZK_STEP_CH)
            r.half[h] = s ^ (p & (q ^ s));
        else
            r.half[h] = (p & q) | (s & (p ^ q));
    }
    *to = r;
}

void cuzk_lanes_bits(cuzk_lanes *l, const cuzk_step *step)
{
    const uint32_t *arg = l->run->c->arg + l->t->first_arg + step->arg;
    cuzk_lane_bits *to = &l->bench->bit[l->plan->place[step->dst]];
    switch ((cuzk_step_kind)step->kind) {
    case CUZK_STEP_SUM:
        make_sum(l, arg, step->n, to);
        break;
    case CUZK_STEP_WORD:
        make_word(l, arg, step->n, to);
        break;
    case CUZK_STEP_BITS:
        make_bits(l, arg[0], step->n, to);
        break;
    case CUZK_STEP_XOR:
    case CUZK_STEP_AND:
    case CUZK_STEP_CH:
    case CUZK_STEP_MAJ:
        make_one(l, step->kind, arg, to);
        break;
    case CUZK_STEP_FIELD:
    case CUZK_STEP_QUAD:
    case CUZK_STEP_CALL:
    case CUZK_STEP_KINDS:
        CUZK_ASSERT(false); /* not a step that makes bits */
    }
}
