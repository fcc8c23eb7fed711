/* Inside of compiled circuits.
 *
 * A frame is a template or the root. Values within a frame have slots: 0 is ONE; then come the
 * ports, which in the root are the public inputs; from `base` up the aux variables in their order.
 * The root's base is CUZK_ROOT_BASE, so that its slots do not depend on the number of inputs, and
 * its aux are all of the circuit's, those of instances included. Slots rise in the order of rows.
 *
 * A reference to a bit is slot * 2, plus 1 for its negation; so constants are 0 (one) and 1 (zero).
 */
#ifndef CUZK_CIRCUIT_COMPILE_STATE_H
#define CUZK_CIRCUIT_COMPILE_STATE_H

#include "base/map.h"
#include "circuit/compile.h"
#include "compute/packed.h"

#define CUZK_ROOT_BASE ((uint32_t)1 << 26)
#define CUZK_AUX_MAX   ((uint32_t)1 << 30)
#define CUZK_REF_ONE   0u
#define CUZK_REF_ZERO  1u

/* How a step makes variables; `args` from step.arg of the frame on. */
typedef enum cuzk_step_kind {
    CUZK_STEP_FIELD, /* arg itself: which element, counted within the frame */
    CUZK_STEP_WORD,  /* which word, first bit */
    CUZK_STEP_XOR,   /* 2 references */
    CUZK_STEP_AND,   /* 2 references */
    CUZK_STEP_CH,    /* 3 references: x ? y : z */
    CUZK_STEP_MAJ,   /* 3 references */
    CUZK_STEP_SUM,   /* number of words, 32 references for each */
    CUZK_STEP_BITS,  /* a slot */
    CUZK_STEP_QUAD,  /* numbers of terms of A, B, C; then slot and coefficient of each */
    CUZK_STEP_CALL,  /* root only; arg itself: the instance */
    CUZK_STEP_KINDS
} cuzk_step_kind;

typedef struct cuzk_step {
    uint32_t kind;
    uint32_t n;   /* variables made */
    uint32_t dst; /* slot of the first */
    uint32_t arg;
} cuzk_step;

typedef struct cuzk_entry {
    uint32_t slot, coef;
} cuzk_entry;

/* A template, or the root, which is number 0. The lists are ranges of the sections. */
typedef struct cuzk_template {
    uint32_t name; /* offset in the names */
    uint32_t base, ports;
    uint32_t locals; /* aux variables */
    uint32_t field, word;
    uint32_t rows, steps, args, entries;
    uint32_t first_port, first_step, first_arg, first_start, first_entry;
} cuzk_template;

/* A call. Instances are in the order of calls; `first_` numbers are those of the circuit. */
typedef struct cuzk_instance {
    uint32_t template;
    uint32_t first_aux, first_row;
    uint32_t root_row; /* rows of the root before it */
    uint32_t first_field, first_word;
    uint32_t first_binding; /* slots in the root, one for each port */
} cuzk_instance;

typedef struct cuzk_counts {
    uint32_t inputs, aux, rows, field, word;
} cuzk_counts;

/* What is saved, in this order. */
typedef enum cuzk_section {
    CUZK_SECTION_COUNTS,
    CUZK_SECTION_NAMES, /* NUL-terminated; the first is the circuit's */
    CUZK_SECTION_TEMPLATES,
    CUZK_SECTION_PORTS, /* a byte each: 1 is wide */
    CUZK_SECTION_STEPS,
    CUZK_SECTION_ARGS,
    CUZK_SECTION_ROW_STARTS, /* for each template: where A, B, C of each row start among its
                                entries, and the end: 3 * rows + 1 numbers */
    CUZK_SECTION_ENTRIES,
    CUZK_SECTION_COEFS,
    CUZK_SECTION_INSTANCES,
    CUZK_SECTION_BINDINGS,
    CUZK_SECTIONS
} cuzk_section;
extern const size_t cuzk_section_size[CUZK_SECTIONS]; /* of an element */

typedef struct cuzk_blob {
    void *data;
    size_t n, room; /* elements */
} cuzk_blob;

/* Appends n elements, from `from` if that is not NULL; returns where they are, NULL: no memory. */
void *cuzk_blob_add(cuzk_blob *blob, size_t size, const void *from, size_t n);

