/* The order of work: instances and the root's steps in levels, each one above what it reads. Work
 * of one level is independent; instances of one template there run together. */
#include "circuit/compile_state.h"

#include <stdlib.h>
#include <string.h>

#define ROOT_BATCH 512 /* steps of the root */

/* Levels plus 1 of what makes each variable: of instances, of the root's own aux, of inputs. */
typedef struct levels {
    const cuzk_compiled *c;
    uint32_t *instance, *own, *input;
    uint32_t *own_before; /* the root's own aux before an instance */
    uint32_t *step;       /* levels of the root's steps; calls: of the instances */
    size_t seen;          /* instances so far */
    size_t last;          /* the instance of the last look-up, plus 1 */
} levels;

static void release(levels *l)
{
    free(l->instance);
    free(l->own);
    free(l->input);
    free(l->own_before);
    free(l->step);
}

static bool reserve(levels *l, const cuzk_compiled *c)
{
    size_t own = c->counts->aux;
    for (size_t i = 0; i < c->instances; i++)
        own -= c->template[c->instance[i].template].locals;
    *l = (levels){
        .c = c,
        .instance = malloc((c->instances + 1) * sizeof(uint32_t)),
        .own = malloc((own + 1) * sizeof(uint32_t)),
        .input = calloc(c->counts->inputs, sizeof(uint32_t)),
        .own_before = malloc((c->instances + 1) * sizeof(uint32_t)),
        .step = malloc((c->template[0].steps + (size_t)1) * sizeof(uint32_t)),
    };
    return l->instance != NULL && l->own != NULL && l->input != NULL && l->own_before != NULL &&
           l->step != NULL;
}

static uint32_t end_of(const cuzk_compiled *c, size_t instance)
{
    return c->instance[instance].first_aux + c->template[c->instance[instance].template].locals;
}

/* The number plus 1 of the last instance that starts at or before an aux variable, 0: none. */
static size_t instance_before(levels *l, uint32_t aux)
{
    const cuzk_instance *in = l->c->instance;
    size_t low = 0, high = l->seen;
    if (l->last != 0 && in[l->last - 1].first_aux <= aux &&
        (l->last == l->seen || aux < in[l->last].first_aux))
        return l->last;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (in[middle].first_aux <= aux)
            low = middle + 1;
        else
            high = middle;
    }
    return l->last = low;
}

/* The level from which on a slot of the root can be read. */
static uint32_t level_after(levels *l, uint32_t slot)
{
    if (slot < CUZK_ROOT_BASE)
        return l->input[slot];
    const uint32_t aux = slot - CUZK_ROOT_BASE;
    const size_t before = instance_before(l, aux);
    if (before == 0)
        return l->own[aux];
    if (aux < end_of(l->c, before - 1))
        return l->instance[before - 1];
    return l->own[l->own_before[before - 1] + (aux - end_of(l->c, before - 1))];
}

static uint32_t above(levels *l, uint32_t level, uint32_t slot)
{
    const uint32_t other = level_after(l, slot);
    return other > level ? other : level;
}

static uint32_t level_of_call(levels *l, size_t number)
{
    const cuzk_instance *in = &l->c->instance[number];
    uint32_t level = 0;
    for (uint32_t i = 0; i < l->c->template[in->template].ports; i++)
        level = above(l, level, l->c->binding[in->first_binding + i]);
    return level;
}

static uint32_t level_of_refs(levels *l, const uint32_t *ref, size_t n)
{
    uint32_t level = 0;
    for (size_t i = 0; i < n; i++)
        level = above(l, level, ref[i] / 2);
    return level;
}

static uint32_t level_of_step(levels *l, const cuzk_step *s)
{
    const uint32_t *arg = l->c->arg + l->c->template[0].first_arg + s->arg;
    uint32_t level = 0;
    switch ((cuzk_step_kind)s->kind) {
    case CUZK_STEP_CALL:
        return level_of_call(l, s->arg);
    case CUZK_STEP_XOR:
    case CUZK_STEP_AND:
        return level_of_refs(l, arg, 2);
    case CUZK_STEP_CH:
    case CUZK_STEP_MAJ:
        return level_of_refs(l, arg, 3);
    case CUZK_STEP_SUM:
        return level_of_refs(l, arg + 1, 32 * (size_t)arg[0]);
    case CUZK_STEP_BITS:
        return above(l, 0, arg[0]);
    case CUZK_STEP_QUAD:
        for (uint32_t i = 0; i < arg[0] + arg[1] + arg[2]; i++)
            level = above(l, level, arg[3 + 2 * i]);
        return level;
    case CUZK_STEP_FIELD:
    case CUZK_STEP_WORD:
    case CUZK_STEP_KINDS:
        break;
    }
    return level;
}

