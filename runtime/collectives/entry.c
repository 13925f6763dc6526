/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The collectives as compiled code calls them: a call that blocks is one that is started and done.
 * It must not know any particular collective. */
#include "collectives/table.h"
#include "plans/engine.h"
#include "support/error.h"
#include "watch/note.h"

/* ---- in one call ----------------------------------------------------------------------------- */

/* Small calls take hardly longer than the way to what they do. */
__attribute__((always_inline)) static inline void end(tr_call *call, tessera_operation *operation) {
  uint64_t received = operation->plan->received;
  tr_operation_end(&call->context->engine->operations, operation);
  tr_note_end(call->context, received);
  if (call->context->traffic)
    tr_traffic_add(call->context, call->site, received);
  if (call->must_leave)
    tr_context_leave(call->context);
}

static void run(int32_t kind, const tessera_site *site, tessera_stream *stream, const void *in,
                const void *out, const int64_t *numbers) {
  tr_held held = tr_context_hold(site);
  tr_call call = {.context = held.context, .site = site, .must_leave = held.must_leave};
  const tr_collective_row *row = tr_collective_of(kind);
  tr_note_begin(held.context, site, row->membership);
  tr_asked asked = {
      .row = row, .manner = TR_BLOCKING, .site = site, .in = in, .out = out, .numbers = numbers};
  tessera_operation *operation;
  tessera_status status = tr_engine_start(&call, &asked, stream, &operation);
  if (status)
    tr_call_end(&call, status, 0);
  end(&call, operation);
}

void tessera_rt_all_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  run(TESSERA_SITE_ALL_GATHER, site, stream, in, out, NULL);
}

void tessera_rt_all_reduce(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  run(TESSERA_SITE_ALL_REDUCE, site, stream, in, out, NULL);
}

void tessera_rt_all_slice(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out) {
  run(TESSERA_SITE_ALL_SLICE, site, stream, in, out, NULL);
}

void tessera_rt_all_to_all(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  run(TESSERA_SITE_ALL_TO_ALL, site, stream, in, out, NULL);
}

void tessera_rt_reduce_scatter(const tessera_site *site, tessera_stream *stream, const void *in,
                               const void *out) {
  run(TESSERA_SITE_REDUCE_SCATTER, site, stream, in, out, NULL);
}

void tessera_rt_broadcast(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out, const int64_t *root) {
  run(TESSERA_SITE_BROADCAST, site, stream, in, out, root);
}

void tessera_rt_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                       const void *out, const int64_t *root) {
  run(TESSERA_SITE_GATHER, site, stream, in, out, root);
}

void tessera_rt_scatter(const tessera_site *site, tessera_stream *stream, const void *in,
                        const void *out, const int64_t *root) {
  run(TESSERA_SITE_SCATTER, site, stream, in, out, root);
}

void tessera_rt_reduce(const tessera_site *site, tessera_stream *stream, const void *in,
                       const void *out, const int64_t *root) {
  run(TESSERA_SITE_REDUCE, site, stream, in, out, root);
}

void tessera_rt_shift(const tessera_site *site, tessera_stream *stream, const void *in,
                      const void *out) {
  run(TESSERA_SITE_SHIFT, site, stream, in, out, NULL);
}

void tessera_rt_update_halo(const tessera_site *site, tessera_stream *stream, const void *buffer,
                            const int64_t *halo_sizes) {
  run(TESSERA_SITE_UPDATE_HALO, site, stream, buffer, buffer, halo_sizes);
}

void tessera_rt_exchange(const tessera_site *site, tessera_stream *stream, const void *in,
                         const void *out, const int64_t *sizes) {
  run(TESSERA_SITE_EXCHANGE, site, stream, in, out, sizes);
}

/* ---- in two calls ---------------------------------------------------------------------------- */

static tr_membership members_of(const tr_collective_row *row) {
  return row ? row->membership : TR_MEMBERS_OF_SITE;
}

tessera_operation *tessera_rt_start(const tessera_site *site, tessera_stream *stream,
                                    const void *in, const void *out, const int64_t *numbers) {
  tr_held held = tr_context_hold(site);
  tr_call call = {.context = held.context, .site = site, .must_leave = held.must_leave};
  const tr_collective_row *row = tr_collective_of((int32_t)site->kind);
  tr_note_begin(held.context, site, members_of(row));
  tr_asked asked = {
      .row = row, .manner = TR_PENDING, .site = site, .in = in, .out = out, .numbers = numbers};
  tessera_operation *operation = NULL;
  tessera_status status =
      row ? tr_engine_start(&call, &asked, stream, &operation)
          : tr_fail(TESSERA_ERROR_UNSUPPORTED, "this is no collective that can be started");
  if (status)
    tr_call_end(&call, status, 0);
  tr_note_end_start(call.context);
  if (call.must_leave)
    tr_context_leave(call.context);
  return operation;
}

void tessera_rt_wait(const tessera_site *site, tessera_operation *operation) {
  tr_held held = tr_context_hold(site);
  tr_call call = {.context = held.context, .site = site, .must_leave = held.must_leave};
  tr_note_begin(held.context, site, members_of(tr_collective_of((int32_t)site->kind)));
  bool is_under_way = operation && operation->context == call.context && operation->plan;
  tessera_status status = is_under_way
                              ? tr_operation_wait(operation)
                              : tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                                        "what is waited for has not been started in this context, "
                                        "or has been waited for already");
  if (status) {
    call.group = is_under_way ? tr_operation_group(operation) : NULL;
    tr_call_end(&call, status, 0);
  }
  end(&call, operation);
}
