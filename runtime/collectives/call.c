/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What all collectives share: arguments checked, rows cut, messages sent, failures worded.
 * It must not know any particular collective. */
#include "collectives/call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collectives/repeat.h"
#include "collectives/tree.h"
#include "devices/host/host.h"
#include "error.h"
#include "program/tensor.h"

/* ---- begin and end ----------------------------------------------------------------------------
 */

tessera_status tr_call_begin_alone_in(tr_held held, const tessera_site *site, tr_call *call) {
  *call = (tr_call){.context = held.context, .site = site, .must_leave = held.must_leave};
  call->group = &call->context->everyone;
  return TESSERA_OK;
}

tessera_status tr_call_begin_in(tr_held held, const tessera_site *site, tr_call *call) {
  tessera_status status = tr_call_begin_within(held.context, site, call);
  call->must_leave = held.must_leave;
  return status;
}

void tr_call_begin_alone(const tessera_site *site, tr_call *call) {
  tr_call_begin_alone_in(tr_context_hold(site), site, call);
}

tessera_status tr_call_begin(const tessera_site *site, tr_call *call) {
  return tr_call_begin_in(tr_context_hold(site), site, call);
}

tessera_status tr_call_begin_within(tessera_context *context, const tessera_site *site,
                                    tr_call *call) {
  *call = (tr_call){.context = context, .site = site};
  const tr_named_group *named;
  if (!site->grid)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the call names no grid");
  tessera_status status =
      tr_context_group(call->context, site->grid, site->num_axes, site->axes, &named);
  if (!status)
    call->group = &named->group;
  return status;
}

/* " (grid @g, axes [0, 1], ranks {0, 2})", as much of it as fits. */
static void describe_group(const tr_call *call, char *text, size_t capacity) {
  const tessera_site *site = call->site;
  size_t used = 0;
  text[0] = '\0';
  if (!site->grid || !call->group || call->group == &call->context->everyone)
    return;
  used += (size_t)snprintf(text, capacity, " (grid @%s, axes [", site->grid->name);
  for (int32_t i = 0; i < site->num_axes && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%d", i ? ", " : "", site->axes[i]);
  if (used < capacity)
    used += (size_t)snprintf(text + used, capacity - used, "], ranks {");
  for (int32_t i = 0; i < call->group->size && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%d", i ? ", " : "",
                             call->group->members[i]);
  if (used < capacity)
    snprintf(text + used, capacity - used, "})");
}

void tr_call_end(tr_call *call, tessera_status status) {
  const tessera_site *site = call->site;
  if (!status) {
    tr_traffic_add(call->context, site, call->received);
    tr_repeat_end(call, status);
    tr_scratch_reset(call->context);
    if (call->must_leave)
      tr_context_leave(call->context);
    return;
  }
  char group[512], message[4096];
  tr_repeat_end(call, status);
  describe_group(call, group, sizeof(group));
  snprintf(message, sizeof(message), "%s%serror: '%s' on rank %d%s: %s", site->location,
           site->location[0] ? ": " : "", site->name, call->context->world.rank, group,
           tessera_last_error());
  tr_context_raise(call->context, status, message);
}

tessera_status tr_call_end_within(tr_call *call, tessera_status status) {
  if (status)
    status = tr_context_fail(call->context, status, tessera_last_error());
  tr_scratch_reset(call->context);
  return status;
}

/* ---- arguments --------------------------------------------------------------------------------
 */

static tessera_status read_view(const void *descriptor, int32_t rank, int32_t type, tr_view *view) {
  size_t element = tessera_dtype_size((tessera_dtype)type);
  if (element == 0)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "element type %d is not known", type);
  if (rank < 0 || rank > TR_VIEW_RANK)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a tensor of rank %d is not supported", rank);
  tr_view_read(descriptor, rank, element, view);
  return TESSERA_OK;
}

tessera_status tr_call_input(const tr_call *call, const void *descriptor, tr_view *view) {
  return read_view(descriptor, call->site->input_rank, call->site->input_type, view);
}

tessera_status tr_call_output(const tr_call *call, const void *descriptor, tr_view *view) {
  return read_view(descriptor, call->site->output_rank, call->site->output_type, view);
}

