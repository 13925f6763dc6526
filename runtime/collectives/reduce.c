/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that reduce: all_reduce, reduce_scatter, reduce. By messages, members' values are
 * combined in group order, so results do not depend on timing; it must not know kernels or how
 * messages travel. */
#include "collectives/gather.h"
#include "collectives/over_hosts.h"
#include "collectives/reduction.h"
#include "collectives/tree.h"
#include "plans/jobs.h"
#include "tensors/dtype.h"

/* Up to here every member gets every value and reduces it all: one step instead of two. Parts that
 * members reduce for the others are not smaller than LEAST_PART. */
enum { GATHER_LIMIT = 1 << 16, LEAST_PART = 1 << 12 };

/* ---- combining members' pieces --------------------------------------------------------------- */

/* The reduction of so many elements of every member. */
static tr_combination of_members(const tr_draft *draft, const tr_combination *reduction,
                                 int64_t count) {
  tr_combination what = *reduction;
  what.members = draft->call.group->size;
  what.count = count;
  what.divisor = what.reduction == TESSERA_AVERAGE ? what.members : 0;
  return what;
}

/* A step that combines a piece of every member. */
static tessera_status combine(tr_draft *draft, const tr_combination *reduction, char *const *pieces,
                              int64_t count, char *output) {
  tr_combination what = of_members(draft, reduction, count);
  return tr_draft_combine(draft, &what, pieces, output);
}

/* Places for a piece of every member, this rank's own one excepted. */
static char **piece_places(tr_draft *draft, char *own, size_t bytes) {
  const tr_group *group = draft->call.group;
  char **pieces = tr_call_memory(&draft->call, sizeof(char *) * (size_t)group->size);
  for (int32_t i = 0; pieces && i < group->size; i++)
    pieces[i] = i == group->self ? own : tr_draft_memory(draft, bytes);
  return pieces;
}

/* What is wider than the result is brought to the result's type first, and travels as such. */
static tessera_status narrow_input(tr_draft *draft, tr_combination *reduction) {
  if (!tr_narrows(reduction->input, reduction->output))
    return TESSERA_OK;
  tr_view dense, shape;
  tessera_status status = tr_draft_dense(draft, &draft->from, &dense);
  if (status)
    return status;
  tr_view_assign(&shape, &dense);
  shape.element = (int32_t)tessera_dtype_size(reduction->output);
  char *memory = tr_draft_memory(draft, tr_view_bytes(&shape));
  status = tr_draft_convert(draft, reduction->input, dense.data, reduction->output, memory,
                            tr_view_elements(&dense));
  tr_view_dense(memory, &shape, &draft->from);
  reduction->input = reduction->output;
  return status;
}

static tessera_status begin(tr_draft *draft, tr_combination *reduction) {
  tessera_status status = tr_reduction_find(draft->call.site, reduction);
  return status ? status : narrow_input(draft, reduction);
}

/* ---- all_reduce ------------------------------------------------------------------------------ */

/* Everyone sends everything to everyone. */
static tessera_status reduce_gathered(tr_draft *draft, const tr_combination *reduction,
                                      const tr_view *from, const tr_view *to) {
  char **pieces = piece_places(draft, from->data, tr_view_bytes(from));
  tr_view flat;
  tr_batch batch;
  tessera_status status = tr_batch_start_all(draft, &batch);
  if (status || !pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < draft->call.group->size; i++) {
    if (i == draft->call.group->self)
      continue;
    tr_batch_add(&batch, TR_SEND, i, from);
    tr_view_dense(pieces[i], from, &flat);
    tr_batch_add(&batch, TR_RECEIVE, i, &flat);
  }
  status = tr_batch_end(draft, &batch);
  return status ? status : combine(draft, reduction, pieces, tr_view_elements(from), to->data);
}

