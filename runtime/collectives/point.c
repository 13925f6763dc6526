/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages of the program between single ranks: send and recv, and those that nobody took.
 * It must not know element types, nor how messages travel. */
#include "collectives/label.h"
#include "compiled/site_call.h"
#include "plans/engine.h"
#include "support/error.h"
#include "watch/note.h"

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
  tr_note_peer(call->context, call->group->members[member]);
  tr_world *world = &call->context->world;
  if (call->context->log)
    tr_log_message(call->context->log, call->group, member, TR_ARROW_BEGINS);
  return call->context->checks
             ? tr_label_send(call, member, &from)
             : world->backend->send(world, call->group, call->site, member, &from);
}

/* A message counts as collectives do. */
static void end(tr_call *call, tessera_status status, uint64_t received) {
  if (!status && call->context->traffic)
    tr_traffic_add(call->context, call->site, received);
  tr_call_end(call, status, received);
}

void tessera_rt_send(const tessera_site *site, tessera_stream *stream, const void *in,
                     const int64_t *destination) {
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  if (!status)
    status = tr_world_settle(&call.context->world, stream);
  if (!status)
    status = send(&call, in, destination);
  end(&call, status, 0);
}

static tessera_status recv(tr_call *call, const void *out, const int64_t *source,
                           uint64_t *received) {
  int32_t member = -1;
  tr_view to;
  tessera_status status = tr_call_output(call, out, &to);
  if (!status && source)
    status = tr_call_position(call, source, &member);
  if (status)
    return status;
  if (call->group->size == 1)
    member = leave_small_group(call, member);
  if (member >= 0)
    tr_note_peer(call->context, call->group->members[member]);
  tr_world *world = &call->context->world;
  *received = tr_view_bytes(&to);
  if (call->context->log)
    tr_log_message(call->context->log, call->group, member, TR_ARROW_ENDS);
  return call->context->checks
             ? tr_label_receive(call, member, &to)
             : world->backend->receive(world, call->group, call->site, member, &to);
}

void tessera_rt_recv(const tessera_site *site, tessera_stream *stream, const void *out,
                     const int64_t *source) {
  tr_call call;
  uint64_t received = 0;
  tessera_status status = tr_call_begin(site, &call);
  if (!status)
    status = tr_world_settle(&call.context->world, stream);
  if (!status)
    status = recv(&call, out, source, &received);
  end(&call, status, received);
}

tessera_status tessera_settle(tessera_context *context) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_QUERY,
                                    .name = "settle",
                                    .location = "",
                                    .index = -1};
  tr_call call = {.context = context, .site = &site, .group = &context->everyone};
  tr_world *world = &context->world;
  int64_t *all;
  tessera_status status = tr_context_enter(context, &call.must_leave);
  if (status)
    return status;
  tr_seat_begin(context, &site, TR_MEMBERS_ALL);
  status = tr_engine_expect_idle(context);
  if (!status)
    status = tr_call_compare(&call);
  if (!status) /* whoever is here receives nothing more */
    status = tr_call_collect(&call, 0, &all);
  status = tr_call_end_within(&call, status);
  if (!status)
    status = world->control->settle(world);
  if (status && status != TESSERA_ERROR_MISMATCH) /* all ranks have finished the same */
    status = tr_context_fail(context, status, tessera_last_error());
  tr_seat_end(context);
  if (call.must_leave)
    tr_context_leave(context);
  return status;
}
