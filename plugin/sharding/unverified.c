/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What upstream's `shard` ops take for granted, in one table. It knows their attributes; it must
 * not know what they mean, and trusts none to be there or to be of its type. */
#include "sharding/unverified.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "sharding/annotation.h"
#include "support/diagnostics.h"
#include "support/ir.h"

/* ---- one op at a time ------------------------------------------------------------------------ */

/* A list of numbers, some of which (`?`) are operands: those of a segment, or all but the first. */
typedef struct mixed_list {
  const char *attribute;
  int segment;
} mixed_list;

enum { ALL_BUT_THE_FIRST = -1 };

typedef struct shard_op {
  const char *name;
  mixed_list lists[2];
  const char *results; /* attribute: it has a number for each result */
} shard_op;

/* Collectives are in the table of theirs. */
static const shard_op shard_ops[] = {
    {"shard.shard_shape", .lists = {{"dims", 0}, {"device", 2}}, .results = "dims"},
    {"shard.sharding", .lists = {{"static_sharded_dims_offsets", 0}, {"static_halo_sizes", 1}}},
};

static const char *dimension_mistake(ts_arena *arena, MlirOperation op, const char *name) {
  MlirAttribute attribute = ts_attribute(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute) ||
      !mlirTypeIsAIndex(mlirAttributeGetType(attribute)) || mlirOperationGetNumOperands(op) == 0)
    return NULL;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int64_t rank = mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetRank(type) : 0;
  int64_t dimension = mlirIntegerAttrGetValueInt(attribute);
  if (rank == 0 || (dimension >= 0 && dimension < rank))
    return NULL;
  return ts_arena_format(arena,
                         "`%s` is %lld, but the operand has %lld dimensions: expected 0 to %lld",
                         name, (long long)dimension, (long long)rank, (long long)(rank - 1));
}

/* The numbers of a list, and those among them that it leaves open. */
static intptr_t count_numbers(MlirAttribute list, intptr_t *open) {
  *open = 0;
  if (mlirAttributeIsNull(list) || !mlirAttributeIsADenseI64Array(list))
    return 0;
  intptr_t num = mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < num; i++)
    *open += mlirDenseI64ArrayGetElement(list, i) == mlirShapedTypeGetDynamicSize();
  return num;
}

/* The operands that belong to a list; -1 if the op has not even room for them. */
static intptr_t operands_of(MlirOperation op, const mixed_list *list) {
  if (list->segment == ALL_BUT_THE_FIRST)
    return mlirOperationGetNumOperands(op) - 1;
  MlirAttribute segments = ts_attribute(op, "operandSegmentSizes");
  if (mlirAttributeIsNull(segments) || !mlirAttributeIsADenseI32Array(segments) ||
      mlirDenseArrayGetNumElements(segments) <= list->segment)
    return -1;
  return mlirDenseI32ArrayGetElement(segments, list->segment);
}

static const char *list_mistake(ts_arena *arena, MlirOperation op, const mixed_list *list) {
  intptr_t open, operands = operands_of(op, list);
  count_numbers(ts_attribute(op, list->attribute), &open);
  if (operands < 0 || operands == open)
    return NULL;
  return ts_arena_format(arena,
                         "`%s` leaves %d of its numbers open (?), but has %d operands for them: "
                         "expected as many",
                         list->attribute, (int)open, (int)operands);
}

static const char *results_mistake(ts_arena *arena, MlirOperation op, const char *name) {
  MlirAttribute list = ts_attribute(op, name);
  intptr_t open, num = count_numbers(list, &open), results = mlirOperationGetNumResults(op);
  if (mlirAttributeIsNull(list) || num == results)
    return NULL;
  return ts_arena_format(arena, "%d results, but `%s` has %d numbers: expected as many",
                         (int)results, name, (int)num);
}

/* Those of all_gather and gather, which only join, upstream verifies. */
static const char *collective_mistake(ts_arena *arena, MlirOperation op, const ts_collective *row) {
  const char *dimensions[2] = {row->cuts, row->cuts ? row->joins : NULL}, *mistake = NULL;
  for (int i = 0; i < 2 && !mistake; i++)
    if (dimensions[i])
      mistake = dimension_mistake(arena, op, dimensions[i]);
  const mixed_list words = {row->words_in, ALL_BUT_THE_FIRST};
  return mistake || !row->words_in ? mistake : list_mistake(arena, op, &words);
}

