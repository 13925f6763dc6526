/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices and insertions at places that only the run knows (one row of a table, an update of a
 * cache). A dimension that is split and sliced so is a lookup: each device gives what it has of the
 * slice. Of an insertion, each device writes what lies in its piece. It must not know where offsets
 * come from. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/rows.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* One dimension of the large tensor. An operand number of -1: an attribute says it. */
typedef struct moved_dim {
  int64_t offset, size, stride;
  intptr_t offset_operand, size_operand;
  int small; /* the dimension of the slice, or -1 */
} moved_dim;

typedef struct moved {
  MlirOperation op;
  bool extracts;
  MlirValue large; /* the tensor that has the slice in it */
  MlirType small;  /* the type of the slice */
  int rank;        /* of the large tensor */
  const int64_t *shape;
  moved_dim *dims;
} moved;

static int64_t listed(MlirOperation op, const char *name, int d) {
  return mlirDenseI64ArrayGetElement(ts_attribute(op, name), d);
}

/* Dimensions that a slice of fewer dimensions lacks have size 1. Which of several it lacks does not
 * matter, so none of them follows a loop. */
static void match_dims(ts_arena *arena, moved *m) {
  int small_rank = (int)mlirShapedTypeGetRank(m->small), next = 0;
  const int64_t *shape = ts_shape_of(arena, m->small);
  for (int d = 0; d < m->rank; d++) {
    bool is_one = m->dims[d].size == 1;
    if (small_rank == m->rank) {
      m->dims[d].small = d;
      continue;
    }
    while (!is_one && next < small_rank && shape[next] == 1)
      next++;
    m->dims[d].small = is_one || next == small_rank ? -1 : next++;
  }
}

static moved read_moved(ts_arena *arena, MlirOperation op) {
  moved m = {.op = op, .extracts = ts_op_is(op, "tensor.extract_slice")};
  intptr_t next = m.extracts ? 1 : 2;
  m.large = mlirOperationGetOperand(op, next - 1);
  m.small =
      mlirValueGetType(m.extracts ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0));
  m.shape = ts_shape_of(arena, mlirValueGetType(m.large));
  m.rank = (int)mlirShapedTypeGetRank(mlirValueGetType(m.large));
  m.dims = TS_NEW(arena, moved_dim, m.rank);
  for (int d = 0; d < m.rank; d++) {
    m.dims[d] = (moved_dim){listed(op, "static_offsets", d),
                            listed(op, "static_sizes", d),
                            listed(op, "static_strides", d),
                            -1,
                            -1,
                            -1};
    if (m.dims[d].offset == TS_DYNAMIC)
      m.dims[d].offset_operand = next++;
  }
  for (int d = 0; d < m.rank; d++)
    if (m.dims[d].size == TS_DYNAMIC)
      m.dims[d].size_operand = next++;
  match_dims(arena, &m);
  return m;
}

static bool takes_all(ts_arena *arena, const moved *m, int d) {
  const moved_dim *dim = &m->dims[d];
  if (dim->offset != 0 || dim->stride != 1)
    return false;
  if (dim->size_operand < 0)
    return ts_extent_is_number(arena, m->large, d, dim->size);
  return ts_extent_is_value(arena, m->large, d, mlirOperationGetOperand(m->op, dim->size_operand));
}

static bool is_moved(const moved *m, int d) {
  const moved_dim *dim = &m->dims[d];
  return dim->offset_operand >= 0 && dim->stride == 1 &&
         ts_index_value(mlirOperationGetOperand(m->op, dim->offset_operand)) == TS_DYNAMIC;
}

/* Some dimension is sliced at a place of the run, and none in steps. */
static bool moves(const moved *m) {
  bool any = false;
  for (int d = 0; d < m->rank; d++) {
    any |= is_moved(m, d);
    if (m->dims[d].stride != 1)
      return false;
  }
  return any;
}

