#include "server/config.h"
#include "engine/engine.h"
#include "server/config_keys.h"
#include "server/config_value.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIB ((uint64_t)1 << 30)

static cuzk_config config;
static cuzk_error err;
static char notes[8192];

static void note(void *context, cuzk_log_level level, const char *line)
{
    (void)context;
    snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%d %s\n", (int)level, line);
}

static cuzk_status read_text(const char *text)
{
    notes[0] = '\0';
    return cuzk_config_init_text(&config, "t.toml", text, strlen(text), note, NULL, &err);
}

static void read_good(const char *text)
{
    if (read_text(text) != CUZK_OK)
        fail_msg("%s", err.message);
}

/* The message must hold all words, which are parted by '|'. */
static void expect_message(const char *message, const char *words)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *save = NULL, *word = strtok_r(copy, "|", &save); word != NULL;
         word = strtok_r(NULL, "|", &save))
        if (strstr(message, word) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", message, word);
}

static void expect_bad(const char *text, cuzk_status status, const char *words)
{
    assert_int_equal(read_text(text), status);
    expect_message(err.message, words);
}

/* Configured, the user's, none. */
static void circuits_folders(void)
{
    char path[CUZK_CACHE_PATH_SIZE], home[] = "/tmp/cuzk-config-XXXXXX", expected[64];
    assert_non_null(mkdtemp(home));
    setenv("XDG_CACHE_HOME", home, 1);
    snprintf(expected, sizeof expected, "%s/cuzk/circuits", home);
    assert_string_equal(cuzk_config_circuits(&config, path), expected);
    assert_int_equal(rmdir(expected), 0); /* it was made */
    setenv("CUZK_NO_CACHE", "1", 1);
    assert_null(cuzk_config_circuits(&config, path));
    unsetenv("CUZK_NO_CACHE");
    snprintf(expected, sizeof expected, "%s/cuzk", home);
    assert_int_equal(rmdir(expected), 0);
    assert_int_equal(rmdir(home), 0);
    char *kept = config.circuits_folder;
    config.circuits_folder = expected;
    assert_ptr_equal(cuzk_config_circuits(&config, path), expected);
    config.circuits_folder = kept;
}

static void defaults(void **state)
{
    (void)state;
    read_good("");
    assert_int_equal(config.listen.n, 1);
    assert_string_equal(config.listen.text[0], "unix:///run/curio/cuzk.sock");
    assert_string_equal(config.status_listen, "");
    assert_int_equal(config.memory_total, 0);
    assert_true(config.memory_margin == CUZK_MARGIN_AUTO);
    assert_string_equal(config.params_folder, "");
    unsetenv("FIL_PROOFS_PARAMETER_CACHE");
    assert_string_equal(cuzk_config_params(&config), "/data/zk/params");
    setenv("FIL_PROOFS_PARAMETER_CACHE", "/elsewhere", 1);
    assert_string_equal(cuzk_config_params(&config), "/elsewhere");
    circuits_folders();
    assert_false(config.allow_test_params);
    assert_int_equal(config.durability, CUZK_DURABLE_FULL);
    assert_int_equal(config.orphan_grace_ms, 120000);
    assert_int_equal(config.step_limit_ms, 600000);
    assert_int_equal(config.quarantine_ms, 60000);
    assert_int_equal(cuzk_config_log_level(&config), CUZK_LOG_INFO);
    assert_false(config.allow_insecure);
    assert_string_equal(notes, "");
    cuzk_config_release(&config);
}

