/* The tables of Filecoin circuits, sections 7 to 9: inputs, aux, rows, non-zeros and densities, at
 * all sizes. Circuits that repeat a block are counted with one block and two, and followed on. The
 * tables count PoRep's and SnapDeals' rows and nnz A with those that Groth16 appends, one per
 * input. What takes longer than some seconds wants CUZK_TEST_LONG=1. */
#include "circuit/direct.h"
#include "circuit/filecoin/circuit_porep.h"
#include "circuit/filecoin/circuit_post.h"
#include "circuit/filecoin/circuit_update.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = sizeof(cuzk_circuit_counts) / sizeof(size_t) };

typedef union count_list {
    cuzk_circuit_counts counts;
    size_t each[COUNTS];
} count_list;

static count_list count(const char *name, void (*build)(cuzk_cs *, const void *),
                        const void *params)
{
    const cuzk_circuit circuit = {name, build, params};
    count_list list;
    cuzk_error err;
    if (cuzk_circuit_count(&circuit, &list.counts, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    return list;
}

static void expect(const char *name, const count_list *found, const cuzk_circuit_counts *expected)
{
    static const char *const names[COUNTS] = {"inputs", "aux",   "rows",    "nnz A", "nnz B",
                                              "nnz C",  "a_aux", "b_input", "b_aux"};
    const count_list list = {*expected};
    for (size_t i = 0; i < COUNTS; i++) {
        if (found->each[i] != list.each[i])
            fail_msg("%s: %s %zu, not %zu", name, names[i], found->each[i], list.each[i]);
    }
}

/* Of n blocks, from those of one and of two. */
static count_list follow_on(const count_list *one, const count_list *two, size_t n)
{
    count_list list;
    for (size_t i = 0; i < COUNTS; i++)
        list.each[i] = one->each[i] + (n - 1) * (two->each[i] - one->each[i]);
    return list;
}

static bool skip_long(bool is_long)
{
    return is_long && getenv("CUZK_TEST_LONG") == NULL;
}

static const struct {
    const char *name;
    bool is_long;
    cuzk_porep_params params;
    cuzk_circuit_counts counts; /* with the appended rows */
} porep_cases[] = {
    {"porep 2 KiB",
     false,
     {{8, 0, 0, 2}, {2, 0, 0, 6}, 2, 2},
     {40, 2685673, 2687961, 6421005, 2689006, 5824682, 2674908, 1, 685521}},
    {"porep 8 MiB",
     true,
     {{8, 0, 0, 6}, {2, 0, 0, 18}, 2, 2},
     {40, 3842449, 3844969, 9388453, 3847886, 8234882, 3814996, 1, 1011289}},
    {"porep 512 MiB",
     true,
     {{8, 0, 0, 8}, {2, 0, 0, 24}, 2, 2},
     {40, 4420837, 4423473, 10872177, 4427326, 9439982, 4385040, 1, 1174173}},
    {"porep 32 GiB",
     true,
     {{8, 8, 0, 9}, {2, 0, 0, 30}, 11, 18},
     {328, 130169893, 130278869, 309405051, 130327340, 282656500, 129753292, 1, 33112281}},
    {"porep 64 GiB",
     true,
     {{8, 8, 2, 9}, {2, 0, 0, 31}, 11, 18},
     {328, 131076643, 131186177, 311892525, 131235764, 284512534, 130637542, 1, 33386943}},
};

static void counts_porep(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof porep_cases / sizeof porep_cases[0]; i++) {
        if (skip_long(porep_cases[i].is_long))
            continue;
        cuzk_porep_params p = porep_cases[i].params;
        p.challenges = 1;
        const count_list one = count("porep", cuzk_porep_build, &p);
        p.challenges = 2;
        const count_list two = count("porep", cuzk_porep_build, &p);
        count_list all = follow_on(&one, &two, porep_cases[i].params.challenges);
        all.counts.rows += all.counts.inputs;
        all.counts.nnz_a += all.counts.inputs;
        expect(porep_cases[i].name, &all, &porep_cases[i].counts);
    }
}

static const struct {
    const char *name;
    cuzk_post_params params;
    cuzk_circuit_counts counts;
} post_cases[] = {
    {"window 2 KiB",
     {{8, 0, 0, 2}, 2, 10},
     {23, 22128, 21866, 150262, 22230, 27456, 16770, 1, 16028}},
    {"window 32 GiB",
     {{8, 8, 0, 9}, 2349, 10},
     {25840, 126902376, 125279217, 862390719, 127398015, 157401792, 96179805, 1, 91925766}},
    {"window 64 GiB",
     {{8, 8, 2, 9}, 2300, 10},
     {25301, 131500200, 129887900, 893299300, 132008500, 163088400, 99624500, 1, 95413200}},
    {"winning 2 KiB",
     {{8, 0, 0, 2}, 66, 1},
     {133, 91674, 90750, 621852, 92070, 113652, 69300, 1, 66792}},
    {"winning 32 GiB",
     {{8, 8, 0, 9}, 66, 1},
     {133, 375210, 370590, 2549052, 376662, 465300, 284196, 1, 272184}},
    {"winning 64 GiB",
     {{8, 8, 2, 9}, 66, 1},
     {133, 396000, 391314, 2689368, 397518, 491040, 299838, 1, 287694}},
};

static void counts_post(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof post_cases / sizeof post_cases[0]; i++) {
        cuzk_post_params p = post_cases[i].params;
        p.sectors = 1;
        const count_list one = count("post", cuzk_post_build, &p);
        p.sectors = 2;
        const count_list two = count("post", cuzk_post_build, &p);
        const count_list all = follow_on(&one, &two, post_cases[i].params.sectors);
        expect(post_cases[i].name, &all, &post_cases[i].counts);
    }
}

