/* kill -9 at random moments, under load: an engine with a store, real keys and real proofs in a
 * process of its own takes jobs until it is killed; the next one goes on with its store. In the end
 * every job that was ever acknowledged has completed with a true proof.
 *
 * CUZK_KILLS: how often (default 8). CUZK_SEED: of the moments. */
#define _GNU_SOURCE
#include "support/engine_client.h"
#include "support/test.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 200000, OUTSTANDING = 12 };

/* Between the processes: what was acknowledged and what was seen to be done. */
typedef struct record {
    atomic_uint submitted, acknowledged, verified;
    atomic_uchar acked[JOBS_MAX], done[JOBS_MAX];
} record;

static const char *const circuits[] = {"multiplier-bn128", "poseidon2-bn128",
                                       "rangecheck-bls12381"};
#define CIRCUITS (sizeof circuits / sizeof *circuits)

static char keys[64], store[80], parent[64];
static record *shared;

static cuzk_engine *open_engine(void)
{
    const cuzk_engine_config config = {.memory_total = (uint64_t)512 << 20,
                                       .threads = 2,
                                       .keys_folder = keys,
                                       .store_folder = store,
                                       .durability = CUZK_DURABLE_PROCESS,
                                       .orphan_grace_ms = CUZK_NEVER,
                                       .history_jobs_max = JOBS_MAX};
    cuzk_engine *engine;
    cuzk_error err = {0};
    if (cuzk_engine_open(&engine, &config, &err) != CUZK_OK) {
        fprintf(stderr, "%s\n", err.message);
        _exit(3);
    }
    return engine;
}

static void name_of(char *id, size_t room, unsigned i)
{
    snprintf(id, room, "kill-%u", i);
}

static void verify(cuzk_engine *engine, unsigned i)
{
    char id[32];
    name_of(id, sizeof id, i);
    const test_answer a = test_await(engine, id, 0);
    if (!a.known || a.state != CUZK_JOB_COMPLETED) {
        fprintf(stderr, "%s: %s, %s: %s\n", id, a.known ? "known" : "lost",
                cuzk_job_state_name(a.state), a.message);
        _exit(4);
    }
    test_assert_proof(circuits[i % CIRCUITS], a.text);
    free(a.text);
    if (atomic_exchange(&shared->done[i], 1) == 0)
        atomic_fetch_add(&shared->verified, 1);
}

static void submit_one(cuzk_engine *engine)
{
    char id[32], path[256];
    const unsigned i = atomic_fetch_add(&shared->submitted, 1);
    if (i >= JOBS_MAX)
        _exit(5);
    name_of(id, sizeof id, i);
    snprintf(path, sizeof path, "circom/%s/witness.wtns", circuits[i % CIRCUITS]);
    const test_answer a = test_submit(engine, id, circuits[i % CIRCUITS], test_data_path(path));
    if (a.status != CUZK_OK || a.submitted.verdict != CUZK_VERDICT_NEW) {
        fprintf(stderr, "%s: verdict %d: %s\n", id, (int)a.submitted.verdict, a.message);
        _exit(6);
    }
    atomic_store(&shared->acked[i], 1);
    atomic_fetch_add(&shared->acknowledged, 1);
}

/* Verifies what is acknowledged and not seen done, oldest first, while it hands in more. */
static void serve(bool last)
{
    cuzk_engine *engine = open_engine();
    unsigned at = 0;
    while (true) {
        if (!last &&
            atomic_load(&shared->acknowledged) < atomic_load(&shared->verified) + OUTSTANDING) {
            submit_one(engine);
            continue;
        }
        while (at < JOBS_MAX &&
               (!atomic_load(&shared->acked[at]) || atomic_load(&shared->done[at])))
            at++;
        if (at == JOBS_MAX)
            break;
        verify(engine, at);
        if (!last)
            at = 0;
    }
    cuzk_engine_close(engine);
    _exit(0);
}

static pid_t start(bool last)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        serve(last);
    return child;
}

static void test_kills(void **state)
{
    (void)state;
    const char *kills_text = getenv("CUZK_KILLS");
    const unsigned kills = kills_text != NULL ? (unsigned)atoi(kills_text) : 8;
    test_rng rng = test_rng_seeded(31);
    for (unsigned i = 0; i < kills; i++) {
        const pid_t child = start(false);
        usleep((useconds_t)(1000 * (1 + test_rng_below(&rng, 400))));
        int status;
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFSIGNALED(status))
            fail_msg("the engine ended by itself with %d", WEXITSTATUS(status));
    }
    int status;
    const pid_t child = start(true);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const unsigned acknowledged = atomic_load(&shared->acknowledged);
    print_message("%u kills, %u jobs acknowledged, %u completed with true proofs\n", kills,
                  acknowledged, atomic_load(&shared->verified));
    for (unsigned i = 0; i < JOBS_MAX; i++)
        assert_true(!shared->acked[i] || shared->done[i]);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(keys, sizeof keys, "%s", test_keys_folder(circuits, CIRCUITS));
    strcpy(parent, "/tmp/cuzk-kill-XXXXXX");
    if (mkdtemp(parent) == NULL)
        return 1;
    snprintf(store, sizeof store, "%s/store", parent);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED;
}

static int tear_down(void **state)
{
    (void)state;
    test_remove_folder(keys);
    test_remove_folder(parent);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
