/* Which keys are loaded and which partitions are made next.
 *
 * Both passes go through the wanted keys in the order of their first waiting jobs, and set aside
 * what those before need, so that nothing behind takes it. One exception pays: while a job waits
 * for a key for which there is no room, up to CORE_OVERTAKE_MAX partitions of its class that use
 * keys which are there are made before it, so that keys are not loaded and freed in turns. Then, or
 * at once if only less urgent work is in its way, nothing more is admitted until its key is there.
 */
#include "engine/core_state.h"

uint64_t cuzk_core_sched_need(const core_job *job)
{
    return job->witness_bytes + (job->key->held ? 0 : job->key->bytes);
}

static core_key *next_wanted(const cuzk_core *core, const core_key *key)
{
    core_node *node = key ? cuzk_core_tree_after(&core->wanted, &key->wanted)
                          : cuzk_core_tree_first(&core->wanted);
    return node ? CORE_OF(node, core_key, wanted) : NULL;
}

/* Adds without running over. */
static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Partitions that keep all devices busy: one in each slot, and those made ahead. */
static uint64_t working_depth(const cuzk_core *core)
{
    return (uint64_t)core->well * (2 + core->config.staged_per_device);
}

/* Bytes of witnesses that a key's jobs should find free beside what is in flight already. */
static uint64_t working_set(const cuzk_core *core, const core_key *key)
{
    const core_job *job = cuzk_core_key_first(key);
    uint64_t depth = working_depth(core);
    uint64_t count = key->ready < depth ? key->ready : depth;
    uint64_t in_flight = core->memory[CUZK_MEMORY_WITNESS] + cuzk_core_buffers_idle(core, job);
    uint64_t want = count * job->witness_bytes;
    /* At least one: else a load takes what was just freed for it. */
    return want > in_flight && want - in_flight > job->witness_bytes ? want - in_flight
                                                                     : job->witness_bytes;
}

/* A key that no job waits for gets what those that jobs wait for leave, and has others evicted only
 * when there are no such jobs. */
static void load_preloads(cuzk_core *core, uint64_t reserved)
{
    core_node *node = cuzk_core_tree_first(&core->preloads);
    if (!node || core->parse_blocked)
        return;
    core_key *key = CORE_OF(node, core_key, preload);
    uint64_t room = cuzk_core_memory_room(core, CUZK_CLASS_NORMAL);
    if (plus(key->bytes, reserved) <= room)
        cuzk_core_key_load(core, key);
    else if (!core->wanted.root)
        (void)cuzk_core_keys_evict(core, key->bytes - room, NULL, key);
}

void cuzk_core_sched_load(cuzk_core *core)
{
    uint64_t reserved = 0;
    unsigned seen = 0;
    bool parse_waits = core->parse_blocked && core->parse_need;
    for (core_key *key = next_wanted(core, NULL); key && seen < CORE_SCAN_MAX;
         key = next_wanted(core, key), seen++) {
        core_job *job = cuzk_core_key_first(key);
        if (parse_waits && cuzk_core_job_order(core->parse_blocked, job) < 0) {
            reserved = plus(reserved, core->parse_need);
            parse_waits = false;
        }
        if (key->state == CORE_KEY_LOADED || key->state == CORE_KEY_LOADING) {
            reserved = plus(reserved, working_set(core, key));
            continue;
        }
        if (key->state == CORE_KEY_FREEING)
            return;
        uint64_t room = cuzk_core_memory_room(core, job->class_), need = plus(key->bytes, reserved);
        if (need > room) {
            /* What comes after would take what this one waits for. */
            (void)cuzk_core_keys_evict(core, need - room, job, key);
            return;
        }
        cuzk_core_key_load(core, key);
        cuzk_core_buffers_warm(core, job, reserved);
        reserved = plus(reserved, working_set(core, key));
    }
    load_preloads(core, reserved);
}

bool cuzk_core_sched_is_hungry(const cuzk_core *core)
{
    if (core->staged.root)
        return false;
    for (unsigned i = 0; i < core->config.devices; i++) {
        const core_device *device = &core->devices[i];
        if (!device->quarantined && !device->compute && !device->upload[0])
            return true;
    }
    return false;
}

/* How many partitions are made ahead: enough that a device finds one whenever it asks, measured by
 * how long making and computing one take. */