const char *ts_shard_op_mistake(ts_arena *arena, MlirOperation op) {
  const char *name = ts_op_name(op), *mistake = NULL;
  if (strncmp(name, "shard.", 6) != 0)
    return NULL;
  const ts_collective *collective = ts_collective_of(op);
  if (collective)
    return collective_mistake(arena, op, collective);
  for (size_t i = 0; i < sizeof(shard_ops) / sizeof(shard_ops[0]); i++) {
    const shard_op *row = &shard_ops[i];
    if (strcmp(name, row->name) != 0)
      continue;
    for (int l = 0; l < 2 && !mistake; l++)
      if (row->lists[l].attribute)
        mistake = list_mistake(arena, op, &row->lists[l]);
    if (row->results && !mistake)
      mistake = results_mistake(arena, op, row->results);
  }
  return mistake;
}

/* ---- a module -------------------------------------------------------------------------------- */

typedef struct grid_entry {
  MlirOperation around; /* the op that the grid is in */
  ts_grid grid;
} grid_entry;

typedef struct check {
  ts_arena arena;
  grid_entry *grids;
  int num_grids, max_grids;
  bool failed;
} check;

/* Of grids that have a name and a shape; the others upstream's verifier sees. */
static MlirWalkResult collect_grid(MlirOperation op, void *user) {
  check *c = user;
  if (!ts_op_is(op, "shard.grid"))
    return MlirWalkResultAdvance;
  MlirAttribute name = ts_attribute(op, "sym_name"), shape = ts_attribute(op, "shape");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) || mlirAttributeIsNull(shape) ||
      !mlirAttributeIsADenseI64Array(shape))
    return MlirWalkResultAdvance;
  c->grids = ts_arena_grow(&c->arena, c->grids, c->num_grids, &c->max_grids, sizeof(c->grids[0]));
  grid_entry *entry = &c->grids[c->num_grids++];
  *entry = (grid_entry){.around = mlirOperationGetParentOperation(op)};
  c->failed |= !ts_grid_read(&c->arena, op, &entry->grid);
  return MlirWalkResultAdvance;
}

/* The grid that `op` names, as upstream looks it up: in the innermost op around it that has one. */
static const ts_grid *find_grid(const check *c, MlirOperation op) {
  MlirAttribute name = ts_attribute(op, "grid");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name))
    return NULL;
  MlirStringRef text = mlirFlatSymbolRefAttrGetValue(name);
  for (MlirOperation around = mlirOperationGetParentOperation(op); around.ptr;
       around = mlirOperationGetParentOperation(around))
    for (int g = 0; g < c->num_grids; g++)
      if (c->grids[g].around.ptr == around.ptr &&
          mlirStringRefEqual(mlirStringRefCreateFromCString(c->grids[g].grid.name), text))
        return &c->grids[g].grid;
  return NULL;
}

/* To count the offsets that there have to be, upstream looks the extents of all axes up. */
static const char *offsets_mistake(check *c, MlirOperation op) {
  MlirAttribute lists = ts_attribute(op, "split_axes");
  MlirAttribute offsets = ts_attribute(op, "static_sharded_dims_offsets");
  if (mlirAttributeIsNull(offsets) || mlirAttributeIsNull(lists) || !ts_attr_is_axis_array(lists))
    return NULL;
  const ts_grid *grid = find_grid(c, op);
  const char *mistake = NULL;
  ts_axes seen = 0;
  for (intptr_t d = 0; grid && d < ts_axis_array_size(lists); d++) {
    const int16_t *axes;
    intptr_t num = ts_axis_array_get(lists, d, &axes);
    for (intptr_t i = 0; i < num && !mistake; i++)
      mistake = ts_axis_mistake(&c->arena, grid, axes[i], &seen);
  }
  return mistake;
}

static MlirWalkResult check_op(MlirOperation op, void *user) {
  check *c = user;
  const char *mistake = ts_shard_op_mistake(&c->arena, op);
  if (!mistake && ts_op_is(op, "shard.sharding"))
    mistake = offsets_mistake(c, op);
  if (mistake) {
    ts_error(op, "%s", mistake);
    c->failed = true;
  }
  return MlirWalkResultAdvance;
}

bool ts_shard_ops_check(MlirOperation module) {
  check c = {0};
  mlirOperationWalk(module, collect_grid, &c, MlirWalkPreOrder);
  /* What is not a grid says nothing about the ops that name it. */
  if (!c.failed)
    mlirOperationWalk(module, check_op, &c, MlirWalkPreOrder);
  ts_arena_free(&c.arena);
  return !c.failed;
}
