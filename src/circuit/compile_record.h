/* The system that records a circuit for cuzk_compile. */
#ifndef CUZK_CIRCUIT_COMPILE_RECORD_H
#define CUZK_CIRCUIT_COMPILE_RECORD_H

#include "circuit/compile_state.h"

/* What is recorded of the root, or of the template under way. */
typedef struct cuzk_frame {
    const char *gadget; /* NULL: the root */
    uint32_t base, ports, locals, inputs;
    uint32_t field, word;
    uint32_t rows;            /* own ones */
    const uint8_t *port_wide; /* of the ports */
    cuzk_wide_map wide;       /* of the locals */
    cuzk_blob step, arg, start, entry;
} cuzk_frame;

/* What the recorder keeps of a template besides what the sections hold. */
typedef struct cuzk_template_record {
    cuzk_gadget_fn *fn;
    uint8_t *key; /* parameters, then the pattern of the ports: 4 bytes each */
    size_t key_size;
    uint64_t hash;
    cuzk_bit *result; /* as the frame gave them */
    size_t n_results;
    cuzk_wide_map wide;
} cuzk_template_record;

typedef struct cuzk_recorder {
    cuzk_cs cs;
    cuzk_frame root, inner;
    cuzk_frame *frame;      /* the one under way */
    uint32_t instance_rows; /* rows of all instances so far */
    cuzk_coef_table *coefs;
    cuzk_blob section[CUZK_SECTIONS]; /* of finished templates, instances */
    cuzk_template_record *record;     /* record[i] is template i's; 0 unused */
    size_t records, records_room;
    uint32_t *bucket; /* hash table of templates by key; 0: free */
    size_t buckets;
    cuzk_blob key;      /* of the call under way */
    cuzk_blob distinct; /* its distinct variables, then their slots: uint32_t */
    cuzk_blob wide_port;
    cuzk_blob inner_port; /* cuzk_bit: the ports as the frame sees them */
    uint32_t *mark;       /* hash table: variable to number of its port */
    cuzk_lc scratch;
} cuzk_recorder;

cuzk_status cuzk_recorder_init(cuzk_recorder *r, const char *name, cuzk_error *err);
void cuzk_recorder_release(cuzk_recorder *r);
/* Appends the frame's lists to the sections, as the next template. */
bool cuzk_recorder_keep(cuzk_recorder *r, const cuzk_frame *frame);
void cuzk_frame_release(cuzk_frame *frame);

/* cs->ops->call. */
void cuzk_record_call(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports,
                      cuzk_bit *results);
/* Whether the frame under way has the variable; its slot; an error is noted otherwise. */
bool cuzk_record_slot(cuzk_recorder *r, cuzk_var var, uint32_t *slot);
bool cuzk_record_is_wide(const cuzk_recorder *r, uint32_t slot);
void cuzk_record_no_memory(cuzk_recorder *r);

#endif
