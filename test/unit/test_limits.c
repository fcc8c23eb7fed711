/* Field report A15: limits of containers, nested and of both versions, on trees made up here. */
#define _GNU_SOURCE
#include "engine/limits.h"
#include "support/store_jobs.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

static char root[64];
static cuzk_error err;

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/cuzk-limits-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    (void)state;
    test_store_remove(root);
    return 0;
}

/* Writes a file of the tree, folders included. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_machine(void)
{
    put("/proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\n"
                         "MemAvailable:   33554432 kB\nBuffers: 1 kB\n");
}

static void expect(uint64_t configured, uint64_t margin, uint64_t bytes, const char *word)
{
    cuzk_memory_limit limit = {0};
    if (cuzk_memory_limit_find(&limit, root, configured, margin, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    if (strstr(limit.source, word) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", limit.source, word);
    assert_int_equal(limit.bytes, bytes);
}

static void machine_alone(void **state)
{
    (void)state;
    put_machine();
    expect(0, 0, 32 * GIB, "MemAvailable 32.00 GiB");
    expect(0, 512 * MIB, 32 * GIB - 512 * MIB, "less 512 MiB");
    expect(0, CUZK_MARGIN_AUTO, 28 * GIB, "less 4096 MiB");
    expect(10 * GIB, 512 * MIB, 10 * GIB, "memory.total_budget");
    expect(100 * GIB, 512 * MIB, 32 * GIB - 512 * MIB, "MemAvailable");
}

static void v2_the_least_up_the_tree(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "0::/system.slice/cuzk.service/inner\n");
    put("/sys/fs/cgroup/system.slice/memory.max", "17179869184\n");
    put("/sys/fs/cgroup/system.slice/cuzk.service/memory.max", "max\n");
    put("/sys/fs/cgroup/system.slice/cuzk.service/inner/memory.max", "max\n");
    expect(0, 0, 16 * GIB, "cgroup /system.slice memory.max");
    put("/sys/fs/cgroup/system.slice/cuzk.service/memory.max", "8589934592\n");
    expect(0, 0, 8 * GIB, "cgroup /system.slice/cuzk.service memory.max");
    put("/sys/fs/cgroup/system.slice/cuzk.service/inner/memory.max", "4294967296\n");
    expect(0, 0, 4 * GIB, "inner memory.max");
    put("/sys/fs/cgroup/system.slice/cuzk.service/inner/memory.high", "1073741824\n");
    expect(0, 0, 1 * GIB, "inner memory.high");
}

static void v2_all_max(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "0::/a\n");
    put("/sys/fs/cgroup/a/memory.max", "max\n");
    expect(0, 0, 32 * GIB, "MemAvailable");
}

static void v2_root_of_a_container(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "2147483648\n");
    expect(0, 0, 2 * GIB, "cgroup / memory.max");
    put("/proc/self/cgroup", "0::/../../other\n");
    expect(0, 0, 2 * GIB, "cgroup / memory.max");
    /* The host's path, which this mount does not have. */
    put("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    expect(0, 0, 2 * GIB, "cgroup / memory.max");
}

static void v1_the_least_up_the_tree(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup",
        "12:cpu,cpuacct:/x\n7:memory:/docker/abc\n3:devices:/y\n1:name=systemd:/z\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "6442450944\n");
    put("/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
    expect(0, 0, 6 * GIB, "cgroup /docker memory.limit_in_bytes");
    put("/sys/fs/cgroup/memory/docker/abc/memory.stat",
        "cache 0\nhierarchical_memory_limit 3221225472\nhierarchical_memsw_limit 1\n");
    expect(0, 0, 3 * GIB, "hierarchical_memory_limit");
}

static void hybrid_takes_both(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "4:hugetlb,memory:/a\n0::/b\n");
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "6442450944\n");
    put("/sys/fs/cgroup/unified/b/memory.max", "5368709120\n");
    expect(0, 0, 5 * GIB, "cgroup /b memory.max");
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4294967296\n");
    expect(0, 0, 4 * GIB, "cgroup /a memory.limit_in_bytes");
}

static void nothing_left_is_refused_with_numbers(void **state)
{
    (void)state;
    cuzk_memory_limit limit = {.bytes = 7};
    put_machine();
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "1073741824\n");
    assert_int_equal(cuzk_memory_limit_find(&limit, root, 0, 1 * GIB, &err), CUZK_ERR_MEMORY);
    assert_non_null(strstr(err.message, "1.00 GiB"));
    assert_non_null(strstr(err.message, "1024 MiB"));
    assert_int_equal(limit.bytes, 7);
    expect(0, CUZK_MARGIN_AUTO, 896 * MIB, "less 128 MiB");
}

static void nothing_known(void **state)
{
    (void)state;
    cuzk_memory_limit limit;
    assert_int_equal(cuzk_memory_limit_find(&limit, root, 0, 0, &err), CUZK_ERR_MEMORY);
    expect(3 * GIB, 1 * GIB, 3 * GIB, "configured");
}

static void garbage_is_no_limit(void **state)
{
    (void)state;
    put_machine();
    put("/proc/self/cgroup", "nonsense\n0:\n0::relative\n0::/a\n");
    put("/sys/fs/cgroup/a/memory.max", "12cats\n");
    put("/sys/fs/cgroup/memory.max", "");
    expect(0, 0, 32 * GIB, "MemAvailable");
}

