/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Steps that a backend does with the other members: its own collectives, and messages.
 * It must not know any particular collective. */
#include "plans/jobs.h"

#include <stdlib.h>

#include "plans/steps.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

/* The number of the call's group among the plan's; -1 if there is no memory. */
static int32_t find_group(tr_draft *draft) {
  tr_plan *plan = draft->plan;
  for (int32_t i = 0; i < plan->num_groups; i++)
    if (plan->groups[i] == draft->call.group)
      return i;
  tr_group **groups = realloc(plan->groups, sizeof(*groups) * ((size_t)plan->num_groups + 1));
  if (!groups)
    return -1;
  plan->groups = groups;
  plan->bytes += sizeof(*groups);
  groups[plan->num_groups] = draft->call.group;
  return plan->num_groups++;
}

static tessera_status add_job(tr_draft *draft, tr_job *job) {
  tr_plan *plan = draft->plan;
  int32_t group = find_group(draft);
  tr_job_step *step =
      group < 0 ? NULL : tr_plan_add(plan, sizeof(*step), tr_step_job, tr_step_finish_job);
  if (!step) {
    tr_job_free(job);
    return tr_draft_no_memory();
  }
  step->job = job;
  step->group = group;
  step->scratch = tr_draft_memory(draft, job->scratch_bytes);
  plan->bytes += sizeof(*job) + job->state_bytes; /* about */
  if (plan->state_bytes < job->state_bytes)
    plan->state_bytes = job->state_bytes;
  return TESSERA_OK;
}

/* ---- the backend's own collectives ----------------------------------------------------------- */

void tr_draft_describe_parts(const tr_draft *draft, size_t row, const int64_t *starts,
                             tr_collective *what) {
  int32_t size = draft->call.group->size;
  what->whole = row * (size_t)starts[size];
  what->part = what->whole / (size_t)size;
  what->is_even = tr_draft_is_even(draft, starts);
}

void tr_draft_describe_whole(const tr_view *view, tr_collective *what) {
  what->whole = what->part = tr_view_bytes(view);
  what->is_even = what->is_joined = true;
}

/* True unless members' parts lie behind each other in the program's own memory. */
static bool needs_copy(const tr_parts *parts) {
  bool joins = !parts->starts || tr_view_joins(parts->view, parts->axis);
  return !joins || !tr_view_is_dense(parts->view);
}

static tr_side side_of(tr_draft *draft, const tr_parts *parts) {
  tr_side side = {.data = NULL};
  if (!parts)
    return side;
  side.row = parts->starts ? tr_view_row(parts->view, parts->axis) : tr_view_bytes(parts->view);
  side.rows = parts->starts ? parts->starts[draft->call.group->size] : 1;
  side.starts = parts->starts;
  side.data =
      needs_copy(parts) ? tr_draft_memory(draft, tr_view_bytes(parts->view)) : parts->view->data;
  return side;
}

typedef enum packing { PACK, UNPACK } packing;

/* Parts in dense memory behind each other, and back. */
static tessera_status copy_parts(tr_draft *draft, const tr_parts *parts, char *dense,
                                 packing packing) {
  tessera_status status = TESSERA_OK;
  if (!parts || !needs_copy(parts))
    return TESSERA_OK;
  for (int32_t i = 0; !status && i < (parts->starts ? draft->call.group->size : 1); i++) {
    tr_view packed, part;
    if (parts->starts)
      tr_part(parts, i, &part);
    else
      tr_view_assign(&part, parts->view);
    tr_view_dense(dense, &part, &packed);
    status = packing == PACK ? tr_draft_copy(draft, &part, &packed)
                             : tr_draft_copy(draft, &packed, &part);
    dense += tr_view_bytes(&part);
  }
  return status;
}

typedef tessera_status plan_function(tr_world *world, const tr_group *group,
                                     const tr_collective *what, tr_job **job);