tessera_status tr_call_views(const tr_call *call, const void *in, const void *out, int32_t axis,
                             int32_t other, tr_view *from, tr_view *to) {
  const tessera_site *site = call->site;
  tessera_status status = tr_call_input(call, in, from);
  if (!status)
    status = tr_call_output(call, out, to);
  if (status)
    return status;
  if (from->rank != to->rank || axis >= from->rank || other >= from->rank)
    return tr_fail(TESSERA_ERROR_MISMATCH, "ranks %d and %d do not fit axis %d", from->rank,
                   to->rank, axis > other ? axis : other);
  if (site->reduction == TESSERA_REDUCTION_NONE && site->input_type != site->output_type)
    return tr_fail(TESSERA_ERROR_MISMATCH, "element types %s and %s differ",
                   tr_dtype_name((tessera_dtype)site->input_type),
                   tr_dtype_name((tessera_dtype)site->output_type));
  for (int32_t i = 0; i < from->rank; i++)
    if (i != axis && i != other && from->sizes[i] != to->sizes[i])
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "dimension %d has %" PRId64 " rows going in and %" PRId64 " coming out", i,
                     from->sizes[i], to->sizes[i]);
  return TESSERA_OK;
}

tessera_status tr_call_check(tr_call *call, const tr_view *common, int32_t except, int64_t root) {
  tr_world *world = &call->context->world;
  tr_common compared = {call->site, common, except, root, 0};
  if (call->group->size == 1 || !world->backend->check)
    return TESSERA_OK;
  tessera_status status = world->backend->check(world, call->group, &compared);
  if (!status)
    tr_repeat_check(call, &compared);
  return status;
}

void *tr_call_memory(const tr_call *call, size_t bytes) {
  void *memory = tr_scratch_take(call->context, bytes);
  if (!memory)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages", bytes);
  return memory;
}

int64_t *tr_call_starts(const tr_call *call) {
  return tr_call_memory(call, sizeof(int64_t) * ((size_t)call->group->size + 1));
}

/* ---- copies ------------------------------------------------------------------------------------
 */

typedef struct copy_step {
  tr_step step;
  tr_copy copy;
} copy_step;

enum { COPY_FROM, COPY_TO, COPY_PLACES };

static tessera_status copy_again(tessera_context *context, const tessera_site *site,
                                 tr_step *step) {
  (void)context;
  (void)site;
  tr_host_copy(&((copy_step *)step)->copy, step->data[COPY_FROM], step->data[COPY_TO]);
  return TESSERA_OK;
}

void tr_call_copy(tr_call *call, const tr_view *from, const tr_view *to) {
  size_t bytes = tr_view_bytes(from);
  if (bytes == 0 || from->data == to->data)
    return;
  tr_device_copy_view(&tr_host_device, NULL, from, to);
  copy_step *step = tr_repeat_step(call, sizeof(*step), copy_again, COPY_PLACES);
  if (!step)
    return;
  tr_view_plan_copy(from, to, &step->copy);
  tr_repeat_place(call, step, COPY_FROM, from->data, bytes);
  tr_repeat_place(call, step, COPY_TO, to->data, bytes);
}

/* ---- the backend's own collectives -------------------------------------------------------------
 */

bool tr_call_is_even(const tr_call *call, const int64_t *starts) {
  int32_t size = call->group->size;
  for (int32_t i = 1; i < size; i++)
    if (starts[i + 1] - starts[i] != starts[1] - starts[0])
      return false;
  return true;
}

void tr_call_describe(const tr_call *call, size_t row, const int64_t *starts,
                      tr_collective *collective) {
  int32_t size = call->group->size;
  collective->whole = row * (size_t)starts[size];
  collective->part = collective->whole / (size_t)size;
  collective->is_even = tr_call_is_even(call, starts);
}

void tr_call_describe_whole(const tr_view *view, tr_collective *collective) {
  collective->whole = collective->part = tr_view_bytes(view);
  collective->is_even = collective->is_joined = true;
}

enum { COLLECTIVE_IN, COLLECTIVE_OUT, COLLECTIVE_PLACES };

