/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that reduce: all_reduce, reduce_scatter, reduce.
 * Members' values are combined in group order, so results do not depend on timing; it must not know
 * kernels or how messages travel. */
#include "collectives/reduce.h"
#include "collectives/call.h"
#include "collectives/reduction.h"
#include "collectives/repeat.h"
#include "collectives/tree.h"
#include "devices/host/host.h"
#include "dtype.h"

/* Up to here every member gets every value and reduces it all: one step instead of two. Parts that
 * members reduce for the others are not smaller than LEAST_PART. */
enum { GATHER_LIMIT = 1 << 16, LEAST_PART = 1 << 12 };

/* ---- combining members' pieces -----------------------------------------------------------------
 */

/* Its last place is the result's, those before are members' pieces. */
typedef struct combine_step {
  tr_step step;
  tr_combination what;
} combine_step;

static tessera_status combine_again(tessera_context *context, const tessera_site *site,
                                    tr_step *step) {
  (void)context;
  (void)site;
  combine_step *again = (combine_step *)step;
  tr_host_combine(&again->what, step->data, step->data[again->what.members]);
  return TESSERA_OK;
}

static void combine(tr_call *call, const tr_combination *reducer, char *const *pieces,
                    int64_t count, char *output) {
  int32_t members = call->group->size;
  tr_combination what = *reducer;
  what.members = members;
  what.count = count;
  what.divisor = reducer->reduction == TESSERA_AVERAGE ? members : 0;
  tr_host_combine(&what, pieces, output);
  combine_step *step = tr_repeat_step(call, sizeof(*step), combine_again, (int64_t)members + 1);
  if (!step)
    return;
  step->what = what;
  size_t bytes = (size_t)count * tessera_dtype_size(reducer->input);
  for (int32_t i = 0; i < members; i++)
    tr_repeat_place(call, step, i, pieces[i], bytes);
  tr_repeat_place(call, step, members, output, bytes);
}

/* An address in scratch memory for a piece of every member, this rank's own one excepted. */
static char **piece_addresses(const tr_call *call, char *own, size_t bytes) {
  int32_t size = call->group->size;
  size_t step = (bytes + 63) / 64 * 64;
  char **pieces = tr_call_memory(call, sizeof(char *) * (size_t)size);
  char *memory = tr_call_memory(call, step * (size_t)(size - 1));
  if (!pieces || !memory)
    return NULL;
  for (int32_t i = 0; i < size; i++) {
    pieces[i] = i == call->group->self ? own : memory;
    memory += i == call->group->self ? 0 : step;
  }
  return pieces;
}

static tessera_status find_reducer(const tr_call *call, tr_combination *reducer) {
  return tr_reduction_find(call->site, reducer);
}

/* What is wider than the result is brought to the result's type first, and travels as such. */
static tessera_status narrow_input(tr_call *call, tr_combination *reducer, tr_view *from) {
  if (!tr_narrows(reducer->input, reducer->output))
    return TESSERA_OK;
  tr_view dense;
  tr_repeat_forget(call);
  tessera_status status = tr_call_dense(call, from, &dense);
  if (status)
    return status;
  tr_view shape;
  tr_view_assign(&shape, &dense);
  shape.element = (int32_t)tessera_dtype_size(reducer->output);
  void *memory = tr_call_memory(call, tr_view_bytes(&shape));
  if (!memory)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_host_convert(reducer->input, dense.data, reducer->output, memory, tr_view_elements(&dense));
  tr_view_dense(memory, &shape, from);
  reducer->input = reducer->output;
  return TESSERA_OK;
}

/* ---- all_reduce -------------------------------------------------------------------------------
 */

