/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that move data and compute nothing: gathers, slices, transposes, broadcasts.
 * It must not know element types, nor how messages travel. */
#include <string.h>

#include "collectives/call.h"
#include "collectives/repeat.h"
#include "collectives/tree.h"
#include "error.h"

/* ---- all_gather -------------------------------------------------------------------------------
 */

static tessera_status gather_by_messages(tr_call *call, const tr_view *from,
                                         const tr_parts *parts) {
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  if (status)
    return status;
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view rows;
    tr_part(parts, i, &rows);
    if (i == call->group->self) {
      tr_batch_copy(call, &batch, from, &rows);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, from);
    tr_batch_add(&batch, TR_RECEIVE, i, &rows);
  }
  return tr_batch_run(call, &batch);
}

static tessera_status all_gather(tr_call *call) {
  int32_t axis = call->site->axis;
  const int64_t *starts;
  tr_view from, to;
  tessera_status status = tr_call_views(call, call->in, call->out, axis, -1, &from, &to);
  if (!status)
    status = tr_call_check(call, &to, -1, -1);
  if (!status)
    status = tr_call_shards(call, to.sizes[axis], from.sizes[axis], &starts);
  if (status)
    return status;
  tr_parts own = {&from, axis, NULL}, parts = {&to, axis, starts};
  tr_collective native = {.in = &own, .out = &parts, .is_joined = tr_view_joins(&to, axis)};
  tr_call_describe(call, tr_view_row(&to, axis), starts, &native);
  status = tr_call_natively(call, &native);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return gather_by_messages(call, &from, &parts);
  call->received = tr_view_bytes(&to) - tr_view_bytes(&from);
  return status;
}

void tessera_rt_all_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, all_gather);
}

/* ---- all_slice --------------------------------------------------------------------------------
 */

static tessera_status all_slice(tr_call *call) {
  int32_t axis = call->site->axis;
  const int64_t *starts;
  tr_view from, to;
  tessera_status status = tr_call_views(call, call->in, call->out, axis, -1, &from, &to);
  if (!status && call->site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_call_check(call, &from, -1, -1);
  if (!status)
    status = tr_call_shards(call, from.sizes[axis], to.sizes[axis], &starts);
  if (status)
    return status;
  tr_view rows;
  tr_part(&(tr_parts){&from, axis, starts}, call->group->self, &rows);
  tr_call_copy(call, &rows, &to);
  return TESSERA_OK;
}

void tessera_rt_all_slice(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, all_slice);
}

/* ---- all_to_all -------------------------------------------------------------------------------
 */

/* How a transposition is cut. */
typedef struct transposition {
  int64_t *sent;           /* starts along the split axis; balanced */
  const int64_t *received; /* starts along the concat axis; of what members bring */
  int64_t rows;            /* of the concat axis, of all members before the split */
  bool is_even;            /* all parts of all members have one size */
} transposition;

/* Where both axes are one, member i sends its i-th piece of it, and the pieces that come back need
 * not have one size: what each member cut has to be known. */
static tessera_status cut_same_axis(tr_call *call, const tr_view *from, transposition *cut) {
  int32_t size = call->group->size, self = call->group->self;
  int64_t *sizes = tr_call_memory(call, sizeof(int64_t) * (size_t)size);
  int64_t *theirs = tr_call_starts(call), *received = tr_call_starts(call);
  if (!sizes || !theirs || !received)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = tr_call_agree(call, from->sizes[call->site->axis], sizes);
  received[0] = 0;
  cut->is_even = !status && sizes[0] % size == 0;
  for (int32_t i = 0; !status && i < size; i++) {
    tr_call_balanced(call, sizes[i], theirs);
    received[i + 1] = received[i] + theirs[self + 1] - theirs[self];
    cut->rows += sizes[i];
    cut->is_even = cut->is_even && sizes[i] == sizes[0];
  }
  cut->received = received;
  return status;
}

static tessera_status cut_transposition(tr_call *call, const tr_view *from, const tr_view *to,
                                        transposition *cut) {
  int32_t split = call->site->axis, concat = call->site->concat_axis;
  int32_t self = call->group->self, size = call->group->size;
  *cut = (transposition){tr_call_starts(call), NULL, 0, true};
  if (!cut->sent)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_call_balanced(call, from->sizes[split], cut->sent);
  if (split == concat) {
    tessera_status status = cut_same_axis(call, from, cut);
    if (!status && cut->received[size] != to->sizes[concat])
      status = tr_fail(TESSERA_ERROR_MISMATCH, "%lld rows arrive where %lld were expected",
                       (long long)cut->received[size], (long long)to->sizes[concat]);
    return status;
  }
  int64_t rows = cut->sent[self + 1] - cut->sent[self];
  if (to->sizes[split] != rows)
    return tr_fail(
        TESSERA_ERROR_MISMATCH, "of %lld rows over %d ranks, number %d has %lld, not %lld",
        (long long)from->sizes[split], size, self, (long long)rows, (long long)to->sizes[split]);
  cut->rows = to->sizes[concat];
  tessera_status status =
      tr_call_shards(call, to->sizes[concat], from->sizes[concat], &cut->received);
  cut->is_even = !status && from->sizes[split] % size == 0 && tr_call_is_even(call, cut->received);
  return status;
}

