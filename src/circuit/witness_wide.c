/* Steps that make field elements, lane by lane. */
#include "circuit/witness_run.h"

#include "field/bls12_381_fr.h"

/* One side of a QUAD step, its wide terms and bits apart. */
typedef struct side {
    const cuzk_entry *term;
    const uint32_t *bit_place, *bit_coef;
    size_t n, bits;
} side;

/* Sorts the terms; ONE goes with the wide ones. Lists are at the bench's from `at` on. */
static side resolve(const cuzk_lanes *l, const uint32_t *pair, size_t n, size_t at)
{
    cuzk_bench *b = l->bench;
    side s = {b->term + at, b->bit_place + at, b->bit_coef + at, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const uint32_t place = l->plan->place[pair[2 * i]], coef = pair[2 * i + 1];
        if ((place & CUZK_PLACE_WIDE) != 0 || place == 0) {
            b->term[at + s.n++] = (cuzk_entry){place & ~CUZK_PLACE_WIDE, coef};
        } else {
            b->bit_place[at + s.bits] = place;
            b->bit_coef[at + s.bits++] = coef;
        }
    }
    return s;
}

static void evaluate(const cuzk_lanes *l, const side *s, size_t lane, cuzk_fr *r)
{
    const cuzk_fr *coef = l->run->c->coef;
    bls12_381_fr_set_zero(r);
    for (size_t i = 0; i < s->bits; i++) {
        if (cuzk_lane_bit(&l->bench->bit[s->bit_place[i]], lane))
            bls12_381_fr_add(r, r, &coef[s->bit_coef[i]]);
    }
    l->run->ops->dot(r, cuzk_lane_frame(l, lane), s->term, s->n, coef);
}

static bool is_one(const side *s)
{
    return s->bits == 0 && s->n == 1 && s->term[0].slot == 0 && s->term[0].coef == CUZK_COEF_ONE;
}

static void make_quad(const cuzk_lanes *l, const uint32_t *arg, uint32_t place)
{
    const uint32_t n[3] = {arg[0], arg[1], arg[2]};
    const side a = resolve(l, arg + 3, n[0], 0);
    const side b = resolve(l, arg + 3 + 2 * (size_t)n[0], n[1], n[0]);
    const side c = resolve(l, arg + 3 + 2 * ((size_t)n[0] + n[1]), n[2], (size_t)n[0] + n[1]);
    const bool linear = n[0] == 0 || n[1] == 0 || is_one(&b);
    for (size_t lane = 0; lane < l->n; lane++) {
        cuzk_fr x, y, z;
        evaluate(l, &c, lane, &z);
        if (n[0] != 0 && n[1] != 0)
            evaluate(l, &a, lane, &x);
        else
            bls12_381_fr_set_zero(&x);
        if (linear) {
            bls12_381_fr_add(&z, &z, &x);
        } else {
            evaluate(l, &b, lane, &y);
            l->run->ops->mul_add(&z, &x, &y, &z);
        }
        cuzk_lane_frame(l, lane)[place] = z;
    }
}

void cuzk_lanes_wide(cuzk_lanes *l, const cuzk_step *step)
{
    const cuzk_compiled *c = l->run->c;
    const uint32_t place = l->plan->place[step->dst] & ~CUZK_PLACE_WIDE;
    if (step->kind == CUZK_STEP_QUAD) {
        make_quad(l, c->arg + l->t->first_arg + step->arg, place);
        return;
    }
    for (size_t lane = 0; lane < l->n; lane++) {
        const size_t number = (size_t)cuzk_lane_instance(l, lane)->first_field + step->arg;
        bls12_381_fr_from_canon(&cuzk_lane_frame(l, lane)[place], &l->run->request->field[number]);
    }
}
