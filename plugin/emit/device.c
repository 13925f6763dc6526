/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* This device's place and its piece of a sharding, as IR: coordinates, shard numbers, local
 * offsets, sizes and types. It knows shardings and arithmetic; it must not know the ops that use
 * them. */
#include "emit/emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "emit/cache.h"

/* ---- coordinates ----------------------------------------------------------------------------- */

/* `name` on `grid` for one axis, built at the entry. */
static MlirValue emit_grid_query(ts_emit *emit, const char *name, const ts_grid *grid, int axis) {
  int16_t number = (int16_t)axis;
  MlirNamedAttribute attributes[2] = {
      ts_named(emit->context, "grid",
               mlirFlatSymbolRefAttrGet(emit->context, mlirStringRefCreateFromCString(grid->name))),
      ts_named(emit->context, "axes", ts_dense_i16_create(emit->context, 1, &number))};
  MlirType index = mlirIndexTypeGet(emit->context);
  ts_place place = ts_emit_enter(emit);
  MlirOperation op = ts_emit_op(emit, name, 0, NULL, 1, &index, 2, attributes);
  ts_emit_leave(emit, place);
  return mlirOperationGetResult(op, 0);
}

MlirValue ts_emit_coordinate(ts_emit *emit, const ts_grid *grid, int axis) {
  if (grid->shape[axis] == 1)
    return ts_emit_index(emit, 0);
  ts_cache_key key = ts_make_key(TS_CACHED_COORDINATE, grid, axis, NULL);
  MlirValue found = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(found))
    return found;
  return ts_cache_store(emit, &key, emit_grid_query(emit, "shard.process_multi_index", grid, axis));
}

MlirValue ts_emit_extent(ts_emit *emit, const ts_grid *grid, int axis) {
  if (grid->shape[axis] != TS_DYNAMIC)
    return ts_emit_index(emit, grid->shape[axis]);
  ts_cache_key key = ts_make_key(TS_CACHED_EXTENT, grid, axis, NULL);
  MlirValue found = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(found))
    return found;
  return ts_cache_store(emit, &key, emit_grid_query(emit, "shard.grid_shape", grid, axis));
}

MlirValue ts_emit_shard_index(ts_emit *emit, const ts_grid *grid, const ts_factor *factor) {
  ts_factor axes_only = *factor;
  axes_only.size = 0;
  ts_cache_key key = ts_make_key(TS_CACHED_SHARD_INDEX, grid, 0, &axes_only);
  MlirValue index = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(index))
    return index;
  ts_place place = ts_emit_enter(emit);
  index =
      factor->num_axes ? ts_emit_coordinate(emit, grid, factor->axes[0]) : ts_emit_index(emit, 0);
  for (int i = 1; i < factor->num_axes; i++) {
    index = ts_emit_mul(emit, index, ts_emit_extent(emit, grid, factor->axes[i]));
    index = ts_emit_add(emit, index, ts_emit_coordinate(emit, grid, factor->axes[i]));
  }
  ts_emit_leave(emit, place);
  return ts_cache_store(emit, &key, index);
}

MlirValue ts_emit_is_first(ts_emit *emit, const ts_grid *grid, ts_axes axes) {
  ts_cache_key key = ts_make_key(TS_CACHED_IS_FIRST, grid, axes, NULL);
  MlirValue first = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(first))
    return first;
  MlirType i1 = mlirIntegerTypeGet(emit->context, 1);
  MlirValue zero = ts_emit_index(emit, 0);
  ts_place place = ts_emit_enter(emit);
  /* The coordinates are all zero exactly if their sum is. */
  MlirValue sum = zero;
  for (int a = 0; a < grid->rank; a++)
    if (axes >> a & 1)
      sum = ts_emit_add(emit, sum, ts_emit_coordinate(emit, grid, a));
  MlirValue operands[2] = {sum, zero};
  MlirNamedAttribute equal = ts_named(emit->context, "predicate",
                                      mlirIntegerAttrGet(mlirIntegerTypeGet(emit->context, 64), 0));
  first = mlirOperationGetResult(ts_emit_op(emit, "arith.cmpi", 2, operands, 1, &i1, 1, &equal), 0);
  ts_emit_leave(emit, place);
  return ts_cache_store(emit, &key, first);
}