/* Everyone sends everyone its part, who combines it into dense `output`. */
static tessera_status scatter_at_once(tr_draft *draft, const tr_combination *reduction,
                                      const tr_parts *parts, char *output) {
  int32_t self = draft->call.group->self;
  tr_view own, dense_own;
  tr_batch batch;
  tr_part(parts, self, &own);
  tr_draft_dense_target(draft, &own, &dense_own);
  char **pieces = piece_places(draft, dense_own.data, tr_view_bytes(&own));
  tessera_status status = tr_batch_start_all(draft, &batch);
  if (status || !pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  status = tr_batch_copy(draft, &batch, &own, &dense_own);
  for (int32_t i = 0; i < draft->call.group->size; i++) {
    if (i == self)
      continue;
    tr_view sent, received;
    tr_part(parts, i, &sent);
    tr_batch_add(&batch, TR_SEND, i, &sent);
    tr_view_dense(pieces[i], &own, &received);
    tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  if (!status)
    status = tr_batch_end(draft, &batch);
  return status ? status : combine(draft, reduction, pieces, tr_view_elements(&own), output);
}

static tessera_status scatter_by_messages(tr_draft *draft, const tr_combination *reduction,
                                          const tr_parts *parts, char *output) {
  tr_combination of_all = of_members(draft, reduction, tr_view_elements(parts->view));
  tessera_status status = tr_scatter_over_hosts(draft, &of_all, parts, output);
  return status == TESSERA_ERROR_UNSUPPORTED ? scatter_at_once(draft, reduction, parts, output)
                                             : status;
}

/* Each member reduces one part for all, then the parts are gathered. */
static tessera_status reduce_in_parts(tr_draft *draft, const tr_combination *reduction,
                                      const tr_view *from, const tr_view *to) {
  int64_t *starts = tr_draft_starts(draft);
  int64_t count = tr_view_elements(from);
  tr_view in, out, own;
  if (!starts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_draft_balance(draft, count, starts);
  tr_view_flat(from->data, (size_t)from->element, count, &in);
  tr_view_flat(to->data, (size_t)to->element, count, &out);
  tr_parts ins = {&in, 0, starts}, outs = {&out, 0, starts};
  tr_part(&outs, draft->call.group->self, &own);
  tessera_status status = scatter_by_messages(draft, reduction, &ins, own.data);
  return status ? status : tr_gather_by_messages(draft, &own, &outs);
}

/* Along a tree: in the same order whatever the timing, and in group order, but not one after the
 * other. What travels has the accumulator's type. */
static tessera_status reduce_along_tree(tr_draft *draft, const tr_combination *reduction,
                                        const tr_view *from, const tr_view *to) {
  const tr_group *group = draft->call.group;
  size_t element = tessera_dtype_size(reduction->accumulator);
  int64_t count = tr_view_elements(from);
  tr_view sum, theirs;
  tr_view_flat(tr_draft_memory(draft, element * (size_t)count), element, count, &sum);
  tr_view_flat(tr_draft_memory(draft, element * (size_t)count), element, count, &theirs);
  tr_combination both = {.input = reduction->accumulator,
                         .accumulator = reduction->accumulator,
                         .output = reduction->accumulator,
                         .reduction = reduction->reduction,
                         .members = 2,
                         .count = count};
  tr_combination last = both;
  last.output = reduction->output;
  last.members = 1;
  last.divisor = reduction->reduction == TESSERA_AVERAGE ? group->size : 0;
  tessera_status status = tr_draft_convert(draft, reduction->input, from->data,
                                           reduction->accumulator, sum.data, count);
  int32_t step = 1;
  for (int32_t child; !status && (child = tr_tree_child(group, step)) >= 0; step *= 2) {
    status = tr_tree_pass(draft, TR_RECEIVE, child, &theirs);
    if (!status)
      status = tr_draft_combine(draft, &both, (char *const[]){sum.data, theirs.data}, sum.data);
  }
  if (!status && group->self > 0)
    status = tr_tree_pass(draft, TR_SEND, tr_tree_parent(group), &sum);
  if (!status && group->self == 0)
    status = tr_draft_combine(draft, &last, &sum.data, to->data);
  return status ? status : tr_tree_broadcast(draft, to, 0);
}

/* The backend's own reductions may add in another order each time, and know no conversions. */
static bool may_reduce_natively(const tr_draft *draft, const tr_combination *reduction) {
  return reduction->input == reduction->output && reduction->accumulator == reduction->output &&
         !draft->call.context->same_bits;
}

/* `to` is NULL on members that get no result. */
static tessera_status reduce_natively(tr_draft *draft, const tr_combination *reduction,
                                      const tr_view *from, const tr_view *to) {
  tr_parts in = {from, 0, NULL}, out = {to, 0, NULL};
  tr_collective native = {
      .root = draft->root, .type = reduction->output, .reduction = reduction->reduction};
  if (!may_reduce_natively(draft, reduction))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_draft_describe_whole(from, &native);
  return tr_draft_natively(draft, &in, to ? &out : NULL, &native);
}

static tessera_status reduce_in_order(tr_draft *draft, const tr_combination *reduction,
                                      const tr_view *from, const tr_view *to) {
  tr_parts in = {from, 0, NULL}, out = {to, 0, NULL};
  tr_combination what = of_members(draft, reduction, tr_view_elements(from));
  tr_collective shared = {.root = draft->root};
  tr_draft_describe_whole(from, &shared);
  return tr_draft_in_order(draft, &in, &out, &what, &shared);
}

static tessera_status reduce_dense(tr_draft *draft, const tr_combination *reduction,
                                   const tr_view *from, const tr_view *to) {
  size_t bytes = tr_view_bytes(from), size = (size_t)draft->call.group->size;
  if (size == 1)
    return combine(draft, reduction, &from->data, tr_view_elements(from), to->data);
  tessera_status status = reduce_in_order(draft, reduction, from, to);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    status = reduce_natively(draft, reduction, from, to);
  if (status != TESSERA_ERROR_UNSUPPORTED)
    return status;
  if (bytes > GATHER_LIMIT && bytes > LEAST_PART * size)
    return reduce_in_parts(draft, reduction, from, to);
  return size > TR_TREE_ABOVE ? reduce_along_tree(draft, reduction, from, to)
                              : reduce_gathered(draft, reduction, from, to);
}

tessera_status tr_meet_all_reduce(tr_draft *draft) {
  return tr_draft_compare(draft, &draft->from, -1, -1);
}

tessera_status tr_plan_all_reduce(tr_draft *draft) {
  tr_combination reduction;
  tr_view from, to;
  tessera_status status = begin(draft, &reduction);
  if (!status && draft->call.group->size == 1 && reduction.input == reduction.output)
    return tr_draft_copy(draft, &draft->from, &draft->to); /* nothing, where it is in place */
  if (!status)
    status = tr_draft_dense(draft, &draft->from, &from);
  if (status)
    return status;
  tr_draft_dense_target(draft, &draft->to, &to);
  status = reduce_dense(draft, &reduction, &from, &to);
  if (status)
    return status;
  /* By the common count, whichever way it went. */
  uint64_t size = (uint64_t)draft->call.group->size;
  draft->plan->received = 2 * tr_view_bytes(&from) * (size - 1) / size;
  return tr_draft_copy(draft, &to, &draft->to);
}

/* ---- reduce_scatter -------------------------------------------------------------------------- */

tessera_status tr_meet_reduce_scatter(tr_draft *draft) {
  tessera_status status = tr_draft_compare(draft, &draft->from, -1, -1);
  if (!status && draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_draft_agree(draft, draft->to.sizes[draft->call.site->axis]);
  return status;
}

static tessera_status scatter_natively(tr_draft *draft, const tr_combination *reduction,
                                       const tr_parts *parts) {
  tr_parts own = {&draft->to, parts->axis, NULL};
  tr_collective native = {.is_joined = tr_view_joins(parts->view, parts->axis),
                          .type = reduction->output,
                          .reduction = reduction->reduction};
  if (!may_reduce_natively(draft, reduction))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_draft_describe_parts(draft, tr_view_row(parts->view, parts->axis), parts->starts, &native);
  return tr_draft_natively(draft, parts, &own, &native);
}

static tessera_status scatter_in_order(tr_draft *draft, const tr_combination *reduction,
                                       const tr_parts *parts) {
  tr_parts own = {&draft->to, parts->axis, NULL};
  tr_combination what = of_members(draft, reduction, tr_view_elements(parts->view));
  tr_collective shared = {.is_joined = tr_view_joins(parts->view, parts->axis)};
  tr_draft_describe_parts(draft, tr_view_row(parts->view, parts->axis), parts->starts, &shared);
  return tr_draft_in_order(draft, parts, &own, &what, &shared);
}

tessera_status tr_plan_reduce_scatter(tr_draft *draft) {
  int32_t axis = draft->call.site->axis;
  const int64_t *starts;
  tr_combination reduction;
  tessera_status status = begin(draft, &reduction);
  if (!status)
    status = tr_draft_shards(draft, draft->from.sizes[axis], draft->to.sizes[axis], &starts);
  if (status)
    return status;
  tr_parts parts = {&draft->from, axis, starts};
  status = scatter_in_order(draft, &reduction, &parts);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    status = scatter_natively(draft, &reduction, &parts);
  if (status == TESSERA_ERROR_UNSUPPORTED) {
    tr_view to;
    tr_draft_dense_target(draft, &draft->to, &to);
    status = scatter_by_messages(draft, &reduction, &parts, to.data);
    if (!status)
      status = tr_draft_copy(draft, &to, &draft->to);
  }
  /* By the common count. */
  uint64_t own = (uint64_t)draft->to.sizes[axis] * tr_view_row(&draft->from, axis);
  draft->plan->received = own * (uint64_t)(draft->call.group->size - 1);
  return status;
}

/* ---- reduce ---------------------------------------------------------------------------------- */

tessera_status tr_meet_reduce(tr_draft *draft) {
  return tr_draft_compare(draft, &draft->from, -1, draft->root);
}

/* The root receives every member's values and combines them. */
static tessera_status reduce_by_messages(tr_draft *draft, const tr_combination *reduction,
                                         const tr_view *from, const tr_view *to) {
  const tr_group *group = draft->call.group;
  tr_batch batch;
  if (group->self != draft->root)
    return tr_tree_pass(draft, TR_SEND, draft->root, from);
  char **pieces = piece_places(draft, from->data, tr_view_bytes(from));
  tessera_status status = tr_batch_start(draft, group->size, &batch);
  if (status || !pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < group->size; i++) {
    tr_view received;
    tr_view_dense(pieces[i], from, &received);
    if (i != draft->root)
      tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  status = tr_batch_end(draft, &batch);
  return status ? status : combine(draft, reduction, pieces, tr_view_elements(from), to->data);
}

tessera_status tr_plan_reduce(tr_draft *draft) {
  bool is_root = draft->call.group->self == draft->root;
  tr_combination reduction;
  tr_view from, to;
  tessera_status status = begin(draft, &reduction);
  if (!status)
    status = tr_draft_dense(draft, &draft->from, &from);
  if (status)
    return status;
  if (is_root)
    tr_draft_dense_target(draft, &draft->to, &to);
  status = reduce_natively(draft, &reduction, &from, is_root ? &to : NULL);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    status = reduce_by_messages(draft, &reduction, &from, &to);
  else if (is_root) /* by the common count, whichever way it went */
    draft->plan->received = tr_view_bytes(&from) * (size_t)(draft->call.group->size - 1);
  return status || !is_root ? status : tr_draft_copy(draft, &to, &draft->to);
}
