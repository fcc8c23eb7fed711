/* What is seen without changing anything: status, metrics, and the two probes. All ask the core, so
 * a healthy answer means that it still turns. */
#include "server/http_internal.h"
#include "server/metrics.h"
#include "server/status_json.h"

#include <stdlib.h>
#include <string.h>

static void answer_ready(http_exchange *x)
{
    const cuzk_core_view *core = &x->reply.snapshot->core;
    unsigned well = 0;
    for (unsigned i = 0; i < core->devices; i++)
        well += !x->reply.snapshot->devices[i].view.quarantined;
    if (cuzk_engine_is_ready(x->server->engine)) {
        http_answer_text(x, MHD_HTTP_OK, "text/plain", strdup("ready\n"));
        return;
    }
    x->answer.retry_s = 5;
    if (core->draining)
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "draining",
                          "the service finishes what it has and takes no more jobs");
    else if (well == 0)
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "no_device",
                          "all of %u devices are left out after faults; /status names them",
                          core->devices);
    else
        http_answer_error(x, MHD_HTTP_SERVICE_UNAVAILABLE, "not_ready",
                          "the engine is starting or stopping");
}

static void finish(http_exchange *x)
{
    const cuzk_snapshot *snapshot = x->reply.snapshot;
    switch (x->target.route) {
    case CUZK_ROUTE_STATUS:
        x->answer.cors = true;
        http_answer_text(x, MHD_HTTP_OK, "application/json", cuzk_status_json(snapshot));
        break;
    case CUZK_ROUTE_METRICS:
        http_answer_text(x, MHD_HTTP_OK, CUZK_METRICS_CONTENT_TYPE, cuzk_metrics_format(snapshot));
        break;
    case CUZK_ROUTE_READYZ:
        answer_ready(x);
        break;
    default:
        http_answer_text(x, MHD_HTTP_OK, "text/plain", strdup("ok\n"));
        break;
    }
}

static void on_view(void *context, const cuzk_engine_view *view)
{
    http_exchange *x = context;
    bool with_jobs = x->target.route == CUZK_ROUTE_STATUS;
    cuzk_snapshot_take(x->reply.snapshot, view,
                       with_jobs ? CUZK_SNAPSHOT_WITH_JOBS : CUZK_SNAPSHOT_TOTALS);
    http_settle(x);
}

void http_view(http_exchange *x)
{
    x->reply.snapshot = cuzk_snapshot_new();
    if (x->reply.snapshot == NULL)
        http_answer_status(x, CUZK_ERR_MEMORY, "no memory for the answer");
    else if (http_wait_begin(x, finish))
        cuzk_engine_view_get(x->server->engine, on_view, x);
}
