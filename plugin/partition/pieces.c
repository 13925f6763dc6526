/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finding and building pieces. A tensor resharded once is reused, because the new piece is built
 * where the old one is defined and so dominates all that the old one does. */
#include "partition/pieces.h"

#include "mlir-c/BuiltinTypes.h"

#include "partition/causes.h"
#include "partition/extents.h"
#include "reshard/reshard.h"
#include "support/blocks.h"

typedef struct piece {
  MlirValue value; /* in the source: a value of the model may stand for several */
  MlirValue local;
  const ts_sharding *layout;
  MlirBlock scope;    /* where it is known from now on; null: wherever the value is */
  struct piece *next; /* in the order in which they were made */
} piece;

void ts_enter_block(ts_partitioner *p, MlirBlock block) {
  ts_map_set(&p->first_ops, p->model->arena, block.ptr, mlirBlockGetFirstOperation(block).ptr);
}

static piece *pieces_of(const ts_partitioner *p, const ts_value *info) {
  return ts_map_get(&p->pieces, info);
}

static void add_piece(ts_partitioner *p, ts_value *info, piece piece_of_value) {
  piece *last = pieces_of(p, info);
  piece *added = ts_arena_copy(p->model->arena, &piece_of_value, sizeof(piece_of_value));
  while (last && last->next)
    last = last->next;
  if (last)
    last->next = added;
  else
    ts_map_set(&p->pieces, p->model->arena, info, added);
}

void ts_set_piece(ts_partitioner *p, ts_value *info, MlirValue value, MlirValue local,
                  const ts_sharding *layout) {
  add_piece(p, info, (piece){.value = value, .local = local, .layout = layout});
}

/* Ops come in program order, so what was built in a block is known to all that come later there. */
static bool is_known(const ts_partitioner *p, MlirValue value, const piece *piece) {
  return mlirValueEqual(piece->value, value) &&
         (!piece->scope.ptr || ts_ancestor_in(piece->scope, p->current).ptr);
}

static piece *find(ts_partitioner *p, const ts_value *info, MlirValue value,
                   const ts_sharding *layout) {
  for (piece *at = pieces_of(p, info); at; at = at->next)
    if (ts_sharding_equivalent(p->model->arena, at->layout, layout) && is_known(p, value, at))
      return at;
  return NULL;
}

static piece *cheapest(ts_partitioner *p, const ts_value *info, MlirValue value,
                       const ts_sharding *layout) {
  piece *best = NULL;
  double best_cost = 0;
  for (piece *at = pieces_of(p, info); at; at = at->next) {
    if (!is_known(p, value, at))
      continue;
    double cost = ts_reshard_cost(p->model->arena, at->layout, layout);
    if (!best || cost < best_cost) {
      best = at;
      best_cost = cost;
    }
  }
  return best;
}

double ts_piece_cost(ts_partitioner *p, const ts_value *info, MlirValue value,
                     const ts_sharding *layout) {
  const piece *from = cheapest(p, info, value, layout);
  return from ? ts_reshard_cost(p->model->arena, from->layout, layout) : 0;
}

/* Builds from now on right after the definition of `local`. */
static void build_after(ts_partitioner *p, MlirValue local) {
  if (!mlirValueIsAOpResult(local)) {
    MlirBlock block = mlirBlockArgumentGetOwner(local);
    ts_emit_before(&p->emit, (MlirOperation){ts_map_get(&p->first_ops, block.ptr)});
    return;
  }
  /* What was built last stands first: behind the extents, which it may ask for. */
  MlirOperation op = mlirOpResultGetOwner(local), last = {ts_map_get(&p->sizes_of, op.ptr)};
  ts_emit_after(&p->emit, last.ptr ? last : op);
}

/* Every device may hold the free value itself, whatever it is partial over. */
static bool is_neutral(const ts_value *source, const ts_sharding *layout) {
  for (int i = 0; i < layout->num_partial; i++)
    if (!ts_free_is_neutral(source->handle, layout->partial[i].kind))
      return false;
  return true;
}

static bool has_run_time(const ts_sharding *layout) {
  return ts_sharding_run_time(layout, NULL) > 0;
}

typedef struct known_extents {
  ts_partitioner *p;
  MlirValue value;
} known_extents;

static MlirValue get_extent(void *user, int d) {
  const known_extents *known = user;
  return ts_extent(known->p, known->value, d);
}

/* Builds what can be built in place and reshards it to what cannot: halos, explicit offsets, and
 * partial values that must not count once on every device. */
