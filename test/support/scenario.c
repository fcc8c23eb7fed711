#include "support/scenario.h"

#include <string.h>

world_job *scenario_submit(world *w, cuzk_class class_, uint32_t partitions)
{
    world_job job = world_request(w);
    job.request.class_ = class_;
    job.parsed.partitions = partitions;
    return world_submit(w, &job, NULL);
}

void scenario_use_key(world *w, world_job *job, unsigned key)
{
    memcpy(job->parsed.key, w->keys[key].name, sizeof w->keys[key].name);
    job->parsed.key_bytes = w->keys[key].bytes;
}

cuzk_job_view scenario_view(world *w, const world_job *job)
{
    cuzk_job_view view;
    assert_true(cuzk_core_view_job(w->core, w->now, job->number, &view));
    return view;
}

cuzk_core_view scenario_view_all(world *w)
{
    cuzk_core_view view;
    cuzk_core_view_get(w->core, w->now, &view);
    return view;
}

world_outcome scenario_fail_nth(world *w, const world_event *event)
{
    scenario_fault *fault = w->script;
    if (event->op == WORLD_FREE_KEY || (fault->only != WORLD_NO_ANSWER && fault->only != event->op))
        return WORLD_GOOD;
    return fault->count++ == fault->n ? fault->outcome : WORLD_GOOD;
}
