/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finding and building pieces. A tensor resharded once is reused, because the new piece is built
 * where the old one is defined and so dominates all that the old one does. */
#include "partition/pieces.h"

#include "mlir-c/BuiltinTypes.h"

#include "partition/causes.h"
#include "partition/extents.h"
#include "reshard/reshard.h"
#include "support/blocks.h"

typedef ts_local_piece piece;

void ts_enter_block(ts_partitioner *p, MlirBlock block) {
  ts_map_set(&p->first_ops, p->model->arena, block.ptr, mlirBlockGetFirstOperation(block).ptr);
}

static piece *find(ts_partitioner *p, const ts_value *info, MlirValue value,
                   const ts_sharding *layout) {
  for (piece *at = ts_local_pieces(p, info); at; at = at->next)
    if (ts_sharding_equivalent(p->model->arena, at->layout, layout) &&
        ts_is_known_piece(p, value, at))
      return at;
  return NULL;
}

static piece *cheapest(ts_partitioner *p, const ts_value *info, MlirValue value,
                       const ts_sharding *layout) {
  piece *best = NULL;
  double best_cost = 0;
  for (piece *at = ts_local_pieces(p, info); at; at = at->next) {
    if (!ts_is_known_piece(p, value, at))
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
    ts_add_local_piece(p, info,
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