/* The original bench: 2^30 leaves without sub and top, 5 sectors of 10 challenges. */
static void rows_of_the_bench(void **state)
{
    (void)state;
    const cuzk_post_params p = {{8, 0, 0, 10}, 5, 10};
    const count_list all = count("fallback bench", cuzk_post_build, &p);
    assert_int_equal(all.counts.rows, 266665);
}

static const struct {
    const char *name;
    bool is_long;
    cuzk_update_params params;
    cuzk_circuit_counts counts; /* with the appended rows */
} update_cases[] = {
    {"update 2 KiB",
     false,
     {{8, 0, 0, 2}, 6, 0, 3, 10, {1, 1, 1, 1, 1, 1}},
     {5, 1703569, 1705044, 4030892, 1706537, 3616648, 1697189, 1, 444403}},
    {"update 8 MiB",
     true,
     {{8, 0, 0, 6}, 18, 2, 7, 10, {7, 8, 9, 10, 11, 12}},
     {5, 9998039, 10007508, 23284278, 10015181, 21302734, 9981015, 1, 2567921}},
    {"update 512 MiB",
     true,
     {{8, 0, 0, 8}, 24, 4, 7, 86, {7, 8, 9, 10, 11, 12}},
     {5, 57401314, 57450484, 135362852, 57500527, 121971144, 57212317, 1, 14916879}},
    {"update 32 GiB",
     true,
     {{8, 8, 0, 9}, 30, 4, 7, 86, {7, 8, 9, 10, 11, 12}},
     {5, 80978488, 81049504, 190374912, 81118127, 172187492, 80743581, 1, 20983607}},
    {"update 64 GiB",
     true,
     {{8, 8, 2, 9}, 31, 4, 7, 86, {7, 8, 9, 10, 11, 12}},
     {5, 84931220, 85006106, 199699032, 85077653, 180585650, 84682725, 1, 22012683}},
};

static void counts_update(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof update_cases / sizeof update_cases[0]; i++) {
        if (skip_long(update_cases[i].is_long))
            continue;
        count_list all = count("update", cuzk_update_build, &update_cases[i].params);
        all.counts.rows += all.counts.inputs;
        all.counts.nnz_a += all.counts.inputs;
        expect(update_cases[i].name, &all, &update_cases[i].counts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_porep),
        cmocka_unit_test(counts_post),
        cmocka_unit_test(rows_of_the_bench),
        cmocka_unit_test(counts_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