/* A file as users of the program that this one replaces have it. */
static void old_file(void **state)
{
    (void)state;
    read_good("[daemon]\nlisten = \"0.0.0.0:9820\"\nstatus_listen = \"0.0.0.0:9821\"\n"
              "[memory]\ntotal_budget = \"400GiB\"\nsafety_margin = \"5GiB\"\n"
              "eviction_min_idle = \"5m\"\npinned_budget = \"50GiB\"\n"
              "working_memory_budget = \"100GiB\"\n"
              "[gpus]\ndevices = [0, 1]\ngpu_threads = 32\ngpu_workers_per_device = 2\n"
              "[scheduler]\nmax_batch_size = 1\nmax_batch_wait_ms = 10000\nsort_by_type = true\n"
              "[synthesis]\nthreads = 64\npartition_workers = 16\n"
              "[pipeline]\nenabled = true\nsynthesis_lookahead = 1\nsynthesis_concurrency = 4\n"
              "max_parallel_synthesis = 18\nslot_size = 0\nmax_gpu_queue_depth = 8\n"
              "[srs]\nparam_cache = \"/data/zk/params\"\npreload = [\"porep-32g\"]\n"
              "[logging]\nlevel = \"debug\"\n");
    assert_string_equal(config.listen.text[0], "0.0.0.0:9820");
    assert_string_equal(config.status_listen, "0.0.0.0:9821");
    assert_true(config.memory_total == 400 * GIB);
    assert_true(config.memory_margin == 5 * GIB);
    assert_int_equal(config.threads, 64);
    assert_int_equal(cuzk_config_log_level(&config), CUZK_LOG_DEBUG);
    expect_message(notes, "t.toml:8:17: memory.pinned_budget has no effect: deprecated|"
                          "gpus.gpu_threads has no effect|synthesis.partition_workers|srs.preload|"
                          "pipeline.slot_size");
    assert_null(strstr(notes, "srs.param_cache"));
    assert_string_equal(cuzk_config_params(&config), "/data/zk/params");
    unsigned lines = 0;
    for (const char *at = notes; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 16);
    assert_false(config.gpus.is_auto);
    assert_int_equal(config.gpus.n, 2);
    assert_int_equal(config.gpus.number[1], 1);
    cuzk_config_release(&config);
}

static void new_keys(void **state)
{
    (void)state;
    read_good("daemon.listen = [\"unix:/a\", \"[::1]:1\", \"localhost:2\"]\n"
              "memory.total_budget = \"auto\"\n"
              "store = { folder = \"/s\", durability = \"process\", result_hours = 1 }\n"
              "[queue]\nbytes_max = 1_000_000\norphan_grace = \"never\"\n"
              "[device]\nstep_limit = \"90m\"\nquarantine = \"never\"\n"
              "[auth]\ntoken_file = \"/t\"\nallow_insecure = true\n"
              "[tls]\ncert = \"c\"\nkey = \"k\"\nclient_ca = \"a\"\n"
              "[logging]\nlevel = \"trace\"\nformat = \"json\"\n");
    assert_int_equal(config.listen.n, 3);
    assert_string_equal(config.listen.text[2], "localhost:2");
    assert_string_equal(config.store_folder, "/s");
    assert_int_equal(config.durability, CUZK_DURABLE_PROCESS);
    assert_int_equal(config.queue_bytes_max, 1000000);
    assert_true(config.orphan_grace_ms == CUZK_NEVER);
    assert_int_equal(config.step_limit_ms, 5400000);
    assert_true(config.quarantine_ms == CUZK_NEVER);
    assert_true(config.allow_insecure);
    assert_int_equal(config.log_format, 1);
    assert_int_equal(cuzk_config_log_level(&config), CUZK_LOG_DEBUG);
    assert_string_equal(notes, "");
    cuzk_config_release(&config);
}

static void unknown_keys_are_errors(void **state)
{
    (void)state;
    expect_bad("[daemon]\nlissten = \"x\"\n", CUZK_ERR_FORMAT,
               "t.toml:2:11|daemon.lissten|did you mean daemon.listen?");
    expect_bad("[daemon]\nparam_cache = \"x\"\n", CUZK_ERR_FORMAT, "did you mean srs.param_cache?");
    expect_bad("[deamon]\nlisten = \"x\"\n", CUZK_ERR_FORMAT, "t.toml:1:1|unknown section deamon");
    expect_bad("listen = \"x\"\n", CUZK_ERR_FORMAT, "did you mean daemon.listen?");
    expect_bad("[daemon.listen]\n", CUZK_ERR_FORMAT, "unknown section");
    expect_bad("[[daemon]]\n", CUZK_ERR_FORMAT, "daemon");
    expect_bad("[daemon]\n\"lis.ten\" = 1\n", CUZK_ERR_FORMAT, "daemon.lis.ten");
    expect_bad("zzzzzzzzz = 1\n", CUZK_ERR_FORMAT, "--print-config");
    assert_null(strstr(err.message, "did you mean"));
}

