/* Two threads that the tests of a group share: cmocka_run_group_tests(tests, test_pool_start,
 * test_pool_stop). */
#ifndef CUZK_TEST_GROUP_POOL_H
#define CUZK_TEST_GROUP_POOL_H

#include "base/pool.h"

extern cuzk_pool *test_pool; /* between the two */

int test_pool_start(void **state);
int test_pool_stop(void **state);

#endif
