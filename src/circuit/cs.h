/* A rank-1 constraint system over the scalar field of BLS12-381, as gadgets see it.
 *
 * Gadgets are written once, against this interface. They never see a value: whoever allocates a
 * variable says by which operation it is made from others, and the rows say what must hold. Behind
 * the interface a system counts and hashes rows, evaluates them for given inputs, writes matrices,
 * or records templates for the compiler (circuit/compile.h); all from the same gadget text.
 *
 * Variables are numbered in the order of their allocation, public inputs and others ("aux") apart,
 * rows in the order of cuzk_cs_enforce: bit for bit as the original circuits do (Filecoin circuits,
 * section 1). How allocations and rows interleave has no effect.
 *
 * A system is used by one thread. Its first error (no memory, a number that does not fit) sticks:
 * later calls do nothing that matters, and cuzk_cs_status tells it; so gadgets check nothing. */
#ifndef CUZK_CIRCUIT_CS_H
#define CUZK_CIRCUIT_CS_H

#include "base/status.h"
#include "field/scalar.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A variable. Opaque to gadgets; the two top bits tell aux (00), port of a template (01) and public
 * input (10), the rest is its number. */
typedef uint32_t cuzk_var;
#define CUZK_VAR_SPACE UINT32_C(0xc0000000)
#define CUZK_VAR_PORT  UINT32_C(0x40000000)
#define CUZK_VAR_INPUT UINT32_C(0x80000000)
#define CUZK_VAR_ONE   CUZK_VAR_INPUT /* public input 0, the constant 1 */

/* A boolean: a constant, a variable that is known to be a bit, or its negation. */
typedef enum cuzk_bit_kind { CUZK_BIT_0, CUZK_BIT_1, CUZK_BIT_VAR, CUZK_BIT_NOT } cuzk_bit_kind;
typedef struct cuzk_bit {
    cuzk_bit_kind kind;
    cuzk_var var; /* VAR, NOT; 0 in constants */
} cuzk_bit;

/* A linear combination: a sum of terms, in any order and with repetitions until it is normalised.
 * cuzk_lc_release frees it; {0} is the empty one. A failed allocation makes it broken, which a
 * system that is given it reports. */
typedef struct cuzk_term {
    cuzk_var var;
    cuzk_fr coef; /* Montgomery */
} cuzk_term;
typedef struct cuzk_lc {
    cuzk_term *term;
    size_t n, room;
    bool broken;
} cuzk_lc;
void cuzk_lc_release(cuzk_lc *lc);
void cuzk_lc_clear(cuzk_lc *lc); /* keeps its memory */
void cuzk_lc_add(cuzk_lc *lc, cuzk_var var, const cuzk_fr *coef);
void cuzk_lc_add_small(cuzk_lc *lc, cuzk_var var, int64_t coef);
/* Adds coef * b: 1 is coef * ONE, a negation coef * ONE - coef * var. */
void cuzk_lc_add_bit(cuzk_lc *lc, cuzk_bit b, const cuzk_fr *coef);
/* lc += coef * other. */
void cuzk_lc_add_lc(cuzk_lc *lc, const cuzk_lc *other, const cuzk_fr *coef);
/* Sorts (inputs first, then ports, then aux, each ascending), adds up what belongs together, drops
 * zeros. */
void cuzk_lc_normalise(cuzk_lc *lc);

/* How variables are made. */
typedef enum cuzk_op_kind {
    CUZK_OP_FIELD,     /* the next field element of the request */
    CUZK_OP_WORD_BITS, /* n bits from `first` up of a word of the request; bits */
    CUZK_OP_XOR,       /* a ^ b, of variables that are bits; a bit */
    CUZK_OP_AND,       /* a & b */
    CUZK_OP_AND_NOT,   /* a & !b */
    CUZK_OP_NOR,       /* !a & !b */
    CUZK_OP_CH,        /* x ? y : z; a bit */
    CUZK_OP_MAJ,       /* majority of x, y, z; a bit */
    CUZK_OP_SUM,       /* n bits, the lowest first, of a sum of 32-bit words */
    CUZK_OP_BITS,      /* n bits, the lowest first, of the canonical value of variable a */
    CUZK_OP_QUAD,      /* <A, w> * <B, w> + <C, w>; a field element */
} cuzk_op_kind;