static void keep_whole(ts_arena *arena, const moved *m, int d, const char **remark) {
  if (!*remark)
    *remark = ts_arena_format(arena, "dimension %d of '%s' stays whole on every device: %s", d,
                              ts_op_name(m->op), "the slice is not known to be all of it");
}

/* ---- loops ----------------------------------------------------------------------------------- */

bool ts_moved_extract_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark) {
  moved m = read_moved(arena, op);
  ts_reduction kind = ts_kind_of_parts(mlirShapedTypeGetElementType(m.small));
  if (!moves(&m) || !kind)
    return ts_extract_slice_loops(arena, op, out, reason, remark);
  if (!ts_ports_init(arena, op, m.rank, out, reason))
    return false;
  const int64_t *small_shape = ts_shape_of(arena, m.small);
  for (int d = 0; d < m.rank; d++) {
    int small = m.dims[d].small;
    bool all = takes_all(arena, &m, d);
    if (all && small >= 0) {
      int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, m.shape[d]);
      ts_ports_follow(arena, out, &out->operands[0], d, loop, m.shape[d]);
      ts_ports_follow(arena, out, &out->results[0], small, loop, small_shape[small]);
    } else if (is_moved(&m, d)) {
      int loop = ts_ports_add_loop(out, TS_LOOP_LOOKUP, m.shape[d]);
      ts_ports_follow(arena, out, &out->operands[0], d, loop, m.shape[d]);
    } else if (!all) {
      keep_whole(arena, &m, d, remark);
    }
  }
  ts_terms_copy(out, 0, 0);
  out->result_reduction[0] = kind;
  return true;
}

