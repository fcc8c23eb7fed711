/* Sums of products, portable C. */
#define DOT_OPS cuzk_dot_ops_portable
#include "circuit/dot_tmpl.h"
