/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between single ranks: send, recv, shift along an axis.
 * It must not know element types, nor how messages travel. */
#include "collectives/call.h"
#include "collectives/repeat.h"
#include "error.h"

/* ---- send and recv ----------------------------------------------------------------------------
 */

/* A group of one has no channel of its own: a rank talks to itself over that of all ranks. */
static int32_t leave_small_group(tr_call *call, int32_t member) {
  if (call->group->size > 1)
    return member;
  call->group = &call->context->everyone;
  return call->group->self;
}

static tessera_status send(tr_call *call, const void *in, const int64_t *destination) {
  int32_t member;
  tr_view from;
  tessera_status status = tr_call_input(call, in, &from);
  if (!status)
    status = tr_call_position(call, destination, &member);
  if (status)
    return status;
  member = leave_small_group(call, member);
  tr_world *world = &call->context->world;
  return world->backend->send(world, call->group, call->site, member, &from);
}

void tessera_rt_send(const tessera_site *site, tessera_stream *stream, const void *in,
                     const int64_t *destination) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : send(&call, in, destination));
}

static tessera_status recv(tr_call *call, const void *out, const int64_t *source) {
  int32_t member = -1;
  tr_view to;
  tessera_status status = tr_call_output(call, out, &to);
  if (!status && source)
    status = tr_call_position(call, source, &member);
  if (status)
    return status;
  if (call->group->size == 1)
    member = leave_small_group(call, member);
  tr_world *world = &call->context->world;
  call->received = tr_view_bytes(&to);
  return world->backend->receive(world, call->group, call->site, member, &to);
}

void tessera_rt_recv(const tessera_site *site, tessera_stream *stream, const void *out,
                     const int64_t *source) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : recv(&call, out, source));
}

/* ---- shift ------------------------------------------------------------------------------------
 */

/* An offset that means the same and is no larger than the extent: either way and from any place it
 * can be added. */
static int64_t short_offset(const tessera_site *site, int64_t extent) {
  if (site->flags & TESSERA_SITE_ROTATE)
    return site->offset % extent;
  return site->offset > extent ? extent : site->offset < -extent ? -extent : site->offset;
}

/* Where a member's data goes and comes from, as places along the shifted axis; -1: nowhere. */
static int64_t shifted(int64_t place, int64_t offset, int64_t extent, uint32_t flags) {
  if (flags & TESSERA_SITE_ROTATE)
    return (place + offset + extent) % extent;
  int64_t target = place + offset;
  return target >= 0 && target < extent ? target : -1;
}

/* The extent of the shifted axis, and how many members lie between neighbours along it. */
static tessera_status find_axis(const tr_call *call, int64_t *extent, int64_t *step) {
  const tessera_site *site = call->site;
  int64_t extents[TR_VIEW_RANK];
  tessera_status status = tr_context_resolve_grid(call->context, site->grid, extents);
  *step = 1;
  for (int32_t i = site->num_axes - 1; !status && i >= 0; i--) {
    *extent = extents[site->axes[i]];
    if (site->axes[i] == site->axis)
      return TESSERA_OK;
    *step *= *extent;
  }
  return status ? status
                : tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                          "the shifted axis %d is none of the group's", site->axis);
}

static tessera_status shift_messages(tr_call *call, const tr_view *from, const tr_view *to,
                                     int32_t target, int32_t source) {
  tr_batch batch;
  tr_view sent;
  tr_view_assign(&sent, from);
  tessera_status status = tr_batch_start(call, 2, &batch);
  if (!status && target >= 0 && source >= 0 && tr_view_may_overlap(from, to)) {
    void *copy = tr_call_memory(call, tr_view_bytes(from));
    if (!copy)
      return TESSERA_ERROR_OUT_OF_MEMORY;
    tr_view_dense(copy, from, &sent);
    tr_call_copy(call, from, &sent);
  }
  if (status)
    return status;
  if (target >= 0)
    tr_batch_add(&batch, TR_SEND, target, &sent);
  if (source >= 0)
    tr_batch_add(&batch, TR_RECEIVE, source, to);
  return tr_batch_run(call, &batch);
}

static tessera_status shift(tr_call *call) {
  const tessera_site *site = call->site;
  int64_t extent = 1, step = 1;
  int32_t self = call->group->self;
  tr_view from, to;
  tessera_status status = tr_call_views(call, call->in, call->out, -1, -1, &from, &to);
  if (!status)
    status = find_axis(call, &extent, &step);
  if (!status)
    status = tr_call_check(call, NULL, -1, -1);
  if (status)
    return status;
  int64_t place = self / step % extent, offset = short_offset(site, extent);
  int64_t target = shifted(place, offset, extent, site->flags);
  int64_t source = shifted(place, -offset, extent, site->flags);
  if (target == place) { /* then source == place too */
    tr_call_copy(call, &from, &to);
    return TESSERA_OK;
  }
  return shift_messages(call, &from, &to,
                        target < 0 ? -1 : (int32_t)(self + (target - place) * step),
                        source < 0 ? -1 : (int32_t)(self + (source - place) * step));
}

void tessera_rt_shift(const tessera_site *site, tessera_stream *stream, const void *in,
                      const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, shift);
}

/* ---- messages that nobody took ------------------------------------------------------------------
 */

tessera_status tessera_settle(tessera_context *context) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_QUERY,
                                    .name = "settle",
                                    .location = "",
                                    .index = -1};
  tr_call call = {.context = context, .site = &site, .group = &context->everyone};
  tr_world *world = &context->world;
  tessera_status status = tr_context_enter(context, &call.must_leave);
  if (status)
    return status;
  int64_t *all = tr_call_memory(&call, sizeof(int64_t) * (size_t)world->size);
  status = all ? tr_call_check(&call, NULL, -1, -1) : TESSERA_ERROR_OUT_OF_MEMORY;
  if (!status) /* whoever is here receives nothing more */
    status = tr_call_agree(&call, 0, all);
  status = tr_call_end_within(&call, status);
  if (!status)
    status = world->backend->settle(world);
  if (status && status != TESSERA_ERROR_MISMATCH) /* all ranks have finished the same */
    status = tr_context_fail(context, status, tessera_last_error());
  if (call.must_leave)
    tr_context_leave(context);
  return status;
}