/* ---- shards of a factor ---------------------------------------------------------------------- */

static MlirValue emit_shards(ts_emit *emit, const ts_grid *grid, const ts_factor *factor) {
  int64_t known = ts_factor_shards(grid, factor);
  if (known != TS_DYNAMIC)
    return ts_emit_index(emit, known);
  MlirValue shards = ts_emit_extent(emit, grid, factor->axes[0]);
  for (int i = 1; i < factor->num_axes; i++)
    shards = ts_emit_mul(emit, shards, ts_emit_extent(emit, grid, factor->axes[i]));
  return shards;
}

/* Both are known, and p divides n. */
static bool divides(MlirValue p, MlirValue n) {
  int64_t shards = ts_index_value(p), size = ts_index_value(n);
  return shards > 0 && size >= 0 && size % shards == 0;
}

/* Every shard before this one has n / p indices, and the last n mod p shards one more. */
static MlirValue build_offset(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                              MlirValue n) {
  MlirValue p = emit_shards(emit, grid, factor), i = ts_emit_shard_index(emit, grid, factor);
  MlirValue regular = ts_emit_mul(emit, i, ts_emit_div(emit, n, p));
  if (divides(p, n))
    return regular;
  MlirValue rest = ts_emit_rem(emit, n, p);
  MlirValue larger_before = ts_emit_sub(emit, i, ts_emit_sub(emit, p, rest));
  return ts_emit_add(emit, regular, ts_emit_max(emit, larger_before, ts_emit_index(emit, 0)));
}

/* (n + i) / p: what the rounding of n / p leaves goes to the last shards. */
static MlirValue build_size(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                            MlirValue n) {
  MlirValue p = emit_shards(emit, grid, factor);
  if (divides(p, n))
    return ts_emit_div(emit, n, p);
  return ts_emit_div(emit, ts_emit_add(emit, n, ts_emit_shard_index(emit, grid, factor)), p);
}

typedef MlirValue (*build_of_factor)(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                                     MlirValue n);

/* `build` for the factor: at the entry and once if the factor's extent is known, else here. */
static MlirValue of_factor(ts_emit *emit, ts_cached_kind kind, build_of_factor build,
                           const ts_grid *grid, const ts_factor *factor, MlirValue size) {
  ts_factor sized = *factor;
  if (!mlirValueIsNull(size))
    sized.size = ts_index_value(size);
  if (sized.size == TS_DYNAMIC)
    return build(emit, grid, factor, size);
  ts_cache_key key = ts_make_key(kind, grid, 0, &sized);
  MlirValue value = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(value))
    return value;
  ts_place place = ts_emit_enter(emit);
  value = build(emit, grid, &sized, ts_emit_index(emit, sized.size));
  ts_emit_leave(emit, place);
  return ts_cache_store(emit, &key, value);
}

MlirValue ts_emit_factor_offset(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                                MlirValue size) {
  return of_factor(emit, TS_CACHED_OFFSET, build_offset, grid, factor, size);
}

/* Where the extent was found by summing up: what this device put in. */
static ts_cache_key held_key(const ts_grid *grid, const ts_factor *factor, MlirValue extent) {
  return ts_make_key(TS_CACHED_HELD, grid, (int64_t)(intptr_t)extent.ptr, factor);
}

MlirValue ts_emit_factor_size(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                              MlirValue size) {
  ts_cache_key key = held_key(grid, factor, size);
  MlirValue held = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(size) && !mlirValueIsNull(held))
    return held;
  return of_factor(emit, TS_CACHED_SIZE, build_size, grid, factor, size);
}

/* ---- dimensions ------------------------------------------------------------------------------ */

