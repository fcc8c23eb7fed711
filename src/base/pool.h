/* A fixed set of worker threads that run independent tiles of one piece of work. */
#ifndef CUZK_BASE_POOL_H
#define CUZK_BASE_POOL_H

#include <stddef.h>

typedef struct cuzk_pool cuzk_pool;

/* cuzk_pool_new starts threads-1 workers (the caller of cuzk_pool_run is the last one).
 * threads = 0: CUZK_THREADS if set, else the processors this process may run on (affinity and
 * cgroup quota). Returns NULL when threads cannot be started. */
cuzk_pool *cuzk_pool_new(unsigned threads);
void cuzk_pool_free(cuzk_pool *pool);

/* The number of threads that run tiles, the caller included: worker numbers are below it. */
unsigned cuzk_pool_threads(const cuzk_pool *pool);

/* A tile: worker < cuzk_pool_threads names the scratch that this call may use. */
typedef void cuzk_tile_fn(void *context, size_t tile, unsigned worker);

/* cuzk_pool_run calls fn(context, tile, worker) once for each tile in [0, tiles), in rising order
 * of start, from any worker, and returns when all have ended. Calls from several threads at once
 * share the workers. A tile must not call cuzk_pool_run on its own pool. pool may be NULL: all
 * tiles run here with worker 0. */
void cuzk_pool_run(cuzk_pool *pool, size_t tiles, cuzk_tile_fn *fn, void *context);

/* cuzk_pool_announce lets each later run of several tiles show a progress bar (base/progress.h)
 * with this text, kept by the caller; NULL ends that. Not while a run is under way. pool may be
 * NULL. */
void cuzk_pool_announce(cuzk_pool *pool, const char *what);

#endif
