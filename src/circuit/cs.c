/* The part of every constraint system that does not depend on what it does. */
#include "circuit/cs.h"

#include <stdarg.h>
#include <stdio.h>

cuzk_status cuzk_cs_status(const cuzk_cs *cs, cuzk_error *err)
{
    if (cs->error.status != CUZK_OK && err != NULL)
        *err = cs->error;
    return cs->error.status;
}

void cuzk_cs_fail(cuzk_cs *cs, cuzk_status status, const char *format, ...)
{
    char text[sizeof cs->error.message];
    va_list args;
    if (cs->error.status != CUZK_OK)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)cuzk_fail(&cs->error, status, "%s", text);
}

static bool is_whole(const cuzk_lc *lc)
{
    return lc == NULL || !lc->broken;
}

/* Whether a system may go on with these three; notes the error otherwise. */
static bool may_go_on(cuzk_cs *cs, const cuzk_lc *a, const cuzk_lc *b, const cuzk_lc *c)
{
    if (!is_whole(a) || !is_whole(b) || !is_whole(c))
        cuzk_cs_fail(cs, CUZK_ERR_MEMORY, "no memory for a linear combination");
    return cs->error.status == CUZK_OK;
}

cuzk_var cuzk_cs_alloc(cuzk_cs *cs, const cuzk_op *op)
{
    return may_go_on(cs, op->la, op->lb, op->lc) ? cs->ops->alloc(cs, op) : 0;
}

cuzk_var cuzk_cs_alloc_input(cuzk_cs *cs, const cuzk_op *op)
{
    return may_go_on(cs, op->la, op->lb, op->lc) ? cs->ops->alloc_input(cs, op) : CUZK_VAR_ONE;
}

void cuzk_cs_enforce(cuzk_cs *cs, cuzk_lc *a, cuzk_lc *b, cuzk_lc *c)
{
    cuzk_lc none = {0};
    if (!may_go_on(cs, a, b, c))
        return;
    cuzk_lc *lc[3] = {a != NULL ? a : &none, b != NULL ? b : &none, c != NULL ? c : &none};
    for (int i = 0; i < 3; i++)
        cuzk_lc_normalise(lc[i]);
    cs->ops->enforce(cs, lc[0], lc[1], lc[2]);
}

uint32_t cuzk_cs_word(cuzk_cs *cs)
{
    return cs->error.status == CUZK_OK ? cs->ops->word(cs) : 0;
}

void cuzk_cs_call(cuzk_cs *cs, const cuzk_gadget *gadget, const cuzk_bit *ports, cuzk_bit *results)
{
    if (cs->error.status == CUZK_OK) {
        cs->ops->call(cs, gadget, ports, results);
        return;
    }
    for (size_t i = 0; i < gadget->n_results; i++)
        results[i] = (cuzk_bit){CUZK_BIT_0, 0};
}
