/* Metrics as Prometheus reads them: text exposition format 0.0.4. */
#ifndef CUZK_SERVER_METRICS_H
#define CUZK_SERVER_METRICS_H

#include "server/snapshot.h"

#define CUZK_METRICS_CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* The whole text, freed with free; NULL: no memory. The names of the Rust daemon are all there and
 * monotonic; no label takes unbounded values. */
char *cuzk_metrics_format(const cuzk_snapshot *snapshot);

/* The same from within a cuzk_view_fn. */
char *cuzk_metrics_text(const cuzk_engine_view *view);

#endif
