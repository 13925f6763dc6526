/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about the grid (this device's place, extents, neighbours) to runtime calls and
 * constants. It knows index arithmetic only. */
#include "lowering/calls/queries.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"

/* One query being replaced. The site is made when the first call needs it. */
typedef struct query {
  ts_sites *sites;
  ts_wrappers *wrappers;
  ts_maker build;
  MlirOperation op;
  const ts_grid *grid;
  MlirValue site;
} query;

static MlirValue op2(const query *q, const char *name, MlirValue a, MlirValue b) {
  return ts_make_binary(&q->build, name, a, b);
}

static MlirValue index_of(const query *q, MlirValue word) {
  return ts_make_value(&q->build, "arith.index_cast", 1, &word, mlirIndexTypeGet(q->build.context),
                       0, NULL);
}

static intptr_t read_list(const query *q, const char *name, int32_t *axes) {
  MlirAttribute list = ts_attribute(q->op, name);
  intptr_t num = mlirAttributeIsNull(list) ? 0 : mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < num; i++)
    axes[i] = mlirDenseI16ArrayGetElement(list, i);
  return num;
}

/* The axes asked about: those listed, or all where none is. */
static intptr_t read_axes(const query *q, int32_t *axes) {
  intptr_t num = read_list(q, "axes", axes);
  if (num > 0)
    return num;
  for (int32_t a = 0; a < q->grid->rank; a++)
    axes[a] = a;
  return q->grid->rank;
}

static MlirValue ask(query *q, const char *callee, int32_t axis) {
  MlirType word = ts_i64_type(q->build.context);
  MlirType arguments[] = {ts_pointer_type(q->build.context), word};
  intptr_t num = axis < 0 ? 1 : 2;
  if (!q->site.ptr) {
    int32_t axes[TS_MAX_AXES];
    intptr_t num_axes = ts_op_is(q->op, "shard.neighbors_linear_indices")
                            ? read_list(q, "split_axes", axes)
                            : read_axes(q, axes);
    const char *symbol = ts_sites_add_query(q->sites, q->op, q->grid, num_axes, axes);
    q->site = ts_make_address_of(&q->build, symbol);
  }
  ts_wrappers_declare(q->wrappers, callee, word, num, arguments);
  MlirValue operands[2] = {q->site};
  if (axis >= 0)
    operands[1] = ts_make_llvm_int(&q->build, 64, axis);
  return index_of(q, ts_make_llvm_call_value(&q->build, callee, num, operands, word));
}

static MlirValue extent(query *q, int32_t axis) {
  if (q->grid->shape[axis] != TS_DYNAMIC)
    return ts_make_index(&q->build, q->grid->shape[axis]);
  return ask(q, "tessera_rt_grid_extent", axis);
}

static MlirValue coordinate(query *q, int32_t axis) {
  if (q->grid->shape[axis] == 1)
    return ts_make_index(&q->build, 0);
  return ask(q, "tessera_rt_process_index", axis);
}

static void replace(const query *q, intptr_t result, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(q->op, result), value);
}

static void lower_linear_index(query *q) {
  replace(q, 0, ask(q, "tessera_rt_process_linear_index", -1));
}

static void lower_multi_index(query *q) {
  int32_t axes[TS_MAX_AXES];
  intptr_t num = read_axes(q, axes);
  for (intptr_t i = 0; i < num; i++)
    replace(q, i, coordinate(q, axes[i]));
}

static void lower_grid_shape(query *q) {
  int32_t axes[TS_MAX_AXES];
  intptr_t num = read_axes(q, axes);
  for (intptr_t i = 0; i < num; i++)
    replace(q, i, extent(q, axes[i]));
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* Row-major number of the device at `coordinates`, over `num` axes. */
static MlirValue linear(query *q, intptr_t num, const int32_t *axes, const MlirValue *coordinates) {
  MlirValue index = ts_make_index(&q->build, 0);
  for (intptr_t i = 0; i < num; i++)
    index =
        op2(q, "arith.addi", op2(q, "arith.muli", index, extent(q, axes[i])), coordinates[axes[i]]);
  return index;
}

/* The device `step` further along the split axes, taken as one; -1 beyond their ends. */
static MlirValue neighbour(query *q, int64_t step) {
  int32_t axes[TS_MAX_AXES] = {0}, all[TS_MAX_AXES];
  MlirValue coordinates[TS_MAX_AXES];
  for (int32_t a = 0; a < q->grid->rank; a++) {
    all[a] = a;
    coordinates[a] = mlirOperationGetOperand(q->op, a);
  }
  intptr_t num = read_list(q, "split_axes", axes);
  if (num == 0)
    return ts_make_index(&q->build, -1); /* alone in its group */
  MlirValue end = ts_make_index(&q->build, 1);
  for (intptr_t i = 0; i < num; i++)
    end = op2(q, "arith.muli", end, extent(q, axes[i]));
  MlirValue moved =
      op2(q, "arith.addi", linear(q, num, axes, coordinates), ts_make_index(&q->build, step));
  enum { UNSIGNED_LESS = 6 };
  MlirValue inside = ts_make_compare(&q->build, "arith.cmpi", UNSIGNED_LESS, moved, end);
  MlirValue rest = moved;
  for (intptr_t i = num - 1; i >= 0; i--) {
    coordinates[axes[i]] = op2(q, "arith.remui", rest, extent(q, axes[i]));
    rest = op2(q, "arith.divui", rest, extent(q, axes[i]));
  }
  MlirValue device = linear(q, q->grid->rank, all, coordinates);
  return ts_make_select(&q->build, inside, device, ts_make_index(&q->build, -1));
}

static void lower_neighbours(query *q) {
  replace(q, 0, neighbour(q, -1));
  replace(q, 1, neighbour(q, 1));
}

/* ---- shapes of shards ------------------------------------------------------------------------ */

/* Numbers of a static array of `op`, and from operand `first` on what stands for its `?`s. */
static void mixed_numbers(const query *q, MlirOperation op, const char *name, intptr_t first,
                          MlirValue *values) {
  MlirAttribute numbers = ts_attribute(op, name);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(numbers); i++) {
    int64_t number = mlirDenseI64ArrayGetElement(numbers, i);
    if (number != mlirShapedTypeGetDynamicSize()) {
      values[i] = ts_make_index(&q->build, number);
      continue;
    }
    values[i] = mlirOperationGetOperand(op, first++);
    if (!mlirTypeIsAIndex(mlirValueGetType(values[i])))
      values[i] = index_of(q, values[i]);
  }
}

