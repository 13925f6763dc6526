/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shift: along one axis of the grid, from each member to another.
 * It must not know element types, nor how messages travel. */
#include "plans/jobs.h"
#include "support/error.h"

tessera_status tr_meet_shift(tr_draft *draft) {
  return tr_draft_compare(draft, NULL, -1, -1);
}

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
static tessera_status find_axis(const tr_draft *draft, int64_t *extent, int64_t *step) {
  const tessera_site *site = draft->call.site;
  int64_t extents[TR_VIEW_RANK];
  tessera_status status = tr_context_resolve_grid(draft->call.context, site->grid, extents);
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

/* What is sent has to last until it is, where what is received may be written over it. */
static tessera_status plan_messages(tr_draft *draft, int64_t target, int64_t source) {
  bool overlaps = draft->plan->key.relation != TR_APART;
  tr_batch batch;
  tr_view sent;
  tr_view_assign(&sent, &draft->from);
  tessera_status status = tr_batch_start(draft, 2, &batch);
  if (!status && target >= 0 && source >= 0 && overlaps) {
    tr_view_dense(tr_draft_memory(draft, tr_view_bytes(&sent)), &draft->from, &sent);
    status = tr_draft_copy(draft, &draft->from, &sent);
  }
  if (status)
    return status;
  if (target >= 0)
    tr_batch_add(&batch, TR_SEND, (int32_t)target, &sent);
  if (source >= 0)
    tr_batch_add(&batch, TR_RECEIVE, (int32_t)source, &draft->to);
  return tr_batch_end(draft, &batch);
}

tessera_status tr_plan_shift(tr_draft *draft) {
  const tessera_site *site = draft->call.site;
  int64_t extent = 1, step = 1, self = draft->call.group->self;
  tessera_status status = find_axis(draft, &extent, &step);
  if (status)
    return status;
  int64_t place = self / step % extent, offset = short_offset(site, extent);
  int64_t target = shifted(place, offset, extent, site->flags);
  int64_t source = shifted(place, -offset, extent, site->flags);
  if (target == place) /* then source == place too */
    return tr_draft_copy(draft, &draft->from, &draft->to);
  return plan_messages(draft, target < 0 ? -1 : self + (target - place) * step,
                       source < 0 ? -1 : self + (source - place) * step);
}
