#define POSEIDON_KERNEL cuzk_poseidon_permute_portable
#include "hash/poseidon_tmpl.h"