/* Everyone sends everything to everyone. */
static tessera_status reduce_gathered(tr_call *call, const tr_combination *reducer,
                                      const tr_view *from, const tr_view *to) {
  char **pieces = piece_addresses(call, from->data, tr_view_bytes(from));
  tr_view flat;
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  if (status || !pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  int64_t count = tr_view_elements(from);
  for (int32_t i = 0; i < call->group->size; i++) {
    if (i == call->group->self)
      continue;
    tr_batch_add(&batch, TR_SEND, i, from);
    tr_view_dense(pieces[i], from, &flat);
    tr_batch_add(&batch, TR_RECEIVE, i, &flat);
  }
  status = tr_batch_run(call, &batch);
  if (!status)
    combine(call, reducer, pieces, count, to->data);
  return status;
}

/* The flat elements that a member reduces. */
static tr_view flat_part(char *data, size_t element, const int64_t *starts, int32_t member) {
  tr_view view;
  tr_view_flat(data + (size_t)starts[member] * element, element,
               starts[member + 1] - starts[member], &view);
  return view;
}

static tessera_status scatter_parts(tr_call *call, const tr_combination *reducer,
                                    const tr_view *from, const int64_t *starts, char *output) {
  int32_t self = call->group->self;
  size_t in_size = (size_t)from->element;
  tr_view own = flat_part(from->data, in_size, starts, self);
  char **pieces = piece_addresses(call, own.data, tr_view_bytes(&own));
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  if (status || !pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < call->group->size; i++) {
    if (i == self)
      continue;
    tr_view sent = flat_part(from->data, in_size, starts, i), received;
    tr_batch_add(&batch, TR_SEND, i, &sent);
    tr_view_flat(pieces[i], in_size, own.sizes[0], &received);
    tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  status = tr_batch_run(call, &batch);
  if (!status)
    combine(call, reducer, pieces, own.sizes[0], output);
  return status;
}

static tessera_status gather_parts(tr_call *call, const tr_view *to, const int64_t *starts) {
  int32_t self = call->group->self;
  tr_view own = flat_part(to->data, (size_t)to->element, starts, self);
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  for (int32_t i = 0; !status && i < call->group->size; i++) {
    if (i == self)
      continue;
    tr_view received = flat_part(to->data, (size_t)to->element, starts, i);
    tr_batch_add(&batch, TR_SEND, i, &own);
    tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  return status ? status : tr_batch_run(call, &batch);
}

/* Along a tree: in the same order whatever the timing, and in group order, but not one after the
 * other. What travels has the accumulator's type. */
static tessera_status reduce_along_tree(tr_call *call, const tr_combination *reducer,
                                        const tr_view *from, const tr_view *to) {
  size_t element = tessera_dtype_size(reducer->accumulator);
  int64_t count = tr_view_elements(from);
  char *sum = tr_call_memory(call, element * (size_t)count);
  char *theirs = tr_call_memory(call, element * (size_t)count);
  tr_view sum_view, their_view;
  if (!sum || !theirs)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_repeat_forget(call);
  tr_view_flat(sum, element, count, &sum_view);
  tr_view_flat(theirs, element, count, &their_view);
  tr_host_convert(reducer->input, from->data, reducer->accumulator, sum, count);
  tessera_status status = TESSERA_OK;
  int32_t self = call->group->self, step = 1;
  for (int32_t child; !status && (child = tr_tree_child(call, step)) >= 0; step *= 2) {
    status = tr_tree_pass(call, TR_RECEIVE, child, &their_view);
    tr_combination what = {reducer->accumulator,
                           reducer->accumulator,
                           reducer->accumulator,
                           reducer->reduction,
                           2,
                           0,
                           count};
    if (!status)
      tr_host_combine(&what, (char *const[]){sum, theirs}, sum);
  }
  if (!status && self > 0)
    status = tr_tree_pass(call, TR_SEND, tr_tree_parent(call), &sum_view);
  if (status)
    return status;
  tr_combination last = {
      reducer->accumulator, reducer->accumulator, reducer->output, reducer->reduction, 1, 0, count};
  if (reducer->reduction == TESSERA_AVERAGE)
    last.divisor = call->group->size;
  if (self == 0)
    tr_host_combine(&last, &sum, to->data);
  return tr_tree_broadcast(call, to, 0);
}

/* Each member reduces one part for all, then the parts are gathered. */
static tessera_status reduce_in_parts(tr_call *call, const tr_combination *reducer,
                                      const tr_view *from, const tr_view *to) {
  int64_t *starts = tr_call_starts(call);
  if (!starts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_call_balanced(call, tr_view_elements(from), starts);
  char *own = to->data + (size_t)starts[call->group->self] * (size_t)to->element;
  tessera_status status = scatter_parts(call, reducer, from, starts, own);
  return status ? status : gather_parts(call, to, starts);
}

/* The backend's own reductions may add in another order each time, and know no conversions. */
static bool may_reduce_natively(const tr_call *call, const tr_combination *reducer) {
  return reducer->input == reducer->output && reducer->accumulator == reducer->output &&
         !call->context->same_bits;
}

/* `to` is NULL on members that get no result. */
static tessera_status reduce_natively(tr_call *call, const tr_combination *reducer, int32_t root,
                                      const tr_view *from, const tr_view *to) {
  tr_parts in = {from, 0, NULL}, out = {to, 0, NULL};
  tr_collective native = {.in = &in,
                          .out = to ? &out : NULL,
                          .root = root,
                          .type = reducer->output,
                          .reduction = reducer->reduction};
  if (!may_reduce_natively(call, reducer))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_call_describe_whole(from, &native);
  return tr_call_natively(call, &native);
}

static tessera_status reduce_dense(tr_call *call, const tr_combination *reducer,
                                   const tr_view *from, const tr_view *to) {
  size_t bytes = tr_view_bytes(from);
  if (call->group->size == 1) {
    char *pieces[1] = {from->data};
    combine(call, reducer, pieces, tr_view_elements(from), to->data);
    return TESSERA_OK;
  }
  tessera_status status = reduce_natively(call, reducer, 0, from, to);
  if (status != TESSERA_ERROR_UNSUPPORTED)
    return status;
  size_t least_in_parts = LEAST_PART * (size_t)call->group->size;
  if (bytes > GATHER_LIMIT && bytes > least_in_parts)
    return reduce_in_parts(call, reducer, from, to);
  return call->group->size > TR_TREE_ABOVE ? reduce_along_tree(call, reducer, from, to)
                                           : reduce_gathered(call, reducer, from, to);
}

static tessera_status all_reduce(tr_call *call) {
  tr_combination reducer;
  tr_view from, to, dense_from, dense_to;
  tessera_status status = find_reducer(call, &reducer);
  if (!status)
    status = tr_call_views(call, call->in, call->out, -1, -1, &from, &to);
  if (!status)
    status = tr_call_check(call, &from, -1, -1);
  if (!status)
    status = narrow_input(call, &reducer, &from);
  if (!status)
    status = tr_call_dense(call, &from, &dense_from);
  if (!status)
    status = tr_call_dense_target(call, &to, &dense_to);
  if (!status)
    status = reduce_dense(call, &reducer, &dense_from, &dense_to);
  if (status)
    return status;
  tr_call_copy(call, &dense_to, &to);
  /* By the common count, whichever way it went. */
  uint64_t size = (uint64_t)call->group->size;
  call->received = 2 * tr_view_bytes(&from) * (size - 1) / size;
  return TESSERA_OK;
}

void tessera_rt_all_reduce(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, all_reduce);
}

tessera_status tr_all_reduce_within(tessera_context *context, const tessera_site *site,
                                    const void *in, const void *out) {
  tr_call call;
  tessera_status status = tr_call_begin_within(context, site, &call);
  call.in = in;
  call.out = out;
  return tr_call_end_within(&call, status ? status : all_reduce(&call));
}

/* ---- reduce_scatter ---------------------------------------------------------------------------
 */

static tessera_status scatter_natively(tr_call *call, const tr_combination *reducer,
                                       const tr_parts *parts, const tr_view *to) {
  tr_parts own = {to, parts->axis, NULL};
  tr_collective native = {.in = parts,
                          .out = &own,
                          .is_joined = tr_view_joins(parts->view, parts->axis),
                          .type = reducer->output,
                          .reduction = reducer->reduction};
  if (!may_reduce_natively(call, reducer))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_call_describe(call, tr_view_row(parts->view, parts->axis), parts->starts, &native);
  return tr_call_natively(call, &native);
}

static tessera_status reduce_rows(tr_call *call, const tr_combination *reducer,
                                  const tr_parts *parts, const tr_view *to) {
  int32_t size = call->group->size, self = call->group->self;
  tr_view own, dense_own, dense_to;
  tr_batch batch;
  tr_part(parts, self, &own);
  tessera_status status = tr_call_dense_target(call, &own, &dense_own);
  if (!status)
    status = tr_call_dense_target(call, to, &dense_to);
  if (!status)
    status = tr_batch_start_all(call, &batch);
  if (status)
    return status;
  char **pieces = piece_addresses(call, dense_own.data, tr_view_bytes(&own));
  if (!pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_batch_copy(call, &batch, &own, &dense_own);
  for (int32_t i = 0; i < size; i++) {
    if (i == self)
      continue;
    tr_view sent, received;
    tr_part(parts, i, &sent);
    tr_batch_add(&batch, TR_SEND, i, &sent);
    tr_view_dense(pieces[i], &own, &received);
    tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  status = tr_batch_run(call, &batch);
  if (status)
    return status;
  combine(call, reducer, pieces, tr_view_elements(&own), dense_to.data);
  tr_call_copy(call, &dense_to, to);
  return TESSERA_OK;
}

static tessera_status reduce_scatter(tr_call *call) {
  int32_t axis = call->site->axis;
  const int64_t *starts;
  tr_combination reducer;
  tr_view from, to;
  tessera_status status = find_reducer(call, &reducer);
  if (!status)
    status = tr_call_views(call, call->in, call->out, axis, -1, &from, &to);
  if (!status)
    status = tr_call_check(call, &from, -1, -1);
  if (!status)
    status = narrow_input(call, &reducer, &from);
  if (!status)
    status = tr_call_shards(call, from.sizes[axis], to.sizes[axis], &starts);
  if (status)
    return status;
  tr_parts parts = {&from, axis, starts};
  status = scatter_natively(call, &reducer, &parts, &to);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return reduce_rows(call, &reducer, &parts, &to);
  /* By the common count. */
  uint64_t own = (uint64_t)to.sizes[axis] * tr_view_row(&from, axis);
  call->received = own * (uint64_t)(call->group->size - 1);
  return status;
}

void tessera_rt_reduce_scatter(const tessera_site *site, tessera_stream *stream, const void *in,
                               const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, reduce_scatter);
}

/* ---- reduce -----------------------------------------------------------------------------------
 */

/* The root receives every member's values and combines them. */
static tessera_status reduce_by_messages(tr_call *call, const tr_combination *reducer, int32_t root,
                                         const tr_view *from, const tr_view *to) {
  tr_view received;
  tr_batch batch;
  bool is_root = call->group->self == root;
  tessera_status status = tr_batch_start(call, is_root ? call->group->size : 1, &batch);
  if (status)
    return status;
  if (!is_root) {
    tr_batch_add(&batch, TR_SEND, root, from);
    return tr_batch_run(call, &batch);
  }
  char **pieces = piece_addresses(call, from->data, tr_view_bytes(from));
  if (!pieces)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view_dense(pieces[i], from, &received);
    if (i != root)
      tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  status = tr_batch_run(call, &batch);
  if (!status)
    combine(call, reducer, pieces, tr_view_elements(from), to->data);
  return status;
}

/* On dense memory; `to` counts on the root alone. */
static tessera_status reduce_to_root(tr_call *call, const tr_combination *reducer, int32_t root,
                                     const tr_view *from, const tr_view *to) {
  bool is_root = call->group->self == root;
  tessera_status status = reduce_natively(call, reducer, root, from, is_root ? to : NULL);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return reduce_by_messages(call, reducer, root, from, to);
  if (is_root) /* by the common count, whichever way it went */
    call->received = tr_view_bytes(from) * (size_t)(call->group->size - 1);
  return status;
}

static tessera_status reduce(tr_call *call) {
  int32_t to_member;
  tr_combination reducer;
  tr_view from, to, dense_from, dense_to;
  tessera_status status = find_reducer(call, &reducer);
  if (!status)
    status = tr_call_root(call, &to_member);
  if (status)
    return status;
  bool is_root = to_member == call->group->self;
  call->ignores_out = !is_root;
  status = is_root ? tr_call_views(call, call->in, call->out, -1, -1, &from, &to)
                   : tr_call_input(call, call->in, &from);
  if (!status)
    status = tr_call_check(call, &from, -1, to_member);
  if (!status)
    status = narrow_input(call, &reducer, &from);
  if (!status)
    status = tr_call_dense(call, &from, &dense_from);
  if (!status && is_root)
    status = tr_call_dense_target(call, &to, &dense_to);
  if (!status)
    status = reduce_to_root(call, &reducer, to_member, &dense_from, &dense_to);
  if (!status && is_root)
    tr_call_copy(call, &dense_to, &to);
  return status;
}

void tessera_rt_reduce(const tessera_site *site, tessera_stream *stream, const void *in,
                       const void *out, const int64_t *root) {
  (void)stream;
  tr_call_run(site, in, out, root, reduce);
}