/* One bit per aux variable: whether it is wide, with ranks for each word. */
typedef struct cuzk_wide_map {
    uint64_t *word;
    uint32_t *rank; /* wide ones before the word */
    size_t bits, room;
} cuzk_wide_map;
bool cuzk_wide_push(cuzk_wide_map *map, bool wide, size_t n);
bool cuzk_wide_append(cuzk_wide_map *map, const cuzk_wide_map *other);
bool cuzk_wide_rank(cuzk_wide_map *map); /* fills in rank, after the last push */
void cuzk_wide_release(cuzk_wide_map *map);

static inline bool cuzk_wide_has(const cuzk_wide_map *map, size_t i)
{
    return (map->word[i / 64] >> (i % 64) & 1) != 0;
}

static inline size_t cuzk_wide_before(const cuzk_wide_map *map, size_t i)
{
    const uint64_t below = map->word[i / 64] & (((uint64_t)1 << (i % 64)) - 1);
    return map->rank[i / 64] + (size_t)__builtin_popcountll(below);
}

/* --- what follows from the sections, made by cuzk_compiled_prepare --- */

/* How a row's products are computed. */
typedef enum cuzk_row_kind {
    CUZK_ROW_SMALL, /* bits with small coefficients: integers that cannot overflow */
    CUZK_ROW_BITS,  /* bits with any coefficients */
    CUZK_ROW_WIDE
} cuzk_row_kind;
#define CUZK_SMALL_MAX ((int64_t)1 << 30) /* of the sum of a side's coefficients */

/* Where a template's slot lives while it runs: its number among bits or, flagged, among wide
 * values; ports come first. ONE is number 0 of both. */
#define CUZK_PLACE_WIDE UINT32_C(0x80000000)

typedef struct cuzk_template_plan {
    uint32_t *place;    /* of base + locals slots; NULL in the root */
    cuzk_wide_map wide; /* of its locals; empty in the root */
    uint32_t bits, wides, wide_ports;
    uint32_t lanes; /* instances that run together at most */
    uint32_t calls; /* instances in all */
} cuzk_template_plan;

/* Work of one level that one thread does: instances order[first ..] of one template, or steps of
 * the root (template 0). */
typedef struct cuzk_batch {
    uint32_t template, first, n;
} cuzk_batch;

typedef struct cuzk_schedule {
    uint32_t *order; /* instances and steps of the root, as batches have them */
    cuzk_batch *batch;
    size_t *level_start; /* batches of each level; levels + 1 */
    size_t levels, batches;
} cuzk_schedule;

struct cuzk_compiled {
    cuzk_blob section[CUZK_SECTIONS];
    cuzk_map *map; /* what the sections lie in; NULL: they are owned */

    /* The sections again, typed. */
    const cuzk_counts *counts;
    const char *names;
    const cuzk_template *template;
    const uint8_t *port;
    const cuzk_step *step;
    const uint32_t *arg, *row_start;
    const cuzk_entry *entry;
    const cuzk_fr *coef;
    const cuzk_instance *instance;
    const uint32_t *binding;
    size_t templates, instances, coefs;

    cuzk_template_plan *plan;
    cuzk_wide_map wide; /* of all aux */
    size_t wides;
    cuzk_packed_map packed;   /* the same, of z = (inputs, aux) */
    uint8_t *row_kind;        /* of the templates' rows */
    int32_t *small;           /* of each coefficient; 0: it is not small */
    uint32_t (*canonical)[8]; /* of each coefficient, 32 bits each, the lowest first */
    cuzk_schedule schedule;
};

void cuzk_compiled_bind(cuzk_compiled *c);
/* Fails for lack of memory only: the sections are sound. */
cuzk_status cuzk_compiled_prepare(cuzk_compiled *c, cuzk_error *err);
cuzk_status cuzk_compiled_schedule(cuzk_compiled *c, cuzk_error *err);
void cuzk_schedule_release(cuzk_schedule *s);

static inline const char *cuzk_template_name(const cuzk_compiled *c, uint32_t template)
{
    return c->names + c->template[template].name;
}

/* The variable behind a slot of the root. */
static inline cuzk_var cuzk_root_var(uint32_t slot)
{
    return slot < CUZK_ROOT_BASE ? CUZK_VAR_INPUT | slot : slot - CUZK_ROOT_BASE;
}

#endif
