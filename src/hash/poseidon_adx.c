#define POSEIDON_KERNEL cuzk_poseidon_permute_adx
#include "hash/poseidon_tmpl.h"
