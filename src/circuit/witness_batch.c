/* A batch of instances: ports in, steps, results out. */
#include "circuit/witness_run.h"

#include <string.h>

/* Port i of a lane's instance, as a slot of the root. */
static uint32_t port_slot(const cuzk_lanes *l, size_t lane, uint32_t i)
{
    return l->run->c->binding[cuzk_lane_instance(l, lane)->first_binding + i];
}

/* 64 ports from first_port on, for a block of lanes: those that are bits, one after the other from
 * `place` on. Returns the next port. */
static uint32_t gather_bits(const cuzk_lanes *l, uint32_t first_port, uint32_t *place)
{
    const uint8_t *wide = l->run->c->port + l->t->first_port;
    uint32_t port[64], n = 0, next = first_port;
    for (; next < l->t->ports && n < 64; next++) {
        if (wide[next] == 0)
            port[n++] = next;
    }
    for (size_t block = 0; block * 64 < l->n; block++) {
        uint64_t m[64] = {0};
        for (size_t i = 0; i < 64 && block * 64 + i < l->n; i++) {
            for (uint32_t j = 0; j < n; j++)
                m[i] |= cuzk_read_bit(l->run->w, port_slot(l, block * 64 + i, port[j])) << j;
        }
        cuzk_transpose_64(m);
        for (uint32_t j = 0; j < n; j++)
            l->bench->bit[*place + j].half[block / 2][block % 2] = m[j];
    }
    *place += n;
    return next;
}

static void gather(const cuzk_lanes *l)
{
    const cuzk_compiled *c = l->run->c;
    uint32_t place = 1;
    l->bench->bit[0] =
        (cuzk_lane_bits){{{~(uint64_t)0, ~(uint64_t)0}, {~(uint64_t)0, ~(uint64_t)0}}};
    for (uint32_t i = 0; i < l->t->ports;)
        i = gather_bits(l, i, &place);
    for (size_t lane = 0; lane < l->n; lane++) {
        cuzk_fr *to = cuzk_lane_frame(l, lane);
        *to++ = l->run->w->input[0];
        for (uint32_t i = 0; i < l->t->ports && l->plan->wide_ports != 0; i++) {
            if (c->port[l->t->first_port + i] != 0)
                *to++ = *cuzk_wide_value(c, l->run->w, port_slot(l, lane, i));
        }
    }
}

static void scatter_wide(const cuzk_lanes *l)
{
    const size_t n = l->plan->wides - l->plan->wide_ports - 1;
    for (size_t lane = 0; lane < l->n && n != 0; lane++) {
        const uint32_t aux = cuzk_lane_instance(l, lane)->first_aux;
        memcpy(&l->run->w->value[cuzk_wide_before(&l->run->c->wide, aux)],
               cuzk_lane_frame(l, lane) + 1 + l->plan->wide_ports, n * sizeof(cuzk_fr));
    }
}

/* Up to 64 locals of each lane: a word for each lane, put where it belongs. */
static void scatter_word(const cuzk_lanes *l, uint32_t first)
{
    const uint32_t *place = l->plan->place + l->t->base + first;
    const uint32_t n = l->t->locals - first < 64 ? l->t->locals - first : 64;
    for (size_t block = 0; block * 64 < l->n; block++) {
        uint64_t m[64] = {0};
        for (uint32_t i = 0; i < n; i++) {
            if ((place[i] & CUZK_PLACE_WIDE) == 0)
                m[i] = l->bench->bit[place[i]].half[block / 2][block % 2];
        }
        cuzk_transpose_64(m);
        for (size_t i = 0; i < 64 && block * 64 + i < l->n; i++) {
            const size_t at = (size_t)cuzk_lane_instance(l, block * 64 + i)->first_aux + first;
            cuzk_or_word(&l->run->w->bits[at / 64], m[i] << (at % 64));
            if (at % 64 != 0)
                cuzk_or_word(&l->run->w->bits[at / 64 + 1], m[i] >> (64 - at % 64));
        }
    }
}

void cuzk_run_instances(const cuzk_run *run, cuzk_bench *bench, const cuzk_batch *batch)
{
    const cuzk_compiled *c = run->c;
    cuzk_lanes l = {
        .run = run,
        .bench = bench,
        .t = &c->template[batch->template],
        .plan = &c->plan[batch->template],
        .instance = c->schedule.order + batch->first,
        .n = batch->n,
    };
    gather(&l);
    for (uint32_t i = 0; i < l.t->steps; i++) {
        const cuzk_step *s = &c->step[l.t->first_step + i];
        if (s->kind == CUZK_STEP_QUAD || s->kind == CUZK_STEP_FIELD)
            cuzk_lanes_wide(&l, s);
        else
            cuzk_lanes_bits(&l, s);
    }
    scatter_wide(&l);
    for (uint32_t first = 0; first < l.t->locals && l.plan->bits > 1; first += 64)
        scatter_word(&l, first);
}
