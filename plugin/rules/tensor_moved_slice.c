/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices and insertions at places that only the run knows (one row of a table, an update of a
 * cache). A dimension that is split and sliced so is a lookup: each device gives what it has of the
 * slice. Of an insertion, each device writes what lies in its piece. It must not know where offsets
 * come from. */
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/rows.h"
#include "rules/tensor_slice.h"

/* Dimension `d` is sliced at a place of the run. */
static bool is_moved(const ts_slice *s, int d) {
  return s->offsets[d].value == TS_DYNAMIC && s->strides[d].value == 1;
}

/* Some dimension is sliced at a place of the run, and none in steps. */
static bool moves(const ts_slice *s) {
  bool any = false;
  for (int d = 0; d < s->rank; d++) {
    any |= is_moved(s, d);
    if (s->strides[d].value != 1)
      return false;
  }
  return any;
}

/* ---- loops ----------------------------------------------------------------------------------- */

bool ts_moved_extract_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark) {
  ts_slice s = ts_slice_read(arena, op);
  ts_reduction kind = ts_kind_of_parts(mlirShapedTypeGetElementType(s.small));
  if (!moves(&s) || !kind)
    return ts_extract_slice_loops(arena, op, out, reason, remark);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    bool all = ts_slice_takes_all(arena, &s, d);
    if (all && small >= 0) {
      int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
      ts_ports_follow(arena, out, &out->operands[0], d, loop, shape[d]);
      ts_ports_follow(arena, out, &out->results[0], small, loop, small_shape[small]);
    } else if (is_moved(&s, d)) {
      int loop = ts_ports_add_loop(out, TS_LOOP_LOOKUP, shape[d]);
      ts_ports_follow(arena, out, &out->operands[0], d, loop, shape[d]);
    } else if (!all) {
      ts_slice_keep_whole(arena, &s, d, remark);
    }
  }
  ts_terms_copy(out, 0, 0);
  out->result_reduction[0] = kind;
  return true;
}

bool ts_moved_insert_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark) {
  ts_slice s = ts_slice_read(arena, op);
  if (!moves(&s))
    return ts_insert_slice_loops(arena, op, out, reason, remark);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    bool all = ts_slice_takes_all(arena, &s, d) && small >= 0, splits = all || is_moved(&s, d);
    if (!splits && shape[d] != 1)
      ts_slice_keep_whole(arena, &s, d, remark);
    int loop = ts_ports_add_loop(out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, shape[d]);
    ts_ports_follow(arena, out, &out->operands[1], d, loop, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (all)
      ts_ports_follow(arena, out, &out->operands[0], small, loop, small_shape[small]);
  }
  out->result_init[0] = 1;
  out->init_is_read[0] = true;
  out->terms[0] = (ts_terms){.kind = TS_SUM, .num_terms = 2, .sets = {1, 2}};
  return true;
}

/* ---- the local form -------------------------------------------------------------------------- */

typedef struct local {
  const ts_localize *context;
  ts_emit *emit;
  ts_slice s;
  const ts_port *port; /* of the large tensor */
} local;

static MlirValue offset_of(const local *l, int d) {
  const ts_list_number *offset = &l->s.offsets[d];
  return offset->operand >= 0 ? l->context->operands[offset->operand]
                              : ts_emit_index(l->emit, offset->value);
}

static MlirValue size_of(const local *l, int d) {
  const ts_list_number *size = &l->s.sizes[d];
  return size->operand >= 0 ? l->context->operands[size->operand]
                            : ts_emit_index(l->emit, size->value);
}

/* How a dimension that is sliced at a place of the run is split, or NULL. */
static const ts_dim *split_of(const local *l, int d) {
  const ts_dim_loops *dim = &l->port->dims[d];
  if (!dim->num_loops || !is_moved(&l->s, d))
    return NULL;
  const ts_dim *split = &l->context->loop_sharding->loops[dim->loops[0]];
  return ts_dim_is_split(split) ? split : NULL;
}

/* The slice takes all of the dimension. Its loop says so: the sizes may be those of a device by
 * now. */
static bool takes_all(const local *l, int d) {
  const ts_dim_loops *dim = &l->port->dims[d];
  return dim->num_loops && l->context->loops->loops[dim->loops[0]].kind == TS_LOOP_PARALLEL &&
         !is_moved(&l->s, d);
}

static bool splits_moved(const local *l) {
  for (int d = 0; d < l->s.rank; d++)
    if (split_of(l, d))
      return true;
  return false;
}

static ts_indexed indexed_of(const local *l, int d) {
  int loop = l->port->dims[d].loops[0];
  return (ts_indexed){l->s.op, l->context->loop_sharding->grid, split_of(l, d),
                      &l->context->loop_extents, loop};
}

/* ---- elements one by one --------------------------------------------------------------------- */

static MlirValue choose(ts_emit *emit, MlirValue condition, MlirValue a, MlirValue b) {
  ts_maker place = ts_emit_place(emit);
  return mlirValueIsNull(condition) ? a : ts_make_select(&place, condition, a, b);
}

