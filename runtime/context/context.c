/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Contexts: their life, and local grids of them.
 * It must not know collectives, layouts or how bytes travel. */
#include "context/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/local/local.h"
#include "context/launch.h"
#include "context/lodgers.h"
#include "devices/host/host.h"
#include "support/error.h"
#include "support/wishes.h"
#include "threads/threads.h"
#include "trace/log.h"
#include "trace/report.h"
#include "watch/watch.h"

/* ---- life ------------------------------------------------------------------------------------ */

static tessera_status make_everyone(tessera_context *context) {
  tr_group *group = &context->everyone;
  group->size = context->world.size;
  group->self = context->world.rank;
  group->lanes = &context->lanes;
  group->book = &context->book;
  group->members = malloc(sizeof(int32_t) * (size_t)group->size);
  if (!group->members)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group of %d ranks", group->size);
  for (int32_t i = 0; i < group->size; i++)
    group->members[i] = i;
  return context->world.backend->create_group(&context->world, group);
}

tessera_status tr_context_agree(tessera_context *context, tessera_status mine, const char *what) {
  tr_world *world = &context->world;
  int64_t failed = mine != TESSERA_OK, *all = malloc(sizeof(int64_t) * (size_t)world->size);
  char message[1024];
  snprintf(message, sizeof(message), "%s", mine ? tessera_last_error() : "");
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d numbers", world->size);
  tessera_status status = world->control->collect(world, &context->everyone, NULL, 1, &failed, all);
  for (int32_t i = 0; !status && !mine && i < world->size; i++)
    if (all[i])
      status = tr_fail(TESSERA_ERROR_PEER, "%s on rank %d, which says why", what, i);
  free(all);
  return mine ? tr_fail(mine, "%s", message) : status;
}

/* Groups that are there become those of another backend, in the order in which they were made. */
static tessera_status make_groups_again(tessera_context *context) {
  tr_world *world = &context->world;
  tessera_status status = world->backend->create_group(world, &context->everyone);
  for (tr_named_group *named = context->groups; !status && named; named = named->next)
    if (named->group.size > 1)
      status = world->backend->create_group(world, &named->group);
  return status;
}

static tessera_status reach_device(tessera_context *context, tessera_status opened,
                                   const tr_device *device, const char *name) {
  tr_world *world = &context->world;
  char what[128];
  snprintf(what, sizeof(what), "the device '%s' cannot be used", name);
  tessera_status status = tr_context_agree(context, opened, what);
  const tr_device *before = world->device;
  if (!opened)
    world->device = device;
  if (!status && device->target)
    status = tr_launch_reach(world);
  if (!status)
    return device->target ? make_groups_again(context) : TESSERA_OK;
  world->device = before;
  if (!opened && device->close)
    device->close(device);
  return status;
}

tessera_status tr_context_use_device(tessera_context *context, const char *name) {
  tr_world *world = &context->world;
  tr_device_seat seat = {world->host_rank, world->host_ranks};
  const tr_device *device;
  tessera_status status = tr_launch_device(name, &seat, &device);
  if (!world->backend->reaches_devices)
    return reach_device(context, status, device, name);
  if (!status)
    world->device = device;
  return status;
}

/* For a context whose world is filled. */
tessera_status tr_context_start(tessera_context *context) {
  context->same_bits = tr_is_switched_on("TESSERA_DETERMINISTIC");
  context->checks = tr_is_switched_on("TESSERA_CHECK");
  tr_log_open(context);
  context->world.device = &tr_host_device;
  const char *device = tr_launch_device_name();
  tessera_status status = tr_host_check_wishes();
  if (!status)
    status = tr_threads_choose(context);
  if (!status)
    status = make_everyone(context);
  return status || !device ? status : tr_context_use_device(context, device);
}

static void free_group(tessera_context *context, tr_group *group) {
  if (group->handle)
    context->world.backend->destroy_group(&context->world, group);
  free(group->members);
}

/* The world included. */
void tr_context_stop(tessera_context *context) {
  tr_lodgers_end(context);
  tr_watch_ending(context);
  tr_threads_stop(context);
  for (tr_named_group *group = context->groups, *next; group; group = next) {
    next = group->next;
    free_group(context, &group->group);
    free(group->page);
    free(group);
  }
  free_group(context, &context->everyone);
  tr_scratch_drop(&context->scratch);
  tr_traffic_free(context);
  tr_log_close(context);
  if (context->workspace)
    context->world.device->close_workspace(context->world.device, context->workspace);
  if (context->world.backend)
    context->world.backend->close(&context->world);
  tr_watch_stop(context);
  free(context->page);
  free(context->ledger);
  context->page = NULL;
  context->ledger = NULL;
  if (context->engine) /* the backend may use what is under way until it is closed */
    context->keeping->end(context);
  if (context->world.device && context->world.device->close)
    context->world.device->close(context->world.device);
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
    status = tr_context_start(contexts[i]);
  }
  if (!status)
    status = tr_watch_start(ranks, contexts);
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
  tr_report_local(ranks, contexts);
  for (int32_t i = 0; i < ranks; i++) {
    if (!contexts[i])
      continue;
    tr_context_stop(contexts[i]);
    free(contexts[i]);
    contexts[i] = NULL;
  }
}

/* ---- questions ------------------------------------------------------------------------------- */

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
