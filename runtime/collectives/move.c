/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that move data and compute nothing: gathers, slices, transposes, broadcasts.
 * It must not know element types, nor how messages travel. */
#include <string.h>

#include "collectives/call.h"
#include "collectives/tree.h"
#include "error.h"

/* The rows of dimension `axis` that belong to a member. */
static tr_view rows_of(const tr_view *view, int32_t axis, const int64_t *starts, int32_t member) {
  tr_view rows;
  tr_view_assign(&rows, view);
  tr_view_narrow(&rows, axis, starts[member], starts[member + 1] - starts[member]);
  return rows;
}

/* ---- all_gather -------------------------------------------------------------------------------
 */

static tessera_status gather_by_messages(tr_call *call, const tr_view *from, const tr_view *to,
                                         const int64_t *starts) {
  int32_t self = call->group->self;
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  if (status)
    return status;
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view rows = rows_of(to, call->site->axis, starts, i);
    if (i == self) {
      tr_view_copy(from, &rows);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, from);
    tr_batch_add(&batch, TR_RECEIVE, i, &rows);
  }
  return tr_batch_run(call, &batch);
}

/* The bytes of one row, if members' rows lie behind each other in a dense result; else 0. All
 * members see the same: the extents of other dimensions are common. */
static size_t joined_row(const tr_view *whole, int32_t axis) {
  size_t bytes = (size_t)whole->element;
  for (int32_t i = 0; i < whole->rank; i++)
    if (i < axis && whole->sizes[i] != 1)
      return 0;
    else if (i > axis)
      bytes *= (size_t)whole->sizes[i];
  return bytes;
}

static tessera_status gather_natively(tr_call *call, const tr_view *from, const tr_view *to,
                                      const int64_t *starts) {
  tr_world *world = &call->context->world;
  size_t row = joined_row(to, call->site->axis);
  tr_view dense_from, dense_to;
  if (row == 0 || call->group->size == 1 || !world->backend->all_gather)
    return TESSERA_ERROR_UNSUPPORTED;
  tessera_status status = tr_call_dense(call, from, &dense_from);
  if (!status)
    status = tr_call_dense_target(call, to, &dense_to);
  if (!status)
    status =
        world->backend->all_gather(world, call->group, dense_from.data, dense_to.data, row, starts);
  if (status)
    return status;
  tr_view_copy(&dense_to, to);
  call->received = tr_view_bytes(to) - tr_view_bytes(from);
  return TESSERA_OK;
}

static tessera_status all_gather(tr_call *call, const void *in, const void *out) {
  int32_t axis = call->site->axis;
  const int64_t *starts;
  tr_view from, to;
  tessera_status status = tr_call_views(call, in, out, axis, -1, &from, &to);
  if (!status)
    status = tr_call_check(call, &to, -1, -1);
  if (!status)
    status = tr_call_shards(call, to.sizes[axis], from.sizes[axis], &starts);
  if (status)
    return status;
  status = gather_natively(call, &from, &to, starts);
  return status == TESSERA_ERROR_UNSUPPORTED ? gather_by_messages(call, &from, &to, starts)
                                             : status;
}

void tessera_rt_all_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : all_gather(&call, in, out));
}

/* ---- all_slice --------------------------------------------------------------------------------
 */

static tessera_status all_slice(tr_call *call, const void *in, const void *out) {
  int32_t axis = call->site->axis;
  const int64_t *starts;
  tr_view from, to;
  tessera_status status = tr_call_views(call, in, out, axis, -1, &from, &to);
  if (!status && call->site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_call_check(call, &from, -1, -1);
  if (!status)
    status = tr_call_shards(call, from.sizes[axis], to.sizes[axis], &starts);
  if (status)
    return status;
  tr_view rows = rows_of(&from, axis, starts, call->group->self);
  tr_view_copy(&rows, &to);
  return TESSERA_OK;
}

void tessera_rt_all_slice(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : all_slice(&call, in, out));
}

/* ---- all_to_all -------------------------------------------------------------------------------
 */

/* Where both axes are one, member i sends its i-th piece of it, and the pieces that come back need
 * not have one size: what each member cut has to be known. */