static MlirValue both(ts_emit *emit, MlirValue a, MlirValue b) {
  ts_maker place = ts_emit_place(emit);
  return mlirValueIsNull(a) ? b : ts_make_binary(&place, "arith.andi", a, b);
}

static MlirValue element_at(ts_emit *emit, MlirValue tensor, int rank, const MlirValue *at) {
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank);
  operands[0] = tensor;
  for (int i = 0; i < rank; i++)
    operands[1 + i] = at[i];
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.extract", 1 + rank, operands, 1, &element, 0, NULL), 0);
}

typedef MlirValue (*element_of)(local *l, MlirValue tensor, const MlirValue *at);

/* A tensor of `type`, whose dynamic extents are `sizes`, of elements that `element` builds from the
 * indices. Null after a located error. */
static MlirValue generate(local *l, MlirType type, intptr_t num_sizes, const MlirValue *sizes,
                          MlirValue tensor, element_of element) {
  ts_emit *emit = l->emit;
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType *types = TS_NEW(emit->arena, MlirType, rank);
  MlirLocation *locations = TS_NEW(emit->arena, MlirLocation, rank);
  MlirValue *at = TS_NEW(emit->arena, MlirValue, rank);
  for (intptr_t i = 0; i < rank; i++) {
    types[i] = mlirIndexTypeGet(emit->context);
    locations[i] = emit->location;
  }
  MlirBlock block = mlirBlockCreate(rank, types, locations);
  for (intptr_t i = 0; i < rank; i++)
    at[i] = mlirBlockGetArgument(block, i);
  ts_maker outside = ts_emit_place(emit);
  emit->block = block;
  emit->before = (MlirOperation){NULL};
  MlirValue value = element(l, tensor, at);
  if (!mlirValueIsNull(value))
    ts_emit_op(emit, "tensor.yield", 1, &value, 0, NULL, 0, NULL);
  ts_place_back(emit, outside);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  if (mlirValueIsNull(value)) {
    mlirRegionDestroy(region);
    return value;
  }
  MlirOperation made = ts_make_op(&outside, &(ts_new_op){.name = "tensor.generate",
                                                         .num_operands = num_sizes,
                                                         .operands = sizes,
                                                         .num_results = 1,
                                                         .results = &type,
                                                         .region = region});
  return mlirOperationGetResult(made, 0);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Element `at` of the slice, out of the piece: a neutral one where another device has it. */
static MlirValue sliced_element(local *l, MlirValue piece, const MlirValue *at) {
  ts_emit *emit = l->emit;
  MlirValue *place = TS_NEW(emit->arena, MlirValue, l->s.rank), here = {NULL};
  for (int d = 0; d < l->s.rank; d++) {
    int small = l->s.small_dims[d];
    place[d] = small >= 0 ? at[small] : ts_emit_index(emit, 0);
    if (takes_all(l, d))
      continue;
    place[d] = ts_emit_add(emit, place[d], offset_of(l, d));
    if (!split_of(l, d))
      continue;
    ts_indexed indexed = indexed_of(l, d);
    MlirValue has = {NULL};
    place[d] = ts_emit_piece_index(emit, &indexed, place[d], &has);
    if (mlirValueIsNull(place[d]))
      return place[d];
    here = both(emit, here, has);
  }
  MlirValue value = element_at(emit, piece, l->s.rank, place);
  MlirType element = mlirValueGetType(value);
  MlirValue none =
      ts_emit_scalar(emit, ts_neutral_element(l->context->loops->result_reduction[0], element));
  return choose(emit, here, value, none);
}

bool ts_moved_extract_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  local l = {context, emit, ts_slice_read(emit->arena, context->op), &context->loops->operands[0]};
  if (!splits_moved(&l))
    return ts_slice_localize(context, results);
  MlirValue piece = context->operands[0];
  MlirType type = context->result_types[0];
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, l.s.rank);
  bool *pads = TS_NEW(emit->arena, bool, l.s.rank);
  intptr_t num = 0;
  for (int d = 0; d < l.s.rank; d++) {
    int small = l.s.small_dims[d];
    const ts_dim *split = split_of(&l, d);
    pads[d] = split && ts_may_be_empty(context->loop_sharding->grid, split);
    if (small >= 0 && mlirShapedTypeIsDynamicDim(type, small))
      sizes[num++] = takes_all(&l, d) ? ts_emit_tensor_size(emit, piece, d) : size_of(&l, d);
  }
  results[0] =
      generate(&l, type, num, sizes, ts_emit_at_least_one(emit, piece, pads), sliced_element);
  return !mlirValueIsNull(results[0]);
}

/* ---- insertions ------------------------------------------------------------------------------ */