/* `whole` has the extents of all members' data together, before the split. */
static tessera_status transpose_natively(tr_call *call, const tr_view *whole, const tr_parts *sent,
                                         const tr_parts *received, bool is_even) {
  size_t size = (size_t)call->group->size;
  tr_collective native = {.in = sent,
                          .out = received,
                          .whole = tr_view_bytes(whole),
                          .is_even = is_even,
                          .is_joined = tr_view_joins(whole, sent->axis) &&
                                       tr_view_joins(whole, received->axis)};
  native.part = native.whole / (size * size);
  return tr_call_natively(call, &native);
}

static tessera_status transpose_by_messages(tr_call *call, const tr_parts *sent,
                                            const tr_parts *received) {
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  for (int32_t i = 0; !status && i < call->group->size; i++) {
    tr_view out, in;
    tr_part(sent, i, &out);
    tr_part(received, i, &in);
    if (i == call->group->self) {
      tr_batch_copy(call, &batch, &out, &in);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, &out);
    tr_batch_add(&batch, TR_RECEIVE, i, &in);
  }
  return status ? status : tr_batch_run(call, &batch);
}

static tessera_status all_to_all(tr_call *call) {
  int32_t split = call->site->axis, concat = call->site->concat_axis;
  transposition cut;
  tr_view from, to, whole;
  tessera_status status = tr_call_views(call, call->in, call->out, split, concat, &from, &to);
  if (status)
    return status;
  tr_view_assign(&whole, &from);
  whole.sizes[concat] = to.sizes[concat];
  status = tr_call_check(call, &whole, split == concat ? concat : -1, -1);
  if (!status)
    status = cut_transposition(call, &from, &to, &cut);
  if (status)
    return status;
  tr_parts sent = {&from, split, cut.sent}, received = {&to, concat, cut.received};
  whole.sizes[concat] = cut.rows;
  status = transpose_natively(call, &whole, &sent, &received, cut.is_even);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return transpose_by_messages(call, &sent, &received);
  int64_t own = cut.received[call->group->self + 1] - cut.received[call->group->self];
  call->received = tr_view_bytes(&to) - tr_view_row(&to, concat) * (size_t)own;
  return status;
}

void tessera_rt_all_to_all(const tessera_site *site, tessera_stream *stream, const void *in,
                           const void *out) {
  (void)stream;
  tr_call_run(site, in, out, NULL, all_to_all);
}

/* Off the root the side that only the root has is not looked at: it may have any extents. */
static tessera_status root_views(tr_call *call, bool is_root, tr_direction of_root, int32_t axis,
                                 tr_view *from, tr_view *to) {
  call->ignores_in = !is_root && of_root == TR_SEND;
  call->ignores_out = !is_root && of_root == TR_RECEIVE;
  if (is_root)
    return tr_call_views(call, call->in, call->out, axis, -1, from, to);
  tessera_status status = tr_call_input(call, call->in, from);
  return status ? status : tr_call_output(call, call->out, to);
}

/* ---- broadcast --------------------------------------------------------------------------------
 */

/* `view` has the values on the root, and takes them elsewhere. */
static tessera_status broadcast_natively(tr_call *call, const tr_view *view, int32_t root) {
  bool is_root = call->group->self == root;
  tr_parts all = {view, 0, NULL};
  tr_collective native = {.in = is_root ? &all : NULL, .out = is_root ? NULL : &all, .root = root};
  tr_call_describe_whole(view, &native);
  tessera_status status = tr_call_natively(call, &native);
  if (!status && !is_root)
    call->received = tr_view_bytes(view);
  return status;
}

static tessera_status broadcast(tr_call *call) {
  int32_t from_member;
  tr_view from, to;
  tessera_status status = tr_call_root(call, &from_member);
  if (!status)
    status = root_views(call, from_member == call->group->self, TR_SEND, -1, &from, &to);
  if (!status)
    status = tr_call_check(call, &to, -1, from_member);
  if (status)
    return status;
  if (from_member == call->group->self)
    tr_call_copy(call, &from, &to);
  status = broadcast_natively(call, &to, from_member);
  return status == TESSERA_ERROR_UNSUPPORTED ? tr_tree_broadcast(call, &to, from_member) : status;
}

void tessera_rt_broadcast(const tessera_site *site, tessera_stream *stream, const void *in,
                          const void *out, const int64_t *root) {
  (void)stream;
  tr_call_run(site, in, out, root, broadcast);
}

/* ---- gather and scatter -----------------------------------------------------------------------
 */

/* True if members without the undivided side know how it is cut. */
static bool is_cut_known(const tr_call *call) {
  return call->site->flags & (TESSERA_SITE_LOCAL_SIZES | TESSERA_SITE_EVEN_SIZES);
}