static uint64_t lookahead(const cuzk_core *core)
{
    uint64_t well = core->well, makers = core->config.synth_slots;
    if (core->synth_mean && core->compute_mean)
        makers = (core->synth_mean / core->compute_mean + 1) * well;
    return makers + well * (1 + core->config.staged_per_device);
}

static bool may_make(const cuzk_core *core, const core_job *job)
{
    if (core->well == 0 ||
        core->synths >= core->config.synth_slots + (job->class_ == CUZK_CLASS_CRITICAL))
        return false;
    uint64_t ahead = 0;
    for (unsigned c = 0; c <= (unsigned)job->rank; c++)
        ahead += core->synth_of[c] + core->staged_of[c];
    return ahead < lookahead(core) || cuzk_core_sched_is_hungry(core);
}

static void note_blocked(cuzk_core *core, core_job *job, cuzk_device_state by)
{
    if (core->blocked)
        return;
    core->blocked = job;
    core->blocked_by = by;
}

/* A pass over the wanted keys: bytes set aside for those before, and those being overtaken. */
typedef struct core_pass {
    uint64_t reserved;
    core_job *passed[CORE_SCAN_MAX + 1]; /* all of one rank */
    uint64_t passed_need;
    unsigned n;
} core_pass;

static void admit(cuzk_core *core, core_job *job, const core_pass *pass)
{
    for (unsigned i = 0; i < pass->n; i++)
        pass->passed[i]->overtaken++;
    cuzk_core_part_admit(core, job);
}

/* The key is there. true: a partition was admitted. */
static bool try_admit(cuzk_core *core, core_job *job, core_pass *pass)
{
    uint64_t room = cuzk_core_buffers_room(core, job);
    uint64_t need = plus(pass->reserved, job->witness_bytes);
    if (need <= room) {
        admit(core, job, pass);
        return true;
    }
    note_blocked(core, job, CUZK_IDLE_WAIT_BUDGET);
    if (pass->reserved == 0)
        (void)cuzk_core_keys_evict(core, need - room, job, job->key);
    pass->reserved = need;
    return false;
}

/* The job cannot go on: others may go before, or what it needs is set aside. */
static void pass_by(core_job *job, uint64_t need, bool wait, core_pass *pass)
{
    if (wait || job->overtaken >= CORE_OVERTAKE_MAX) {
        pass->reserved = plus(pass->reserved, need);
        return;
    }
    pass->passed[pass->n++] = job;
    pass->passed_need = plus(pass->passed_need, need);
}

/* Less urgent work overtakes nobody. */
static void close_rank(core_pass *pass, cuzk_class rank)
{
    if (pass->n == 0 || pass->passed[0]->rank >= rank)
        return;
    pass->reserved = plus(pass->reserved, pass->passed_need);
    pass->n = 0;
    pass->passed_need = 0;
}

static bool admit_one(cuzk_core *core)
{
    core_pass pass = {0};
    unsigned seen = 0;
    bool parse_waits = core->parse_blocked && core->parse_need;
    for (core_key *key = next_wanted(core, NULL); key && seen < CORE_SCAN_MAX;
         key = next_wanted(core, key), seen++) {
        core_job *job = cuzk_core_key_first(key);
        if (!may_make(core, job))
            return false;
        if (parse_waits && cuzk_core_job_order(core->parse_blocked, job) < 0) {
            close_rank(&pass, core->parse_blocked->rank);
            pass_by(core->parse_blocked, core->parse_need, false, &pass);
            parse_waits = false;
        }
        close_rank(&pass, job->rank);
        if (key->state != CORE_KEY_LOADED) {
            note_blocked(core, job, CUZK_IDLE_WAIT_KEY);
            pass_by(job, cuzk_core_sched_need(job), key->state == CORE_KEY_LOADING, &pass);
        } else if (try_admit(core, job, &pass)) {
            return true;
        }
    }
    return false;
}

void cuzk_core_sched_admit(cuzk_core *core)
{
    do {
        core->blocked = NULL;
    } while (admit_one(core));
}

void cuzk_core_sched_check(cuzk_core *core)
{
    for (core_node *node; (node = cuzk_core_tree_first(&core->checks));) {
        core_part *part = CORE_OF(node, core_part, node);
        bool critical = part->job->class_ == CUZK_CLASS_CRITICAL;
        if (core->checking >= core->config.check_slots + critical)
            return;
        (void)cuzk_core_part_unlist(core, part);
        cuzk_core_part_work(core, part, CORE_WORK_CHECK);
    }
}
