/* Parameters of Filecoin's circuits with known secrets (Filecoin circuits, section 15.3a), for
 * tests that prove. They are made once, in the folder filecoin-keys of the build (or
 * CUZK_TEST_KEYS), and stay there. */
#ifndef CUZK_TEST_FIL_KEYS_H
#define CUZK_TEST_FIL_KEYS_H

#include "base/pool.h"
#include "groth16/setup.h"

/* SHA-256 of the name, without the two top bits, little-endian. */
cuzk_scalar test_secret(const char *name);
cuzk_toxic test_known_toxic(void);

/* The folder, in which the key of this circuit is from now on ("winning-2k"); static storage. */
const char *test_fil_keys(const char *circuit, cuzk_pool *pool);

#endif