static tessera_status plan_by(plan_function *function, tr_draft *draft, const tr_parts *in,
                              const tr_parts *out, tr_collective *what) {
  tr_world *world = &draft->call.context->world;
  size_t scratch = draft->plan->scratch_bytes;
  tr_job *job;
  if (draft->call.group->size == 1 || !function ||
      (draft->manner == TR_PENDING && !world->backend->starts_collectives))
    return TESSERA_ERROR_UNSUPPORTED;
  what->kind = (tessera_site_kind)draft->call.site->kind;
  what->in = side_of(draft, in);
  what->out = side_of(draft, out);
  tessera_status status = function(world, draft->call.group, what, &job);
  if (status) {
    draft->plan->scratch_bytes = scratch;
    return status;
  }
  status = copy_parts(draft, in, what->in.data, PACK);
  if (status) {
    tr_job_free(job);
    return status;
  }
  status = add_job(draft, job);
  return status ? status : copy_parts(draft, out, what->out.data, UNPACK);
}

tessera_status tr_draft_natively(tr_draft *draft, const tr_parts *in, const tr_parts *out,
                                 tr_collective *what) {
  return plan_by(draft->call.context->world.backend->plan_collective, draft, in, out, what);
}

tessera_status tr_draft_in_order(tr_draft *draft, const tr_parts *in, const tr_parts *out,
                                 const tr_combination *combination, tr_collective *what) {
  what->combination = combination;
  what->view = in->view;
  return plan_by(draft->call.context->world.backend->plan_reduction, draft, in, out, what);
}

/* ---- messages -------------------------------------------------------------------------------- */

tessera_status tr_batch_start(const tr_draft *draft, int64_t most, tr_batch *batch) {
  batch->count = 0;
  batch->messages = tr_call_memory(&draft->call, sizeof(tr_message) * (size_t)most);
  return batch->messages ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
}

tessera_status tr_batch_start_all(const tr_draft *draft, tr_batch *batch) {
  return tr_batch_start(draft, 2 * (int64_t)draft->call.group->size, batch);
}

void tr_batch_add(tr_batch *batch, tr_direction direction, int32_t peer, const tr_view *view) {
  tr_message *message = &batch->messages[batch->count++];
  message->direction = direction;
  message->peer = peer;
  tr_view_assign(&message->view, view);
}

tessera_status tr_batch_copy(tr_draft *draft, tr_batch *batch, const tr_view *from,
                             const tr_view *to) {
  int32_t self = draft->call.group->self;
  if (draft->call.group->size == 1) /* which sends nothing */
    return tr_draft_copy(draft, from, to);
  if (tr_view_elements(from) == 0 || from->data == to->data)
    return TESSERA_OK;
  tr_batch_add(batch, TR_SEND, self, from);
  tr_batch_add(batch, TR_RECEIVE, self, to);
  return TESSERA_OK;
}

static void count_received(tr_draft *draft, const tr_batch *batch) {
  for (int64_t i = 0; i < batch->count; i++)
    if (batch->messages[i].direction == TR_RECEIVE &&
        batch->messages[i].peer != draft->call.group->self)
      draft->plan->received += tr_view_bytes(&batch->messages[i].view);
}

tessera_status tr_batch_end(tr_draft *draft, const tr_batch *batch) {
  tr_world *world = &draft->call.context->world;
  tr_group *group = draft->call.group;
  tr_job *job;
  if (find_group(draft) < 0) /* which others use, if this rank has nothing to send or receive */
    return tr_draft_no_memory();
  if (batch->count == 0)
    return TESSERA_OK;
  count_received(draft, batch);
  tessera_status status =
      world->backend->plan_transfer(world, group, batch->messages, batch->count, &job);
  return status ? status : add_job(draft, job);
}

tessera_status tr_batch_end_together(tr_draft *draft, const tr_batch *batch) {
  tr_world *world = &draft->call.context->world;
  tr_group *group = draft->call.group;
  tr_job *job;
  if (group->size == 1 || draft->manner == TR_PENDING || !world->backend->plan_exchange)
    return tr_batch_end(draft, batch);
  tessera_status status =
      world->backend->plan_exchange(world, group, batch->messages, batch->count, &job);
  if (status)
    return status == TESSERA_ERROR_UNSUPPORTED ? tr_batch_end(draft, batch) : status;
  count_received(draft, batch);
  return add_job(draft, job);
}
