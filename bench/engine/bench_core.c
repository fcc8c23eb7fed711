/* What the core costs per partition: 100,000 partitions go through it in the simulated world, whose
 * own cost is in the figures too. Run by hand: ninja bench_core && test/bench_core */
#include "base/clock.h"
#include "support/world.h"

#include <stdio.h>
#include <string.h>

#define PARTITIONS 100000u

static void run(uint32_t jobs, unsigned devices, unsigned keys)
{
    world w;
    cuzk_core_config config = world_config();
    config.memory_total = UINT64_C(1) << 40;
    config.devices = devices;
    config.synth_slots = 4 * devices;
    config.queue_bytes_max = UINT64_MAX;
    world_open(&w, &config, 1);
    w.checked = false;
    uint64_t begin = cuzk_clock_ns();
    for (uint32_t i = 0; i < jobs; i++) {
        world_job job = world_request(&w);
        job.parsed.partitions = PARTITIONS / jobs;
        memcpy(job.parsed.key, w.keys[i % keys].name, sizeof w.keys[0].name);
        HOLDS(world_submit(&w, &job, NULL));
    }
    uint64_t queued = cuzk_clock_ns();
    world_run(&w);
    uint64_t end = cuzk_clock_ns();
    HOLDS(w.ended == jobs && w.computes == PARTITIONS);
    (void)printf("%6u jobs of %6u partitions, %u devices, %u keys: submit %5.0f ns a job, "
                 "%5.0f ns a partition in all\n",
                 jobs, PARTITIONS / jobs, devices, keys, (double)(queued - begin) / jobs,
                 (double)(end - begin) / PARTITIONS);
    world_close(&w);
}

int main(void)
{
    run(100000, 1, 1);
    run(100000, 8, 8);
    run(10000, 1, 1);
    run(10000, 8, 8);
    run(1, 1, 1);
    run(1, 64, 1);
    return 0;
}
