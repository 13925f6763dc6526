/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finding and building pieces. A tensor resharded once is reused, because the new piece is built
 * where the old one is defined and so dominates all that the old one does. It knows layouts and
 * where to build; it must not know what ops mean. */
#include "partition/pieces.h"

#include "mlir-c/BuiltinTypes.h"

#include "partition/extents.h"
#include "partition/reasons.h"
#include "reshard/reshard.h"
#include "solve/demand.h"
#include "solve/views.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

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
    if (!ts_is_known_piece(p, value, at) || !ts_sharding_has_all(at->layout))
      continue;
    double cost = ts_reshard_cost(p->model->arena, at->layout, layout);
    if (!best || cost < best_cost) {
      best = at;
      best_cost = cost;
    }
  }
  return best;
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

/* ---- parts of pieces ------------------------------------------------------------------------- */

typedef ts_cut cut;

/* Of the ranges `held` just `read`. */
static cut cut_dim(ts_emit *emit, const ts_grid *grid, ts_ranges held, ts_ranges read) {
  int64_t *offsets = TS_NEW(emit->arena, int64_t, read.num);
  int64_t *sizes = TS_NEW(emit->arena, int64_t, read.num);
  for (int64_t i = 0; i < read.num; i++) {
    sizes[i] = read.of[i].end - read.of[i].first;
    if (sizes[i] > 0)
      offsets[i] = read.of[i].first - held.of[held.num == 1 ? 0 : i].first;
  }
  return (cut){.offset = ts_emit_by_shard(emit, grid, read.shards, offsets),
               .size = ts_emit_by_shard(emit, grid, read.shards, sizes)};
}

MlirValue ts_emit_cut(ts_emit *emit, MlirValue local, int rank, const ts_cut *cuts) {
  MlirType type = mlirValueGetType(local);
  MlirValue *offsets = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  bool all = true;
  for (int d = 0; d < rank; d++) {
    offsets[d] = cuts[d].offset;
    sizes[d] = cuts[d].size;
    shape[d] = ts_index_value(sizes[d]);
    if (shape[d] == TS_DYNAMIC)
      shape[d] = mlirShapedTypeGetDynamicSize();
    all = all && cuts[d].takes_all;
  }
  if (all)
    return local;
  MlirType part = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirRankedTensorTypeGetEncoding(type));
  return ts_emit_extract_slice(emit, local, part, offsets, sizes);
}

ts_cut ts_cut_nothing(ts_emit *emit, MlirValue local, int d) {
  return (cut){ts_emit_index(emit, 0), ts_emit_tensor_size(emit, local, d), true};
}

