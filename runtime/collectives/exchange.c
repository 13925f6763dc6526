/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* exchange: from one layout to another in one step: what layout/overlap.h says, as messages.
 * It must not know element types, nor how messages travel. */
#include "layout/overlap.h"
#include "layout/words.h"
#include "plans/jobs.h"
#include "support/error.h"

/* ---- the two layouts ------------------------------------------------------------------------- */

/* The layout with its unknown halo sizes and offsets taken from `*numbers`, which is moved behind
 * them; itself where it has none. */
static tessera_status resolve_layout(const tr_draft *draft, const int64_t *layout,
                                     const int64_t *extents, const int64_t **numbers,
                                     const int64_t **resolved) {
  int64_t unknowns = tr_layout_unknowns(layout);
  *resolved = layout;
  if (unknowns == 0)
    return TESSERA_OK;
  if (!*numbers)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "the halo sizes and shard offsets of the layouts are not given");
  int64_t *words =
      tr_call_memory(&draft->call, sizeof(int64_t) * (size_t)tessera_layout_words(layout));
  if (!words)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = tr_layout_resolve(layout, *numbers, extents, words);
  *numbers += unknowns;
  *resolved = words;
  return status;
}

/* Also what the call depends on. */
static tessera_status describe(tr_draft *draft, tr_exchange *exchange) {
  const tessera_site *site = draft->call.site;
  const int64_t *sizes = draft->numbers, *from = NULL, *to = NULL;
  int32_t rank = draft->from.rank;
  exchange->rank = rank;
  if (!site->from || !site->to || site->grid->rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the call names no grid or no layouts");
  exchange->grid_rank = site->grid->rank;
  tessera_status status = tr_context_resolve_grid(draft->call.context, site->grid, exchange->grid);
  if (!status)
    status = tr_layout_extents(site->from, site->to, &sizes, rank, exchange->extents);
  if (!status)
    status = resolve_layout(draft, site->from, exchange->extents, &sizes, &from);
  if (!status)
    status = resolve_layout(draft, site->to, exchange->extents, &sizes, &to);
  draft->num_numbers = sizes - draft->numbers;
  draft->num_from = tessera_layout_words(site->from);
  draft->num_to = tessera_layout_words(site->to);
  exchange->from = (tr_placement){from, site->grid->rank, exchange->grid};
  exchange->to = (tr_placement){to, site->grid->rank, exchange->grid};
  if (!status)
    status = tr_placement_check(&exchange->from, rank, exchange->extents);
  if (!status)
    status = tr_placement_check_part(&exchange->to, rank, exchange->extents);
  return status;
}

tessera_status tr_meet_exchange(tr_draft *draft) {
  tr_exchange exchange;
  tessera_status status = describe(draft, &exchange);
  return status ? status : tr_draft_compare(draft, NULL, -1, -1);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef enum side { SIDE_FROM, SIDE_TO } side;

static int64_t run_start(const tr_shared_run *run, side side) {
  return side == SIDE_FROM ? run->from : run->to;
}

/* The only box of an overlap, in the piece of one side. */
static tr_view only_box(const tr_overlap *overlap, const tr_view *piece, side side) {
  tr_view box;
  tr_view_assign(&box, piece);
  for (int32_t i = 0; i < piece->rank; i++)
    tr_view_narrow(&box, i, run_start(&overlap->runs[i][0], side), overlap->runs[i][0].length);
  return box;
}

typedef enum packing { PACK, UNPACK } packing;

/* Walks the boxes in order; `box` is narrowed in the dimensions before `dim`. Moves `*memory`
 * behind what was packed. */
static tessera_status pack_boxes(tr_draft *draft, const tr_overlap *overlap, packing packing,
                                 int32_t dim, const tr_view *box, char **memory) {
  tessera_status status = TESSERA_OK;
  if (dim == box->rank) {
    tr_view packed;
    tr_view_dense(*memory, box, &packed);
    *memory += tr_view_bytes(box);
    return packing == PACK ? tr_draft_copy(draft, box, &packed)
                           : tr_draft_copy(draft, &packed, box);
  }
  for (int64_t i = 0; !status && i < overlap->counts[dim]; i++) {
    const tr_shared_run *run = &overlap->runs[dim][i];
    tr_view narrowed;
    tr_view_assign(&narrowed, box);
    tr_view_narrow(&narrowed, dim, run_start(run, packing == PACK ? SIDE_FROM : SIDE_TO),
                   run->length);
    status = pack_boxes(draft, overlap, packing, dim + 1, &narrowed, memory);
  }
  return status;
}

/* From one piece straight into the other, box by box. */
static tessera_status copy_boxes(tr_draft *draft, const tr_overlap *overlap, int32_t dim,
                                 const tr_view *from, const tr_view *to) {
  tessera_status status = TESSERA_OK;
  if (dim == from->rank)
    return tr_draft_copy(draft, from, to);
  for (int64_t i = 0; !status && i < overlap->counts[dim]; i++) {
    const tr_shared_run *run = &overlap->runs[dim][i];
    tr_view source, target;
    tr_view_assign(&source, from);
    tr_view_assign(&target, to);
    tr_view_narrow(&source, dim, run->from, run->length);
    tr_view_narrow(&target, dim, run->to, run->length);
    status = copy_boxes(draft, overlap, dim + 1, &source, &target);
  }
  return status;
}

/* What goes over the wire: the box itself, or memory for several boxes. */
static tessera_status add_message(tr_draft *draft, tr_batch *batch, const tr_overlap *overlap,
                                  tr_direction direction, const tr_view *piece) {
  tr_view wire;
  if (tr_overlap_is_box(overlap, piece->rank)) {
    wire = only_box(overlap, piece, direction == TR_SEND ? SIDE_FROM : SIDE_TO);
    tr_batch_add(batch, direction, overlap->peer, &wire);
    return TESSERA_OK;
  }
  char *memory = tr_draft_memory(draft, (size_t)overlap->elements * (size_t)piece->element);
  tr_view_flat(memory, (size_t)piece->element, overlap->elements, &wire);
  tr_batch_add(batch, direction, overlap->peer, &wire);
  return direction == TR_SEND ? pack_boxes(draft, overlap, PACK, 0, piece, &memory) : TESSERA_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static tessera_status unpack_all(tr_draft *draft, const tr_overlap_list *receives,
                                 const tr_batch *batch) {
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0, message = 0; !status && i < receives->count; i++) {
    const tr_overlap *item = &receives->items[i];
    if (item->peer == draft->call.group->self)
      continue;
    char *memory = batch->messages[message++].view.data;
    if (!tr_overlap_is_box(item, draft->to.rank))
      status = pack_boxes(draft, item, UNPACK, 0, &draft->to, &memory);
  }
  return status;
}

static tessera_status add_steps(tr_draft *draft, const tr_overlaps *overlaps) {
  const tr_overlap_list *receives = &overlaps->receives, *sends = &overlaps->sends;
  tr_batch batch;
  bool copies_own = !(draft->call.site->flags & TESSERA_SITE_RECEIVED);
  tessera_status status = tr_batch_start(draft, receives->count + sends->count, &batch);
  for (int64_t i = 0; !status && i < receives->count; i++)
    if (receives->items[i].peer != draft->call.group->self)
      status = add_message(draft, &batch, &receives->items[i], TR_RECEIVE, &draft->to);
    else if (copies_own)
      status = copy_boxes(draft, &receives->items[i], 0, &draft->from, &draft->to);
  for (int64_t i = 0; !status && i < sends->count; i++)
    status = add_message(draft, &batch, &sends->items[i], TR_SEND, &draft->from);
  if (!status)
    status = tr_batch_end(draft, &batch);
  return status ? status : unpack_all(draft, receives, &batch);
}

static tessera_status check_piece(const tr_view *view, const int64_t *shape, const char *which) {
  for (int32_t i = 0; i < view->rank; i++)
    if (view->sizes[i] != shape[i])
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "dimension %d of the %s piece has %lld rows; its layout says %lld", i, which,
                     (long long)view->sizes[i], (long long)shape[i]);
  return TESSERA_OK;
}

tessera_status tr_plan_exchange(tr_draft *draft) {
  const tr_world *world = &draft->call.context->world;
  tr_exchange exchange;
  tr_overlaps overlaps;
  tessera_status status = describe(draft, &exchange);
  if (status)
    return status;
  status = tr_overlaps_create(&exchange, world->rank, world->size, &overlaps);
  if (!status)
    status = check_piece(&draft->from, overlaps.from_shape, "source");
  if (!status)
    status = check_piece(&draft->to, overlaps.to_shape, "target");
  if (!status)
    status = add_steps(draft, &overlaps);
  tr_overlaps_destroy(&overlaps);
  return status;
}
