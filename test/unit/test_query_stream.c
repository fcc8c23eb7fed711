/* A query that goes to a device, in pieces: the same points and variables as one that stays. */
#include "groth16/query.h"
#include "support/circuit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (((size_t)1 << 18) + 1000) /* more than one piece */

typedef struct collector {
    cuzk_base_sink base;
    uint64_t *points;
    size_t n, room, calls, refuse_at;
    unsigned words;
} collector;

static cuzk_status begin(cuzk_base_sink *sink, const cuzk_curve *curve, cuzk_query_id query,
                         size_t n, cuzk_error *err)
{
    (void)err;
    collector *c = (collector *)(void *)sink;
    c->words = cuzk_point_words(curve, query == CUZK_QUERY_B2 ? CUZK_G2 : CUZK_G1);
    c->points = malloc(n * c->words * sizeof *c->points);
    c->room = n;
    assert_non_null(c->points);
    return CUZK_OK;
}

static cuzk_status put(cuzk_base_sink *sink, const uint64_t *points, size_t n, cuzk_error *err)
{
    collector *c = (collector *)(void *)sink;
    if (++c->calls == c->refuse_at)
        return cuzk_fail(err, CUZK_ERR_DEVICE, "the device is gone");
    assert_true(c->n + n <= c->room);
    memcpy(c->points + c->n * c->words, points, n * c->words * sizeof *points);
    c->n += n;
    return CUZK_OK;
}

/* Points without meaning, as nothing looks at them; infinity at every third place if asked. */
static uint64_t *make_points(const cuzk_curve *curve, cuzk_group group, bool holes)
{
    const unsigned words = cuzk_point_words(curve, group);
    uint64_t *points = calloc(N * words, sizeof *points);
    assert_non_null(points);
    for (size_t i = 0; i < N; i++)
        if (!holes || i % 3 != 1)
            points[i * words + i % words] = i + 1;
    return points;
}

static bool is_hole(bool holes, size_t i)
{
    return holes && i % 3 == 1;
}

static void check_stream(cuzk_curve_id id, cuzk_query_id which, bool holes, const uint32_t *index)
{
    const cuzk_curve *curve = cuzk_curve_get(id);
    const cuzk_group group = which == CUZK_QUERY_B2 ? CUZK_G2 : CUZK_G1;
    const unsigned words = cuzk_point_words(curve, group);
    uint64_t *points = make_points(curve, group, holes);
    collector c = {.base = {begin, put}};
    cuzk_query query = {0};
    cuzk_error err;
    size_t bytes = 0, kept = 0;
    const struct cuzk_query_source source = {points, N, index, false};
    const cuzk_query_place place = {curve, group, 7, "test", "a", false};
    TEST_EXPECT(cuzk_query_stream(&query, &bytes, &source, &place, which, &c.base, NULL, &err),
                CUZK_OK, &err);
    assert_null(query.bases);
    assert_int_equal(query.offset, 7);
    assert_true((query.index == NULL) == (!holes && index == NULL));
    for (size_t i = 0; i < N; i++) {
        if (is_hole(holes, i))
            continue;
        assert_memory_equal(c.points + kept * words, points + i * words, words * sizeof *points);
        if (query.index != NULL)
            assert_int_equal(query.index[kept], index != NULL ? index[i] : 7 + i);
        kept++;
    }
    assert_int_equal(query.n, kept);
    assert_int_equal(c.n, kept);
    assert_true(c.calls > 1);
    cuzk_query_release(&query);
    free(c.points);
    free(points);
}

static void all_points_arrive_in_order(void **state)
{
    (void)state;
    uint32_t *index = malloc(N * sizeof *index);
    assert_non_null(index);
    for (size_t i = 0; i < N; i++)
        index[i] = (uint32_t)(3 * i + 1);
    for (int id = 0; id < 2; id++) {
        check_stream((cuzk_curve_id)id, CUZK_QUERY_A, false, NULL);
        check_stream((cuzk_curve_id)id, CUZK_QUERY_L, true, NULL);
        check_stream((cuzk_curve_id)id, CUZK_QUERY_B2, true, index);
    }
    free(index);
}

static void bad_points_are_named_by_their_number(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BN254);
    uint64_t *points = make_points(curve, CUZK_G1, true);
    memset(points, 0, N * curve->g1_words * sizeof *points);
    points[(N - 5) * curve->g1_words] = 1;
    collector c = {.base = {begin, put}};
    cuzk_query query = {0};
    cuzk_error err;
    size_t bytes = 0;
    const struct cuzk_query_source source = {points, N, NULL, false};
    const cuzk_query_place place = {curve, CUZK_G1, 0, "file", "a", true};
    TEST_EXPECT(
        cuzk_query_stream(&query, &bytes, &source, &place, CUZK_QUERY_A, &c.base, NULL, &err),
        CUZK_ERR_FORMAT, &err);
    char name[64];
    snprintf(name, sizeof name, "file: a[%zu] is ", N - 5);
    assert_memory_equal(err.message, name, strlen(name));
    cuzk_query_release(&query);
    free(c.points);
    free(points);
}

static void a_sink_that_fails_ends_it(void **state)
{
    (void)state;
    const cuzk_curve *curve = cuzk_curve_get(CUZK_BLS12_381);
    uint64_t *points = make_points(curve, CUZK_G1, false);
    collector c = {.base = {begin, put}, .refuse_at = 2};
    cuzk_query query = {0};
    cuzk_error err;
    size_t bytes = 0;
    const struct cuzk_query_source source = {points, N, NULL, false};
    const cuzk_query_place place = {curve, CUZK_G1, 0, "file", "a", false};
    TEST_EXPECT(
        cuzk_query_stream(&query, &bytes, &source, &place, CUZK_QUERY_A, &c.base, NULL, &err),
        CUZK_ERR_DEVICE, &err);
    assert_string_equal(err.message, "the device is gone");
    cuzk_query_release(&query);
    free(c.points);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_points_arrive_in_order),
        cmocka_unit_test(bad_points_are_named_by_their_number),
        cmocka_unit_test(a_sink_that_fails_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