/* Element `index` of a constant table. */
static MlirValue emit_lookup(ts_emit *emit, const int64_t *table, int64_t num, MlirValue index) {
  MlirType element = mlirIndexTypeGet(emit->context);
  MlirAttribute *values = TS_NEW(emit->arena, MlirAttribute, num);
  for (int64_t i = 0; i < num; i++)
    values[i] = mlirIntegerAttrGet(element, table[i]);
  MlirType type = mlirRankedTensorTypeGet(1, &num, element, mlirAttributeGetNull());
  MlirNamedAttribute value =
      ts_named(emit->context, "value", mlirDenseElementsAttrGet(type, (intptr_t)num, values));
  MlirOperation constant = ts_emit_op(emit, "arith.constant", 0, NULL, 1, &type, 1, &value);
  MlirValue operands[2] = {mlirOperationGetResult(constant, 0), index};
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.extract", 2, operands, 1, &element, 0, NULL), 0);
}

MlirValue ts_emit_by_shard(ts_emit *emit, const ts_grid *grid, const ts_dim *dim,
                           const int64_t *table) {
  int64_t shards = ts_dim_shards(grid, dim);
  bool same = true;
  for (int64_t i = 1; i < shards; i++)
    same = same && table[i] == table[0];
  if (same)
    return ts_emit_index(emit, table[0]);
  return emit_lookup(emit, table, shards, ts_emit_shard_index(emit, grid, &dim->factors[0]));
}

MlirValue ts_emit_factor_extent(ts_emit *emit, const ts_dim *dim, int f, MlirValue global) {
  if (dim->factors[f].size != TS_DYNAMIC)
    return ts_emit_index(emit, dim->factors[f].size);
  int64_t others = 1;
  for (int other = 0; other < dim->num_factors; other++)
    if (dim->factors[other].size != TS_DYNAMIC)
      others *= dim->factors[other].size;
  return ts_emit_div(emit, global, ts_emit_index(emit, others));
}

/* `number`, but at least 0 and at most `most` (null: any). Numbers that do not fit are reported by
 * the exchange that they belong to, for which memory of a sound size has to be there. */
static MlirValue within(ts_emit *emit, MlirValue number, MlirValue most) {
  if (!mlirValueIsNull(most))
    number = ts_emit_min(emit, number, most);
  return ts_emit_max(emit, number, ts_emit_index(emit, 0));
}

/* Element `index` of `num` numbers, of which some are known at run time only; null after an error.
 */
static MlirValue emit_number_lookup(ts_emit *emit, const ts_number *numbers, int64_t num,
                                    MlirValue most, MlirValue index) {
  MlirType element = mlirIndexTypeGet(emit->context);
  MlirType type = mlirRankedTensorTypeGet(1, &num, element, mlirAttributeGetNull());
  MlirValue *values = TS_NEW(emit->arena, MlirValue, num);
  for (int64_t i = 0; i < num; i++) {
    values[i] = ts_emit_number(emit, numbers[i]);
    if (mlirValueIsNull(values[i]))
      return values[i];
    if (ts_is_run_time(numbers[i]))
      values[i] = within(emit, values[i], most);
  }
  MlirOperation table =
      ts_emit_op(emit, "tensor.from_elements", (intptr_t)num, values, 1, &type, 0, NULL);
  MlirValue operands[2] = {mlirOperationGetResult(table, 0), index};
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.extract", 2, operands, 1, &element, 0, NULL), 0);
}

static bool has_run_time(const ts_number *numbers, int64_t num) {
  for (int64_t i = 0; i < num; i++)
    if (ts_is_run_time(numbers[i]))
      return true;
  return false;
}

/* The extent of this device's shard of a dimension with explicit offsets, without its halo. */
static MlirValue emit_explicit_size(ts_emit *emit, const ts_grid *grid, const ts_dim *dim,
                                    MlirValue global) {
  int64_t shards = ts_dim_shards(grid, dim);
  MlirValue index = ts_emit_shard_index(emit, grid, &dim->factors[0]);
  if (!has_run_time(dim->offsets, shards + 1)) {
    int64_t *sizes = TS_NEW(emit->arena, int64_t, shards);
    for (int64_t i = 0; i < shards; i++)
      sizes[i] = dim->offsets[i + 1].known - dim->offsets[i].known;
    return emit_lookup(emit, sizes, shards, index);
  }
  int64_t extent = ts_dim_size(dim);
  MlirValue most = extent == TS_DYNAMIC ? global : ts_emit_index(emit, extent);
  MlirValue start = emit_number_lookup(emit, dim->offsets, shards, most, index);
  MlirValue end = mlirValueIsNull(start)
                      ? start
                      : emit_number_lookup(emit, dim->offsets + 1, shards, most, index);
  return mlirValueIsNull(end) ? end
                              : within(emit, ts_emit_sub(emit, end, start), (MlirValue){NULL});
}

