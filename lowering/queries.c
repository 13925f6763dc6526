/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about the grid (this device's place, extents, neighbours) to runtime calls and
 * constants. Knows index arithmetic only. */
#include "queries.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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
  MlirValue operands[] = {a, b};
  return ts_make_value(&q->build, name, 2, operands, mlirValueGetType(a), 0, NULL);
}

static MlirValue index_of(const query *q, MlirValue word) {
  return ts_make_value(&q->build, "arith.index_cast", 1, &word, mlirIndexTypeGet(q->build.context),
                       0, NULL);
}

/* An axis list attribute, or all axes where it is empty. */
static intptr_t read_axes(const query *q, const char *name, int32_t *axes) {
  MlirAttribute list = ts_attribute(q->op, name);
  intptr_t num = mlirAttributeIsNull(list) ? 0 : mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < num; i++)
    axes[i] = mlirDenseI16ArrayGetElement(list, i);
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
    const char *name = ts_op_is(q->op, "shard.neighbors_linear_indices") ? "split_axes" : "axes";
    intptr_t num_axes = read_axes(q, name, axes);
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
  intptr_t num = read_axes(q, "axes", axes);
  for (intptr_t i = 0; i < num; i++)
    replace(q, i, coordinate(q, axes[i]));
}

static void lower_grid_shape(query *q) {
  int32_t axes[TS_MAX_AXES];
  intptr_t num = read_axes(q, "axes", axes);
  for (intptr_t i = 0; i < num; i++)
    replace(q, i, extent(q, axes[i]));
}

/* ---- neighbours -------------------------------------------------------------------------------
 */

static MlirValue compare(const query *q, int64_t predicate, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute = ts_named(
      q->build.context, "predicate", ts_int_attribute(ts_i64_type(q->build.context), predicate));
  return ts_make_value(&q->build, "arith.cmpi", 2, operands,
                       mlirIntegerTypeGet(q->build.context, 1), 1, &attribute);
}

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
  int32_t axes[TS_MAX_AXES], all[TS_MAX_AXES];
  MlirValue coordinates[TS_MAX_AXES];
  for (int32_t a = 0; a < q->grid->rank; a++) {
    all[a] = a;
    coordinates[a] = mlirOperationGetOperand(q->op, a);
  }
  intptr_t num = read_axes(q, "split_axes", axes);
  MlirValue end = ts_make_index(&q->build, 1);
  for (intptr_t i = 0; i < num; i++)
    end = op2(q, "arith.muli", end, extent(q, axes[i]));
  MlirValue moved =
      op2(q, "arith.addi", linear(q, num, axes, coordinates), ts_make_index(&q->build, step));
  enum { UNSIGNED_LESS = 6 };
  MlirValue inside = compare(q, UNSIGNED_LESS, moved, end);
  MlirValue rest = moved;
  for (intptr_t i = num - 1; i >= 0; i--) {
    coordinates[axes[i]] = op2(q, "arith.remui", rest, extent(q, axes[i]));
    rest = op2(q, "arith.divui", rest, extent(q, axes[i]));
  }
  MlirValue operands[] = {inside, linear(q, q->grid->rank, all, coordinates),
                          ts_make_index(&q->build, -1)};
  return ts_make_value(&q->build, "arith.select", 3, operands, mlirValueGetType(moved), 0, NULL);
}

static void lower_neighbours(query *q) {
  replace(q, 0, neighbour(q, -1));
  replace(q, 1, neighbour(q, 1));
}

/* ---- the table --------------------------------------------------------------------------------
 */

typedef struct query_row {
  const char *op;
  void (*lower)(query *q);
} query_row;

static const query_row queries[] = {
    {"shard.process_linear_index", lower_linear_index},
    {"shard.process_multi_index", lower_multi_index},
    {"shard.grid_shape", lower_grid_shape},
    {"shard.neighbors_linear_indices", lower_neighbours},
};

typedef struct query_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
  bool failed;
} query_walk;

static bool lower_query(query_walk *walk, MlirOperation op, const query_row *row) {
  query q = {.sites = walk->sites,
             .wrappers = walk->wrappers,
             .build = ts_make_before(op),
             .op = op,
             .grid = ts_sites_grid(walk->sites, op)};
  if (!q.grid)
    return false;
  row->lower(&q);
  mlirOperationDestroy(op);
  return true;
}

static void visit(MlirOperation op, void *user) {
  query_walk *walk = user;
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
    if (ts_op_is(op, queries[i].op)) {
      walk->failed |= !lower_query(walk, op, &queries[i]);
      return;
    }
}

bool ts_queries_lower(ts_sites *sites, ts_wrappers *wrappers) {
  query_walk walk = {sites, wrappers, false};
  ts_each_op(sites->records->module, visit, &walk);
  return !walk.failed;
}