bool ts_moved_insert_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark) {
  moved m = read_moved(arena, op);
  if (!moves(&m))
    return ts_insert_slice_loops(arena, op, out, reason, remark);
  if (!ts_ports_init(arena, op, m.rank, out, reason))
    return false;
  const int64_t *small_shape = ts_shape_of(arena, m.small);
  for (int d = 0; d < m.rank; d++) {
    int small = m.dims[d].small;
    bool all = takes_all(arena, &m, d) && small >= 0, splits = all || is_moved(&m, d);
    if (!splits && m.shape[d] != 1)
      keep_whole(arena, &m, d, remark);
    int loop = ts_ports_add_loop(out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, m.shape[d]);
    ts_ports_follow(arena, out, &out->operands[1], d, loop, m.shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, m.shape[d]);
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
  moved m;
  const ts_port *port; /* of the large tensor */
} local;

static MlirValue offset_of(const local *l, int d) {
  const moved_dim *dim = &l->m.dims[d];
  return dim->offset_operand >= 0 ? l->context->operands[dim->offset_operand]
                                  : ts_emit_index(l->emit, dim->offset);
}

static MlirValue size_of(const local *l, int d) {
  const moved_dim *dim = &l->m.dims[d];
  return dim->size_operand >= 0 ? l->context->operands[dim->size_operand]
                                : ts_emit_index(l->emit, dim->size);
}

/* How a dimension that is sliced at a place of the run is split, or NULL. */
static const ts_dim *split_of(const local *l, int d) {
  const ts_dim_loops *dim = &l->port->dims[d];
  if (!dim->num_loops || !is_moved(&l->m, d))
    return NULL;
  const ts_dim *split = &l->context->loop_sharding->loops[dim->loops[0]];
  return ts_dim_is_split(split) ? split : NULL;
}

static bool splits_moved(const local *l) {
  for (int d = 0; d < l->m.rank; d++)
    if (split_of(l, d))
      return true;
  return false;
}

static ts_indexed indexed_of(const local *l, int d) {
  int loop = l->port->dims[d].loops[0];
  return (ts_indexed){l->m.op, l->context->loop_sharding->grid, split_of(l, d),
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
  MlirValue *place = TS_NEW(emit->arena, MlirValue, l->m.rank), here = {NULL};
  for (int d = 0; d < l->m.rank; d++) {
    int small = l->m.dims[d].small;
    place[d] = small >= 0 ? at[small] : ts_emit_index(emit, 0);
    if (takes_all(emit->arena, &l->m, d))
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
  MlirValue value = element_at(emit, piece, l->m.rank, place);
  MlirType element = mlirValueGetType(value);
  MlirValue none =
      ts_emit_scalar(emit, ts_neutral_element(l->context->loops->result_reduction[0], element));
  return choose(emit, here, value, none);
}

bool ts_moved_extract_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  local l = {context, emit, read_moved(emit->arena, context->op), &context->loops->operands[0]};
  if (!splits_moved(&l))
    return ts_slice_localize(context, results);
  MlirValue piece = context->operands[0];
  MlirType type = context->result_types[0];
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, l.m.rank);
  bool *pads = TS_NEW(emit->arena, bool, l.m.rank);
  intptr_t num = 0;
  for (int d = 0; d < l.m.rank; d++) {
    int small = l.m.dims[d].small;
    const ts_dim *split = split_of(&l, d);
    pads[d] = split && ts_may_be_empty(context->loop_sharding->grid, split);
    if (small >= 0 && mlirShapedTypeIsDynamicDim(type, small))
      sizes[num++] =
          takes_all(emit->arena, &l.m, d) ? ts_emit_tensor_size(emit, piece, d) : size_of(&l, d);
  }
  results[0] =
      generate(&l, type, num, sizes, ts_emit_at_least_one(emit, piece, pads), sliced_element);
  return !mlirValueIsNull(results[0]);
}

/* ---- insertions ------------------------------------------------------------------------------ */

/* Element `at` of the piece after the insertion. */
static MlirValue inserted_element(local *l, MlirValue slice, const MlirValue *at) {
  ts_emit *emit = l->emit;
  int rank = (int)mlirShapedTypeGetRank(l->m.small);
  MlirValue *place = TS_NEW(emit->arena, MlirValue, rank), inside = {NULL};
  /* What no dimension is matched with has one element. */
  for (int i = 0; i < rank; i++)
    place[i] = ts_emit_index(emit, 0);
  for (int d = 0; d < l->m.rank; d++) {
    int small = l->m.dims[d].small;
    MlirValue index = at[d];
    if (takes_all(emit->arena, &l->m, d) && small >= 0) {
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
  MlirValue old = element_at(emit, l->context->operands[1], l->m.rank, at);
  return choose(emit, inside, element_at(emit, slice, rank, place), old);
}

static bool insert_by_elements(local *l, MlirValue *results) {
  ts_emit *emit = l->emit;
  MlirType type = l->context->result_types[0];
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, l->m.rank);
  int small_rank = (int)mlirShapedTypeGetRank(l->m.small);
  bool *pads = TS_NEW(emit->arena, bool, small_rank);
  intptr_t num = 0;
  for (int d = 0; d < l->m.rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_emit_tensor_size(emit, l->context->operands[1], d);
  for (int d = 0; d < small_rank; d++)
    pads[d] = mlirShapedTypeIsDynamicDim(l->m.small, d);
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
  for (int d = 0; d < l->m.rank; d++) {
    const ts_dim *split = split_of(l, d);
    if ((split && split->num_factors > 1) || l->m.dims[d].small != d)
      return false;
  }
  return (int)mlirShapedTypeGetRank(l->m.small) == l->m.rank;
}

static bool insert_ranges(local *l, MlirValue *results) {
  ts_emit *emit = l->emit;
  MlirValue slice = l->context->operands[0];
  MlirType type = mlirValueGetType(slice);
  int rank = l->m.rank;
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
  local l = {context, emit, read_moved(emit->arena, context->op), &context->loops->operands[1]};
  if (!splits_moved(&l))
    return ts_slice_localize(context, results);
  return is_in_ranges(&l) ? insert_ranges(&l, results) : insert_by_elements(&l, results);
}
