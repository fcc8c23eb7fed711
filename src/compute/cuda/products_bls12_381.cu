#include "field/bls12_381_fr.h"

#define PRODUCTS_FIELD bls12_381_fr
#define PRODUCTS_OPS   cuzk_products_bls12_381
#include "compute/cuda/products_tmpl.cuh"
