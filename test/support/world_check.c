/* What must hold after every event, told from outside the core: by its views, and by what the world
 * itself holds and has under way. */
#include "support/world.h"

#include <string.h>

static void check_memory(world *w, const cuzk_core_view *view)
{
    uint64_t sum = 0;
    for (unsigned owner = 0; owner < CUZK_MEMORY_OWNERS; owner++)
        sum += view->memory[owner];
    HOLDS(sum == view->memory_used && view->memory_used <= view->memory_total);
    HOLDS(view->memory[CUZK_MEMORY_PAYLOAD] == w->payload_bytes);
    HOLDS(view->memory[CUZK_MEMORY_WITNESS] == w->witness_bytes);
    HOLDS(view->memory[CUZK_MEMORY_KEY] == w->key_bytes);
    HOLDS(view->memory[CUZK_MEMORY_POOL] == w->pool_bytes);
    HOLDS(view->buffers_idle == w->n_buffers);
    if (view->memory_used > w->peak)
        w->peak = view->memory_used;
}

static void check_slots(const world *w)
{
    const cuzk_core_config *config = &w->config;
    HOLDS(w->running[WORLD_PARSE] <= config->parse_slots + 1);
    HOLDS(w->running[WORLD_SYNTH] <= config->synth_slots + 1);
    HOLDS(w->running[WORLD_CHECK] <= config->check_slots + 1);
    for (unsigned i = 0; i < config->devices; i++) {
        HOLDS(w->computing[i] <= 1 && w->uploading[i] <= 2);
        HOLDS(w->finishing[i] <= 1);
    }
}

/* What the world sees of the partitions: the best one waiting in each stage. */
typedef struct world_seen {
    unsigned parsing, staged, ready, uploaded[CUZK_DEVICES_MAX], in_slots[CUZK_DEVICES_MAX];
    unsigned critical_staged, critical_uploaded[CUZK_DEVICES_MAX];
    uint64_t critical_since[CUZK_DEVICES_MAX];         /* the latest of these */
    const world_job *head;                             /* the first that has a READY partition */
    const world_job *loaded;                           /* the first of those whose key is loaded */
    const world_job *critical_queued, *critical_ready; /* one of each; ready: key loaded */
    unsigned critical_made;                            /* in synthesis or staged */
    unsigned critical_waiting;                         /* READY */
    bool parse_first;                                  /* a job that is not parsed goes before it */
} world_seen;

static bool goes_before(const world_job *a, const cuzk_job_view *av, const world_job *b,
                        const cuzk_job_view *bv)
{
    if (av->rank != bv->rank)
        return av->rank < bv->rank;
    if (a->request.deadline != b->request.deadline)
        return a->request.deadline < b->request.deadline;
    return av->submitted != bv->submitted ? av->submitted < bv->submitted : a->number < b->number;
}

static void look_at_part(const world_job *job, uint32_t i, const cuzk_part_view *view,
                         world_seen *seen)
{
    const world_part *part = &job->parts[i];
    bool critical = job->request.class_ == CUZK_CLASS_CRITICAL;
    HOLDS(view->state != CUZK_PART_READY || !part->alive);
    if (view->state == CUZK_PART_READY) {
        seen->ready++;
        seen->critical_waiting += critical;
    } else if (view->state == CUZK_PART_SYNTH) {
        seen->critical_made += critical;
    } else if (view->state == CUZK_PART_STAGED) {
        seen->critical_made += critical;
        HOLDS(part->staged && !part->under_way);
        seen->staged++;
        seen->critical_staged += critical && view->attempt == 1;
    } else if (view->state == CUZK_PART_UPLOADING || view->state == CUZK_PART_COMPUTING) {
        seen->in_slots[view->device]++;
        if (view->state == CUZK_PART_UPLOADING && part->uploaded) {
            seen->uploaded[view->device]++;
            seen->critical_uploaded[view->device] += critical;
            if (critical && part->uploaded_at > seen->critical_since[view->device])
                seen->critical_since[view->device] = part->uploaded_at;
        }
    }
}

/* Whether a job that waits for its parsing goes before the head: it may have memory set aside. */
static bool waits_before(world *w, const world_seen *seen, const cuzk_job_view *head)
{
    for (cuzk_job_no no = 0; seen->head && (no = cuzk_core_next_job(w->core, no));) {
        cuzk_job_view view;
        HOLDS(cuzk_core_view_job(w->core, w->now, no, &view));
        if (view.state == CUZK_JOB_ACCEPTED && view.follows == 0 &&
            goes_before(world_find(w, no), &view, seen->head, head))
            return true;
    }
    return false;
}