static void wrong_values_are_errors(void **state)
{
    (void)state;
    expect_bad("memory.total_budget = \"256 gib\"\n", CUZK_ERR_FORMAT,
               "t.toml:1:23|memory.total_budget|256 gib|GiB|auto");
    expect_bad("memory.eviction_min_idle = \"5 minutes\"\n", CUZK_ERR_FORMAT, "ms s m h");
    expect_bad("gpus.devices = [\"a\"]\n", CUZK_ERR_FORMAT, "list of whole numbers");
    expect_bad("gpus.devices = 1\n", CUZK_ERR_FORMAT, "list of whole numbers");
    expect_bad("gpus.devices = [[1]]\n", CUZK_ERR_FORMAT, "list of whole numbers");
    expect_bad("daemon.listen = [1]\n", CUZK_ERR_FORMAT, "a list of them");
    expect_bad("daemon.status_listen = [\"a\"]\n", CUZK_ERR_FORMAT, "a text");
    expect_bad("synthesis.threads = -1\n", CUZK_ERR_FORMAT, "whole number from 0");
    expect_bad("synthesis.threads = 1.5\n", CUZK_ERR_FORMAT, "whole number");
    expect_bad("synthesis.threads = \"4\"\n", CUZK_ERR_FORMAT, "whole number");
    expect_bad("auth.allow_insecure = \"yes\"\n", CUZK_ERR_FORMAT, "true or false");
    expect_bad("store.durability = \"ful\"\n", CUZK_ERR_FORMAT, "full|process");
    expect_bad("store.durability = \"full|process\"\n", CUZK_ERR_FORMAT, "one word");
    expect_bad("store.durability = 0\n", CUZK_ERR_FORMAT, "one word");
    expect_bad("logging.level = \"\"\n", CUZK_ERR_FORMAT, "warn");
    expect_bad("logging.level = 2020-01-01\n", CUZK_ERR_FORMAT, "warn");
    expect_bad("store.folder = \"a\\u0000b\"\n", CUZK_ERR_FORMAT, "a text");
    expect_bad("queue.jobs_max = 0\n", CUZK_ERR_ARGUMENT, "above 0");
    expect_bad("device.step_limit = 0\n", CUZK_ERR_ARGUMENT, "above 0|never");
    expect_bad("device.step_limt = 1\n", CUZK_ERR_FORMAT, "device.step_limit");
    expect_bad("tls.cert = \"a\"\n", CUZK_ERR_ARGUMENT, "go together");
    expect_bad("tls.client_ca = \"a\"\n", CUZK_ERR_ARGUMENT, "tls.cert");
}

static void broken_documents(void **state)
{
    (void)state;
    expect_bad("[daemon\n", CUZK_ERR_FORMAT, "t.toml:1:");
    expect_bad("\n\nx = \n", CUZK_ERR_FORMAT, "t.toml:3:");
    expect_bad("a = 1\na = 2\n", CUZK_ERR_FORMAT, "t.toml:2:");
    expect_bad("a = \"\xff\"\n", CUZK_ERR_FORMAT, "t.toml:1:");
    /* The parser is undefined on these. */
    expect_bad("[\001\005daemon]]\n", CUZK_ERR_FORMAT, "t.toml:1:2: byte 0x01");
    expect_bad("x = 1\n\ty\xd1\xab = 1\n", CUZK_ERR_FORMAT, "t.toml:2:3: byte 0xd1");
    expect_bad("store.folder = 'a\\'\xd1", CUZK_ERR_FORMAT, "t.toml:1:20: byte 0xd1");
    expect_bad("store.folder = \"\"\xd1", CUZK_ERR_FORMAT, "t.toml:1:18: byte 0xd1");
    expect_bad("store.folder = \"\"\"a\"\n\"\"b\"\"\"\"\xd1", CUZK_ERR_FORMAT, "byte 0xd1");
}

static void amounts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } sizes[] = {
        {"0", 0},
        {"17", 17},
        {"1KiB", 1024},
        {"1.5GiB", 3 * GIB / 2},
        {"1 TiB", 1024 * GIB},
        {"2KB", 2000},
        {"3 MB", 3000000},
        {"0.25GB", 250000000},
        {"1TB", 1000000000000},
        {"12B", 12},
        {"1.0005KB", 1000},
        {"256GiB", 256 * GIB},
    };
    static const char *const bad[] = {"",
                                      "GiB",
                                      "-1",
                                      "1,5GiB",
                                      "1.GiB",
                                      ".5GiB",
                                      "1gib",
                                      "1Gi",
                                      "1 GiB ",
                                      " 1",
                                      "0x10",
                                      "1e9",
                                      "99999999999999999999",
                                      "8388608TiB",
                                      "1GiBx",
                                      "nan",
                                      "1 5GiB",
                                      "1..5GiB",
                                      "auto"};
    uint64_t value = 77;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_true(cuzk_config_parse_size(sizes[i].text, &value));
        if (value != sizes[i].size)
            fail_msg("%s: %llu", sizes[i].text, (unsigned long long)value);
    }
    value = 77;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (cuzk_config_parse_size(bad[i], &value) || cuzk_config_parse_duration(bad[i], &value))
            fail_msg("\"%s\" was taken", bad[i]);
    assert_int_equal(value, 77);
    assert_true(cuzk_config_parse_duration("250ms", &value) && value == 250);
    assert_true(cuzk_config_parse_duration("5m", &value) && value == 300000);
    assert_true(cuzk_config_parse_duration("1.5h", &value) && value == 5400000);
    assert_true(cuzk_config_parse_duration("90", &value) && value == 90000);
    assert_true(cuzk_config_parse_duration("2 s", &value) && value == 2000);
    assert_false(cuzk_config_parse_duration("1d", &value));
}

