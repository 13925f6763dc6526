/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* exchange: from one layout to another in one step. Every rank works out from both layouts what it
 * owes to whom; plans are kept. It must not know element types, nor how messages travel. */
#include <stdlib.h>
#include <string.h>

#include "collectives/call.h"
#include "collectives/repeat.h"
#include "error.h"
#include "layout/words.h"
#include "layout/pieces.h"

/* Rows that are consecutive in the source's memory and in the target's. */
typedef struct shared_run {
  int64_t from; /* local index in the source's piece */
  int64_t to;   /* local index in the target's piece */
  int64_t length;
} shared_run;

/* What one rank has and another needs: the product of the dimensions' runs. */
typedef struct overlap {
  int32_t peer;     /* the other rank; this one for what stays */
  int64_t elements; /* in all boxes */
  shared_run *runs[TR_MAX_RANK];
  int64_t counts[TR_MAX_RANK];
} overlap;

typedef struct overlap_list {
  overlap *items;
  int64_t count;
} overlap_list;

/* Plans are found by content: two programs may have lived at one address. */
typedef struct plan plan;
struct plan {
  plan *next;          /* in its bucket */
  plan *newer, *older; /* by last use */
  uint64_t hash;
  size_t bytes; /* with all that belongs to it */
  int32_t rank;
  int64_t from_shape[TR_MAX_RANK]; /* of this rank's pieces */
  int64_t to_shape[TR_MAX_RANK];
  overlap_list sends, receives; /* what stays is in `receives` */
  int64_t num_words;
  int64_t words[]; /* the key: grid extents, global extents, both layouts */
};

enum { NUM_BUCKETS = 1024, MOST_PLAN_BYTES = 1 << 26 };

/* A rank's plans. Sizes that change with every call would fill the memory, so those that were not
 * used for longest make room. */
struct tr_plans {
  plan *buckets[NUM_BUCKETS];
  plan *newest, *oldest;
  size_t bytes;
};

/* ---- overlaps ---------------------------------------------------------------------------------
 */

/* Both lists ascend in global indices. Returns the number of runs; writes them if `runs` is set. */
static int64_t intersect(const tr_run_list *from, const tr_run_list *to, shared_run *runs) {
  int64_t count = 0;
  for (int64_t i = 0, k = 0; i < from->count && k < to->count;) {
    const tr_run *source = &from->runs[i], *target = &to->runs[k];
    int64_t source_end = source->global + source->length;
    int64_t target_end = target->global + target->length;
    int64_t start = source->global > target->global ? source->global : target->global;
    int64_t end = source_end < target_end ? source_end : target_end;
    if (start < end) {
      if (runs)
        runs[count] = (shared_run){source->local + start - source->global,
                                   target->local + start - target->global, end - start};
      count++;
    }
    if (source_end <= target_end)
      i++;
    else
      k++;
  }
  return count;
}

static void free_overlap(overlap *overlap, int32_t rank) {
  for (int32_t i = 0; i < rank; i++)
    free(overlap->runs[i]);
}

/* Adds what `peer` shares, if anything. */
static tessera_status add_overlap(overlap_list *list, int32_t peer, const tr_piece *from,
                                  const tr_piece *to) {
  overlap *item = &list->items[list->count];
  memset(item, 0, sizeof(*item));
  item->peer = peer;
  item->elements = 1;
  for (int32_t i = 0; i < from->rank; i++) {
    item->counts[i] = intersect(&from->runs[i], &to->runs[i], NULL);
    if (item->counts[i] == 0) {
      free_overlap(item, from->rank);
      return TESSERA_OK;
    }
    item->runs[i] = malloc(sizeof(shared_run) * (size_t)item->counts[i]);
    if (!item->runs[i]) {
      free_overlap(item, from->rank);
      return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of an exchange");
    }
    intersect(&from->runs[i], &to->runs[i], item->runs[i]);
    int64_t rows = 0;
    for (int64_t k = 0; k < item->counts[i]; k++)
      rows += item->runs[i][k].length;
    item->elements *= rows;
  }
  list->count++;
  return TESSERA_OK;
}

/* ---- plans ------------------------------------------------------------------------------------
 */

/* What one plan is made from. */
typedef struct exchange {
  int32_t rank;
  int32_t grid_rank;
  int64_t grid[TR_MAX_RANK];
  int64_t extents[TR_MAX_RANK];
  tr_placement from, to;
} exchange;