/* offsets[shard + 1] - offsets[shard], for a shard known at run time. */
static MlirValue explicit_size(query *q, MlirValue shard, intptr_t shards,
                               const MlirValue *offsets) {
  enum { EQUAL = 0 };
  MlirValue size = op2(q, "arith.subi", offsets[shards], offsets[shards - 1]);
  for (intptr_t s = shards - 2; s >= 0; s--) {
    MlirValue is_this =
        ts_make_compare(&q->build, "arith.cmpi", EQUAL, shard, ts_make_index(&q->build, s));
    MlirValue this_size = op2(q, "arith.subi", offsets[s + 1], offsets[s]);
    size = ts_make_select(&q->build, is_this, this_size, size);
  }
  return size;
}

/* The last (n mod p) of p shards of n are one larger: floor((n + shard) / p). */
static MlirValue balanced_size(query *q, MlirValue shard, MlirValue shards, MlirValue size) {
  return op2(q, "arith.divui", op2(q, "arith.addi", size, shard), shards);
}

typedef struct shard_numbers {
  MlirValue *dims, *device, *offsets;
  intptr_t num_dims, num_offsets;
} shard_numbers;

/* One dimension's extent on the device; `used` counts the explicit offsets of those before it. */
static MlirValue shard_extent(query *q, const shard_numbers *numbers, MlirAttribute lists,
                              intptr_t d, intptr_t *used) {
  const int16_t *list = NULL;
  int32_t axes[TS_MAX_AXES];
  intptr_t num = d < ts_axis_array_size(lists) ? ts_axis_array_get(lists, d, &list) : 0;
  if (num == 0)
    return numbers->dims[d];
  int64_t known = 1;
  MlirValue shards = ts_make_index(&q->build, 1);
  for (intptr_t i = 0; i < num; i++) {
    axes[i] = list[i];
    int64_t extent_known = q->grid->shape[axes[i]];
    known = known < 0 || extent_known < 0 ? -1 : known * extent_known;
    shards = op2(q, "arith.muli", shards, extent(q, axes[i]));
  }
  MlirValue shard = linear(q, num, axes, numbers->device);
  if (numbers->num_offsets == 0)
    return balanced_size(q, shard, shards, numbers->dims[d]);
  const MlirValue *offsets = numbers->offsets + *used;
  *used += known + 1;
  return explicit_size(q, shard, known, offsets);
}

static intptr_t array_size(MlirOperation op, const char *name) {
  MlirAttribute numbers = ts_attribute(op, name);
  return mlirAttributeIsNull(numbers) ? 0 : mlirDenseArrayGetNumElements(numbers);
}

/* The shard.sharding that `op` takes; null if the operand is something else. */
static MlirOperation sharding_of(MlirOperation op) {
  intptr_t position = mlirDenseI32ArrayGetElement(ts_attribute(op, "operandSegmentSizes"), 0);
  MlirValue value = mlirOperationGetOperand(op, position);
  MlirOperation owner =
      mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  return owner.ptr && ts_op_is(owner, "shard.sharding") ? owner : (MlirOperation){NULL};
}