static MlirValue build_free(ts_partitioner *p, ts_value *source, const ts_sharding *layout) {
  ts_arena *arena = p->model->arena;
  ts_emit_after(&p->emit, mlirOpResultGetOwner(source->handle));
  const ts_sharding *easy =
      ts_free_is_same_anywhere(source->handle) ? layout : ts_sharding_balanced(arena, layout);
  if (!is_neutral(source, layout))
    easy = ts_sharding_with_partial(arena, easy, 0, NULL);
  if (has_run_time(easy))
    ts_emit_before(&p->emit, p->current);
  MlirValue local = ts_free_build(&p->emit, source->handle, easy);
  if (mlirValueIsNull(local) || easy == layout)
    return local;
  known_extents known = {p, source->handle};
  ts_extents extents = {get_extent, &known};
  if (has_run_time(layout) || ts_extents_are_late(p, source->handle))
    ts_emit_before(&p->emit, p->current);
  ts_say_why_moved(p, source, source->handle, easy, layout);
  return ts_reshard(&p->emit, local, easy, layout, source->type, &extents);
}

static MlirValue reshard_piece(ts_partitioner *p, const ts_value *info, MlirValue value,
                               const piece *from, const ts_sharding *layout) {
  known_extents known = {p, value};
  ts_extents extents = {get_extent, &known};
  if (has_run_time(layout) || has_run_time(from->layout) || ts_extents_are_late(p, value))
    ts_emit_before(&p->emit, p->current);
  else
    build_after(p, from->local);
  ts_say_why_moved(p, info, value, from->layout, layout);
  return ts_reshard(&p->emit, from->local, from->layout, layout, info->type, &extents);
}

/* Where a new piece is known: everywhere the value is, unless its numbers, those of the piece that
 * it is made from (NULL: none), or its extents are not. */
static MlirBlock scope_of(const ts_partitioner *p, const piece *from, const ts_sharding *layout,
                          bool late) {
  if (late || has_run_time(layout) || (from && has_run_time(from->layout)))
    return mlirOperationGetBlock(p->current);
  return from ? from->scope : (MlirBlock){NULL};
}

MlirValue ts_piece(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout) {
  ts_value *source = ts_free_source(info);
  if (source) {
    info = source;
    value = source->handle;
  }
  piece *found = find(p, info, value, layout);
  if (found)
    return found->local;
  piece *from = source ? NULL : cheapest(p, info, value, layout);
  bool late = ts_extents_are_late(p, value);
  MlirValue local =
      source ? build_free(p, source, layout) : reshard_piece(p, info, value, from, layout);
  if (!mlirValueIsNull(local))
    add_piece(p, info,
              (piece){.value = value,
                      .local = local,
                      .layout = layout,
                      .scope = scope_of(p, from, layout, late)});
  return local;
}

MlirValue ts_piece_or_fresh(ts_partitioner *p, ts_value *info, MlirValue value,
                            const ts_sharding *layout, MlirOperation user) {
  if (ts_free_source(info) || find(p, info, value, layout))
    return ts_piece(p, info, value, layout);
  MlirType type = ts_local_type(layout, info->type);
  MlirValue *sizes = TS_NEW(p->model->arena, MlirValue, info->rank);
  int num = 0;
  ts_emit_before(&p->emit, user);
  for (int d = 0; d < info->rank; d++) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    bool unknown = info->shape[d] == TS_DYNAMIC;
    MlirValue extent = unknown ? ts_extent(p, value, d) : (MlirValue){NULL};
    sizes[num] = ts_emit_local_size(&p->emit, layout, d, extent);
    if (mlirValueIsNull(sizes[num++]))
      return (MlirValue){NULL};
  }
  return ts_emit_empty(&p->emit, type, num, sizes);
}

static bool dim_has_run_time(const ts_sharding *layout, int d) {
  ts_sharding alone = {.grid = layout->grid, .rank = 1, .dims = &layout->dims[d]};
  return has_run_time(&alone);
}

ts_known_piece ts_find_piece(const ts_partitioner *p, MlirValue value, int d) {
  const piece *best = NULL;
  for (const piece *at = pieces_of(p, ts_model_value(p->model, value)); at; at = at->next) {
    if (!is_known(p, value, at))
      continue;
    if (!best || dim_has_run_time(best->layout, d))
      best = at;
  }
  if (!best)
    return (ts_known_piece){.everywhere = false};
  return (ts_known_piece){.local = best->local,
                          .layout = best->layout,
                          .everywhere = !best->scope.ptr,
                          .run_time = dim_has_run_time(best->layout, d)};
}

void ts_erase_later(ts_partitioner *p, MlirOperation op) {
  p->dead = ts_arena_grow(p->model->arena, p->dead, p->num_dead, &p->max_dead, sizeof(*p->dead));
  p->dead[p->num_dead++] = op;
}

static bool has_uses(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

void ts_erase_now(ts_partitioner *p) {
  for (int i = p->num_dead; i-- > 0;)
    if (!has_uses(p->dead[i]))
      mlirOperationDestroy(p->dead[i]);
}