/* A rank takes what it lacks from the owner that agrees with it on all axes that split nothing in
 * the source: one owner for each element, itself where it is one, replicas evenly loaded. */
static bool is_supplier(const exchange *exchange, const bool *splits, int64_t a, int64_t b) {
  for (int32_t i = exchange->grid_rank - 1; i >= 0; i--) {
    if (!splits[i] && a % exchange->grid[i] != b % exchange->grid[i])
      return false;
    a /= exchange->grid[i];
    b /= exchange->grid[i];
  }
  return true;
}

static void free_plan(plan *plan) {
  for (int64_t i = 0; i < plan->sends.count; i++)
    free_overlap(&plan->sends.items[i], plan->rank);
  for (int64_t i = 0; i < plan->receives.count; i++)
    free_overlap(&plan->receives.items[i], plan->rank);
  free(plan->sends.items);
  free(plan->receives.items);
  free(plan);
}

void tr_plans_free(tessera_context *context) {
  for (plan *plan = context->plans ? context->plans->newest : NULL, *next; plan; plan = next) {
    next = plan->older;
    free_plan(plan);
  }
  free(context->plans);
  context->plans = NULL;
}

/* This rank's pieces against those of one other rank. */
static tessera_status add_peer(const exchange *exchange, int32_t peer, bool is_self,
                               const tr_piece *own_from, const tr_piece *own_to, plan *plan) {
  tr_piece from, to;
  tessera_status status = tr_piece_create(&exchange->from, peer, TR_PIECE_CORE, exchange->rank,
                                          exchange->extents, &from);
  if (status)
    return status;
  status =
      tr_piece_create(&exchange->to, peer, TR_PIECE_HALO, exchange->rank, exchange->extents, &to);
  if (!status) {
    status = add_overlap(&plan->receives, peer, &from, own_to);
    if (!status && !is_self)
      status = add_overlap(&plan->sends, peer, own_from, &to);
    tr_piece_destroy(&to);
  }
  tr_piece_destroy(&from);
  return status;
}

static tessera_status fill_plan(const exchange *exchange, int32_t self, int32_t size, plan *plan) {
  bool splits[TR_MAX_RANK] = {false};
  tr_layout_split_axes(exchange->from.layout, splits);
  tr_piece from, to;
  tessera_status status = tr_piece_create(&exchange->from, self, TR_PIECE_CORE, exchange->rank,
                                          exchange->extents, &from);
  if (status)
    return status;
  status =
      tr_piece_create(&exchange->to, self, TR_PIECE_HALO, exchange->rank, exchange->extents, &to);
  if (!status) {
    memcpy(plan->from_shape, from.shape, sizeof(int64_t) * (size_t)exchange->rank);
    memcpy(plan->to_shape, to.shape, sizeof(int64_t) * (size_t)exchange->rank);
    for (int32_t peer = 0; !status && peer < size; peer++)
      if (is_supplier(exchange, splits, self, peer))
        status = add_peer(exchange, peer, peer == self, &from, &to, plan);
    tr_piece_destroy(&to);
  }
  tr_piece_destroy(&from);
  return status;
}

/* ---- the cache --------------------------------------------------------------------------------
 */

static int64_t *append_words(int64_t *to, const int64_t *from, int64_t count) {
  memcpy(to, from, sizeof(int64_t) * (size_t)count);
  return to + count;
}

static plan *new_plan(const exchange *exchange, int32_t size) {
  int64_t from_words = tessera_layout_words(exchange->from.layout);
  int64_t to_words = tessera_layout_words(exchange->to.layout);
  int64_t num_words = exchange->grid_rank + exchange->rank + from_words + to_words;
  plan *plan = calloc(1, sizeof(*plan) + sizeof(int64_t) * (size_t)num_words);
  if (!plan)
    return NULL;
  plan->rank = exchange->rank;
  plan->num_words = num_words;
  int64_t *words = append_words(plan->words, exchange->grid, exchange->grid_rank);
  words = append_words(words, exchange->extents, exchange->rank);
  words = append_words(words, exchange->from.layout, from_words);
  append_words(words, exchange->to.layout, to_words);
  plan->sends.items = malloc(sizeof(overlap) * (size_t)size);
  plan->receives.items = malloc(sizeof(overlap) * (size_t)size);
  if (plan->sends.items && plan->receives.items)
    return plan;
  free_plan(plan);
  return NULL;
}