/* Off the root: NULL where the cut is not known. Agreed sizes take every member. */
static tessera_status member_shards(tr_call *call, int64_t mine, const int64_t **starts) {
  *starts = NULL;
  if (!is_cut_known(call))
    return TESSERA_OK;
  int64_t *cuts = tr_call_starts(call);
  if (!cuts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  *starts = cuts;
  if (call->site->flags & TESSERA_SITE_LOCAL_SIZES)
    return tr_call_agreed(call, mine, cuts);
  tr_call_balanced(call, mine * call->group->size, cuts);
  return TESSERA_OK;
}

/* The cut of the undivided side, which only the root has. */
static tessera_status root_shards(tr_call *call, bool is_root, int64_t full, int64_t mine,
                                  const int64_t **starts) {
  if (!is_root)
    return member_shards(call, mine, starts);
  if (call->site->flags & TESSERA_SITE_EVEN_SIZES && full % call->group->size != 0)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%lld rows over %d ranks are not pieces of one size, as the call says",
                   (long long)full, call->group->size);
  return tr_call_shards(call, full, mine, starts);
}

/* Sends this rank's view to the root, or the root's pieces to their members, or the other way. */
static tessera_status root_exchange(tr_call *call, int32_t root, const tr_parts *parts,
                                    const tr_view *piece, tr_direction of_root) {
  tr_batch batch;
  bool is_root = call->group->self == root;
  tessera_status status = tr_batch_start(call, is_root ? call->group->size + 1 : 1, &batch);
  if (status)
    return status;
  if (!is_root) {
    tr_batch_add(&batch, of_root == TR_SEND ? TR_RECEIVE : TR_SEND, root, piece);
    return tr_batch_run(call, &batch);
  }
  for (int32_t i = 0; i < call->group->size; i++) {
    tr_view rows;
    tr_part(parts, i, &rows);
    if (i != root)
      tr_batch_add(&batch, of_root, i, &rows);
    else if (of_root == TR_SEND)
      tr_batch_copy(call, &batch, &rows, piece);
    else
      tr_batch_copy(call, &batch, piece, &rows);
  }
  return tr_batch_run(call, &batch);
}

static tessera_status exchange_natively(tr_call *call, int32_t root, const tr_parts *parts,
                                        const tr_view *piece, tr_direction of_root) {
  const tr_parts *whole = call->group->self == root ? parts : NULL;
  tr_parts own = {piece, parts->axis, NULL};
  tr_collective native = {.in = of_root == TR_SEND ? whole : &own,
                          .out = of_root == TR_SEND ? &own : whole,
                          .root = root,
                          .is_joined = tr_view_joins(piece, parts->axis)};
  if (!is_cut_known(call))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_call_describe(call, tr_view_row(piece, parts->axis), parts->starts, &native);
  tessera_status status = tr_call_natively(call, &native);
  if (status)
    return status;
  if (whole && of_root == TR_RECEIVE)
    call->received = tr_view_bytes(whole->view) - tr_view_bytes(piece);
  if (!whole && of_root == TR_SEND)
    call->received = tr_view_bytes(piece);
  return TESSERA_OK;
}

/* gather, where the root receives, and scatter: between `whole`, which only the root has, and a
 * piece of each member. */
static tessera_status move_at_root(tr_call *call, int32_t root, const tr_view *whole,
                                   const tr_view *piece, tr_direction of_root) {
  int32_t axis = call->site->axis;
  bool is_even = call->site->flags & TESSERA_SITE_EVEN_SIZES, is_root = call->group->self == root;
  tr_parts parts = {whole, axis, NULL};
  tessera_status status = tr_call_check(call, piece, is_even ? -1 : axis, root);
  if (!status)
    status = root_shards(call, is_root, whole->sizes[axis], piece->sizes[axis], &parts.starts);
  if (status)
    return status;
  status = exchange_natively(call, root, &parts, piece, of_root);
  return status == TESSERA_ERROR_UNSUPPORTED ? root_exchange(call, root, &parts, piece, of_root)
                                             : status;
}

static tessera_status gather(tr_call *call) {
  int32_t to_member;
  tr_view from, to;
  tessera_status status = tr_call_root(call, &to_member);
  if (!status)
    status =
        root_views(call, to_member == call->group->self, TR_RECEIVE, call->site->axis, &from, &to);
  return status ? status : move_at_root(call, to_member, &to, &from, TR_RECEIVE);
}

void tessera_rt_gather(const tessera_site *site, tessera_stream *stream, const void *in,
                       const void *out, const int64_t *root) {
  (void)stream;
  tr_call_run(site, in, out, root, gather);
}

static tessera_status scatter(tr_call *call) {
  int32_t from_member;
  tr_view from, to;
  tessera_status status = tr_call_root(call, &from_member);
  if (!status)
    status =
        root_views(call, from_member == call->group->self, TR_SEND, call->site->axis, &from, &to);
  return status ? status : move_at_root(call, from_member, &from, &to, TR_SEND);
}

void tessera_rt_scatter(const tessera_site *site, tessera_stream *stream, const void *in,
                        const void *out, const int64_t *root) {
  (void)stream;
  tr_call_run(site, in, out, root, scatter);
}
