/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What all calls from compiled code share: arguments read, failures worded.
 * It must not know what is called. */
#include "compiled/site_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "context/compare.h"
#include "support/error.h"
#include "watch/note.h"

/* ---- begin and end --------------------------------------------------------------------------- */

tessera_status tr_call_find_group(tr_call *call) {
  const tessera_site *site = call->site;
  tr_named_group *named;
  if (!site->grid)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the call names no grid");
  tessera_status status =
      tr_context_group(call->context, site->grid, site->num_axes, site->axes, &named);
  if (!status)
    call->group = &named->group;
  return status;
}

static void hold(const tessera_site *site, tr_call *call) {
  tr_held held = tr_context_hold(site);
  *call = (tr_call){.context = held.context, .site = site, .must_leave = held.must_leave};
}

void tr_call_begin_alone(const tessera_site *site, tr_call *call) {
  hold(site, call);
  call->group = &call->context->everyone;
}

tessera_status tr_call_begin(const tessera_site *site, tr_call *call) {
  hold(site, call);
  tr_note_begin(call->context, site, TR_MEMBERS_OF_SITE);
  return tr_call_find_group(call);
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

/* What the watch says of a call begins alike. */
__attribute__((noinline)) static _Noreturn void fail(const tr_call *call, tessera_status status) {
  const tessera_site *site = call->site;
  const char *error = tessera_last_error();
  char group[512], call_text[1024], message[4096];
  describe_group(call, group, sizeof(group));
  snprintf(call_text, sizeof(call_text), "%s%serror: '%s' on rank %d%s", site->location,
           site->location[0] ? ": " : "", site->name, call->context->world.rank, group);
  bool is_said = strncmp(error, call_text, strlen(call_text)) == 0;
  snprintf(message, sizeof(message), "%s%s%s", is_said ? "" : call_text, is_said ? "" : ": ",
           error);
  tr_context_raise(call->context, status, message);
}

void tr_call_end(tr_call *call, tessera_status status, uint64_t received) {
  if (!status)
    status = tr_device_check(call->context->world.device);
  if (status)
    fail(call, status);
  tr_note_end(call->context, received);
  tr_scratch_reset(&call->context->scratch);
  if (call->must_leave)
    tr_context_leave(call->context);
}

tessera_status tr_call_end_within(tr_call *call, tessera_status status) {
  if (!status)
    status = tr_device_check(call->context->world.device);
  if (status)
    status = tr_context_fail(call->context, status, tessera_last_error());
  tr_scratch_reset(&call->context->scratch);
  return status;
}

/* ---- arguments ------------------------------------------------------------------------------- */

tessera_status tr_call_view(const tr_call *call, const void *descriptor, int32_t rank, int32_t type,
                            tr_view *view) {
  size_t element = tessera_dtype_size((tessera_dtype)type);
  if (element == 0)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "element type %d is not known", type);
  if (rank < 0 || rank > TR_VIEW_RANK)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a tensor of rank %d is not supported", rank);
  tr_view_read(descriptor, rank, element, view);
  view->data = tr_device_regain(call->context->world.device, view->data);
  return TESSERA_OK;
}

tessera_status tr_call_input(const tr_call *call, const void *descriptor, tr_view *view) {
  return tr_call_view(call, descriptor, call->site->input_rank, call->site->input_type, view);
}

tessera_status tr_call_output(const tr_call *call, const void *descriptor, tr_view *view) {
  return tr_call_view(call, descriptor, call->site->output_rank, call->site->output_type, view);
}

void *tr_call_memory(const tr_call *call, size_t bytes) {
  void *memory = tr_scratch_take(&call->context->scratch, bytes);
  if (!memory)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages", bytes);
  return memory;
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

/* ---- other members --------------------------------------------------------------------------- */

tessera_status tr_call_collect(const tr_call *call, int64_t mine, int64_t **all) {
  tr_world *world = &call->context->world;
  *all = tr_call_memory(call, sizeof(int64_t) * (size_t)call->group->size);
  return *all ? world->control->collect(world, call->group, call->site, 1, &mine, *all)
              : TESSERA_ERROR_OUT_OF_MEMORY;
}

tessera_status tr_call_compare(const tr_call *call) {
  tr_common common = {.site = call->site, .except = -1, .root = -1};
  if (call->group->size == 1)
    return TESSERA_OK;
  common.hash = tr_account_hash(&common);
  return tr_compare(call->context, call->group, &common);
}
