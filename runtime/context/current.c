/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The thread's current context, and the process's default one.
 * It must not know collectives, layouts or how bytes travel. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "context/context.h"
#include "context/launch.h"
#include "support/error.h"
#include "watch/watch.h"

static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(tessera_context *) default_context; /* written under the lock */
static _Thread_local tessera_context *current;

/* What travels depends on it: labels would be taken for elements. */
static tessera_status compare_checks(tessera_context *context) {
  tr_world *world = &context->world;
  int64_t mine = context->checks, *all = malloc(sizeof(int64_t) * (size_t)world->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d numbers", world->size);
  tessera_status status = world->control->collect(world, &context->everyone, NULL, 1, &mine, all);
  for (int32_t i = 1; !status && i < world->size; i++)
    if (all[i] != all[0])
      status = tr_fail(TESSERA_ERROR_MISMATCH,
                       "TESSERA_CHECK is on on rank %d and off on rank %d: expected the same on "
                       "all ranks",
                       all[0] ? 0 : i, all[0] ? i : 0);
  free(all);
  return status;
}

/* Others may wait for this rank. */
static tessera_status start(tessera_context *context) {
  char message[1024];
  tessera_status status = tr_context_start(context);
  if (!status && context->world.size > 1)
    status = compare_checks(context);
  if (!status)
    return TESSERA_OK;
  snprintf(message, sizeof(message), "%s", tessera_last_error());
  context->world.backend->fail(&context->world, message);
  return tr_fail(status, "%s", message);
}

/* `rendezvous` NULL: as the launcher says. */
static tessera_status create_default(const tessera_rendezvous *rendezvous) {
  tessera_context *context = calloc(1, sizeof(*context));
  if (!context)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a context");
  double timeout;
  tessera_status status = tr_watch_timeout(&timeout);
  tr_opening *opening = status ? NULL : tr_opening_watch(timeout);
  if (!status)
    status = rendezvous ? tr_launch_open_by(rendezvous, &context->world)
                        : tr_launch_open(&context->world);
  if (!status)
    status = tr_watch_start(1, &context);
  if (!status)
    status = start(context);
  tr_opening_done(opening);
  if (status) {
    tr_context_stop(context);
    free(context);
    return status;
  }
  default_context = context;
  return TESSERA_OK;
}

tessera_status tessera_default_context(tessera_context **context) {
  pthread_mutex_lock(&default_lock);
  tessera_status status = default_context ? TESSERA_OK : create_default(NULL);
  *context = default_context;
  pthread_mutex_unlock(&default_lock);
  return status;
}

tessera_status tessera_bootstrap(const tessera_rendezvous *rendezvous) {
  pthread_mutex_lock(&default_lock);
  tessera_status status =
      default_context
          ? tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                    "the process has a default context already; tessera_bootstrap comes "
                    "before what needs one")
          : create_default(rendezvous);
  pthread_mutex_unlock(&default_lock);
  return status;
}

tessera_status tr_context_end_default(tr_ending *ending) {
  tessera_status status = TESSERA_OK;
  bool may_end = false;
  pthread_mutex_lock(&default_lock);
  if (default_context)
    status = ending(default_context, &may_end);
  if (may_end) {
    tr_context_stop(default_context);
    free(default_context);
    default_context = NULL;
  }
  pthread_mutex_unlock(&default_lock);
  return status;
}

void tessera_context_set_current(tessera_context *context) {
  current = context;
  if (context)
    tr_context_attend(context);
}

tessera_context *tr_context_swap_current(tessera_context *context) {
  tessera_context *previous = current;
  current = context;
  return previous;
}

tessera_context *tessera_context_current(void) {
  tessera_context *context = current;
  if (!context)
    context = atomic_load_explicit(&default_context, memory_order_acquire);
  if (!context && tessera_default_context(&context) != TESSERA_OK)
    return NULL;
  return context;
}
