#include "support/group_pool.h"

cuzk_pool *test_pool;

int test_pool_start(void **state)
{
    (void)state;
    test_pool = cuzk_pool_new(2);
    return test_pool == NULL;
}

int test_pool_stop(void **state)
{
    (void)state;
    cuzk_pool_free(test_pool);
    return 0;
}
