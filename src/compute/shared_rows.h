/* Rows that are shared: those of a constraint system which is made of instances of few templates
 * (circuit/compile.h). Each template's rows are kept once, and each instance says which part of the
 * packed witness (compute/packed.h) it reads. A plain description, for devices. */
#ifndef CUZK_COMPUTE_SHARED_ROWS_H
#define CUZK_COMPUTE_SHARED_ROWS_H

#include "compute/sparse.h"

/* What a term of a row reads, in the top bits of its coef; `number` counts within the instance. */
#define CUZK_TERM_KIND       29u
#define CUZK_TERM_ONE        (0u << CUZK_TERM_KIND) /* no variable: the coefficient itself */
#define CUZK_TERM_BIT        (1u << CUZK_TERM_KIND) /* bit first_bit + number */
#define CUZK_TERM_PORT_BIT   (2u << CUZK_TERM_KIND) /* bit port[first_port + number] */
#define CUZK_TERM_VALUE      (3u << CUZK_TERM_KIND) /* value first_value + number */
#define CUZK_TERM_PORT_VALUE (4u << CUZK_TERM_KIND) /* value port[first_port + number] */
#define CUZK_TERM_COEFS      (1u << CUZK_TERM_KIND) /* coefficients are fewer */

/* The lower bits of coef: in a light line the coefficient plus CUZK_LIGHT_MAX; in another one an id
 * in the dictionary, of which 0 and 1 are +1 and -1. */
typedef struct cuzk_shared_term {
    uint32_t number, coef;
} cuzk_shared_term;

/* One side (A, B or C) of a row, which is `row` of its instance. Its terms end where those of the
 * next line start. A light line reads bits only, and no sum of its terms is beyond
 * +-CUZK_LIGHT_MAX. */
#define CUZK_LIGHT_MAX   255
#define CUZK_LIGHT_TERMS 16
typedef struct cuzk_shared_line {
    uint32_t row, first_term;
} cuzk_shared_line;

/* Where an instance's rows, bits, values and ports start. A port is the number of a bit or a value,
 * or CUZK_PORT_ONE: a bit that is 1. */
#define CUZK_PORT_ONE UINT32_MAX
typedef struct cuzk_shared_instance {
    uint32_t first_row, first_bit, first_value, first_port;
} cuzk_shared_instance;

/* Lines that all of these instances have. */
typedef struct cuzk_shared_group {
    uint32_t first_line, lines, first_instance, instances;
} cuzk_shared_group;

/* All lines of one side: each row that the instances have occurs once. line has one element more,
 * for the end of the last one's terms. */
typedef struct cuzk_shared_side {
    cuzk_shared_group *light, *heavy;
    size_t n_light, n_heavy;
    cuzk_shared_line *line;
    size_t lines;
    cuzk_shared_term *term;
    size_t terms;
} cuzk_shared_side;

/* Bits are those of a packed vector, counted from its head; values its wide scalars, counted with
 * the head. coef is borrowed, the rest owned (cuzk_shared_rows_release). */
typedef struct cuzk_shared_rows {
    const cuzk_curve *curve;
    size_t rows;
    const cuzk_fr *coef;
    size_t coefs;
    cuzk_shared_instance *instance;
    size_t instances;
    uint32_t *port;
    size_t ports;
    cuzk_shared_side side[3]; /* A, B, C */
} cuzk_shared_rows;
void cuzk_shared_rows_release(cuzk_shared_rows *rows);

#endif
