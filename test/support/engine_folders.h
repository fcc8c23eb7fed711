/* What the tests of a running engine begin and end with: keys of small circuits in one folder, a
 * store in another. */
#ifndef CUZK_TEST_ENGINE_FOLDERS_H
#define CUZK_TEST_ENGINE_FOLDERS_H

#include "support/engine_client.h"

/* Proved in milliseconds; two curves. */
extern const char *const test_small_circuits[];
#define TEST_SMALL_CIRCUITS 3u

typedef struct test_folders {
    char keys[64], parent[64], store[80];
} test_folders;

/* The keys of these fixtures; a store is made when it is opened. */
void test_folders_make(test_folders *folders, const char *const *fixtures, size_t n);
/* Another key, NAME.zkey, like that of the fixture. */
void test_folders_add_key(const test_folders *folders, const char *fixture, const char *name);
void test_folders_remove(const test_folders *folders);

/* Two threads, 512 MiB, orphans run on, the folder's keys, no store. */
cuzk_engine_config test_engine_config(const test_folders *folders);

/* These print and abort where others fail the test, as child processes use them too. */
cuzk_engine *test_engine_open(const cuzk_engine_config *config);
/* The i-th job, named PREFIX-i: a witness of the small circuits in turn. */
test_answer test_small_submit(cuzk_engine *engine, const char *prefix, unsigned i);
/* Awaits it: it completes with a true proof. */
void test_small_verify(cuzk_engine *engine, const char *prefix, unsigned i);

#endif