static tessera_status collective_again(tessera_context *context, const tessera_site *site,
                                       tr_step *step) {
  (void)site;
  tr_world *world = &context->world;
  return world->backend->repeat(world, step->kept, step->data[COLLECTIVE_IN],
                                step->data[COLLECTIVE_OUT]);
}

static void note_collective(tr_call *call, const tr_collective *done) {
  tr_world *world = &call->context->world;
  tr_step *step = tr_repeat_step(call, sizeof(*step), collective_again, COLLECTIVE_PLACES);
  if (!step)
    return;
  step->kept = world->backend->keep(world, call->group, done);
  if (!step->kept)
    tr_repeat_forget(call);
  if (done->in)
    tr_repeat_place(call, step, COLLECTIVE_IN, done->in->view->data, tr_view_bytes(done->in->view));
  if (done->out)
    tr_repeat_place(call, step, COLLECTIVE_OUT, done->out->view->data,
                    tr_view_bytes(done->out->view));
}

tessera_status tr_call_natively(tr_call *call, tr_collective *collective) {
  tr_world *world = &call->context->world;
  if (call->group->size == 1 || !world->backend->collective)
    return TESSERA_ERROR_UNSUPPORTED;
  collective->kind = (tessera_site_kind)call->site->kind;
  tessera_status status = world->backend->collective(world, call->group, collective);
  if (!status)
    note_collective(call, collective);
  return status;
}

/* ---- rows and members -------------------------------------------------------------------------
 */

/* Sizes differ by at most one, the larger ones last. */
void tr_call_balanced(const tr_call *call, int64_t full, int64_t *starts) {
  int64_t shards = call->group->size, base = full / shards, first_larger = shards - full % shards;
  starts[0] = 0;
  for (int64_t i = 0; i < shards; i++)
    starts[i + 1] = starts[i] + base + (i >= first_larger);
}

tessera_status tr_call_agreed(tr_call *call, int64_t mine, int64_t *starts) {
  tessera_status status = tr_call_agree(call, mine, starts + 1);
  starts[0] = 0;
  for (int32_t i = 0; !status && i < call->group->size; i++)
    starts[i + 1] += starts[i];
  return status;
}

tessera_status tr_call_shards(tr_call *call, int64_t full, int64_t mine, const int64_t **starts) {
  const tr_group *group = call->group;
  int64_t *cuts = tr_call_starts(call);
  if (!cuts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = TESSERA_OK;
  if (call->site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_call_agreed(call, mine, cuts);
  else
    tr_call_balanced(call, full, cuts);
  if (status)
    return status;
  if (cuts[group->size] != full)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "the pieces of the group have %" PRId64 " rows together, not %" PRId64,
                   cuts[group->size], full);
  int64_t expected = cuts[group->self + 1] - cuts[group->self];
  if (expected != mine)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "of %" PRId64 " rows over %d ranks, number %d has %" PRId64 ", not %" PRId64,
                   full, group->size, group->self, expected, mine);
  *starts = cuts;
  return TESSERA_OK;
}

static tessera_status collect_directly(tr_call *call, int64_t count, int64_t *all) {
  int32_t self = call->group->self;
  tr_batch batch;
  tr_view own, theirs;
  tessera_status status = tr_batch_start_all(call, &batch);
  tr_view_flat(all + self * count, sizeof(int64_t), count, &own);
  for (int32_t i = 0; !status && i < call->group->size; i++) {
    if (i == self)
      continue;
    tr_batch_add(&batch, TR_SEND, i, &own);
    tr_view_flat(all + i * count, sizeof(int64_t), count, &theirs);
    tr_batch_add(&batch, TR_RECEIVE, i, &theirs);
  }
  return status ? status : tr_batch_run(call, &batch);
}

tessera_status tr_call_collect(tr_call *call, int64_t count, const int64_t *mine, int64_t *all) {
  tr_repeat_forget(call);    /* it depends on what other members say */
  tr_call uncounted = *call; /* sizes are not the program's data */
  memcpy(all + call->group->self * count, mine, sizeof(int64_t) * (size_t)count);
  return call->group->size > TR_TREE_ABOVE ? tr_tree_collect(&uncounted, count, all)
                                           : collect_directly(&uncounted, count, all);
}

