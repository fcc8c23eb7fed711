/* The dictionary of coefficients: an open-addressing hash table of ids beside the array of values.
 */
#include "compute/sparse_coefs.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS  64u
#define FIRST_VALUES 16u
#define NO_SLOTS     ((size_t)0)

struct cuzk_coef_table {
    const cuzk_curve *curve;
    uint64_t seed; /* files choose the values: without it they could choose collisions as well */
    cuzk_fr *value;
    size_t count, capacity;
    uint32_t *slot; /* id + 1, or 0 */
    size_t slots;   /* a power of two, at least twice count */
};

static bool equal(const cuzk_fr *a, const cuzk_fr *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static size_t hash(const cuzk_coef_table *table, const cuzk_fr *value)
{
    uint64_t h = table->seed;
    for (int i = 0; i < 4; i++) {
        h = (h ^ value->l[i]) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
        h ^= h >> 29;
    }
    return (size_t)(h ^ h >> 32);
}

/* The slot of value, or the free slot where it belongs. */
static uint32_t *find(const cuzk_coef_table *table, const cuzk_fr *value)
{
    size_t i = hash(table, value) & (table->slots - 1);
    while (table->slot[i] != 0 && !equal(&table->value[table->slot[i] - 1], value))
        i = (i + 1) & (table->slots - 1);
    return &table->slot[i];
}

static cuzk_status fail_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_MEMORY, "no memory for the dictionary of coefficients");
}

static cuzk_status grow_values(cuzk_coef_table *table, cuzk_error *err)
{
    const size_t capacity = table->capacity == 0 ? FIRST_VALUES : 2 * table->capacity;
    cuzk_fr *value = realloc(table->value, capacity * sizeof *value);
    if (value == NULL)
        return fail_memory(err);
    table->value = value;
    table->capacity = capacity;
    return CUZK_OK;
}

static cuzk_status grow_slots(cuzk_coef_table *table, cuzk_error *err)
{
    const size_t slots = table->slots == NO_SLOTS ? FIRST_SLOTS : 2 * table->slots;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return fail_memory(err);
    free(table->slot);
    table->slot = slot;
    table->slots = slots;
    for (size_t i = 0; i < table->count; i++)
        *find(table, &table->value[i]) = (uint32_t)i + 1;
    return CUZK_OK;
}

/* The value is not there yet. */
static cuzk_status insert(cuzk_coef_table *table, const cuzk_fr *value, uint32_t *id,
                          cuzk_error *err)
{
    if (table->count >= UINT32_MAX - 1)
        return cuzk_fail(err, CUZK_ERR_UNSUPPORTED,
                         "more than 2^32 - 2 different coefficients: no circuit has them");
    if (table->count == table->capacity)
        CUZK_TRY(grow_values(table, err));
    if (2 * (table->count + 1) > table->slots)
        CUZK_TRY(grow_slots(table, err));
    *id = (uint32_t)table->count;
    table->value[table->count++] = *value;
    *find(table, value) = *id + 1;
    return CUZK_OK;
}

/* Ids 0 and 1. */
static cuzk_status insert_units(cuzk_coef_table *table, cuzk_error *err)
{
    cuzk_fr minus_one;
    uint32_t id;
    table->curve->fr_neg(&minus_one, &table->curve->fr_one);
    CUZK_TRY(insert(table, &table->curve->fr_one, &id, err));
    return insert(table, &minus_one, &id, err);
}

cuzk_status cuzk_coef_table_new(cuzk_coef_table **table, const cuzk_curve *curve, cuzk_error *err)
{
    cuzk_coef_table *t = calloc(1, sizeof *t);
    if (t == NULL)
        return fail_memory(err);
    t->curve = curve;
    cuzk_status status = cuzk_random(&t->seed, sizeof t->seed, err);
    if (status == CUZK_OK)
        status = insert_units(t, err);
    if (status != CUZK_OK) {
        cuzk_coef_table_free(t);
        return status;
    }
    *table = t;
    return CUZK_OK;
}

void cuzk_coef_table_free(cuzk_coef_table *table)
{
    if (table == NULL)
        return;
    free(table->value);
    free(table->slot);
    free(table);
}

const cuzk_curve *cuzk_coef_table_curve(const cuzk_coef_table *table)
{
    return table->curve;
}

void cuzk_coef_table_take(cuzk_coef_table *table, cuzk_coefs *out)
{
    *out = (cuzk_coefs){.value = table->value, .count = table->count};
    free(table->slot);
    table->value = NULL;
    table->slot = NULL;
    table->count = table->capacity = table->slots = 0;
}

cuzk_status cuzk_coef_intern(cuzk_coef_table *table, const cuzk_fr *value, uint32_t *id,
                             cuzk_error *err)
{
    if (table->count < 2) { /* it was taken, or memory ran out on the way here */
        table->count = 0;
        if (table->slots != NO_SLOTS)
            memset(table->slot, 0, table->slots * sizeof *table->slot);
        CUZK_TRY(insert_units(table, err));
    }
    const uint32_t found = *find(table, value);
    if (found == 0)
        return insert(table, value, id, err);
    *id = found - 1;
    return CUZK_OK;
}

const cuzk_fr *cuzk_coef_value(const cuzk_coef_table *table, uint32_t id)
{
    return &table->value[id];
}