/* What was admitted just now left nobody behind that it goes after and whose key is there. */
static void check_order(world *w, const world_job *first, const cuzk_job_view *first_view)
{
    for (cuzk_job_no no = 0; first && (no = cuzk_core_next_job(w->core, no));) {
        cuzk_job_view view;
        const world_job *job = world_find(w, no);
        HOLDS(cuzk_core_view_job(w->core, w->now, no, &view));
        for (uint32_t i = 0; i < view.partitions; i++)
            if (job != first && job->parts[i].alive && job->parts[i].synth_at == w->events_done)
                HOLDS(goes_before(job, &view, first, first_view));
    }
}

static void look(world *w, world_seen *seen)
{
    cuzk_job_view head = {0}, loaded = {0}, queued = {0};
    for (cuzk_job_no no = 0; (no = cuzk_core_next_job(w->core, no));) {
        cuzk_job_view view;
        const world_job *job = world_find(w, no);
        HOLDS(cuzk_core_view_job(w->core, w->now, no, &view));
        if (cuzk_job_state_is_terminal(view.outcome))
            continue;
        HOLDS(job->ended == 0);
        seen->parsing += view.state == CUZK_JOB_PARSING;
        unsigned ready = seen->ready;
        for (uint32_t i = 0; i < view.partitions; i++) {
            cuzk_part_view part;
            HOLDS(cuzk_core_view_part(w->core, w->now, no, i, &part));
            look_at_part(job, i, &part, seen);
        }
        if (seen->ready > ready && (!seen->head || goes_before(job, &view, seen->head, &head))) {
            seen->head = job;
            head = view;
        }
        bool critical = view.class_ == CUZK_CLASS_CRITICAL;
        if (critical && view.state == CUZK_JOB_ACCEPTED && view.follows == 0 &&
            (!seen->critical_queued || goes_before(job, &view, seen->critical_queued, &queued))) {
            seen->critical_queued = job;
            queued = view;
        }
        if (seen->ready == ready || !world_key_find(w, job->parsed.key)->loaded)
            continue;
        if (critical)
            seen->critical_ready = job;
        if (!seen->loaded || goes_before(job, &view, seen->loaded, &loaded)) {
            seen->loaded = job;
            loaded = view;
        }
    }
    check_order(w, seen->loaded, &loaded);
    seen->parse_first = waits_before(w, seen, &head);
}

static const world_key *key_of(const world *w, const world_job *job)
{
    for (unsigned i = 0; i < WORLD_KEYS; i++)
        if (strcmp(w->keys[i].name, job->parsed.key) == 0)
            return &w->keys[i];
    world_fail("a known key", __FILE__, __LINE__);
}

static uint64_t idle_buffer(const world *w, uint64_t bytes)
{
    for (size_t i = 0; i < w->n_buffers; i++)
        if (w->buffers[i] == bytes)
            return bytes;
    return 0;
}

/* A device that does nothing has a reason, and it is the one that it gives. */
static void check_idle(world *w, const cuzk_core_view *view, const world_seen *seen, unsigned i,
                       const cuzk_device_view *device)
{
    HOLDS((device->state == CUZK_DEVICE_BUSY) == (w->computing[i] == 1));
    if (device->state == CUZK_DEVICE_BUSY)
        return;
    HOLDS((device->state == CUZK_IDLE_FAULT) == device->quarantined);
    if (device->quarantined)
        return;
    HOLDS(seen->uploaded[i] == 0 || device->state == CUZK_IDLE_HOST_GAP);
    if (seen->in_slots[i] > 0 || w->uploading[i] > 0) {
        HOLDS(device->state == CUZK_IDLE_HOST_GAP || device->state == CUZK_IDLE_WAIT_UPLOAD);
        return;
    }
    unsigned synths = w->running[WORLD_SYNTH];
    if (w->config.devices == 1)
        HOLDS(seen->staged == 0);
    if (device->state == CUZK_IDLE_NO_JOB)
        HOLDS(seen->ready == 0 && seen->parsing == 0);
    if (seen->staged > 0 || !seen->head || seen->parse_first || synths >= w->config.synth_slots)
        return;
    /* Nothing is on its way to it, the head is READY and a slot free: then its key or memory is
     * missing. */
    const world_key *key = key_of(w, seen->head);
    uint64_t limit = view->memory_total;
    if (seen->head->request.class_ != CUZK_CLASS_CRITICAL)
        limit -= w->config.critical_reserve;
    uint64_t used = view->memory_used, room = limit > used ? limit - used : 0;
    uint64_t idle = idle_buffer(w, seen->head->parsed.buffer_bytes);
    if (key->loaded) /* not even with the buffer that it could use */
        HOLDS(limit < used - idle || limit - (used - idle) < seen->head->parsed.witness_bytes);
    else if (!key->charged)
        HOLDS(room < key->load_bytes);
    if (synths == 0)
        HOLDS(device->state == (key->loaded ? CUZK_IDLE_WAIT_BUDGET : CUZK_IDLE_WAIT_KEY));
}