MlirValue ts_part_of_piece(ts_emit *emit, MlirValue local, const ts_sharding *whole, ts_ask ask) {
  const ts_sharding *layout = ask.layout;
  cut *cuts = TS_NEW(emit->arena, cut, layout->rank);
  for (int d = 0; d < layout->rank; d++) {
    ts_ranges held = ts_dim_ranges(emit->arena, layout->grid, &whole->dims[d]);
    ts_ranges part = ask.read && ask.read[d].of
                         ? ask.read[d]
                         : ts_dim_ranges(emit->arena, layout->grid, &layout->dims[d]);
    cuts[d] = held.of && part.of && !ts_ranges_equal(held, part)
                  ? cut_dim(emit, layout->grid, held, part)
                  : ts_cut_nothing(emit, local, d);
  }
  return ts_emit_cut(emit, local, layout->rank, cuts);
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

/* A free value that depends on where it lies, in ranges: cut out of all of these dimensions. Null
 * if some range reaches beyond the ends. */
static MlirValue cut_free(ts_partitioner *p, ts_value *source, const ts_sharding *layout) {
  const ts_sharding *whole = layout;
  for (int d = 0; d < layout->rank; d++)
    if (layout->dims[d].offsets || ts_dim_has_halo(&layout->dims[d]))
      whole = ts_sharding_with_dim(p->model->arena, whole, d,
                                   ts_dim_plain(p->model->arena, source->shape[d], 0, NULL));
  if (!ts_sharding_contains(p->model->arena, whole, layout))
    return (MlirValue){NULL};
  MlirValue local = ts_free_build(&p->emit, source->handle, whole);
  if (mlirValueIsNull(local))
    return local;
  return ts_emit_cast(
      &p->emit, ts_part_of_piece(&p->emit, local, whole, (ts_ask){.layout = layout, .read = NULL}),
      ts_local_type(layout, source->type));
}

/* Builds what can be built in place and reshards it to what cannot: halos, explicit offsets, and
 * partial values that must not count once on every device. */
static MlirValue build_free(ts_partitioner *p, ts_value *source, const ts_sharding *layout) {
  ts_arena *arena = p->model->arena;
  ts_emit_after(&p->emit, mlirOpResultGetOwner(source->handle));
  if (ts_sharding_has_ranges(layout) && !ts_free_is_same_anywhere(source->handle)) {
    MlirValue part = cut_free(p, source, layout);
    if (!mlirValueIsNull(part))
      return part;
  }
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

MlirValue ts_move_piece(ts_partitioner *p, const ts_value *info, MlirValue value, MlirValue local,
                        const ts_sharding *from, const ts_sharding *to) {
  known_extents known = {p, value};
  ts_extents extents = {get_extent, &known};
  ts_say_why_moved(p, info, value, from, to);
  return ts_reshard(&p->emit, local, from, to, info->type, &extents);
}

static MlirValue reshard_piece(ts_partitioner *p, const ts_value *info, MlirValue value,
                               const piece *from, const ts_sharding *layout) {
  if (has_run_time(layout) || has_run_time(from->layout) || ts_extents_are_late(p, value))
    ts_emit_before(&p->emit, p->current);
  else
    build_after(p, from->local);
  return ts_move_piece(p, info, value, from->local, from->layout, layout);
}

/* Where a new piece is known: everywhere the value is, unless its numbers, those of the piece that
 * it is made from (NULL: none), or its extents are not. */
static MlirBlock scope_of(const ts_partitioner *p, const piece *from, const ts_sharding *layout,
                          bool late) {
  if (late || has_run_time(layout) || (from && has_run_time(from->layout)))
    return mlirOperationGetBlock(p->current);
  return from ? from->scope : (MlirBlock){NULL};
}

/* A piece that holds all that `ask` reads. */
static piece *find_whole(ts_partitioner *p, const ts_value *info, MlirValue value, ts_ask ask) {
  for (piece *at = ts_local_pieces(p, info); at; at = at->next)
    if (ts_is_known_piece(p, value, at) &&
        ts_sharding_contains_read(p->model->arena, at->layout, ask.layout, ask.read))
      return at;
  return NULL;
}

static MlirValue cut_piece(ts_partitioner *p, ts_value *info, MlirValue value, const piece *from,
                           const ts_sharding *layout) {
  build_after(p, from->local);
  MlirValue part = ts_part_of_piece(&p->emit, from->local, from->layout,
                                    (ts_ask){.layout = layout, .read = NULL});
  MlirValue local = ts_emit_cast(&p->emit, part, ts_local_type(layout, info->type));
  ts_add_local_piece(
      p, info, (piece){.value = value, .local = local, .layout = layout, .scope = from->scope});
  return local;
}

/* ---- finding or building --------------------------------------------------------------------- */

/* The piece of a view, made for this layout and what else it serves; null if its op makes none. */
static MlirValue piece_of_view(ts_partitioner *p, ts_value *info, MlirValue value,
                               const ts_sharding *layout) {
  const ts_op *op = info->definition;
  const ts_sharding *wanted = ts_demanded(p->model, info, (ts_ask){.layout = layout, .read = NULL});
  const ts_loop_sharding *loops = ts_view_loops(p->model->arena, op, wanted);
  if (!loops) {
    wanted = op->natural[0];
    loops = op->sharding;
    piece *natural = find(p, info, value, wanted);
    if (natural)
      return (MlirValue){NULL};
  }
  if (!p->build_view(p, op, loops, wanted))
    return (MlirValue){NULL};
  piece *found = find(p, info, value, layout),
        *whole =
            found ? found : find_whole(p, info, value, (ts_ask){.layout = layout, .read = NULL});
  if (found || !whole)
    return found ? found->local : (MlirValue){NULL};
  return cut_piece(p, info, value, whole, layout);
}

/* What uses ask for is known before anything is built, so that this is no fault of the program. */
static MlirValue no_piece(ts_partitioner *p, const ts_sharding *layout) {
  ts_error(p->current,
           "a part of this op's operand was asked for that no device has (%s): expected every "
           "use to be known; please report it, with this program",
           ts_sharding_text(p->model->arena, layout));
  return (MlirValue){NULL};
}

static MlirValue add_local(ts_partitioner *p, ts_value *info, piece made) {
  if (!mlirValueIsNull(made.local))
    ts_add_local_piece(p, info, made);
  return made.local;
}

static MlirValue reshard_cheapest(ts_partitioner *p, ts_value *info, MlirValue value,
                                  const ts_sharding *layout) {
  const piece *from = cheapest(p, info, value, layout);
  bool late = ts_extents_are_late(p, value);
  if (!from)
    return no_piece(p, layout);
  return add_local(p, info,
                   (piece){.value = value,
                           .local = reshard_piece(p, info, value, from, layout),
                           .layout = layout,
                           .scope = scope_of(p, from, layout, late)});
}

/* The piece under `layout`, which has ranges, with what else one exchange brings. */
static MlirValue fetch(ts_partitioner *p, ts_value *info, MlirValue value,
                       const ts_sharding *layout) {
  ts_arena *arena = p->model->arena;
  const ts_sharding *wanted = ts_demanded(p->model, info, (ts_ask){.layout = layout, .read = NULL});
  const piece *from = cheapest(p, info, value, wanted);
  if (from && from->layout->num_partial) {
    const ts_sharding *own =
        ts_sharding_with_partial(arena, ts_sharding_balanced(arena, info->layout), 0, NULL);
    if (mlirValueIsNull(ts_piece(p, info, value, own)))
      return (MlirValue){NULL};
  }
  if (mlirValueIsNull(reshard_cheapest(p, info, value, wanted)))
    return (MlirValue){NULL};
  return ts_piece(p, info, value, layout);
}

double ts_piece_cost(ts_partitioner *p, ts_value *info, MlirValue value,
                     const ts_sharding *layout) {
  ts_look_behind(&info, &value);
  const piece *from = cheapest(p, info, value, layout);
  return from ? ts_reshard_cost(p->model->arena, from->layout, layout) : 0;
}

MlirValue ts_piece(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout) {
  ts_value *source = ts_free_source(info);
  if (source) {
    info = source;
    value = source->handle;
  } else {
    ts_look_behind(&info, &value);
  }
  const piece *found = find(p, info, value, layout);
  if (found)
    return found->local;
  if (source)
    return add_local(p, info,
                     (piece){.value = value,
                             .layout = layout,
                             .scope = scope_of(p, NULL, layout, ts_extents_are_late(p, value)),
                             .local = build_free(p, source, layout)});
  bool in_ranges = ts_sharding_has_ranges(layout) && !layout->num_partial;
  if (in_ranges || info->is_view)
    found = find_whole(p, info, value, (ts_ask){.layout = layout, .read = NULL});
  if (found)
    return cut_piece(p, info, value, found, layout);
  if (info->is_view) {
    MlirValue local = piece_of_view(p, info, value, layout);
    if (!mlirValueIsNull(local) || !find(p, info, value, info->definition->natural[0]))
      return local;
  }
  return in_ranges ? fetch(p, info, value, layout) : reshard_cheapest(p, info, value, layout);
}

static bool reads_part(ts_ask ask) {
  for (int d = 0; ask.read && d < ask.layout->rank; d++)
    if (ask.read[d].of)
      return true;
  return false;
}

MlirValue ts_piece_read(ts_partitioner *p, ts_value *info, MlirValue value, ts_ask ask,
                        MlirOperation user) {
  if (!reads_part(ask))
    return ts_piece(p, info, value, ask.layout);
  const ts_sharding *layout = ask.layout;
  MlirValue local;
  if (ts_free_source(info)) {
    local = ts_piece(p, info, value, layout);
  } else {
    ts_look_behind(&info, &value);
    const piece *whole = find_whole(p, info, value, ask);
    layout = whole ? whole->layout : ts_demanded(p->model, info, ask);
    local = whole ? whole->local : ts_piece(p, info, value, layout);
  }
  if (mlirValueIsNull(local))
    return local;
  ts_emit_before(&p->emit, user);
  return ts_part_of_piece(&p->emit, local, layout, ask);
}

MlirValue ts_fresh_piece(ts_partitioner *p, const ts_value *info, MlirValue value,
                         const ts_sharding *layout, MlirOperation user) {
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

MlirValue ts_piece_or_fresh(ts_partitioner *p, ts_value *info, MlirValue value,
                            const ts_sharding *layout, MlirOperation user) {
  bool exists = ts_free_source(info) || find(p, info, value, layout);
  return exists ? ts_piece(p, info, value, layout) : ts_fresh_piece(p, info, value, layout, user);
}