static void this_machine(void **state)
{
    (void)state;
    cuzk_memory_limit limit;
    if (cuzk_memory_limit_find(&limit, "", 0, CUZK_MARGIN_AUTO, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    printf("%s\n", limit.source);
    assert_true(limit.bytes > 0 && limit.bytes < UINT64_MAX);
    uint64_t before = cuzk_memory_resident();
    char *block = malloc(64 * MIB);
    assert_non_null(block);
    memset(block, 1, 64 * MIB);
    assert_true(cuzk_memory_resident() >= before + 32 * MIB);
    free(block);
}

/* --- a start beside a process that dies --- */

static void put_available(uint64_t mib)
{
    char text[100];
    snprintf(text, sizeof text, "MemTotal: 99999999999 kB\nMemAvailable: %llu kB\n",
             (unsigned long long)mib * 1024);
    put("/proc/meminfo", text);
}

typedef struct plan {
    const uint64_t *mib; /* what is available after each pause; 0 ends */
    unsigned pauses, most;
} plan;

static bool pause_planned(void *context, const cuzk_memory_limit *found)
{
    plan *p = context;
    (void)found;
    if (p->pauses == p->most)
        return false;
    put_available(p->mib[p->pauses++]);
    return true;
}

static void expect_settled(plan p, uint64_t configured, unsigned pauses, uint64_t bytes)
{
    cuzk_memory_limit limit = {0};
    if (cuzk_memory_limit_settle(&limit, root, configured, 0, pause_planned, &p, &err) != CUZK_OK)
        fail_msg("%s", err.message);
    assert_int_equal(p.pauses, pauses);
    assert_int_equal(limit.bytes, bytes);
}

static void memory_that_comes_back_is_waited_for(void **state)
{
    (void)state;
    static const uint64_t rising[] = {2000, 9000, 30000, 30010, 60000};
    static const uint64_t falling[] = {800, 60000};
    const plan rises = {.mib = rising, .most = 5}, falls = {.mib = falling, .most = 2};
    put_available(1000);
    expect_settled(rises, 0, 4, 30010 * MIB);
    put_available(1000);
    expect_settled((plan){.mib = rising, .most = 2}, 0, 2, 9000 * MIB); /* no longer than that */
    put_available(1000);
    expect_settled(falls, 0, 1, 800 * MIB);
    /* What is configured is there already, or comes to be. */
    put_available(1000);
    expect_settled(rises, 500 * MIB, 0, 500 * MIB);
    expect_settled(rises, 5000 * MIB, 2, 5000 * MIB);
    /* A container's limit does not change. */
    put_available(1000);
    put("/proc/self/cgroup", "0::/a\n");
    put("/sys/fs/cgroup/a/memory.max", "104857600\n");
    expect_settled(rises, 0, 0, 100 * MIB);
}

/* None at all is left at first. */
static void nothing_left_is_waited_for(void **state)
{
    (void)state;
    static const uint64_t rising[] = {4000, 4001}, none[] = {10, 4000};
    cuzk_memory_limit limit;
    plan p = {.mib = rising, .most = 2};
    put_available(10);
    assert_int_equal(cuzk_memory_limit_settle(&limit, root, 0, 1 * GIB, pause_planned, &p, &err),
                     CUZK_OK);
    assert_int_equal(limit.bytes, 4001 * MIB - 1 * GIB);
    p = (plan){.mib = none, .most = 2};
    put_available(10);
    assert_int_equal(cuzk_memory_limit_settle(&limit, root, 0, 1 * GIB, pause_planned, &p, &err),
                     CUZK_ERR_MEMORY);
    assert_int_equal(p.pauses, 1);
}

/* --- pressure --- */

static void pressure_is_read(void **state)
{
    (void)state;
    assert_true(cuzk_memory_pressure(root) < 0);
    put("/proc/pressure/memory", "some avg10=1.50 avg60=2.00 avg300=0.00 total=5\n"
                                 "full avg10=0.50 avg60=0.00 avg300=0.00 total=1\n");
    assert_true(cuzk_memory_pressure(root) == 1.5);
    put("/proc/self/cgroup", "12:memory:/v1\n0::/a/b\n");
    assert_true(cuzk_memory_pressure(root) == 1.5); /* that cgroup does not tell */
    put("/sys/fs/cgroup/a/b/memory.pressure", "some avg10=99.25 avg60=0 avg300=0 total=0\n");
    assert_true(cuzk_memory_pressure(root) == 99.25);
    put("/sys/fs/cgroup/a/b/memory.pressure", "none\n");
    assert_true(cuzk_memory_pressure(root) == 1.5);
    put("/proc/pressure/memory", "some avg10=");
    assert_true(cuzk_memory_pressure(root) < 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(machine_alone),
        TEST(v2_the_least_up_the_tree),
        TEST(v2_all_max),
        TEST(v2_root_of_a_container),
        TEST(v1_the_least_up_the_tree),
        TEST(hybrid_takes_both),
        TEST(nothing_left_is_refused_with_numbers),
        TEST(nothing_known),
        TEST(garbage_is_no_limit),
        TEST(memory_that_comes_back_is_waited_for),
        TEST(nothing_left_is_waited_for),
        TEST(pressure_is_read),
        TEST(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