/* The most urgent never wait for more than the slice that a device is in. */
static void check_urgent(const world *w, const world_seen *seen, unsigned i,
                         const cuzk_device_view *device)
{
    if (device->quarantined)
        return;
    if (seen->critical_staged > 0 && w->config.devices == 1)
        HOLDS(w->uploading[i] + seen->uploaded[i] >= 2);
    if (seen->critical_uploaded[i] == 0 || device->computing.job == 0)
        return;
    const world_job *job = w->jobs[device->computing.job];
    const world_part *part = &job->parts[device->computing.partition];
    if (part->under_way && part->compute_at >= seen->critical_since[i])
        HOLDS(job->request.class_ == CUZK_CLASS_CRITICAL);
}

/* CRITICAL work has a slot of its own for parsing and synthesis, and all of the memory. */
static void check_lane(const world *w, const cuzk_core_view *view, const world_seen *seen)
{
    uint64_t room = view->memory_total - view->memory_used;
    unsigned well = 0;
    for (unsigned i = 0; i < w->config.devices; i++)
        well += !w->quarantined[i];
    const world_job *job = seen->critical_ready;
    if (job && well > 0 && seen->critical_made == 0 &&
        w->running[WORLD_SYNTH] <= w->config.synth_slots)
        HOLDS(room < job->parsed.witness_bytes || seen->head != job || seen->parse_first);
    job = seen->critical_queued;
    /* With 64 READY a device, parsing more would be too early; some of these were admitted since.
     */
    if (seen->critical_waiting >= 48)
        return;
    if (job && !view->draining && w->running[WORLD_PARSE] <= w->config.parse_slots)
        HOLDS(room < job->request.parse_bytes + job->request.payload_bytes);
}

/* Whether two requests are one work, and neither is the more urgent. */
static bool are_alike(const world_job *a, const cuzk_job_view *av, const world_job *b,
                      const cuzk_job_view *bv)
{
    return a->request.kind == b->request.kind && av->rank == bv->rank && av->rank == av->class_ &&
           bv->rank == bv->class_ && a->request.deadline == b->request.deadline &&
           memcmp(a->request.digest, b->request.digest, sizeof a->request.digest) == 0;
}

static bool is_under_way(const cuzk_job_view *view)
{
    return view->state != CUZK_JOB_RECEIVED && !cuzk_job_state_is_terminal(view->outcome);
}

/* One computation of each content: who follows, follows one that is under way and no follower. */
static void check_twins(world *w)
{
    cuzk_job_view a, b;
    for (cuzk_job_no i = 0; (i = cuzk_core_next_job(w->core, i));) {
        HOLDS(cuzk_core_view_job(w->core, w->now, i, &a));
        if (!is_under_way(&a)) {
            HOLDS(a.follows == 0);
            continue;
        }
        if (a.follows != 0) {
            HOLDS(w->config.join_content && a.started == 0);
            HOLDS(cuzk_core_view_job(w->core, w->now, a.follows, &b));
            HOLDS(is_under_way(&b) && b.follows == 0);
            continue;
        }
        for (cuzk_job_no k = i; w->config.join_content && (k = cuzk_core_next_job(w->core, k));) {
            HOLDS(cuzk_core_view_job(w->core, w->now, k, &b));
            if (is_under_way(&b) && b.follows == 0)
                HOLDS(!are_alike(world_find(w, i), &a, world_find(w, k), &b));
        }
    }
}

void world_check(world *w)
{
    cuzk_core_check(w->core);
    check_twins(w);
    cuzk_core_view view;
    cuzk_core_view_get(w->core, w->now, &view);
    check_memory(w, &view);
    check_slots(w);
    world_seen seen = {0};
    look(w, &seen);
    check_lane(w, &view, &seen);
    for (unsigned i = 0; i < w->config.devices; i++) {
        cuzk_device_view device;
        cuzk_core_view_device(w->core, w->now, i, &device);
        uint64_t sum = 0;
        for (unsigned state = 0; state < CUZK_DEVICE_STATES; state++)
            sum += device.ns[state];
        HOLDS(sum == w->now - view.started);
        check_idle(w, &view, &seen, i, &device);
        check_urgent(w, &seen, i, &device);
    }
}
