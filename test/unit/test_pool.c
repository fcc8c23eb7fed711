#include "base/pool.h"
#include "base/cpu_count.h"
#include "support/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_WORKERS 16
#define MAX_TILES   2000

/* What one run saw. No field is shared between runs. */
typedef struct record {
    unsigned threads;
    atomic_uint ran[MAX_TILES];
    atomic_bool busy[MAX_WORKERS];
    atomic_uint violations;
} record;

static void note_tile(void *context, size_t tile, unsigned worker)
{
    record *r = context;
    if (worker >= r->threads || atomic_exchange(&r->busy[worker], true))
        atomic_fetch_add(&r->violations, 1);
    atomic_fetch_add(&r->ran[tile], 1);
    if (tile % 7 == 0)
        sched_yield();
    atomic_store(&r->busy[worker], false);
}

static bool run_and_check(cuzk_pool *pool, size_t tiles)
{
    record *r = calloc(1, sizeof *r);
    r->threads = cuzk_pool_threads(pool);
    cuzk_pool_run(pool, tiles, note_tile, r);
    bool good = r->violations == 0;
    for (size_t i = 0; i < MAX_TILES; i++)
        good = good && r->ran[i] == (i < tiles);
    free(r);
    return good;
}

static void every_tile_runs_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        cuzk_pool *pool = cuzk_pool_new(threads);
        assert_non_null(pool);
        assert_int_equal(cuzk_pool_threads(pool), threads);
        const size_t tiles[] = {0, 1, 2, 3, 7, 8, 9, 100, MAX_TILES};
        for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
            assert_true(run_and_check(pool, tiles[i]));
        cuzk_pool_free(pool);
    }
}

static void no_pool_runs_here(void **state)
{
    (void)state;
    assert_int_equal(cuzk_pool_threads(NULL), 1);
    assert_true(run_and_check(NULL, 50));
    cuzk_pool_free(NULL);
}

#define CALLERS 6
#define ROUNDS  60

typedef struct caller {
    cuzk_pool *pool;
    unsigned number;
    unsigned good;
} caller;

static void *call_often(void *argument)
{
    caller *c = argument;
    for (unsigned i = 0; i < ROUNDS; i++)
        c->good += run_and_check(c->pool, (c->number * 37 + i * 13) % 150);
    return NULL;
}

static void callers_share_the_workers(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(3);
    assert_non_null(pool);
    pthread_t threads[CALLERS];
    caller callers[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) {
        callers[i] = (caller){pool, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].good, ROUNDS);
    }
    cuzk_pool_free(pool);
}

/* Tiles that wait for each other: they end only if as many threads as promised run at once. */
static void meet(void *context, size_t tile, unsigned worker)
{
    (void)tile;
    (void)worker;
    pthread_barrier_wait(context);
}

static void all_threads_work_at_once(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(4);
    assert_non_null(pool);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 20; i++)
        cuzk_pool_run(pool, 4, meet, &barrier);
    pthread_barrier_destroy(&barrier);
    cuzk_pool_free(pool);
}

/* The writes of tiles are seen after the run without further synchronisation (tsan checks the
 * order). */
static void square(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    ((size_t *)context)[tile] = tile * tile;
}

static void results_are_visible(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(4);
    assert_non_null(pool);
    static size_t out[MAX_TILES];
    cuzk_pool_run(pool, MAX_TILES, square, out);
    for (size_t i = 0; i < MAX_TILES; i++)
        assert_int_equal(out[i], i * i);
    cuzk_pool_free(pool);
}

static void count_starts(void *context, size_t tile, unsigned worker)
{
    (void)worker;
    atomic_size_t *next = context;
    /* With one thread, rising order of start is rising order. */
    if (atomic_load(next) == tile)
        atomic_fetch_add(next, 1);
}

static void tiles_start_in_order(void **state)
{
    (void)state;
    cuzk_pool *pool = cuzk_pool_new(1);
    assert_non_null(pool);
    atomic_size_t next = 0;
    cuzk_pool_run(pool, 500, count_starts, &next);
    assert_int_equal(next, 500);
    cuzk_pool_free(pool);
}

static void environment_sets_the_count(void **state)
{
    (void)state;
    setenv("CUZK_THREADS", "5", 1);
    assert_int_equal(cuzk_cpu_count(), 5);
    cuzk_pool *pool = cuzk_pool_new(0);
    assert_non_null(pool);
    assert_int_equal(cuzk_pool_threads(pool), 5);
    cuzk_pool_free(pool);

    unsetenv("CUZK_THREADS");
    unsigned own = cuzk_cpu_count();
    assert_in_range(own, 1, (uintmax_t)sysconf(_SC_NPROCESSORS_CONF));
    const char *const wrong[] = {"", "0", "-1", "4x", "99999", " 3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("CUZK_THREADS", wrong[i], 1);
        assert_int_equal(cuzk_cpu_count(), own);
        cuzk_error err;
        assert_int_equal(cuzk_cpu_count_check(&err), i == 0 ? CUZK_OK : CUZK_ERR_ARGUMENT);
    }
    unsetenv("CUZK_THREADS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_runs_once),       cmocka_unit_test(no_pool_runs_here),
        cmocka_unit_test(callers_share_the_workers),  cmocka_unit_test(all_threads_work_at_once),
        cmocka_unit_test(results_are_visible),        cmocka_unit_test(tiles_start_in_order),
        cmocka_unit_test(environment_sets_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
