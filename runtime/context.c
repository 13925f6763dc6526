/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Contexts: local grids, the process's default one, the current one.
 * It must not know collectives, layouts or how bytes travel. */
#include "context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backends/local/local.h"
#include "error.h"
#include "guard.h"
#include "launch.h"

/* ---- life -------------------------------------------------------------------------------------
 */

static tessera_status make_everyone(tessera_context *context) {
  tr_group *group = &context->everyone;
  group->size = context->world.size;
  group->self = context->world.rank;
  group->lanes = &context->lanes;
  group->members = malloc(sizeof(int32_t) * (size_t)group->size);
  if (!group->members)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group of %d ranks", group->size);
  for (int32_t i = 0; i < group->size; i++)
    group->members[i] = i;
  return context->world.backend->create_group(&context->world, group);
}

/* For a context whose world is filled. */
static tessera_status start(tessera_context *context) {
  const char *wish = getenv("TESSERA_DETERMINISTIC");
  context->same_bits = wish && wish[0] && strcmp(wish, "0") != 0;
  tessera_status status = tr_launch_device(&context->world.device);
  return status ? status : make_everyone(context);
}

static void free_group(tessera_context *context, tr_group *group) {
  if (group->handle)
    context->world.backend->destroy_group(&context->world, group);
  free(group->members);
}

/* The world included. */
static void stop(tessera_context *context) {
  for (tr_named_group *group = context->groups, *next; group; group = next) {
    next = group->next;
    free_group(context, &group->group);
    free(group);
  }
  free_group(context, &context->everyone);
  tr_scratch_drop(context);
  tr_traffic_free(context);
  if (context->world.backend)
    context->world.backend->close(&context->world);
  if (context->engine) /* last: the backend may use what is under way until it is closed */
    context->keeping->end(context);
}

tessera_status tessera_local_create(int32_t ranks, tessera_context **contexts) {
  enum { MOST = 4096 }; /* each is a thread */
  if (ranks < 1)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a grid of %d ranks cannot be", ranks);
  if (ranks > MOST)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                   "%d ranks were asked for, but one process has at most %d; more need MPI", ranks,
                   MOST);
  memset(contexts, 0, sizeof(*contexts) * (size_t)ranks);
  tr_world *worlds = calloc((size_t)ranks, sizeof(*worlds));
  tessera_status status =
      worlds ? tr_local_open(ranks, worlds)
             : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", ranks);
  for (int32_t i = 0; !status && i < ranks; i++) {
    contexts[i] = calloc(1, sizeof(*contexts[i]));
    if (!contexts[i]) {
      status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", ranks);
      break;
    }
    contexts[i]->world = worlds[i];
    status = start(contexts[i]);
  }
  /* Ranks without a context yet still hold a share of the world. */
  for (int32_t i = 0; status && worlds && i < ranks; i++)
    if (!contexts[i] && worlds[i].backend)
      worlds[i].backend->close(&worlds[i]);
  if (status)
    tessera_local_destroy(ranks, contexts);
  free(worlds);
  return status;
}

void tessera_local_destroy(int32_t ranks, tessera_context **contexts) {
  for (int32_t i = 0; i < ranks; i++) {
    if (!contexts[i])
      continue;
    stop(contexts[i]);
    free(contexts[i]);
    contexts[i] = NULL;
  }
}

/* ---- the default and the current context -------------------------------------------------------
 */

static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(tessera_context *) default_context; /* written under the lock */
static _Thread_local tessera_context *current;

static tessera_status create_default(void) {
  tessera_context *context = calloc(1, sizeof(*context));
  if (!context)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a context");
  tessera_status status = tr_launch_open(&context->world);
  if (!status)
    status = start(context);
  if (status) {
    stop(context);
    free(context);
    return status;
  }
  default_context = context;
  return TESSERA_OK;
}

tessera_status tessera_default_context(tessera_context **context) {
  pthread_mutex_lock(&default_lock);
  tessera_status status = default_context ? TESSERA_OK : create_default();
  *context = default_context;
  pthread_mutex_unlock(&default_lock);
  return status;
}

/* A context that has failed is settled: the backend ends it with the others, or without them. */
static tessera_status end_default(void) {
  tessera_context *context = default_context;
  bool is_outermost;
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status && !context->failure)
    return status; /* another thread uses it */
  if (!status)
    status = tessera_settle(context);
  stop(context);
  free(context);
  default_context = NULL;
  return status;
}

tessera_status tessera_finalize(void) {
  tessera_status status = TESSERA_OK;
  pthread_mutex_lock(&default_lock);
  if (default_context)
    status = end_default();
  pthread_mutex_unlock(&default_lock);
  return status;
}

void tessera_context_set_current(tessera_context *context) {
  current = context;
  if (context && context->world.backend->attend)
    context->world.backend->attend(&context->world);
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

int32_t tessera_context_rank(const tessera_context *context) {
  return context->world.rank;
}

int32_t tessera_context_size(const tessera_context *context) {
  return context->world.size;
}

const char *tessera_context_backend(const tessera_context *context) {
  return context->world.backend->name;
}

void tessera_context_abort(tessera_context *context, const char *message) {
  context->world.backend->abort(&context->world, message);
}
