/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What goes by the backend below: comparisons and numbers, and sends of the program, which wait on
 * the host for a receiver that nobody knows yet. It must not know collectives. */
#include <stdlib.h>

#include "backends/nccl/state.h"

tr_world *nccl_base(tr_world *world) {
  nccl_state *state = nccl_state_of(world);
  state->base.program_calls = world->program_calls;
  return &state->base;
}

static const tr_group *base_group(const tr_group *group) {
  return group->handle ? &comm_of(group)->base : group;
}

/* ---- the control plane ----------------------------------------------------------------------- */

static tessera_status compare(tr_world *world, const tr_group *group) {
  tr_world *base = nccl_base(world);
  return base->control->compare(base, base_group(group));
}

static tessera_status collect(tr_world *world, const tr_group *group, const tessera_site *site,
                              int64_t count, const int64_t *mine, int64_t *all) {
  tr_world *base = nccl_base(world);
  return base->control->collect(base, base_group(group), site, count, mine, all);
}

/* What the device still does may fail. */
static tessera_status settle(tr_world *world) {
  tr_world *base = nccl_base(world);
  tessera_status status = tr_device_settle(world->device, NULL);
  return status ? status : base->control->settle(base);
}

const tr_control nccl_control = {.compare = compare, .collect = collect, .settle = settle};

/* ---- sends of the program -------------------------------------------------------------------- */

/* A message of the host's memory `room`, dense, for what is at `view` on the device. */
typedef tessera_status pass(tr_world *world, const tr_group *group, const tessera_site *site,
                            int32_t peer, const tr_view *view, const tr_view *room);

static tessera_status send_through(tr_world *world, const tr_group *group, const tessera_site *site,
                                   int32_t peer, const tr_view *view, const tr_view *room) {
  tr_world *base = nccl_base(world);
  tr_copy copy;
  tr_view_plan_copy(view, room, &copy);
  world->device->download(world->device, NULL, &copy, view->data, room->data);
  tessera_status status = tr_device_settle(world->device, NULL);
  return status ? status : base->backend->send(base, base_group(group), site, peer, room);
}

static tessera_status receive_through(tr_world *world, const tr_group *group,
                                      const tessera_site *site, int32_t peer, const tr_view *view,
                                      const tr_view *room) {
  tr_world *base = nccl_base(world);
  tr_copy copy;
  tessera_status status = base->backend->receive(base, base_group(group), site, peer, room);
  if (status)
    return status;
  tr_view_plan_copy(room, view, &copy);
  world->device->upload(world->device, NULL, &copy, room->data, view->data);
  return tr_device_settle(world->device, NULL);
}

static tessera_status pass_by_host(pass *pass, tr_world *world, const tr_group *group,
                                   const tessera_site *site, int32_t peer, const tr_view *view) {
  size_t bytes = tr_view_bytes(view);
  char *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    return nccl_state_of(world)->host->fail(TESSERA_ERROR_OUT_OF_MEMORY,
                                            "no memory for a message of %zu bytes", bytes);
  tr_view room;
  tr_view_dense(memory, view, &room);
  tessera_status status = pass(world, group, site, peer, view, &room);
  free(memory);
  return status;
}

tessera_status nccl_send(tr_world *world, const tr_group *group, const tessera_site *site,
                         int32_t peer, const tr_view *view) {
  return pass_by_host(send_through, world, group, site, peer, view);
}

tessera_status nccl_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                            int32_t peer, const tr_view *view) {
  return pass_by_host(receive_through, world, group, site, peer, view);
}
