/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* all_gather, gather, scatter and all_slice: between a whole and the pieces of its members.
 * It must not know element types, nor how messages travel. */
#include "collectives/gather.h"

#include "collectives/over_hosts.h"
#include "plans/jobs.h"
#include "support/error.h"

/* ---- all_gather ------------------------------------------------------------------------------ */

tessera_status tr_meet_all_gather(tr_draft *draft) {
  tessera_status status = tr_draft_compare(draft, &draft->to, -1, -1);
  if (!status && draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_draft_agree(draft, draft->from.sizes[draft->call.site->axis]);
  return status;
}

/* Everyone sends its part to everyone. */
static tessera_status gather_at_once(tr_draft *draft, const tr_view *own, const tr_parts *parts) {
  tr_batch batch;
  tessera_status status = tr_batch_start_all(draft, &batch);
  for (int32_t i = 0; !status && i < draft->call.group->size; i++) {
    tr_view rows;
    tr_part(parts, i, &rows);
    if (i == draft->call.group->self) {
      status = tr_batch_copy(draft, &batch, own, &rows);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, own);
    tr_batch_add(&batch, TR_RECEIVE, i, &rows);
  }
  return status ? status : tr_batch_end_together(draft, &batch);
}

tessera_status tr_gather_by_messages(tr_draft *draft, const tr_view *own, const tr_parts *parts) {
  tessera_status status = tr_gather_over_hosts(draft, own, parts);
  return status == TESSERA_ERROR_UNSUPPORTED ? gather_at_once(draft, own, parts) : status;
}

tessera_status tr_plan_all_gather(tr_draft *draft) {
  const tr_view *from = &draft->from, *to = &draft->to;
  int32_t axis = draft->call.site->axis;
  const int64_t *starts;
  tessera_status status = tr_draft_shards(draft, to->sizes[axis], from->sizes[axis], &starts);
  if (status)
    return status;
  tr_parts own = {from, axis, NULL}, parts = {to, axis, starts};
  tr_collective native = {.is_joined = tr_view_joins(to, axis)};
  tr_draft_describe_parts(draft, tr_view_row(to, axis), starts, &native);
  status = tr_draft_natively(draft, &own, &parts, &native);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return tr_gather_by_messages(draft, from, &parts);
  draft->plan->received = tr_view_bytes(to) - tr_view_bytes(from);
  return status;
}

/* ---- all_slice ------------------------------------------------------------------------------- */

tessera_status tr_meet_all_slice(tr_draft *draft) {
  if (!(draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES))
    return TESSERA_OK;
  tessera_status status = tr_draft_compare(draft, &draft->from, -1, -1);
  return status ? status : tr_draft_agree(draft, draft->to.sizes[draft->call.site->axis]);
}

tessera_status tr_plan_all_slice(tr_draft *draft) {
  int32_t axis = draft->call.site->axis;
  const int64_t *starts;
  tr_view rows;
  tessera_status status =
      tr_draft_shards(draft, draft->from.sizes[axis], draft->to.sizes[axis], &starts);
  if (status)
    return status;
  tr_part(&(tr_parts){&draft->from, axis, starts}, draft->call.group->self, &rows);
  return tr_draft_copy(draft, &rows, &draft->to);
}

/* ---- gather and scatter ---------------------------------------------------------------------- */

/* The side that only the root has, and that of every member. */
typedef struct division {
  const tr_view *whole, *piece;
  tr_direction of_root; /* whether it sends or receives */
  bool is_root;
} division;

static division division_of(const tr_draft *draft, tr_direction of_root) {
  bool is_root = draft->call.group->self == draft->root;
  return of_root == TR_SEND ? (division){&draft->from, &draft->to, of_root, is_root}
                            : (division){&draft->to, &draft->from, of_root, is_root};
}

static tessera_status meet(tr_draft *draft, const tr_view *piece) {
  const tessera_site *site = draft->call.site;
  bool is_even = site->flags & TESSERA_SITE_EVEN_SIZES;
  tessera_status status = tr_draft_compare(draft, piece, is_even ? -1 : site->axis, draft->root);
  if (!status && site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_draft_agree(draft, piece->sizes[site->axis]);
  return status;
}

tessera_status tr_meet_gather(tr_draft *draft) {
  return meet(draft, &draft->from);
}

tessera_status tr_meet_scatter(tr_draft *draft) {
  return meet(draft, &draft->to);
}

/* True if members without the undivided side know how it is cut. */
static bool is_cut_known(const tr_draft *draft) {
  return draft->call.site->flags & (TESSERA_SITE_LOCAL_SIZES | TESSERA_SITE_EVEN_SIZES);
}

/* Off the root: NULL where the cut is not known. */
static tessera_status member_shards(const tr_draft *draft, int64_t mine, const int64_t **starts) {
  *starts = NULL;
  if (!is_cut_known(draft))
    return TESSERA_OK;
  int64_t *cuts = tr_draft_starts(draft);
  if (!cuts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  *starts = cuts;
  if (draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    tr_draft_add_up(draft, 0, cuts);
  else
    tr_draft_balance(draft, mine * draft->call.group->size, cuts);
  return TESSERA_OK;
}

/* The cut of the undivided side, which only the root has. */
static tessera_status root_shards(const tr_draft *draft, const division *d,
                                  const int64_t **starts) {
  int32_t axis = draft->call.site->axis, size = draft->call.group->size;
  int64_t full = d->whole->sizes[axis], mine = d->piece->sizes[axis];
  if (!d->is_root)
    return member_shards(draft, mine, starts);
  if (draft->call.site->flags & TESSERA_SITE_EVEN_SIZES && full % size != 0)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%lld rows over %d ranks are not pieces of one size, as the call says",
                   (long long)full, size);
  return tr_draft_shards(draft, full, mine, starts);
}

/* Sends this rank's view to the root, or the root's pieces to their members, or the other way. */
static tessera_status exchange_by_messages(tr_draft *draft, const division *d,
                                           const tr_parts *parts) {
  tr_batch batch;
  int32_t size = draft->call.group->size;
  tessera_status status = tr_batch_start(draft, d->is_root ? size + 1 : 1, &batch);
  if (!status && !d->is_root)
    tr_batch_add(&batch, d->of_root == TR_SEND ? TR_RECEIVE : TR_SEND, draft->root, d->piece);
  for (int32_t i = 0; !status && d->is_root && i < size; i++) {
    tr_view rows;
    tr_part(parts, i, &rows);
    if (i != draft->root)
      tr_batch_add(&batch, d->of_root, i, &rows);
    else if (d->of_root == TR_SEND)
      status = tr_batch_copy(draft, &batch, &rows, d->piece);
    else
      status = tr_batch_copy(draft, &batch, d->piece, &rows);
  }
  return status ? status : tr_batch_end(draft, &batch);
}

static tessera_status exchange_natively(tr_draft *draft, const division *d, const tr_parts *parts) {
  const tr_parts *whole = d->is_root ? parts : NULL;
  tr_parts own = {d->piece, parts->axis, NULL};
  tr_collective native = {.root = draft->root, .is_joined = tr_view_joins(d->piece, parts->axis)};
  if (!is_cut_known(draft))
    return TESSERA_ERROR_UNSUPPORTED;
  tr_draft_describe_parts(draft, tr_view_row(d->piece, parts->axis), parts->starts, &native);
  tessera_status status = d->of_root == TR_SEND ? tr_draft_natively(draft, whole, &own, &native)
                                                : tr_draft_natively(draft, &own, whole, &native);
  if (status)
    return status;
  if (whole && d->of_root == TR_RECEIVE)
    draft->plan->received = tr_view_bytes(whole->view) - tr_view_bytes(d->piece);
  if (!whole && d->of_root == TR_SEND)
    draft->plan->received = tr_view_bytes(d->piece);
  return TESSERA_OK;
}

static tessera_status plan(tr_draft *draft, tr_direction of_root) {
  division d = division_of(draft, of_root);
  tr_parts parts = {d.whole, draft->call.site->axis, NULL};
  tessera_status status = root_shards(draft, &d, &parts.starts);
  if (status)
    return status;
  status = exchange_natively(draft, &d, &parts);
  return status == TESSERA_ERROR_UNSUPPORTED ? exchange_by_messages(draft, &d, &parts) : status;
}

tessera_status tr_plan_gather(tr_draft *draft) {
  return plan(draft, TR_RECEIVE);
}

tessera_status tr_plan_scatter(tr_draft *draft) {
  return plan(draft, TR_SEND);
}