static bool words_match(const int64_t **words, const int64_t *expected, int64_t count) {
  bool match = memcmp(*words, expected, sizeof(int64_t) * (size_t)count) == 0;
  *words += count;
  return match;
}

static bool is_plan_of(const plan *plan, const exchange *exchange, int64_t from_words,
                       int64_t to_words) {
  const int64_t *words = plan->words;
  return plan->rank == exchange->rank &&
         plan->num_words == exchange->grid_rank + exchange->rank + from_words + to_words &&
         words_match(&words, exchange->grid, exchange->grid_rank) &&
         words_match(&words, exchange->extents, exchange->rank) &&
         words_match(&words, exchange->from.layout, from_words) &&
         words_match(&words, exchange->to.layout, to_words);
}

static uint64_t hash_words(uint64_t hash, const int64_t *words, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    hash = (hash ^ (uint64_t)words[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

static size_t shrink_list(overlap_list *list, int32_t rank) {
  size_t bytes = sizeof(overlap) * (size_t)(list->count ? list->count : 1);
  overlap *items = realloc(list->items, bytes);
  list->items = items ? items : list->items;
  for (int64_t i = 0; i < list->count; i++)
    for (int32_t k = 0; k < rank; k++)
      bytes += sizeof(shared_run) * (size_t)list->items[i].counts[k];
  return bytes;
}

static void detach(tr_plans *plans, plan *plan) {
  *(plan->newer ? &plan->newer->older : &plans->newest) = plan->older;
  *(plan->older ? &plan->older->newer : &plans->oldest) = plan->newer;
}

static void make_newest(tr_plans *plans, plan *plan) {
  plan->newer = NULL;
  plan->older = plans->newest;
  *(plans->newest ? &plans->newest->newer : &plans->oldest) = plan;
  plans->newest = plan;
}

static void drop_oldest(tr_plans *plans) {
  plan *plan = plans->oldest, **link = &plans->buckets[plan->hash % NUM_BUCKETS];
  while (*link != plan)
    link = &(*link)->next;
  *link = plan->next;
  detach(plans, plan);
  plans->bytes -= plan->bytes;
  free_plan(plan);
}

static void keep_plan(tr_plans *plans, plan *plan, uint64_t hash) {
  plan->hash = hash;
  plan->bytes = sizeof(*plan) + sizeof(int64_t) * (size_t)plan->num_words +
                shrink_list(&plan->sends, plan->rank) + shrink_list(&plan->receives, plan->rank);
  plan->next = plans->buckets[hash % NUM_BUCKETS];
  plans->buckets[hash % NUM_BUCKETS] = plan;
  make_newest(plans, plan);
  plans->bytes += plan->bytes;
  while (plans->bytes > MOST_PLAN_BYTES && plans->oldest != plan)
    drop_oldest(plans);
}

static tessera_status add_plan(const tessera_context *context, const exchange *exchange,
                               uint64_t hash, const plan **added) {
  plan *plan = new_plan(exchange, context->world.size);
  if (!plan)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of an exchange");
  tessera_status status = fill_plan(exchange, context->world.rank, context->world.size, plan);
  if (status) {
    free_plan(plan);
    return status;
  }
  keep_plan(context->plans, plan, hash);
  *added = plan;
  return TESSERA_OK;
}

static tessera_status find_plan(tessera_context *context, const exchange *exchange,
                                const plan **found) {
  int64_t from_words = tessera_layout_words(exchange->from.layout);
  int64_t to_words = tessera_layout_words(exchange->to.layout);
  uint64_t hash = hash_words(0, exchange->grid, exchange->grid_rank);
  hash = hash_words(hash, exchange->extents, exchange->rank);
  hash = hash_words(hash, exchange->from.layout, from_words);
  hash = hash_words(hash, exchange->to.layout, to_words);
  if (!context->plans && !(context->plans = calloc(1, sizeof(*context->plans))))
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of an exchange");
  plan *plan = context->plans->buckets[hash % NUM_BUCKETS];
  while (plan && (plan->hash != hash || !is_plan_of(plan, exchange, from_words, to_words)))
    plan = plan->next;
  if (!plan)
    return add_plan(context, exchange, hash, found);
  detach(context->plans, plan);
  make_newest(context->plans, plan);
  *found = plan;
  return TESSERA_OK;
}

/* ---- moving -----------------------------------------------------------------------------------
 */

typedef enum side { SIDE_FROM, SIDE_TO } side;

static int64_t run_start(const shared_run *run, side side) {
  return side == SIDE_FROM ? run->from : run->to;
}

static bool is_one_box(const overlap *overlap, int32_t rank) {
  for (int32_t i = 0; i < rank; i++)
    if (overlap->counts[i] != 1)
      return false;
  return true;
}

/* The only box of an overlap, in the piece of one side. */
static tr_view only_box(const overlap *overlap, const tr_view *piece, side side) {
  tr_view box;
  tr_view_assign(&box, piece);
  for (int32_t i = 0; i < piece->rank; i++)
    tr_view_narrow(&box, i, run_start(&overlap->runs[i][0], side), overlap->runs[i][0].length);
  return box;
}

typedef enum packing { PACK, UNPACK } packing;

/* Walks the boxes in order; `box` is narrowed in the dimensions before `dim`. Returns the memory
 * behind what was packed. */
static char *pack_boxes(tr_call *call, const overlap *overlap, side side, packing packing,
                        int32_t dim, const tr_view *box, char *memory) {
  if (dim == box->rank) {
    tr_view packed;
    tr_view_dense(memory, box, &packed);
    if (packing == PACK)
      tr_call_copy(call, box, &packed);
    else
      tr_call_copy(call, &packed, box);
    return memory + tr_view_bytes(box);
  }
  for (int64_t i = 0; i < overlap->counts[dim]; i++) {
    tr_view narrowed;
    tr_view_assign(&narrowed, box);
    tr_view_narrow(&narrowed, dim, run_start(&overlap->runs[dim][i], side),
                   overlap->runs[dim][i].length);
    memory = pack_boxes(call, overlap, side, packing, dim + 1, &narrowed, memory);
  }
  return memory;
}

/* From one piece straight into the other, box by box. */
static void copy_boxes(tr_call *call, const overlap *overlap, int32_t dim, const tr_view *from,
                       const tr_view *to) {
  if (dim == from->rank) {
    tr_call_copy(call, from, to);
    return;
  }
  for (int64_t i = 0; i < overlap->counts[dim]; i++) {
    const shared_run *run = &overlap->runs[dim][i];
    tr_view source, target;
    tr_view_assign(&source, from);
    tr_view_assign(&target, to);
    tr_view_narrow(&source, dim, run->from, run->length);
    tr_view_narrow(&target, dim, run->to, run->length);
    copy_boxes(call, overlap, dim + 1, &source, &target);
  }
}

/* What goes over the wire: the box itself, or memory for several boxes. */
static tessera_status add_message(tr_call *call, tr_batch *batch, const overlap *overlap,
                                  tr_direction direction, const tr_view *piece) {
  side side = direction == TR_SEND ? SIDE_FROM : SIDE_TO;
  if (is_one_box(overlap, piece->rank)) {
    tr_view box = only_box(overlap, piece, side);
    tr_batch_add(batch, direction, overlap->peer, &box);
    return TESSERA_OK;
  }
  char *memory = tr_call_memory(call, (size_t)overlap->elements * (size_t)piece->element);
  if (!memory)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  if (direction == TR_SEND)
    pack_boxes(call, overlap, side, PACK, 0, piece, memory);
  tr_view flat;
  tr_view_flat(memory, (size_t)piece->element, overlap->elements, &flat);
  tr_batch_add(batch, direction, overlap->peer, &flat);
  return TESSERA_OK;
}

static tessera_status run_plan(tr_call *call, const plan *plan, const tr_view *from,
                               const tr_view *to) {
  tr_batch batch;
  tessera_status status = tr_batch_start(call, plan->receives.count + plan->sends.count, &batch);
  for (int64_t i = 0; !status && i < plan->receives.count; i++)
    if (plan->receives.items[i].peer == call->group->self)
      copy_boxes(call, &plan->receives.items[i], 0, from, to);
    else
      status = add_message(call, &batch, &plan->receives.items[i], TR_RECEIVE, to);
  for (int64_t i = 0; !status && i < plan->sends.count; i++)
    status = add_message(call, &batch, &plan->sends.items[i], TR_SEND, from);
  if (!status)
    status = tr_batch_run(call, &batch);
  for (int64_t i = 0, message = 0; !status && i < plan->receives.count; i++) {
    const overlap *item = &plan->receives.items[i];
    if (item->peer == call->group->self)
      continue;
    char *memory = batch.messages[message++].view.data;
    if (!is_one_box(item, to->rank))
      pack_boxes(call, item, SIDE_TO, UNPACK, 0, to, memory);
  }
  return status;
}

/* ---- the call ---------------------------------------------------------------------------------
 */

static tessera_status check_piece(const tr_view *view, const int64_t *shape, const char *which) {
  for (int32_t i = 0; i < view->rank; i++)
    if (view->sizes[i] != shape[i])
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "dimension %d of the %s piece has %lld rows; its layout says %lld", i, which,
                     (long long)view->sizes[i], (long long)shape[i]);
  return TESSERA_OK;
}

/* The layout with its unknown halo sizes and offsets taken from `*numbers`, which is moved behind
 * them; itself where it has none. */
static tessera_status resolve_layout(const tr_call *call, const int64_t *layout,
                                     const int64_t *extents, const int64_t **numbers,
                                     const int64_t **resolved) {
  int64_t unknowns = tr_layout_unknowns(layout);
  *resolved = layout;
  if (unknowns == 0)
    return TESSERA_OK;
  if (!*numbers)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "the halo sizes and shard offsets of the layouts are not given");
  int64_t *words = tr_call_memory(call, sizeof(int64_t) * (size_t)tessera_layout_words(layout));
  if (!words)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tessera_status status = tr_layout_resolve(layout, *numbers, extents, words);
  *numbers += unknowns;
  *resolved = words;
  return status;
}

static tessera_status describe(tr_call *call, int32_t rank, exchange *exchange) {
  const tessera_site *site = call->site;
  const int64_t *sizes = call->numbers;
  exchange->rank = rank;
  if (!site->grid || !site->from || !site->to || site->grid->rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the call names no grid or no layouts");
  exchange->grid_rank = site->grid->rank;
  tessera_status status = tr_context_resolve_grid(call->context, site->grid, exchange->grid);
  if (!status)
    status = tr_layout_extents(site->from, site->to, &sizes, rank, exchange->extents);
  const int64_t *from = NULL, *to = NULL;
  if (!status)
    status = resolve_layout(call, site->from, exchange->extents, &sizes, &from);
  if (!status)
    status = resolve_layout(call, site->to, exchange->extents, &sizes, &to);
  call->num_numbers = (int32_t)(sizes - call->numbers);
  call->num_from = tessera_layout_words(site->from);
  call->num_to = tessera_layout_words(site->to);
  exchange->from = (tr_placement){from, site->grid->rank, exchange->grid};
  exchange->to = (tr_placement){to, site->grid->rank, exchange->grid};
  if (!status)
    status = tr_placement_check(&exchange->from, rank, exchange->extents);
  if (!status)
    status = tr_placement_check(&exchange->to, rank, exchange->extents);
  return status;
}

static tessera_status move_between_layouts(tr_call *call) {
  exchange exchange;
  const plan *plan = NULL;
  tr_view from, to;
  tessera_status status = tr_call_input(call, call->in, &from);
  if (!status)
    status = tr_call_output(call, call->out, &to);
  if (!status && (from.rank != to.rank || call->site->input_type != call->site->output_type))
    status = tr_fail(TESSERA_ERROR_MISMATCH, "the pieces have different types or ranks");
  if (!status)
    status = describe(call, from.rank, &exchange);
  if (!status)
    status = tr_call_check(call, NULL, -1, -1);
  if (!status)
    status = find_plan(call->context, &exchange, &plan);
  if (!status)
    status = check_piece(&from, plan->from_shape, "source");
  if (!status)
    status = check_piece(&to, plan->to_shape, "target");
  return status ? status : run_plan(call, plan, &from, &to);
}

void tessera_rt_exchange(const tessera_site *site, tessera_stream *stream, const void *in,
                         const void *out, const int64_t *sizes) {
  (void)stream;
  tr_call_run_alone(site, in, out, sizes, move_between_layouts);
}
