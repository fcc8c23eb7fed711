/* Field elements as people read them. */
#ifndef CUZK_CMD_NUMBER_TEXT_H
#define CUZK_CMD_NUMBER_TEXT_H

#include "base/decimal.h"
#include "curve/curve.h"

/* A sign, digits and a NUL. */
#define CUZK_NUMBER_TEXT_SIZE (CUZK_DECIMAL_MAX_TEXT + 1)

/* The canonical value, as in a public.json. */
void cuzk_number_text(char out[CUZK_NUMBER_TEXT_SIZE], const cuzk_curve *curve,
                      const cuzk_fr *value);

/* The value of smallest size: r - 1 is -1. */
void cuzk_number_text_signed(char out[CUZK_NUMBER_TEXT_SIZE], const cuzk_curve *curve,
                             const cuzk_fr *value);

#endif
