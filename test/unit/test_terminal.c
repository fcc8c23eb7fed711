/* What a person sees on standard error: log lines and progress bars. */
#include "base/clock.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/progress.h"
#include "support/test.h"

#include <pthread.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Standard error goes to target until restore_stderr. */
static int redirect_stderr(int target)
{
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    assert_true(saved >= 0);
    assert_true(dup2(target, STDERR_FILENO) >= 0);
    return saved;
}

static void restore_stderr(int saved)
{
    dup2(saved, STDERR_FILENO);
    close(saved);
}

static void log_line(void **state)
{
    (void)state;
    int out[2];
    assert_int_equal(pipe(out), 0);
    int saved = redirect_stderr(out[1]);
    cuzk_log(CUZK_LOG_INFO, "dropped");
    cuzk_log(CUZK_LOG_WARN, "a %s\x1b[31m", "forged\nline");
    cuzk_log_set_level(CUZK_LOG_DEBUG);
    cuzk_log(CUZK_LOG_DEBUG, "%05000d", 7);
    cuzk_log_set_level(CUZK_LOG_WARN);
    cuzk_log_set_json(true);
    cuzk_log(CUZK_LOG_WARN, "a \"%s\"", "back\\slash\n");
    cuzk_log_set_json(false);
    restore_stderr(saved);
    close(out[1]);

    FILE *lines = fdopen(out[0], "r");
    char line[4096];
    assert_non_null(fgets(line, sizeof line, lines));
    int year;
    char rest[64];
    assert_int_equal(sscanf(line, "%d-%*2d-%*2dT%*2d:%*2d:%*2d.%*6dZ %60[^\n]", &year, rest), 2);
    assert_true(year >= 2024);
    assert_string_equal(rest, "WARN a forged line [31m");
    assert_non_null(fgets(line, sizeof line, lines));
    assert_non_null(strstr(line, "Z DEBUG 0000"));
    assert_in_range(strlen(line), 2000, 2100);
    assert_int_equal(line[strlen(line) - 1], '\n');
    assert_non_null(fgets(line, sizeof line, lines));
    assert_non_null(strstr(line, "{\"ts\":\"20"));
    assert_non_null(
        strstr(line, "Z\",\"level\":\"WARN\",\"message\":\"a \\\"back\\\\slash \\\"\"}"));
    assert_null(fgets(line, sizeof line, lines));
    fclose(lines);
}

static void progress_is_silent_off_terminal(void **state)
{
    (void)state;
    int out[2];
    assert_int_equal(pipe(out), 0);
    int saved = redirect_stderr(out[1]);
    cuzk_progress *progress = cuzk_progress_start("working", 10);
    cuzk_progress_add(progress, 10);
    cuzk_progress_end(progress);
    restore_stderr(saved);
    close(out[1]);
    char byte;
    assert_null(progress);
    assert_int_equal(read(out[0], &byte, 1), 0);
    close(out[0]);
}

static void *count_steps(void *progress)
{
    for (int i = 0; i < 13; i++) {
        cuzk_progress_add(progress, 1);
        usleep(100000);
    }
    return NULL;
}

static void work_fast(void)
{
    cuzk_progress *progress = cuzk_progress_start("proving", 26);
    assert_non_null(progress);
    cuzk_progress_add(progress, 26);
    cuzk_progress_end(progress);
}

static void work_slowly(void)
{
    cuzk_progress *progress = cuzk_progress_start("proving", 26);
    assert_non_null(progress);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_steps, progress), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    cuzk_progress_end(progress);
}

static void sleep_tile(void *context, size_t tile, unsigned worker)
{
    (void)context;
    (void)tile;
    (void)worker;
    usleep(100000);
}

static void run_pool(unsigned threads, const char *what)
{
    cuzk_pool *pool = cuzk_pool_new(threads);
    assert_non_null(pool);
    cuzk_pool_announce(pool, what);
    cuzk_pool_run(pool, 13 * threads, sleep_tile, NULL);
    cuzk_pool_free(pool);
}

static void work_unannounced(void)
{
    run_pool(2, NULL);
}

static void work_announced(void)
{
    run_pool(2, "proving");
}

static void work_announced_alone(void)
{
    run_pool(1, "proving");
}

/* Does the work on a terminal and returns what it showed. */
static size_t watch_progress(char *text, size_t size, void (*work)(void))
{
    int master, slave;
    struct winsize window = {.ws_row = 24, .ws_col = 60};
    assert_int_equal(openpty(&master, &slave, NULL, NULL, &window), 0);
    struct termios raw;
    assert_int_equal(tcgetattr(slave, &raw), 0);
    cfmakeraw(&raw);
    assert_int_equal(tcsetattr(slave, TCSANOW, &raw), 0);

    int saved = redirect_stderr(slave);
    work();
    assert_int_equal(write(STDERR_FILENO, "!", 1), 1);
    restore_stderr(saved);

    size_t length = 0;
    while (length == 0 || text[length - 1] != '!') {
        ssize_t got = read(master, text + length, size - 1 - length);
        assert_true(got > 0);
        length += (size_t)got;
    }
    text[length - 1] = '\0';
    close(master);
    close(slave);
    return length - 1;
}

/* What slow work shows; text is taken apart. */
static void check_bar(char *text)
{
    assert_non_null(strstr(text, "\r\033[Kproving [###"));
    assert_non_null(strstr(text, " 1 s"));
    /* Each drawing fits the 60 columns, and the last thing is to erase. */
    for (char *line = strtok(text, "\r"); line != NULL; line = strtok(NULL, "\r")) {
        assert_in_range(strlen(line), 3, 3 + 59);
        if (strlen(line) == 3)
            assert_null(strtok(NULL, "\r"));
    }
}

static void progress_shows_after_a_second(void **state)
{
    (void)state;
    static char text[65536];
    assert_int_equal(watch_progress(text, sizeof text, work_fast), 0);
    assert_true(watch_progress(text, sizeof text, work_slowly) > 0);
    check_bar(text);
}

static void pool_shows_announced_runs(void **state)
{
    (void)state;
    static char text[65536];
    assert_int_equal(watch_progress(text, sizeof text, work_unannounced), 0);
    assert_true(watch_progress(text, sizeof text, work_announced) > 0);
    check_bar(text);
    assert_true(watch_progress(text, sizeof text, work_announced_alone) > 0);
    check_bar(text);
}

static void clock_moves_forward(void **state)
{
    (void)state;
    uint64_t first = cuzk_clock_ns();
    usleep(2000);
    assert_true(cuzk_clock_ns() - first >= 2000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_line),
        cmocka_unit_test(progress_is_silent_off_terminal),
        cmocka_unit_test(progress_shows_after_a_second),
        cmocka_unit_test(pool_shows_announced_runs),
        cmocka_unit_test(clock_moves_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
