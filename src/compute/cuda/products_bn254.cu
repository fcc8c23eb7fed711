#include "field/bn254_fr.h"

#define PRODUCTS_FIELD bn254_fr
#define PRODUCTS_OPS   cuzk_products_bn254
#include "compute/cuda/products_tmpl.cuh"
