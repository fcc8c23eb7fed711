/* Parsing: when it may start, and what its result means. */
#include "engine/core_state.h"

#include <stdlib.h>

#define PARTITIONS_MAX (1u << 20)
#define READY_AHEAD    64u /* partitions that wait for their turn: more are not parsed yet */
#define LLU(x)         ((unsigned long long)(x))

static void start_parse(cuzk_core *core, core_job *job)
{
    cuzk_core_tree_remove(&core->parse_queue, &job->queue);
    cuzk_core_tree_remove(&core->pending, &job->pending);
    job->state = CUZK_JOB_PARSING;
    job->started = core->now;
    core->jobs_started++;
    core->counters.pending[job->kind]--;
    core->counters.in_progress[job->kind]++;
    if (!job->has_payload) {
        job->has_payload = true;
        job->payload_held = job->payload_bytes;
        core->class_bytes[job->class_] += job->payload_held;
        cuzk_core_memory_take(core, CUZK_MEMORY_PAYLOAD, job->payload_held);
    }
    job->input_held = job->parse_bytes;
    cuzk_core_memory_take(core, CUZK_MEMORY_INPUT, job->input_held);
    job->parsing = true;
    core->parses++;
    core->working++;
    core->ops.parse(core->context, job->number);
}

static void note_blocked(cuzk_core *core, core_job *job, uint64_t need)
{
    if (core->parse_blocked)
        return;
    core->parse_blocked = job;
    core->parse_need = need;
}

/* Enough of this class and those before it wait already, and no device wants for work. */
static bool is_early(const cuzk_core *core, cuzk_class class_)
{
    uint64_t ready = 0;
    for (unsigned c = 0; c <= (unsigned)class_; c++)
        ready += core->ready_of[c];
    return ready >= READY_AHEAD * (uint64_t)core->config.devices &&
           !cuzk_core_sched_is_hungry(core);
}

/* In order; only a job that waits for others to end is passed by. */
void cuzk_core_sched_parse(cuzk_core *core)
{
    core->parse_blocked = NULL;
    core->starved = false;
    if (core->draining && !core->drain_all)
        return;
    core_node *node = cuzk_core_tree_first(&core->parse_queue), *next;
    for (unsigned passed = 0; node && passed < CORE_SCAN_MAX; node = next) {
        next = cuzk_core_tree_after(&core->parse_queue, node);
        core_job *job = CORE_OF(node, core_job, queue);
        unsigned slots = core->config.parse_slots + (job->class_ == CUZK_CLASS_CRITICAL);
        if (core->parses >= slots || is_early(core, job->class_))
            return;
        uint64_t need = job->parse_bytes + (job->has_payload ? 0 : job->payload_bytes), short_of;
        core_fit fit = cuzk_core_memory_fit_parse(core, job, need, &short_of);
        if (fit == CORE_FIT_NOW) {
            start_parse(core, job);
            continue;
        }
        note_blocked(core, job, fit == CORE_FIT_SHORT ? need : 0);
        if (fit == CORE_FIT_SHORT)
            (void)cuzk_core_keys_evict(core, short_of, job, NULL);
        if (fit != CORE_FIT_BACKLOG)
            return;
        core->starved = true;
        passed++;
    }
}

/* Whether one partition of the job can ever run. */
static bool can_run(const cuzk_core *core, const core_job *job, const cuzk_parsed *parsed)
{
    uint64_t left = cuzk_core_memory_limit(core, job->class_);
    const uint64_t needs[] = {parsed->key_bytes, parsed->input_bytes, parsed->witness_bytes,
                              parsed->result_bytes};
    for (unsigned i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (needs[i] > left)
            return false;
        left -= needs[i];
    }
    return true;
}

static void fail(cuzk_core *core, core_job *job, cuzk_blame blame, cuzk_status status,
                 const char *message)
{
    cuzk_core_job_fail(core, job, CUZK_JOB_FAILED, blame, status, "%s", message);
}

