/* No thread of its own: whoever counts a step when the next drawing is due, draws. */
#include "base/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define QUIET_NS    UINT64_C(1000000000)
#define INTERVAL_NS UINT64_C(100000000)
#define MAX_BAR     40
#define MAX_COLUMNS 200

struct cuzk_progress {
    const char *what;
    uint64_t total;
    uint64_t started_ns;
    _Atomic uint64_t done;
    _Atomic uint64_t due_ns; /* who moves it on, draws */
    atomic_bool shown;
};

cuzk_progress *cuzk_progress_start(const char *what, uint64_t total)
{
    if (!isatty(STDERR_FILENO))
        return NULL;
    cuzk_progress *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->what = what;
    p->total = total;
    p->started_ns = cuzk_clock_ns();
    atomic_init(&p->due_ns, p->started_ns + QUIET_NS);
    return p;
}

static int count_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < MAX_COLUMNS ? size.ws_col : MAX_COLUMNS;
}

static void write_terminal(const char *text, size_t length)
{
    /* A terminal that went away is no reason to stop the work. */
    ssize_t ignored = write(STDERR_FILENO, text, length);
    (void)ignored;
}

/* One write per drawing, no wider than the terminal: "what [####......]  43 %  12 s". */
static void draw(const cuzk_progress *p, uint64_t done, uint64_t now)
{
    char numbers[40];
    double share = done < p->total ? (double)done / (double)p->total : 1.0;
    int room = count_columns() - 1 - (int)strlen(p->what) - 3;
    room -= snprintf(numbers, sizeof numbers, " %3d %%  %" PRIu64 " s", (int)(share * 100),
                     (now - p->started_ns) / UINT64_C(1000000000));
    int width = room < 0 ? 0 : room < MAX_BAR ? room : MAX_BAR;
    int full = (int)(share * width);
    char bar[MAX_BAR];
    memset(bar, '.', sizeof bar);
    memset(bar, '#', (size_t)full);

    char text[MAX_COLUMNS];
    snprintf(text, sizeof text, "%s [%.*s]%s", p->what, width, bar, numbers);
    char line[MAX_COLUMNS + 16];
    int length = snprintf(line, sizeof line, "\r\033[K%.*s", count_columns() - 1, text);
    write_terminal(line, (size_t)length);
}

void cuzk_progress_add(cuzk_progress *progress, uint64_t steps)
{
    if (progress == NULL)
        return;
    uint64_t done = atomic_fetch_add(&progress->done, steps) + steps;
    uint64_t now = cuzk_clock_ns();
    uint64_t due = atomic_load(&progress->due_ns);
    if (now < due || !atomic_compare_exchange_strong(&progress->due_ns, &due, now + INTERVAL_NS))
        return;
    atomic_store(&progress->shown, true);
    draw(progress, done, now);
}

void cuzk_progress_end(cuzk_progress *progress)
{
    if (progress == NULL)
        return;
    if (atomic_load(&progress->shown))
        write_terminal("\r\033[K", 4);
    free(progress);
}