static tessera_status same_axis_cuts(const tr_call *call, const tr_view *from, int64_t *gathered) {
  const tr_group *group = call->group;
  int64_t *sizes = tr_call_memory(call, sizeof(int64_t) * (size_t)group->size);
  int64_t *cuts = tr_call_memory(call, sizeof(int64_t) * ((size_t)group->size + 1));
  if (!sizes || !cuts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = tr_call_agree(call, from->sizes[call->site->axis], sizes);
  gathered[0] = 0;
  for (int32_t i = 0; !status && i < group->size; i++) {
    tr_call_balanced(call, sizes[i], cuts);
    gathered[i + 1] = gathered[i] + cuts[group->self + 1] - cuts[group->self];
  }
  return status;
}

/* Pieces of the split axis are balanced; those of the concat axis are what members bring. */
static tessera_status transpose_cuts(const tr_call *call, const tr_view *from, const tr_view *to,
                                     int64_t *cut, const int64_t **gathered) {
  int32_t split = call->site->axis, concat = call->site->concat_axis;
  int32_t self = call->group->self, size = call->group->size;
  tr_call_balanced(call, from->sizes[split], cut);
  if (split != concat) {
    if (to->sizes[split] != cut[self + 1] - cut[self])
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "of %lld rows over %d ranks, number %d has %lld, not %lld",
                     (long long)from->sizes[split], size, self,
                     (long long)(cut[self + 1] - cut[self]), (long long)to->sizes[split]);
    return tr_call_shards(call, to->sizes[concat], from->sizes[concat], gathered);
  }
  int64_t *starts = tr_call_memory(call, sizeof(int64_t) * ((size_t)size + 1));
  if (!starts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = same_axis_cuts(call, from, starts);
  if (!status && starts[size] != to->sizes[concat])
    status = tr_fail(TESSERA_ERROR_MISMATCH, "%lld rows arrive where %lld were expected",
                     (long long)starts[size], (long long)to->sizes[concat]);
  *gathered = starts;
  return status;
}

static tessera_status all_to_all(tr_call *call, const void *in, const void *out) {
  int32_t split = call->site->axis, concat = call->site->concat_axis, self = call->group->self;
  const int64_t *gathered;
  tr_view from, to;
  tr_batch batch;
  tessera_status status = tr_call_views(call, in, out, split, concat, &from, &to);
  int64_t *cut = tr_call_memory(call, sizeof(int64_t) * ((size_t)call->group->size + 1));
  if (!status && !cut)
    status = TESSERA_ERROR_OUT_OF_MEMORY;
  if (!status)
    status = tr_call_check(call, &from, concat, -1);
  if (!status)
    status = transpose_cuts(call, &from, &to, cut, &gathered);
  if (!status)
    status = tr_batch_start_all(call, &batch);
  if (status)
    return status;
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view sent = rows_of(&from, split, cut, i), received = rows_of(&to, concat, gathered, i);
    if (i == self) {
      tr_view_copy(&sent, &received);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, &sent);
    tr_batch_add(&batch, TR_RECEIVE, i, &received);
  }
  return tr_batch_run(call, &batch);
}

void tessera_rt_all_to_all(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : all_to_all(&call, in, out));
}

/* Off the root the side that only the root has is not looked at: it may have any extents. */
static tessera_status root_views(const tr_call *call, bool is_root, int32_t axis, const void *in,
                                 const void *out, tr_view *from, tr_view *to) {
  if (is_root)
    return tr_call_views(call, in, out, axis, -1, from, to);
  tessera_status status = tr_call_input(call, in, from);
  return status ? status : tr_call_output(call, out, to);
}

/* ---- broadcast --------------------------------------------------------------------------------
 */

static tessera_status broadcast_natively(tr_call *call, const tr_view *view, int32_t root) {
  tr_world *world = &call->context->world;
  tr_view dense;
  bool is_root = call->group->self == root;
  if (!world->backend->broadcast || call->group->size == 1)
    return TESSERA_ERROR_UNSUPPORTED;
  tessera_status status =
      is_root ? tr_call_dense(call, view, &dense) : tr_call_dense_target(call, view, &dense);
  if (!status)
    status = world->backend->broadcast(world, call->group, root, dense.data, tr_view_bytes(view));
  if (status || is_root)
    return status;
  tr_view_copy(&dense, view);
  call->received = tr_view_bytes(view);
  return TESSERA_OK;
}