/* Walks the root in its order. Returns the number of levels. */
static uint32_t find_levels(levels *l)
{
    const cuzk_compiled *c = l->c;
    const cuzk_template *root = &c->template[0];
    uint32_t own = 0, highest = 0;
    for (uint32_t i = 0; i < root->steps; i++) {
        const cuzk_step *s = &c->step[root->first_step + i];
        const uint32_t level = level_of_step(l, s);
        l->step[i] = level;
        highest = level + 1 > highest ? level + 1 : highest;
        if (s->kind == CUZK_STEP_CALL) {
            l->own_before[s->arg] = own;
            l->instance[s->arg] = level + 1;
            l->seen = s->arg + (size_t)1;
        } else if (s->dst < CUZK_ROOT_BASE) {
            l->input[s->dst] = level + 1;
        } else {
            for (uint32_t j = 0; j < s->n; j++)
                l->own[own++] = level + 1;
        }
    }
    return highest;
}

/* The template that a step of the root runs. */
static uint32_t template_of(const cuzk_compiled *c, const cuzk_step *s)
{
    return s->kind == CUZK_STEP_CALL ? c->instance[s->arg].template : 0;
}

/* Sorts the steps' numbers by a key below n_keys; stable. start: n_keys + 1 numbers. */
static void sort_by(const uint32_t *key_of, uint32_t *to, const uint32_t *from, size_t n,
                    uint32_t *start, size_t n_keys)
{
    memset(start, 0, (n_keys + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[key_of[from[i]] + 1]++;
    for (size_t k = 0; k < n_keys; k++)
        start[k + 1] += start[k];
    for (size_t i = 0; i < n; i++)
        to[start[key_of[from[i]]]++] = from[i];
}

/* Cuts the sorted steps into batches; where s->batch is NULL it counts them. */
static void cut(const cuzk_compiled *c, const levels *l, const uint32_t *template_of_step,
                cuzk_schedule *s)
{
    const size_t n = c->template[0].steps;
    size_t batches = 0, level = 0;
    for (size_t i = 0; i < n;) {
        const uint32_t step = s->order[i], template = template_of_step[step];
        const size_t most = template == 0 ? ROOT_BATCH : c->plan[template].lanes;
        size_t end = i + 1;
        while (end < n && end - i < most && l->step[s->order[end]] == l->step[step] &&
               template_of_step[s->order[end]] == template)
            end++;
        if (s->batch != NULL) {
            while (level <= l->step[step])
                s->level_start[level++] = batches;
            s->batch[batches] = (cuzk_batch){template, (uint32_t)i, (uint32_t)(end - i)};
        }
        batches++;
        i = end;
    }
    while (s->batch != NULL && level <= s->levels)
        s->level_start[level++] = batches;
    s->batches = batches;
}

/* In the order, calls stand for their instances. */
static void name_instances(const cuzk_compiled *c, cuzk_schedule *s)
{
    const cuzk_step *step = c->step + c->template[0].first_step;
    for (size_t b = 0; b < s->batches; b++) {
        for (uint32_t i = 0; i < s->batch[b].n && s->batch[b].template != 0; i++)
            s->order[s->batch[b].first + i] = step[s->order[s->batch[b].first + i]].arg;
    }
}

static bool arrange(const cuzk_compiled *c, const levels *l, cuzk_schedule *s)
{
    const size_t n = c->template[0].steps;
    const size_t keys = s->levels > c->templates ? s->levels : c->templates;
    uint32_t *start = malloc((keys + 1) * sizeof *start);
    uint32_t *template = malloc((n + 1) * sizeof *template);
    uint32_t *other = malloc((n + 1) * sizeof *other);
    s->order = malloc((n + 1) * sizeof *s->order);
    s->level_start = malloc((s->levels + 1) * sizeof *s->level_start);
    bool good = start != NULL && template != NULL && other != NULL && s->order != NULL &&
                s->level_start != NULL;
    if (good) {
        for (size_t i = 0; i < n; i++) {
            template[i] = template_of(c, &c->step[c->template[0].first_step + i]);
            s->order[i] = (uint32_t)i;
        }
        sort_by(template, other, s->order, n, start, c->templates);
        sort_by(l->step, s->order, other, n, start, s->levels);
        cut(c, l, template, s);
        s->batch = malloc((s->batches + 1) * sizeof *s->batch);
        good = s->batch != NULL;
    }
    if (good) {
        cut(c, l, template, s);
        name_instances(c, s);
    }
    free(start);
    free(template);
    free(other);
    return good;
}

cuzk_status cuzk_compiled_schedule(cuzk_compiled *c, cuzk_error *err)
{
    levels l;
    bool good = reserve(&l, c);
    if (good) {
        c->schedule.levels = find_levels(&l);
        good = arrange(c, &l, &c->schedule);
    }
    release(&l);
    return good ? CUZK_OK : cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for a compiled circuit");
}

void cuzk_schedule_release(cuzk_schedule *s)
{
    free(s->order);
    free(s->batch);
    free(s->level_start);
}