/* Element `at` of the piece after the insertion. */
static MlirValue inserted_element(local *l, MlirValue slice, const MlirValue *at) {
  ts_emit *emit = l->emit;
  int rank = (int)mlirShapedTypeGetRank(l->s.small);
  MlirValue *place = TS_NEW(emit->arena, MlirValue, rank), inside = {NULL};
  /* What no dimension is matched with has one element. */
  for (int i = 0; i < rank; i++)
    place[i] = ts_emit_index(emit, 0);
  for (int d = 0; d < l->s.rank; d++) {
    int small = l->s.small_dims[d];
    MlirValue index = at[d];
    if (takes_all(l, d) && small >= 0) {
      place[small] = index;
      continue;
    }
    if (split_of(l, d)) {
      ts_indexed indexed = indexed_of(l, d);
      index = ts_emit_global_index(emit, &indexed, index);
      if (mlirValueIsNull(index))
        return index;
    }
    ts_maker maker = ts_emit_place(emit);
    enum { UNSIGNED_LESS = 6 }; /* arith's number: what is negative is large */
    index = ts_emit_sub(emit, index, offset_of(l, d));
    MlirValue in = ts_make_compare(&maker, "arith.cmpi", UNSIGNED_LESS, index, size_of(l, d));
    inside = both(emit, inside, in);
    if (small >= 0)
      place[small] = choose(emit, in, index, ts_emit_index(emit, 0));
  }
  MlirValue old = element_at(emit, l->context->operands[1], l->s.rank, at);
  return choose(emit, inside, element_at(emit, slice, rank, place), old);
}

static bool insert_by_elements(local *l, MlirValue *results) {
  ts_emit *emit = l->emit;
  MlirType type = l->context->result_types[0];
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, l->s.rank);
  int small_rank = (int)mlirShapedTypeGetRank(l->s.small);
  bool *pads = TS_NEW(emit->arena, bool, small_rank);
  intptr_t num = 0;
  for (int d = 0; d < l->s.rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_emit_tensor_size(emit, l->context->operands[1], d);
  for (int d = 0; d < small_rank; d++)
    pads[d] = mlirShapedTypeIsDynamicDim(l->s.small, d);
  results[0] =
      generate(l, type, num, sizes, ts_emit_at_least_one(emit, l->context->operands[0], pads),
               inserted_element);
  return !mlirValueIsNull(results[0]);
}

/* Of a dimension that is split in one piece a device: which part of the slice lies in the piece. */
typedef struct overlap {
  MlirValue start; /* in the piece */
  MlirValue from;  /* in the slice */
  MlirValue size;  /* 0 if there is none */
} overlap;

static MlirValue clamp(ts_emit *emit, MlirValue value, MlirValue most) {
  return ts_emit_min(emit, ts_emit_max(emit, value, ts_emit_index(emit, 0)), most);
}

/* False after a located error. */
static bool find_overlap(local *l, int d, overlap *o) {
  ts_emit *emit = l->emit;
  ts_indexed indexed = indexed_of(l, d);
  MlirValue extent = {NULL}, offset = offset_of(l, d), size = size_of(l, d);
  if (indexed.dim->factors[0].size == TS_DYNAMIC) {
    extent = indexed.extents->get(indexed.extents->user, indexed.number);
    if (mlirValueIsNull(extent))
      return false;
  }
  MlirValue first = ts_emit_factor_offset(emit, indexed.grid, &indexed.dim->factors[0], extent);
  MlirValue held = ts_emit_tensor_size(emit, l->context->operands[1], d);
  o->start = clamp(emit, ts_emit_sub(emit, offset, first), held);
  o->from = clamp(emit, ts_emit_sub(emit, first, offset), size);
  MlirValue room = ts_emit_sub(emit, held, o->start), rest = ts_emit_sub(emit, size, o->from);
  o->size = ts_emit_min(emit, room, rest);
  return true;
}

/* Slices of ranges are cheap where each split dimension is one range, and has one in the slice. */
static bool is_in_ranges(const local *l) {
  for (int d = 0; d < l->s.rank; d++) {
    const ts_dim *split = split_of(l, d);
    if ((split && split->num_factors > 1) || l->s.small_dims[d] != d)
      return false;
  }
  return (int)mlirShapedTypeGetRank(l->s.small) == l->s.rank;
}

static bool insert_ranges(local *l, MlirValue *results) {
  ts_emit *emit = l->emit;
  MlirValue slice = l->context->operands[0];
  MlirType type = mlirValueGetType(slice);
  int rank = l->s.rank;
  MlirValue *from = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *to = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  for (int d = 0; d < rank; d++) {
    overlap o = {offset_of(l, d), ts_emit_index(emit, 0), ts_emit_tensor_size(emit, slice, d)};
    if (split_of(l, d) && !find_overlap(l, d, &o))
      return false;
    to[d] = o.start;
    from[d] = o.from;
    sizes[d] = o.size;
    shape[d] = split_of(l, d) || mlirShapedTypeIsDynamicDim(type, d)
                   ? TS_DYNAMIC
                   : mlirShapedTypeGetDimSize(type, d);
  }
  MlirType part = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirRankedTensorTypeGetEncoding(type));
  slice = ts_emit_extract_slice(emit, slice, part, from, sizes);
  results[0] = ts_emit_insert_slice(emit, slice, l->context->operands[1], to, sizes);
  return true;
}

bool ts_moved_insert_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  local l = {context, emit, ts_slice_read(emit->arena, context->op), &context->loops->operands[1]};
  if (!splits_moved(&l))
    return ts_slice_localize(context, results);
  return is_in_ranges(&l) ? insert_ranges(&l, results) : insert_by_elements(&l, results);
}
