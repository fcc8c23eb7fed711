/* Reading rows: an instance's values are unpacked once, bits as bytes; then each side is a short
 * sum. */
#include "circuit/product_rows.h"

#include "base/memory.h"
#include "circuit/witness_run.h"
#include "field/bls12_381_fr.h"

#include <string.h>

typedef uint64_t limb_sum __attribute__((vector_size(16)));

typedef struct bench_sizes {
    size_t bit, frame, term;
} bench_sizes;

static bench_sizes find_sizes(const cuzk_compiled *c)
{
    bench_sizes s = {64, 1, cuzk_compiled_longest(c) + 1};
    for (size_t t = 1; t < c->templates; t++) {
        /* Bits are unpacked by words, from any bit of the first one on. */
        const size_t slots = (size_t)c->template[t].base + c->template[t].locals + 128;
        s.bit = slots > s.bit ? slots : s.bit;
        s.frame = c->plan[t].wides > s.frame ? c->plan[t].wides : s.frame;
    }
    s.frame = s.term + 1 > s.frame ? s.term + 1 : s.frame; /* the root brings values together */
    return s;
}

size_t cuzk_row_bench_bytes(const cuzk_compiled *c)
{
    const bench_sizes s = find_sizes(c);
    return cuzk_align_up(s.bit) + cuzk_align_up(s.frame * sizeof(cuzk_fr)) +
           cuzk_align_up(s.term * sizeof(cuzk_entry));
}

void cuzk_row_bench_lay_out(cuzk_row_bench *b, const cuzk_compiled *c, void *at)
{
    const bench_sizes s = find_sizes(c);
    b->bit = at;
    b->frame = (void *)(b->bit + cuzk_align_up(s.bit));
    b->term = (void *)((uint8_t *)b->frame + cuzk_align_up(s.frame * sizeof(cuzk_fr)));
}

/* 8 bits as 8 bytes, the lowest first: the machine is little-endian. */
static inline void unpack_8(uint8_t *to, uint64_t bits)
{
    const uint64_t each = (bits & 0xff) * UINT64_C(0x0101010101010101);
    const uint64_t apart = each & UINT64_C(0x8040201008040201);
    const uint64_t ones =
        ((apart + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7) & UINT64_C(0x0101010101010101);
    memcpy(to, &ones, 8);
}

/* n bits from number `at` on; writes up to 63 bytes more. */
static void unpack(uint8_t *to, const uint64_t *bits, size_t at, size_t n)
{
    for (size_t i = 0; i < n; i += 64) {
        const size_t from = at + i;
        uint64_t word = bits[from / 64] >> (from % 64);
        if (from % 64 != 0 && n - i > 64 - from % 64)
            word |= bits[from / 64 + 1] << (64 - from % 64);
        for (size_t j = 0; j < 8; j++)
            unpack_8(to + i + 8 * j, word >> (8 * j));
    }
}

static void open_instance(cuzk_row_reader *r, const cuzk_instance *in)
{
    const cuzk_compiled *c = r->c;
    const cuzk_template_plan *p = &c->plan[in->template];
    cuzk_fr *wide = r->bench.frame;
    *wide++ = r->w->input[0];
    r->bench.bit[0] = 1;
    for (uint32_t i = 0; i < r->t->ports; i++) {
        const uint32_t slot = c->binding[in->first_binding + i];
        const bool is_wide = c->port[r->t->first_port + i] != 0;
        r->bench.bit[1 + i] = is_wide ? 0 : (uint8_t)cuzk_read_bit(r->w, slot);
        if (is_wide)
            *wide++ = *cuzk_wide_value(c, r->w, slot);
    }
    unpack(r->bench.bit + r->t->base, r->w->bits, in->first_aux, r->t->locals);
    const size_t locals = p->wides - 1 - p->wide_ports;
    if (locals != 0)
        memcpy(wide, &r->w->value[cuzk_wide_before(&c->wide, in->first_aux)],
               locals * sizeof *wide);
}

void cuzk_row_reader_open(cuzk_row_reader *r, const cuzk_stretch *s)
{
    r->template = s->template;
    r->t = &r->c->template[s->template];
    r->start = r->c->row_start + r->t->first_start;
    r->entry = r->c->entry + r->t->first_entry;
    if (s->instance != 0)
        open_instance(r, &r->c->instance[s->instance - 1]);
}

/* Bits with any coefficients: canonical ones are summed limb by limb. */
static void bits_side(const cuzk_row_reader *r, size_t side, cuzk_fr *value)
{
    limb_sum sum[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    for (uint32_t i = r->start[side]; i < r->start[side + 1]; i++) {
        const uint64_t keep = 0 - (uint64_t)r->bench.bit[r->entry[i].slot];
        const uint32_t *coef = r->c->canonical[r->entry[i].coef];
        for (int j = 0; j < 4; j++)
            sum[j] += (limb_sum){coef[2 * j], coef[2 * j + 1]} & (limb_sum){keep, keep};
    }
    uint64_t limb[8];
    memcpy(limb, sum, sizeof limb);
    r->ops->reduce(value, limb);
}

static void wide_side(const cuzk_row_reader *r, size_t side, cuzk_fr *value)
{
    const uint32_t *place = r->c->plan[r->template].place;
    size_t n = 0;
    bls12_381_fr_set_zero(value);
    for (uint32_t i = r->start[side]; i < r->start[side + 1]; i++) {
        const cuzk_entry e = r->entry[i];
        if ((place[e.slot] & CUZK_PLACE_WIDE) != 0)
            r->bench.term[n++] = (cuzk_entry){place[e.slot] & ~CUZK_PLACE_WIDE, e.coef};
        else if (r->bench.bit[e.slot] != 0)
            bls12_381_fr_add(value, value, &r->c->coef[e.coef]);
    }
    r->ops->dot(value, r->bench.frame, r->bench.term, n, r->c->coef);
}

/* In the root, values are brought together for each side. */
static void root_side(const cuzk_row_reader *r, size_t side, cuzk_fr *value)
{
    const cuzk_compiled *c = r->c;
    size_t values = 1, n = 0;
    bls12_381_fr_set_zero(value);
    r->bench.frame[0] = r->w->input[0];
    for (uint32_t i = r->start[side]; i < r->start[side + 1]; i++) {
        const cuzk_entry e = r->entry[i];
        const bool wide = e.slot < CUZK_ROOT_BASE
                              ? e.slot != 0
                              : cuzk_wide_has(&c->wide, e.slot - CUZK_ROOT_BASE);
        if (wide) {
            r->bench.frame[values] = *cuzk_wide_value(c, r->w, e.slot);
            r->bench.term[n++] = (cuzk_entry){(uint32_t)values++, e.coef};
        } else if (cuzk_read_bit(r->w, e.slot) != 0) {
            bls12_381_fr_add(value, value, &c->coef[e.coef]);
        }
    }
    r->ops->dot(value, r->bench.frame, r->bench.term, n, c->coef);
}

void cuzk_row_side(const cuzk_row_reader *r, size_t side, cuzk_row_kind kind, cuzk_fr *value)
{
    if (r->template == 0)
        root_side(r, side, value);
    else if (kind == CUZK_ROW_WIDE)
        wide_side(r, side, value);
    else
        bits_side(r, side, value);
}
