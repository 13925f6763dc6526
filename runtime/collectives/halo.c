/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* update_halo: the border rows of other members, dimension by dimension, so that corners come
 * along. It must not know element types, nor how messages travel. */
#include "plans/jobs.h"
#include "support/error.h"

enum { NUM_SIDES = 2 }; /* low, high */

/* One split dimension of the buffer: `low` rows, this rank's core, `high` rows. */
typedef struct halo {
  int32_t dim;
  int64_t low, high;
  int64_t core;
} halo;

/* What to do for one split dimension, whose group is the call's. `first` is where its cores are
 * among what is agreed on. */
typedef tessera_status visit(tr_draft *draft, const halo *halo, int64_t first);

static tessera_status read_halo(const tr_view *buffer, int32_t dim, const int64_t *sizes,
                                halo *halo) {
  halo->dim = dim;
  halo->low = sizes[0];
  halo->high = sizes[1];
  halo->core = buffer->sizes[dim] - sizes[0] - sizes[1];
  if (sizes[0] < 0 || sizes[1] < 0 || halo->core < 0)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "dimension %d of %lld rows cannot have halos of %lld and %lld rows", dim,
                   (long long)buffer->sizes[dim], (long long)sizes[0], (long long)sizes[1]);
  return TESSERA_OK;
}

/* The ranks that this one shares a dimension with. */
static tessera_status enter_group(tr_draft *draft, int32_t dim, int64_t num_axes,
                                  const int64_t *words) {
  int32_t axes[TR_VIEW_RANK];
  tr_named_group *named;
  if (num_axes > TR_VIEW_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "dimension %d is split too often", dim);
  for (int64_t i = 0; i < num_axes; i++)
    axes[i] = (int32_t)words[i];
  tessera_status status = tr_context_group(draft->call.context, draft->call.site->grid,
                                           (int32_t)num_axes, axes, &named);
  if (!status)
    draft->call.group = &named->group;
  return status;
}

static tessera_status visit_dimensions(tr_draft *draft, visit *visit) {
  const int64_t *words = draft->call.site->from, *sizes = draft->numbers;
  if (!words || words[0] < 0 || words[0] > draft->from.rank)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the split axes do not fit the buffer");
  int64_t num_dims = *words++, agreed = 0;
  tessera_status status = TESSERA_OK;
  for (int32_t dim = 0; !status && dim < num_dims; dim++) {
    int64_t num_axes = *words++;
    halo halo;
    if (num_axes > 0) {
      status = enter_group(draft, dim, num_axes, words);
      if (!status)
        status = read_halo(&draft->from, dim, sizes, &halo);
      if (!status)
        status = visit(draft, &halo, agreed);
      agreed += draft->call.group->size;
      sizes += NUM_SIDES;
    }
    words += num_axes;
  }
  draft->num_numbers = sizes - draft->numbers;
  draft->num_from = words - draft->call.site->from;
  return status;
}

/* ---- meeting --------------------------------------------------------------------------------- */

static tessera_status meet(tr_draft *draft, const halo *halo, int64_t first) {
  (void)first;
  tessera_status status = tr_draft_compare(draft, NULL, -1, halo->dim);
  if (!status && draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    status = tr_draft_agree(draft, halo->core);
  return status;
}

tessera_status tr_meet_update_halo(tr_draft *draft) {
  return visit_dimensions(draft, meet);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Where members' cores begin in the whole tensor. They have one size, unless the site says that
 * sizes are agreed on at run time. */
static const int64_t *find_starts(const tr_draft *draft, int64_t core, int64_t first) {
  int64_t *starts = tr_draft_starts(draft);
  if (starts && draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    tr_draft_add_up(draft, first, starts);
  else
    for (int32_t i = 0; starts && i <= draft->call.group->size; i++)
      starts[i] = i * core;
  return starts;
}

/* Adds the rows of `owner`'s core that `user` has in its halo, as far as there are any. */
static void add_rows(const tr_draft *draft, const halo *halo, const int64_t *starts, int32_t owner,
                     int32_t user, tr_batch *batch) {
  bool is_below = owner < user;
  int64_t from = is_below ? starts[user] - halo->low : starts[user + 1];
  int64_t to = is_below ? starts[user] : starts[user + 1] + halo->high;
  if (from < starts[owner])
    from = starts[owner];
  if (to > starts[owner + 1])
    to = starts[owner + 1];
  if (from >= to)
    return;
  tr_view rows;
  tr_view_assign(&rows, &draft->from);
  int32_t self = draft->call.group->self;
  tr_view_narrow(&rows, halo->dim, from - starts[self] + halo->low, to - from);
  tr_batch_add(batch, owner == self ? TR_SEND : TR_RECEIVE, owner == self ? user : owner, &rows);
}

/* A halo that is wider than the neighbour's core reaches into those behind it. */
static tessera_status exchange_borders(tr_draft *draft, const halo *halo, int64_t first) {
  int32_t self = draft->call.group->self;
  const int64_t *starts = find_starts(draft, halo->core, first);
  tr_batch batch;
  tessera_status status = tr_batch_start_all(draft, &batch);
  if (status || !starts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < draft->call.group->size; i++)
    if (i != self) {
      add_rows(draft, halo, starts, i, self, &batch);
      add_rows(draft, halo, starts, self, i, &batch);
    }
  return tr_batch_end(draft, &batch);
}

tessera_status tr_plan_update_halo(tr_draft *draft) {
  return visit_dimensions(draft, exchange_borders);
}
