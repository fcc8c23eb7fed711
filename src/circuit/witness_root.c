/* Steps of the root, one by one. */
#include "circuit/witness_run.h"

#include "field/bls12_381_fr.h"

static bool is_wide(const cuzk_compiled *c, uint32_t slot)
{
    return slot < CUZK_ROOT_BASE ? slot != 0 : cuzk_wide_has(&c->wide, slot - CUZK_ROOT_BASE);
}

static void set_bits(const cuzk_run *run, const cuzk_step *s, const uint64_t *value)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t aux = s->dst - CUZK_ROOT_BASE + i;
        cuzk_or_word(&run->w->bits[aux / 64], (value[i / 64] >> (i % 64) & 1) << (aux % 64));
    }
}

static uint64_t bit_of(const cuzk_run *run, uint32_t ref)
{
    return cuzk_read_bit(run->w, ref / 2) ^ (ref & 1);
}

static uint64_t sum_of(const cuzk_run *run, const uint32_t *arg)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < arg[0]; w++) {
        for (uint32_t i = 0; i < 32; i++)
            sum += bit_of(run, arg[1 + 32 * (size_t)w + i]) << i;
    }
    return sum;
}

/* <side, w>: wide values are brought together for the dot product. */
static void evaluate(const cuzk_run *run, cuzk_bench *bench, const uint32_t *pair, size_t n,
                     cuzk_fr *r)
{
    const cuzk_compiled *c = run->c;
    size_t values = 1, terms = 0;
    bls12_381_fr_set_zero(r);
    bench->frame[0] = run->w->input[0];
    for (size_t i = 0; i < n; i++) {
        const uint32_t slot = pair[2 * i], coef = pair[2 * i + 1];
        if (is_wide(c, slot)) {
            bench->frame[values] = *cuzk_wide_value(c, run->w, slot);
            bench->term[terms++] = (cuzk_entry){(uint32_t)values++, coef};
        } else if (cuzk_read_bit(run->w, slot) != 0) {
            bls12_381_fr_add(r, r, &c->coef[coef]);
        }
    }
    run->ops->dot(r, bench->frame, bench->term, terms, c->coef);
}

static void make_quad(const cuzk_run *run, cuzk_bench *bench, const cuzk_step *s,
                      const uint32_t *arg)
{
    const size_t n[3] = {arg[0], arg[1], arg[2]};
    cuzk_fr a, b, c;
    evaluate(run, bench, arg + 3, n[0], &a);
    evaluate(run, bench, arg + 3 + 2 * n[0], n[1], &b);
    evaluate(run, bench, arg + 3 + 2 * (n[0] + n[1]), n[2], &c);
    run->ops->mul_add(cuzk_wide_value(run->c, run->w, s->dst), &a, &b, &c);
}

static void run_step(const cuzk_run *run, cuzk_bench *bench, const cuzk_step *s)
{
    const uint32_t *arg = run->c->arg + run->c->template[0].first_arg + s->arg;
    uint64_t v[4] = {0};
    switch ((cuzk_step_kind)s->kind) {
    case CUZK_STEP_FIELD:
        bls12_381_fr_from_canon(cuzk_wide_value(run->c, run->w, s->dst),
                                &run->request->field[s->arg]);
        return;
    case CUZK_STEP_QUAD:
        make_quad(run, bench, s, arg);
        return;
    case CUZK_STEP_WORD:
        v[0] = run->request->word[arg[0]] >> arg[1];
        break;
    case CUZK_STEP_XOR:
        v[0] = bit_of(run, arg[0]) ^ bit_of(run, arg[1]);
        break;
    case CUZK_STEP_AND:
        v[0] = bit_of(run, arg[0]) & bit_of(run, arg[1]);
        break;
    case CUZK_STEP_CH:
        v[0] = bit_of(run, arg[0]) != 0 ? bit_of(run, arg[1]) : bit_of(run, arg[2]);
        break;
    case CUZK_STEP_MAJ:
        v[0] = (bit_of(run, arg[0]) + bit_of(run, arg[1]) + bit_of(run, arg[2])) / 2;
        break;
    case CUZK_STEP_SUM:
        v[0] = sum_of(run, arg);
        break;
    case CUZK_STEP_BITS:
        if (is_wide(run->c, arg[0])) {
            cuzk_scalar canonical;
            bls12_381_fr_to_canon(&canonical, cuzk_wide_value(run->c, run->w, arg[0]));
            for (int i = 0; i < 4; i++)
                v[i] = canonical.l[i];
        } else {
            v[0] = cuzk_read_bit(run->w, arg[0]);
        }
        break;
    case CUZK_STEP_CALL:
    case CUZK_STEP_KINDS:
        CUZK_ASSERT(false); /* not a step of the root */
    }
    set_bits(run, s, v);
}

void cuzk_run_root(const cuzk_run *run, cuzk_bench *bench, const cuzk_batch *batch)
{
    const cuzk_compiled *c = run->c;
    for (uint32_t i = 0; i < batch->n; i++)
        run_step(run, bench,
                 &c->step[c->template[0].first_step + c->schedule.order[batch->first + i]]);
}