/* What parsing held becomes what the job keeps. */
static bool keep_input(cuzk_core *core, core_job *job, const cuzk_parsed *parsed)
{
    uint64_t keep = parsed->input_bytes + parsed->result_bytes;
    if (keep > job->input_held &&
        keep - job->input_held > cuzk_core_memory_room(core, job->class_)) {
        cuzk_core_job_fail(
            core, job, CUZK_JOB_FAILED, CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
            "parse: the request holds %llu bytes once parsed, %llu were expected and "
            "the rest is not free; submit it again later",
            LLU(keep), LLU(job->input_held));
        return false;
    }
    cuzk_core_memory_give(core, CUZK_MEMORY_INPUT, job->input_held);
    job->input_held = parsed->input_bytes;
    job->result_held = parsed->result_bytes;
    cuzk_core_memory_take(core, CUZK_MEMORY_INPUT, job->input_held);
    cuzk_core_memory_take(core, CUZK_MEMORY_RESULT, job->result_held);
    return true;
}

static bool make_parts(cuzk_core *core, core_job *job, const cuzk_parsed *parsed)
{
    core_key *key = cuzk_core_key_get(core, parsed->key);
    job->parts = key ? calloc(parsed->partitions, sizeof *job->parts) : NULL;
    if (!job->parts) {
        if (key)
            cuzk_core_key_drop(core, key);
        return false;
    }
    cuzk_core_key_expect(key, parsed->key_bytes);
    key->users++;
    job->key = key;
    job->witness_bytes = parsed->witness_bytes;
    job->buffer_bytes = parsed->buffer_bytes;
    job->partitions = parsed->partitions;
    core->counters.parts[CUZK_PART_WAIT_INPUT] += job->partitions;
    for (uint32_t i = 0; i < job->partitions; i++) {
        job->parts[i] = (core_part){.job = job, .index = i, .device = -1};
        cuzk_core_part_ready(core, &job->parts[i]);
    }
    return true;
}

static void adopt(cuzk_core *core, core_job *job, const cuzk_parsed *parsed)
{
    CUZK_ASSERT(parsed->buffer_bytes <= parsed->witness_bytes);
    if (parsed->partitions == 0 || parsed->partitions > PARTITIONS_MAX || parsed->key[0] == '\0')
        fail(core, job, CUZK_BLAME_INPUT, CUZK_ERR_UNSUPPORTED,
             "parse: a request must name a key and have from 1 to 1048576 partitions");
    else if (!can_run(core, job, parsed))
        cuzk_core_job_fail(
            core, job, CUZK_JOB_FAILED, CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
            "admission: needs %llu bytes (key %llu, input %llu, witness %llu, result "
            "%llu), the memory budget has %llu for class %s; raise the budget",
            LLU(parsed->key_bytes + parsed->input_bytes + parsed->witness_bytes +
                parsed->result_bytes),
            LLU(parsed->key_bytes), LLU(parsed->input_bytes), LLU(parsed->witness_bytes),
            LLU(parsed->result_bytes), LLU(cuzk_core_memory_limit(core, job->class_)),
            cuzk_class_name(job->class_));
    else if (keep_input(core, job, parsed)) {
        job->state = CUZK_JOB_RUNNING;
        if (!make_parts(core, job, parsed))
            fail(core, job, CUZK_BLAME_SYSTEM, CUZK_ERR_MEMORY,
                 "parse: no memory for the job's partitions; submit it again later");
    }
}

void cuzk_core_parsed_job(cuzk_core *core, uint64_t now, cuzk_job_no number,
                          const cuzk_parsed *parsed, const cuzk_failure *failure)
{
    cuzk_core_enter(core, now);
    core_job *job = cuzk_core_job_find(core, number);
    CUZK_ASSERT(job && job->parsing);
    job->parsing = false;
    job->has_input = !failure;
    core->parses--;
    core->working--;
    cuzk_core_job_payload_done(core, job);
    if (cuzk_job_state_is_terminal(job->state))
        cuzk_core_job_rest(core, job);
    else if (failure)
        cuzk_core_job_end(core, job, CUZK_JOB_FAILED, failure);
    else
        adopt(core, job, parsed);
    cuzk_core_settle(core);
}