typedef struct cuzk_op {
    cuzk_op_kind kind;
    unsigned n; /* variables that it makes, one after the other; 1 but for WORD_BITS, SUM, BITS */
    cuzk_var a, b;
    cuzk_bit x, y, z;
    uint32_t word;         /* WORD_BITS: as cuzk_cs_word gave it */
    unsigned first;        /* WORD_BITS */
    const cuzk_bit *words; /* SUM: n_words * 32 bits, the lowest of each word first */
    size_t n_words;
    const cuzk_lc *la, *lb, *lc; /* QUAD; NULL: empty */
} cuzk_op;

typedef struct cuzk_cs cuzk_cs;

/* A gadget that may become a template: what it allocates and enforces depends on params, on which
 * ports are constant, negated or the same, and on nothing else. It reads requests' elements in
 * order, and makes no public inputs. It writes results. */
typedef void cuzk_gadget_fn(cuzk_cs *cs, const void *params, const cuzk_bit *ports,
                            cuzk_bit *results);
typedef struct cuzk_gadget {
    const char *name; /* static: in gadget paths of messages, "sha256 block" */
    cuzk_gadget_fn *fn;
    const void *params; /* params_size bytes without holes, part of its identity */
    size_t params_size;
    size_t n_ports, n_results;
} cuzk_gadget;

/* What a system does; filled in by its maker. `alloc` and `alloc_input` return the first variable;
 * alloc_input takes QUAD only. lcs are normalised before `enforce` is called. */
typedef struct cuzk_cs_ops {
    cuzk_var (*alloc)(cuzk_cs *cs, const cuzk_op *op);
    cuzk_var (*alloc_input)(cuzk_cs *cs, const cuzk_op *op);
    void (*enforce)(cuzk_cs *cs, const cuzk_lc *a, const cuzk_lc *b, const cuzk_lc *c);
    uint32_t (*word)(cuzk_cs *cs);
    void (*call)(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports, cuzk_bit *results);
} cuzk_cs_ops;

/* The head of every system. */
struct cuzk_cs {
    const cuzk_cs_ops *ops;
    cuzk_error error; /* the first; status CUZK_OK: none */
};

cuzk_status cuzk_cs_status(const cuzk_cs *cs, cuzk_error *err);
/* Notes an error, unless there is one already. For systems, and for gadgets that need memory. */
void cuzk_cs_fail(cuzk_cs *cs, cuzk_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- for gadgets --- */
cuzk_var cuzk_cs_alloc(cuzk_cs *cs, const cuzk_op *op);
cuzk_var cuzk_cs_alloc_input(cuzk_cs *cs, const cuzk_op *op);
/* Normalises the three (they are the caller's and may be used on). NULL: empty. */
void cuzk_cs_enforce(cuzk_cs *cs, cuzk_lc *a, cuzk_lc *b, cuzk_lc *c);
/* The next word (64 bits) of the request, for WORD_BITS. */
uint32_t cuzk_cs_word(cuzk_cs *cs);
/* Runs the gadget, or does as if. Ports that are field elements are of kind VAR. A call inside a
 * gadget that is being recorded becomes part of it. */
void cuzk_cs_call(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports, cuzk_bit *results);

/* --- what a request brings, in the order in which the circuit takes it --- */
typedef struct cuzk_circuit_inputs {
    const cuzk_scalar *field; /* canonical */
    size_t n_field;
    const uint64_t *word;
    size_t n_word;
} cuzk_circuit_inputs;

/* A circuit: its text, run against any system. */
typedef struct cuzk_circuit {
    const char *name; /* "porep-32g" */
    void (*build)(cuzk_cs *cs, const void *params);
    const void *params;
} cuzk_circuit;

#endif
