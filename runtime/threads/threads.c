/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How many threads compute for a rank, their start and their end.
 * It must not know what they compute. */
#include "threads/threads.h"

#include <stdlib.h>

#include "support/error.h"
#include "threads/pool.h"

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

tessera_status tr_threads_choose(tessera_context *context) {
  const tr_world *world = &context->world;
  int32_t share = world->host_ranks > 0 ? world->host_cores / world->host_ranks : 1;
  context->threads = share > 1 ? share : 1;
  int32_t wish;
  tessera_status status = read_number("TESSERA_THREADS", '\0', &wish);
  bool is_of_process = !wish && world->process_ranks > 1;
  /* What others make of theirs is their business. OpenMP's is the process's, not a rank's. */
  if (!status && !wish && read_number("OMP_NUM_THREADS", ',', &wish) != TESSERA_OK)
    wish = 0;
  if (is_of_process && wish > 0)
    wish = wish > world->process_ranks ? wish / world->process_ranks : 1;
  if (wish)
    context->threads = wish;
  return status;
}

/* Where the system gives no threads, nobody asks it again. */
tr_pool *tr_threads_pool(tessera_context *context) {
  if (!context->pool && context->threads > 1)
    context->pool = tr_pool_open(context->threads);
  if (!context->pool)
    context->threads = 1;
  return context->pool;
}

void tr_threads_stop(tessera_context *context) {
  if (context->pool)
    tr_pool_close(context->pool);
  context->pool = NULL;
}
