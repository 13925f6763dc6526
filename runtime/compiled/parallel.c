/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_rt_parallel: loops of compiled code on the cores of a rank.
 * It must not know what they compute. */
#include "context/context.h"
#include "threads/pool.h"
#include "threads/threads.h"

/* How many steps are a block, whatever the number of threads; all of them where threads are not
 * worth waking. More blocks than threads, so that one thread that has to wait for its core does not
 * keep the others waiting. */
static int64_t block_of(int64_t steps, int64_t unit, int64_t cost) {
  enum { MOST_BLOCKS = 64, LEAST_COST = 50000000, BLOCK_COST = 6000000 }; /* picoseconds */
  if (cost < 1)
    cost = 1;
  if (steps <= unit || steps < LEAST_COST / cost)
    return steps;
  int64_t block = BLOCK_COST / cost, share = (steps + MOST_BLOCKS - 1) / MOST_BLOCKS;
  if (block < share)
    block = share;
  return (block + unit - 1) / unit * unit;
}

void tessera_rt_parallel(void (*work)(void *data, int64_t from, int64_t to), void *data,
                         int64_t steps, int64_t unit, int64_t cost) {
  int64_t block = block_of(steps, unit, cost);
  tessera_context *context = block < steps ? tessera_context_current() : NULL;
  tr_pool *pool = context ? tr_threads_pool(context) : NULL;
  if (pool)
    tr_pool_run(pool, work, data, steps, block);
  else
    work(data, 0, steps);
}