MlirValue ts_emit_local_size(ts_emit *emit, const ts_sharding *sharding, int d, MlirValue global) {
  const ts_dim *dim = &sharding->dims[d];
  int64_t known = ts_dim_local_size(sharding->grid, dim);
  if (known != TS_DYNAMIC)
    return ts_emit_index(emit, known);
  MlirValue size = ts_emit_index(emit, 1);
  if (dim->offsets)
    size = emit_explicit_size(emit, sharding->grid, dim, global);
  for (int f = 0; !dim->offsets && f < dim->num_factors; f++) {
    MlirValue whole = ts_emit_factor_extent(emit, dim, f, global);
    MlirValue part = ts_emit_factor_size(emit, sharding->grid, &dim->factors[f], whole);
    size = ts_emit_mul(emit, size, part);
  }
  for (int side = 0; side < 2 && !mlirValueIsNull(size); side++) {
    MlirValue halo = ts_emit_number(emit, dim->halo[side]);
    size = mlirValueIsNull(halo) ? halo
                                 : ts_emit_add(emit, size, within(emit, halo, (MlirValue){NULL}));
  }
  return size;
}

MlirValue ts_emit_combine(ts_emit *emit, const ts_grid *grid, ts_axes over, ts_reduction kind,
                          MlirValue value) {
  MlirContext context = emit->context;
  MlirType element = mlirValueGetType(value);
  MlirType scalar = mlirRankedTensorTypeGet(0, NULL, element, mlirAttributeGetNull());
  MlirStringRef name = mlirStringRefCreateFromCString(grid->name);
  int16_t axes[TS_MAX_AXES];
  intptr_t num = 0;
  for (int a = 0; a < grid->rank; a++)
    if (over >> a & 1)
      axes[num++] = (int16_t)a;
  MlirNamedAttribute attributes[3] = {
      ts_named(context, "grid", mlirFlatSymbolRefAttrGet(context, name)),
      ts_named(context, "grid_axes", ts_dense_i16_create(context, num, axes)),
      ts_named(context, "reduction", ts_partial_create(context, (int32_t)kind))};
  value = mlirOperationGetResult(
      ts_emit_op(emit, "tensor.from_elements", 1, &value, 1, &scalar, 0, NULL), 0);
  value = mlirOperationGetResult(
      ts_emit_op(emit, "shard.all_reduce", 1, &value, 1, &scalar, 3, attributes), 0);
  return mlirOperationGetResult(ts_emit_op(emit, "tensor.extract", 1, &value, 1, &element, 0, NULL),
                                0);
}

/* `value` as the one row of a tensor. */
static MlirValue as_row(ts_emit *emit, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = mlirIntegerTypeGet(emit->context, 64);
  intptr_t rank = mlirShapedTypeGetRank(type), num = 1;
  int64_t *shape = TS_NEW(emit->arena, int64_t, 1 + rank);
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank);
  MlirAttribute *groups = TS_NEW(emit->arena, MlirAttribute, rank);
  shape[0] = 1;
  operands[0] = value;
  for (intptr_t d = 0; d < rank; d++) {
    MlirAttribute members[2] = {mlirIntegerAttrGet(i64, d), mlirIntegerAttrGet(i64, d + 1)};
    groups[d] = mlirArrayAttrGet(emit->context, d ? 1 : 2, members + (d > 0));
    bool dynamic = mlirShapedTypeIsDynamicDim(type, d);
    shape[1 + d] = dynamic ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
    if (dynamic)
      operands[num++] = ts_emit_tensor_size(emit, value, (int)d);
  }
  MlirType row = mlirRankedTensorTypeGet(1 + rank, shape, mlirShapedTypeGetElementType(type),
                                         mlirAttributeGetNull());
  MlirNamedAttribute attributes[2] = {
      ts_named(emit->context, "reassociation", mlirArrayAttrGet(emit->context, rank, groups)),
      ts_named(emit->context, "static_output_shape",
               mlirDenseI64ArrayGet(emit->context, 1 + rank, shape))};
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.expand_shape", num, operands, 1, &row, 2, attributes), 0);
}