static void other_alphabets_in_strings(void **state)
{
    (void)state;
    read_good(
        "# \xc3\xa9 \" '\n[store] # \xd1\xab\nfolder = \"/\xd1\xab\\\"\xc3\xa9\" # \xe2\x82\xac\n"
        "[tls]\ncert = '\xc3\xa9\\' # \xc3\xa9\nkey = \"\"\"\n\xc3\xa9\"\"\n\xc3\xa9\"\"\"\n");
    assert_string_equal(config.store_folder, "/\xd1\xab\"\xc3\xa9");
    assert_string_equal(config.tls_cert, "\xc3\xa9\\");
    assert_string_equal(config.tls_key, "\xc3\xa9\"\"\n\xc3\xa9");
    cuzk_config_release(&config);
}

/* What is printed reads back to the same, whatever the values. */
static void print_round_trip(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "daemon.listen = []\nmemory.total_budget = \"1.5GiB\"\nmemory.safety_margin = 0\n"
        "store.folder = \"a\\\"b\\\\c\\n\\u00e9\"\nqueue.orphan_grace = \"never\"\n"
        "logging.format = \"json\"\nqueue.bytes_max = 12345\n",
        "daemon.listen = [\"a\", \"b\"]\nqueue.orphan_grace = \"90s\"\n",
    };
    for (unsigned i = 0; i < 3; i++) {
        read_good(texts[i]);
        char *first = cuzk_config_text(&config);
        cuzk_config_release(&config);
        assert_non_null(first);
        read_good(first);
        assert_string_equal(notes, "");
        char *second = cuzk_config_text(&config);
        cuzk_config_release(&config);
        assert_string_equal(first, second);
        if (i == 1)
            expect_message(first, "listen = []|total_budget = \"1536MiB\"|bytes_max = \"12345B\"|"
                                  "orphan_grace = \"never\"");
        free(first);
        free(second);
    }
}

static void files(void **state)
{
    (void)state;
    notes[0] = '\0';
    assert_int_equal(cuzk_config_init(&config, "/nonexistent/cuzk.toml", note, NULL, &err),
                     CUZK_ERR_IO);
    expect_message(err.message, "/nonexistent/cuzk.toml|No such file");
    assert_int_equal(cuzk_config_init(&config, "/", note, NULL, &err), CUZK_ERR_IO);
    static const char text[] = "store.result_hours = 3\n";
    char *path = test_write_temp(text, sizeof text - 1);
    assert_int_equal(cuzk_config_init(&config, path, note, NULL, &err), CUZK_OK);
    assert_int_equal(config.result_hours, 3);
    assert_string_equal(config.source, path);
    cuzk_config_release(&config);
    unlink(path);
    free(path);
    if (access(CUZK_CONFIG_PATH, F_OK) != 0) {
        assert_int_equal(cuzk_config_init(&config, NULL, note, NULL, &err), CUZK_OK);
        expect_message(notes, CUZK_CONFIG_PATH "|defaults");
        cuzk_config_release(&config);
    }
}

static void options_override(void **state)
{
    (void)state;
    read_good("daemon.listen = [\"a\", \"b\"]\n");
    assert_int_equal(cuzk_config_set(&config, "--listen", "daemon.listen", "c", &err), CUZK_OK);
    assert_int_equal(config.listen.n, 1);
    assert_string_equal(config.listen.text[0], "c");
    assert_int_equal(cuzk_config_set(&config, "--log-level", "logging.level", "loud", &err),
                     CUZK_ERR_FORMAT);
    expect_message(err.message, "--log-level|loud|error");
    cuzk_config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(old_file),
        cmocka_unit_test(new_keys),
        cmocka_unit_test(unknown_keys_are_errors),
        cmocka_unit_test(wrong_values_are_errors),
        cmocka_unit_test(broken_documents),
        cmocka_unit_test(other_alphabets_in_strings),
        cmocka_unit_test(amounts),
        cmocka_unit_test(print_round_trip),
        cmocka_unit_test(files),
        cmocka_unit_test(options_override),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