static tessera_status broadcast(tr_call *call, const void *in, const void *out,
                                const int64_t *root) {
  int32_t from_member;
  tr_view from, to;
  tessera_status status = tr_call_position(call, root, &from_member);
  if (!status)
    status = root_views(call, from_member == call->group->self, -1, in, out, &from, &to);
  if (!status)
    status = tr_call_check(call, &to, -1, from_member);
  if (status)
    return status;
  if (from_member == call->group->self)
    tr_view_copy(&from, &to);
  status = broadcast_natively(call, &to, from_member);
  return status == TESSERA_ERROR_UNSUPPORTED ? tr_tree_broadcast(call, &to, from_member) : status;
}

void tessera_rt_broadcast(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out, const int64_t *root) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : broadcast(&call, in, out, root));
}

/* ---- gather and scatter -----------------------------------------------------------------------
 */

/* The cut of the undivided side, which only the root has. Agreed sizes take every member. */
static tessera_status root_shards(const tr_call *call, bool is_root, int64_t full, int64_t mine,
                                  const int64_t **starts) {
  if (is_root)
    return tr_call_shards(call, full, mine, starts);
  if (!(call->site->flags & TESSERA_SITE_LOCAL_SIZES))
    return TESSERA_OK;
  int64_t *all = tr_call_memory(call, sizeof(int64_t) * (size_t)call->group->size);
  return all ? tr_call_agree(call, mine, all) : TESSERA_ERROR_OUT_OF_MEMORY;
}

/* Sends this rank's view to the root, or the root's pieces to their members, or the other way. */
static tessera_status root_exchange(tr_call *call, int32_t root, const tr_view *whole,
                                    const tr_view *piece, const int64_t *starts,
                                    tr_direction of_root) {
  tr_batch batch;
  bool is_root = call->group->self == root;
  tessera_status status = tr_batch_start(call, is_root ? call->group->size : 1, &batch);
  if (status)
    return status;
  if (!is_root) {
    tr_batch_add(&batch, of_root == TR_SEND ? TR_RECEIVE : TR_SEND, root, piece);
    return tr_batch_run(call, &batch);
  }
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view rows = rows_of(whole, call->site->axis, starts, i);
    if (i != root)
      tr_batch_add(&batch, of_root, i, &rows);
    else if (of_root == TR_SEND)
      tr_view_copy(&rows, piece);
    else
      tr_view_copy(piece, &rows);
  }
  return tr_batch_run(call, &batch);
}

static tessera_status gather(tr_call *call, const void *in, const void *out, const int64_t *root) {
  int32_t axis = call->site->axis, to_member;
  const int64_t *starts = NULL;
  tr_view from, to;
  tessera_status status = tr_call_position(call, root, &to_member);
  bool is_root = !status && to_member == call->group->self;
  if (!status)
    status = root_views(call, is_root, axis, in, out, &from, &to);
  if (!status)
    status = tr_call_check(call, &from, axis, to_member);
  if (!status)
    status = root_shards(call, is_root, to.sizes[axis], from.sizes[axis], &starts);
  return status ? status : root_exchange(call, to_member, &to, &from, starts, TR_RECEIVE);
}

void tessera_rt_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                       const void *out, const int64_t *root) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : gather(&call, in, out, root));
}

static tessera_status scatter(tr_call *call, const void *in, const void *out, const int64_t *root) {
  int32_t axis = call->site->axis, from_member;
  const int64_t *starts = NULL;
  tr_view from, to;
  tessera_status status = tr_call_position(call, root, &from_member);
  bool is_root = !status && from_member == call->group->self;
  if (!status)
    status = root_views(call, is_root, axis, in, out, &from, &to);
  if (!status)
    status = tr_call_check(call, &to, axis, from_member);
  if (!status)
    status = root_shards(call, is_root, from.sizes[axis], to.sizes[axis], &starts);
  return status ? status : root_exchange(call, from_member, &from, &to, starts, TR_SEND);
}

void tessera_rt_scatter(const tessera_site *site, tessera_stream *stream, const void *in,
                        const void *out, const int64_t *root) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : scatter(&call, in, out, root));
}
