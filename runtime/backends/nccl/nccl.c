/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The NCCL backend: tensors on NVIDIA GPUs, between processes. It stands before another backend,
 * which carries all else. Here its life; it must not know grids, collectives or MLIR. */
#include <stdlib.h>

#include "backends/nccl/state.h"

/* ---- the end --------------------------------------------------------------------------------- */

static void nccl_fail(tr_world *world, const char *message) {
  nccl_state *state = nccl_state_of(world);
  pthread_mutex_lock(&state->lock);
  nccl_give_up(state, TESSERA_ERROR_PEER, message);
  pthread_mutex_unlock(&state->lock);
  tr_world *base = nccl_base(world);
  base->backend->fail(base, message);
}

static void nccl_abort(tr_world *world, const char *message) {
  tr_world *base = nccl_base(world);
  base->backend->abort(base, message);
}

static void nccl_attend(tr_world *world) {
  tr_world *base = nccl_base(world);
  if (base->backend->attend)
    base->backend->attend(base);
}

static void free_state(nccl_state *state) {
  pthread_cond_destroy(&state->wake);
  pthread_mutex_destroy(&state->lock);
  free(state);
}

static void nccl_close(tr_world *world) {
  nccl_state *state = nccl_state_of(world);
  tr_device_settle(state->device, NULL); /* while somebody looks whether that ends */
  nccl_stop_lookout(state);
  nccl_close_comms(state);
  state->base.backend->close(&state->base);
  free_state(state);
  world->backend = NULL;
}

static const tr_backend nccl_backend = {
    .version = TR_BACKEND_VERSION,
    .name = "nccl",
    .reaches_devices = true,
    .create_group = nccl_create_group,
    .create_groups = nccl_create_groups,
    .destroy_group = nccl_destroy_group,
    .plan_transfer = nccl_plan_transfer,
    .starts_collectives = true,
    .plan_collective = nccl_plan_collective,
    .send = nccl_send,
    .receive = nccl_receive,
    .attend = nccl_attend,
    .fail = nccl_fail,
    .abort = nccl_abort,
    .close = nccl_close,
};

/* ---- the beginning --------------------------------------------------------------------------- */

/* NCCL refuses ranks that share a GPU, and says it less plainly. */
static tessera_status check_device(const tr_backend_host *host, const tr_world *world) {
  const tr_device *device = world->device;
  if (!device->has_come || !device->fail)
    return host->fail(TESSERA_ERROR_UNSUPPORTED, "the device '%s' is none for NCCL", device->name);
  if (world->host_ranks <= device->count)
    return TESSERA_OK;
  return host->fail(
      TESSERA_ERROR_UNSUPPORTED,
      "there are %d ranks on this host and %d GPU%s that they may use; each needs one "
      "of its own (TESSERA_DEVICES lists them; ranks of one process, "
      "TESSERA_BACKEND=local, share GPUs)",
      world->host_ranks, device->count, device->count == 1 ? "" : "s");
}

static tessera_status open_base(nccl_state *state, const tr_world *world) {
  tr_group *all = &state->all.base;
  state->base = *world;
  state->base.device = state->host->device;
  all->size = world->size;
  all->self = world->rank;
  all->members = malloc(sizeof(int32_t) * (size_t)world->size);
  if (!all->members)
    return state->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group of %d ranks",
                             world->size);
  for (int32_t i = 0; i < world->size; i++)
    all->members[i] = i;
  return state->base.backend->create_group(&state->base, all);
}

static tessera_status open_state(nccl_state *state, const tr_world *world) {
  tessera_status status = open_base(state, world);
  if (status)
    return status;
  status = check_device(state->host, world);
  if (!status)
    status = nccl_open_library(state->host, &state->nccl);
  status = nccl_agree(state, status, "NCCL cannot be used");
  if (!status)
    status = nccl_open_all(state);
  if (!status && !nccl_start_lookout(state))
    status = state->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no thread for NCCL");
  return status;
}

__attribute__((visibility("default"))) tessera_status
tessera_backend_open(const tr_backend_host *host, tr_world *world) {
  if (host->version != TR_BACKEND_VERSION)
    return host->fail(TESSERA_ERROR_MISMATCH,
                      "the NCCL backend was built for another version of libtessera");
  nccl_state *state = calloc(1, sizeof(*state));
  if (!state)
    return host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the NCCL backend");
  state->host = host;
  state->device = world->device;
  pthread_mutex_init(&state->lock, NULL);
  pthread_cond_init(&state->wake, NULL);
  tessera_status status = open_state(state, world);
  if (status) {
    if (state->all.comm)
      state->nccl->abort(state->all.comm);
    free(state->all.base.members);
    free_state(state);
    return status;
  }
  world->backend = &nccl_backend;
  world->control = &nccl_control;
  world->state = state;
  return TESSERA_OK;
}