tessera_status tr_call_agree(tr_call *call, int64_t mine, int64_t *all) {
  return tr_call_collect(call, 1, &mine, all);
}

tessera_status tr_call_position(const tr_call *call, const int64_t *coordinates,
                                int32_t *position) {
  const tessera_site *site = call->site;
  int64_t extents[TR_VIEW_RANK], linear = 0;
  tessera_status status = tr_context_resolve_grid(call->context, site->grid, extents);
  if (status)
    return status;
  for (int32_t i = 0; i < site->num_axes; i++) {
    int64_t extent = extents[site->axes[i]];
    if (coordinates[i] < 0 || coordinates[i] >= extent)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "there is no coordinate %" PRId64 " on axis %d of extent %" PRId64,
                     coordinates[i], site->axes[i], extent);
    linear = linear * extent + coordinates[i];
  }
  *position = (int32_t)linear;
  return TESSERA_OK;
}

tessera_status tr_call_root(tr_call *call, int32_t *root) {
  call->num_numbers = call->site->num_axes;
  return tr_call_position(call, call->numbers, root);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

tessera_status tr_batch_start(const tr_call *call, int64_t most, tr_batch *batch) {
  batch->count = 0;
  batch->messages = tr_call_memory(call, sizeof(tr_message) * (size_t)most);
  return batch->messages ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
}

tessera_status tr_batch_start_all(const tr_call *call, tr_batch *batch) {
  return tr_batch_start(call, 2 * (int64_t)call->group->size, batch);
}

void tr_batch_add(tr_batch *batch, tr_direction direction, int32_t peer, const tr_view *view) {
  tr_message *message = &batch->messages[batch->count++];
  message->direction = direction;
  message->peer = peer;
  tr_view_assign(&message->view, view);
}

void tr_batch_copy(tr_call *call, tr_batch *batch, const tr_view *from, const tr_view *to) {
  if (call->group->size == 1) { /* which sends nothing */
    tr_call_copy(call, from, to);
    return;
  }
  if (tr_view_elements(from) == 0 || from->data == to->data)
    return;
  tr_batch_add(batch, TR_SEND, call->group->self, from);
  tr_batch_add(batch, TR_RECEIVE, call->group->self, to);
}

static tessera_status transfer_again(tessera_context *context, const tessera_site *site,
                                     tr_step *step) {
  (void)site;
  tr_world *world = &context->world;
  return world->backend->repeat_transfer(world, step->kept, step->data);
}

static void note_transfer(tr_call *call, const tr_batch *batch) {
  tr_world *world = &call->context->world;
  tr_step *step = tr_repeat_step(call, sizeof(*step), transfer_again, batch->count);
  if (!step)
    return;
  step->kept = world->backend->keep_transfer(world);
  if (!step->kept)
    tr_repeat_forget(call);
  for (int64_t i = 0; i < batch->count; i++) {
    const tr_view *view = &batch->messages[i].view;
    tr_repeat_place(call, step, i, view->data, tr_view_bytes(view));
  }
}

tessera_status tr_batch_run(tr_call *call, const tr_batch *batch) {
  if (batch->count == 0)
    return TESSERA_OK;
  tr_world *world = &call->context->world;
  for (int64_t i = 0; i < batch->count; i++)
    if (batch->messages[i].direction == TR_RECEIVE && batch->messages[i].peer != call->group->self)
      call->received += tr_view_bytes(&batch->messages[i].view);
  tessera_status status =
      world->backend->transfer(world, call->group, call->site, batch->messages, batch->count);
  if (!status)
    note_transfer(call, batch);
  return status;
}

tessera_status tr_call_dense_target(const tr_call *call, const tr_view *view, tr_view *dense) {
  tr_view_assign(dense, view);
  if (tr_view_is_dense(view))
    return TESSERA_OK;
  void *memory = tr_call_memory(call, tr_view_bytes(view));
  if (!memory)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_view_dense(memory, view, dense);
  return TESSERA_OK;
}

tessera_status tr_call_dense(tr_call *call, const tr_view *view, tr_view *dense) {
  tessera_status status = tr_call_dense_target(call, view, dense);
  if (!status)
    tr_call_copy(call, view, dense);
  return status;
}
