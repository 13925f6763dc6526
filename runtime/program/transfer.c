/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bytes, sizes and sums between ranks, as calls of the runtime's collectives with sites made here.
 * It must not know layouts or programs. */
#include "program/transfer.h"

#include "collectives/table.h"
#include "plans/engine.h"
#include "program/tensor.h"
#include "support/error.h"
#include "watch/note.h"

/* A memref descriptor of any rank: the arrays are packed by the rank that a site states. */
typedef struct descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[2 * TR_MAX_RANK];
} descriptor;

static descriptor describe(void *data, int32_t rank, const int64_t *shape) {
  descriptor result = {data, data, 0, {0}};
  for (int32_t i = 0; i < rank; i++)
    result.sizes_and_strides[i] = shape[i];
  tr_dense_strides(rank, shape, result.sizes_and_strides + rank);
  return result;
}

/* Sites for messages and for matching: no program's table has them. Messages may outlive a call. */
#define TRANSFER_SITE(site_kind, site_name)                                                        \
  .struct_size = sizeof(tessera_site), .kind = (site_kind), .name = (site_name), .location = "",   \
  .index = -1, .input_rank = 1, .output_rank = 1, .input_type = TESSERA_I8,                        \
  .output_type = TESSERA_I8

static tessera_status end_within(tr_call *call, tessera_status status) {
  tr_note_end(call->context, 0);
  return tr_call_end_within(call, status);
}

tessera_status tr_send_bytes(tessera_context *context, int32_t rank, const void *data,
                             size_t bytes) {
  static const tessera_site site = {TRANSFER_SITE(TESSERA_SITE_SEND, "gather result")};
  tr_view view;
  tr_view_flat((void *)data, 1, (int64_t)bytes, &view);
  tr_call call = {.context = context, .site = &site, .group = &context->everyone};
  tr_world *world = &context->world;
  tr_note_begin(context, &site, TR_MEMBERS_OF_SITE);
  tessera_status status = tr_world_settle(world, NULL);
  if (!status)
    status = world->backend->send(world, call.group, &site, rank, &view);
  return end_within(&call, status);
}

tessera_status tr_receive_bytes(tessera_context *context, int32_t rank, void *data, size_t bytes) {
  static const tessera_site site = {TRANSFER_SITE(TESSERA_SITE_RECV, "gather result")};
  tr_view view;
  tr_view_flat(data, 1, (int64_t)bytes, &view);
  tr_call call = {.context = context, .site = &site, .group = &context->everyone};
  tr_world *world = &context->world;
  tr_note_begin(context, &site, TR_MEMBERS_OF_SITE);
  tessera_status status = tr_world_settle(world, NULL);
  if (!status)
    status = world->backend->receive(world, call.group, &site, rank, &view);
  return end_within(&call, status);
}

/* Memory of the device for as long as a message. A device that has failed gives none, and says why.
 */
static tessera_status take_room(const tr_device *device, size_t bytes, char **room) {
  *room = device->allocate(device, bytes ? bytes : 1, NULL);
  if (*room)
    return TESSERA_OK;
  tessera_status status = tr_device_check(device);
  return status
             ? status
             : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes", bytes);
}

tessera_status tr_send_from_host(tessera_context *context, int32_t rank, const void *data,
                                 size_t bytes) {
  const tr_device *device = context->world.device;
  const tr_copy copy = {.run = (int64_t)bytes};
  char *room;
  tessera_status status = take_room(device, bytes, &room);
  if (status)
    return status;
  device->upload(device, NULL, &copy, data, room);
  status = tr_send_bytes(context, rank, room, bytes);
  tr_device_settle(device, NULL);
  device->release(device, room);
  return status;
}

tessera_status tr_receive_to_host(tessera_context *context, int32_t rank, void *data,
                                  size_t bytes) {
  const tr_device *device = context->world.device;
  const tr_copy copy = {.run = (int64_t)bytes};
  char *room;
  tessera_status status = take_room(device, bytes, &room);
  if (status)
    return status;
  status = tr_receive_bytes(context, rank, room, bytes);
  device->download(device, NULL, &copy, room, data);
  tessera_status settled = tr_device_settle(device, NULL);
  device->release(device, room);
  return status ? status : settled;
}

tessera_status tr_collect_sizes(tessera_context *context, int64_t count, const int64_t *mine,
                                int64_t *all) {
  static const tessera_site site = {TRANSFER_SITE(TESSERA_SITE_ALL_GATHER, "gather sizes")};
  tr_call call = {.context = context, .site = &site, .group = &context->everyone};
  tr_world *world = &context->world;
  tr_note_begin(context, &site, TR_MEMBERS_OF_SITE);
  return end_within(&call, world->control->collect(world, call.group, &site, count, mine, all));
}

tessera_status tr_reduce_axes(tessera_context *context, const tessera_grid *grid, int32_t num_axes,
                              const int32_t *axes, tessera_reduction reduction,
                              tessera_tensor *tensor) {
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_ALL_REDUCE,
                       .name = "reduce partial value",
                       .location = "",
                       .grid = grid,
                       .axes = axes,
                       .num_axes = num_axes,
                       .index = -1,
                       .input_rank = tensor->rank,
                       .output_rank = tensor->rank,
                       .input_type = tensor->dtype,
                       .output_type = tensor->dtype,
                       .reduction = reduction};
  descriptor view = describe(tensor->data, tensor->rank, tensor->shape);
  tr_asked asked = {.row = tr_collective_of(TESSERA_SITE_ALL_REDUCE),
                    .manner = TR_BLOCKING,
                    .site = &site,
                    .in = (const tr_memref *)&view,
                    .out = (const tr_memref *)&view};
  return tr_engine_do_within(context, &asked);
}
