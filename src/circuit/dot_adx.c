/* Sums of products, compiled for mulx and adx. */
#define DOT_OPS cuzk_dot_ops_adx
#include "circuit/dot_tmpl.h"