MlirValue ts_emit_stack(ts_emit *emit, MlirValue value, const ts_grid *grid,
                        const ts_factor *factor) {
  MlirContext context = emit->context;
  value = as_row(emit, value);
  MlirType type = mlirValueGetType(value);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  shape[0] = ts_factor_shards(grid, factor);
  for (intptr_t d = 1; d < rank; d++)
    shape[d] = mlirShapedTypeIsDynamicDim(type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
  MlirType stacked = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                             mlirAttributeGetNull());
  int16_t axes[TS_MAX_AXES];
  for (int i = 0; i < factor->num_axes; i++)
    axes[i] = factor->axes[i];
  MlirStringRef name = mlirStringRefCreateFromCString(grid->name);
  MlirNamedAttribute attributes[3] = {
      ts_named(context, "grid", mlirFlatSymbolRefAttrGet(context, name)),
      ts_named(context, "grid_axes", ts_dense_i16_create(context, factor->num_axes, axes)),
      ts_named(context, "gather_axis", mlirIntegerAttrGet(mlirIndexTypeGet(context), 0))};
  return mlirOperationGetResult(
      ts_emit_op(emit, "shard.all_gather", 1, &value, 1, &stacked, 3, attributes), 0);
}

/* The sum of `value` over the devices that differ on the axes of `dim`. */
static MlirValue emit_sum(ts_emit *emit, const ts_grid *grid, const ts_dim *dim, MlirValue value) {
  return ts_emit_combine(emit, grid, ts_dim_axes(dim), TS_SUM, value);
}

/* `size` without the halos of `dim`; null after an error. */
static MlirValue without_halos(ts_emit *emit, const ts_dim *dim, MlirValue size) {
  for (int side = 0; side < 2; side++) {
    MlirValue halo = ts_emit_number(emit, dim->halo[side]);
    if (mlirValueIsNull(halo))
      return halo;
    size = ts_emit_sub(emit, size, within(emit, halo, (MlirValue){NULL}));
  }
  return size;
}

MlirValue ts_emit_sum_of_sizes(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d) {
  const ts_dim *dim = &layout->dims[d];
  MlirValue size = ts_emit_tensor_size(emit, local, d);
  return ts_dim_shards(layout->grid, dim) == 1 ? size : emit_sum(emit, layout->grid, dim, size);
}

MlirValue ts_emit_global_size(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d) {
  const ts_dim *dim = &layout->dims[d];
  int64_t known = ts_dim_size(dim);
  if (known != TS_DYNAMIC)
    return ts_emit_index(emit, known);
  if (dim->offsets)
    return ts_emit_number(emit, dim->offsets[ts_dim_shards(layout->grid, dim)]);
  MlirValue size = without_halos(emit, dim, ts_emit_tensor_size(emit, local, d));
  if (mlirValueIsNull(size) || ts_dim_shards(layout->grid, dim) == 1)
    return size;
  /* The product of factors' local extents sums to the product of their extents. */
  MlirValue sum = emit_sum(emit, layout->grid, dim, size);
  if (dim->num_factors > 1)
    return sum;
  ts_cache_key key = held_key(layout->grid, &dim->factors[0], sum);
  ts_cache_store(emit, &key, size);
  return sum;
}

MlirType ts_local_type(const ts_sharding *sharding, MlirType global) {
  ts_arena scratch = {0};
  int64_t *shape = TS_NEW(&scratch, int64_t, sharding->rank);
  for (int d = 0; d < sharding->rank; d++)
    shape[d] = ts_dim_local_size(sharding->grid, &sharding->dims[d]);
  MlirType type =
      mlirRankedTensorTypeGet(sharding->rank, shape, mlirShapedTypeGetElementType(global),
                              mlirRankedTensorTypeGetEncoding(global));
  ts_arena_free(&scratch);
  return type;
}
