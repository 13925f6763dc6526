/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_rt_parallel: loops of compiled code on the cores of a rank.
 * It must not know what they compute. */
#include "parallel.h"

#include <stdlib.h>

#include "error.h"
#include "pool.h"

/* The value of a variable; 0 where it is not set. OpenMP's may be a list, of which the first number
 * is that of the outermost level. */
static tessera_status read_number(const char *name, char separator, int32_t *number) {
  enum { MOST = 4096 };
  const char *text = getenv(name);
  char *end;
  *number = 0;
  if (!text || !text[0])
    return TESSERA_OK;
  long value = strtol(text, &end, 10);
  if (end == text || (*end && *end != separator) || value < 1 || value > MOST)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "%s is '%s'; it can be a number of threads from 1 to %d", name, text, MOST);
  *number = (int32_t)value;
  return TESSERA_OK;
}

tessera_status tr_parallel_choose(tessera_context *context) {
  const tr_world *world = &context->world;
  int32_t share = world->host_ranks > 0 ? world->host_cores / world->host_ranks : 1;
  context->threads = share > 1 ? share : 1;
  int32_t wish;
  tessera_status status = read_number("TESSERA_THREADS", '\0', &wish);
  /* What others make of theirs is their business. */
  if (!status && !wish && read_number("OMP_NUM_THREADS", ',', &wish) != TESSERA_OK)
    wish = 0;
  if (wish)
    context->threads = wish;
  return status;
}

void tr_parallel_stop(tessera_context *context) {
  if (context->pool)
    tr_pool_close(context->pool);
  context->pool = NULL;
}

/* Where the system gives no threads, nobody asks it again. */
static tr_pool *pool_of(tessera_context *context) {
  if (!context->pool && context->threads > 1)
    context->pool = tr_pool_open(context->threads);
  if (!context->pool)
    context->threads = 1;
  return context->pool;
}

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
  tr_pool *pool = context && context->threads > 1 ? pool_of(context) : NULL;
  if (pool)
    tr_pool_run(pool, work, data, steps, block);
  else
    work(data, 0, steps);
}