static void lower_shard_shape(query *q) {
  MlirOperation sharding = sharding_of(q->op);
  ts_arena *arena = q->sites->records->arena;
  shard_numbers numbers = {.num_dims = array_size(q->op, "dims"),
                           .num_offsets = array_size(sharding, "static_sharded_dims_offsets")};
  intptr_t num_device = array_size(q->op, "device");
  numbers.dims = TS_NEW(arena, MlirValue, numbers.num_dims);
  numbers.device = TS_NEW(arena, MlirValue, num_device);
  numbers.offsets = TS_NEW(arena, MlirValue, numbers.num_offsets);
  intptr_t dynamic_dims =
      mlirDenseI32ArrayGetElement(ts_attribute(q->op, "operandSegmentSizes"), 0);
  mixed_numbers(q, q->op, "dims", 0, numbers.dims);
  mixed_numbers(q, q->op, "device", dynamic_dims + 1, numbers.device);
  if (numbers.num_offsets > 0)
    mixed_numbers(q, sharding, "static_sharded_dims_offsets", 0, numbers.offsets);
  intptr_t used = 0;
  for (intptr_t d = 0; d < numbers.num_dims; d++)
    replace(q, d, shard_extent(q, &numbers, ts_attribute(sharding, "split_axes"), d, &used));
}

/* Axes of the grid, one coordinate for each, and an offset for each shard and one more: what
 * lower_shard_shape takes for granted. */
static bool check_shard_shape(ts_sites *sites, MlirOperation op) {
  MlirOperation sharding = sharding_of(op);
  MlirLocation location = mlirOperationGetLocation(op);
  if (!sharding.ptr)
    return ts_error_at(location,
                       "shard.shard_shape needs a shard.sharding as its operand; that of a value "
                       "is known in annotated functions alone, outside of ops that run whole");
  const ts_grid *grid = ts_sites_grid(sites, sharding);
  if (!grid)
    return false;
  intptr_t offsets = 0, given = array_size(sharding, "static_sharded_dims_offsets");
  MlirAttribute lists = ts_attribute(sharding, "split_axes");
  bool good = array_size(op, "device") == grid->rank;
  for (intptr_t d = 0; d < ts_axis_array_size(lists); d++) {
    const int16_t *axes;
    intptr_t num = ts_axis_array_get(lists, d, &axes), shards = 1;
    for (intptr_t i = 0; i < num; i++) {
      good &= axes[i] >= 0 && axes[i] < grid->rank;
      shards = good && grid->shape[axes[i]] > 0 ? shards * (intptr_t)grid->shape[axes[i]] : 0;
      good &= given == 0 || shards > 0;
    }
    offsets += num > 0 ? shards + 1 : 0;
  }
  if (!good || (given > 0 && offsets != given))
    return ts_error_at(location, "the sharding does not fit grid @%s", grid->name);
  return true;
}

/* Axes of the grid and one coordinate for each, which upstream's verifier leaves open. */
static bool check_neighbours(ts_sites *sites, MlirOperation op) {
  const ts_grid *grid = ts_sites_grid(sites, op);
  if (!grid)
    return false;
  MlirLocation location = mlirOperationGetLocation(op);
  MlirAttribute axes = ts_attribute(op, "split_axes");
  intptr_t device = mlirOperationGetNumOperands(op);
  if (device != grid->rank)
    return ts_error_at(location, "a device of grid @%s has %d coordinates, not %d", grid->name,
                       grid->rank, (int)device);
  ts_axes seen = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); i++)
    if (!ts_sites_check_axis(location, grid, mlirDenseI16ArrayGetElement(axes, i), &seen))
      return false;
  return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct query_row {
  const char *op;
  void (*lower)(query *q);
} query_row;

static const query_row queries[] = {
    {"shard.process_linear_index", lower_linear_index},
    {"shard.process_multi_index", lower_multi_index},
    {"shard.grid_shape", lower_grid_shape},
    {"shard.neighbors_linear_indices", lower_neighbours},
    {"shard.shard_shape", lower_shard_shape},
};

typedef struct query_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
  bool failed;
} query_walk;

static bool lower_query(query_walk *walk, MlirOperation op, const query_row *row) {
  bool of_shard = row->lower == lower_shard_shape;
  if (of_shard && !check_shard_shape(walk->sites, op))
    return false;
  if (row->lower == lower_neighbours && !check_neighbours(walk->sites, op))
    return false;
  query q = {.sites = walk->sites,
             .wrappers = walk->wrappers,
             .build = ts_make_before(op),
             .op = op,
             .grid = ts_sites_grid(walk->sites, of_shard ? sharding_of(op) : op)};
  if (!q.grid)
    return false;
  row->lower(&q);
  mlirOperationDestroy(op);
  return true;
}

static void visit(MlirOperation op, void *user) {
  query_walk *walk = user;
  for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
    if (ts_op_is(op, queries[i].op)) {
      walk->failed |= !lower_query(walk, op, &queries[i]);
      return;
    }
}

/* Shardings are of no use once their questions are answered. */
static void drop_sharding(MlirOperation op, void *user) {
  (void)user;
  bool unused = (ts_op_is(op, "shard.sharding") || ts_op_is(op, "shard.get_sharding")) &&
                mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
  if (unused)
    mlirOperationDestroy(op);
}

bool ts_queries_lower(ts_sites *sites, ts_wrappers *wrappers) {
  query_walk walk = {sites, wrappers, false};
  ts_each_op(sites->records->module, visit, &walk);
  ts_each_op(sites->records->module, drop_sharding, NULL);
  return !walk.failed;
}
