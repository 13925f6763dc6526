/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-import-mesh: each op of `mesh` becomes its counterpart in `shard`, attribute by
 * attribute. It knows both notations; it must not know what they mean. */
#include "mesh/import.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "emit/emit.h"
#include "mesh/mesh.h"
#include "mesh/offsets.h"
#include "support/arena.h"
#include "support/diagnostics.h"

/* The ops of the module, in order. */
typedef struct op_list {
  ts_arena *arena;
  intptr_t num, capacity;
  MlirOperation *ops;
} op_list;

static bool name_is(MlirStringRef name, const char *text) {
  return name.length == strlen(text) && memcmp(name.data, text, name.length) == 0;
}

static MlirStringRef op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

static bool is_mesh_op(MlirOperation op) {
  MlirStringRef name = op_name(op);
  return name.length > 5 && memcmp(name.data, "mesh.", 5) == 0;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

/* The extents of the mesh that `name` means at `op`: the one in the nearest symbol table. The
 * verifier has seen to it that there is one. */
static MlirAttribute mesh_shape(MlirOperation op, MlirAttribute name, const op_list *meshes) {
  for (MlirOperation scope = mlirOperationGetParentOperation(op); !mlirOperationIsNull(scope);
       scope = mlirOperationGetParentOperation(scope))
    for (intptr_t i = 0; i < meshes->num; i++) {
      MlirOperation mesh = meshes->ops[i];
      if (mlirOperationEqual(mlirOperationGetParentOperation(mesh), scope) &&
          mlirStringRefEqual(mlirStringAttrGetValue(ts_attribute(mesh, "sym_name")),
                             mlirFlatSymbolRefAttrGetValue(name)))
        return ts_attribute(mesh, "shape");
    }
  return mlirDenseI64ArrayGet(mlirOperationGetContext(op), 0, NULL);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static MlirAttribute axis_array(ts_arena *arena, MlirContext context, MlirAttribute attribute) {
  intptr_t num = ts_mesh_axis_array_size(attribute);
  intptr_t *sizes = TS_NEW(arena, intptr_t, num);
  const int16_t **axes = TS_NEW(arena, const int16_t *, num);
  for (intptr_t i = 0; i < num; i++)
    sizes[i] = ts_mesh_axis_array_get(attribute, i, &axes[i]);
  return ts_axis_array_create(context, num, sizes, axes);
}

static MlirAttribute convert_value(ts_arena *arena, MlirContext context, MlirAttribute value) {
  if (ts_attr_is_mesh_partial(value))
    return ts_partial_create(context, ts_mesh_partial_get(value));
  if (ts_attr_is_mesh_axis_array(value))
    return axis_array(arena, context, value);
  return value;
}

static MlirNamedAttribute convert_attribute(ts_arena *arena, MlirContext context,
                                            MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  MlirAttribute value = convert_value(arena, context, attribute.attribute);
  if (name_is(name, "mesh"))
    return ts_named(context, "grid", value);
  if (name_is(name, "mesh_axes"))
    return ts_named(context, "grid_axes", value);
  return mlirNamedAttributeGet(attribute.name, value);
}

/* What upstream's shard.sharding cannot say: [[axis, kind], ...]. Null if the sharding is whole. */
static MlirAttribute partial_list(ts_arena *arena, MlirContext context, MlirOperation sharding) {
  MlirAttribute axes = ts_attribute(sharding, "partial_axes"),
                type = ts_attribute(sharding, "partial_type");
  if (mlirAttributeIsNull(axes) || mlirAttributeIsNull(type))
    return mlirAttributeGetNull();
  MlirAttribute kind = convert_value(arena, context, type);
  intptr_t num = mlirDenseArrayGetNumElements(axes);
  MlirAttribute *entries = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++) {
    int16_t axis = mlirDenseI16ArrayGetElement(axes, i);
    MlirAttribute entry[2] = {
        mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), axis),
        kind,
    };
    entries[i] = mlirArrayAttrGet(context, 2, entry);
  }
  return mlirArrayAttrGet(context, num, entries);
}

static bool is_partial_attribute(MlirNamedAttribute attribute) {
  MlirStringRef name = mlirIdentifierStr(attribute.name);
  return name_is(name, "partial_axes") || name_is(name, "partial_type");
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Counterparts whose names differ by more than the dialect's. */
static const char *const renamed[][2] = {
    {"mesh.mesh", "shard.grid"},
    {"mesh.mesh_shape", "shard.grid_shape"},
};

static const char *shard_name(ts_arena *arena, MlirOperation op) {
  MlirStringRef name = op_name(op);
  for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
    if (name_is(name, renamed[i][0]))
      return renamed[i][1];
  return ts_arena_format(arena, "shard.%.*s", (int)(name.length - 5), name.data + 5);
}

static void replace(MlirOperation op, MlirOperation by) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(by, i));
  mlirOperationDestroy(op);
}

/* The counterpart with the same operands and attributes; false after a located error. */
static bool convert_op(ts_emit *emit, MlirOperation op, const op_list *meshes) {
  ts_arena *arena = emit->arena;
  MlirAttribute split_axes = mlirAttributeGetNull();
  if (ts_op_is(op, "mesh.sharding")) {
    split_axes = ts_mesh_split_axes(arena, op, mesh_shape(op, ts_attribute(op, "mesh"), meshes));
    if (mlirAttributeIsNull(split_axes))
      return false;
  }
  intptr_t num_attributes = mlirOperationGetNumAttributes(op), num = 0;
  MlirNamedAttribute *attributes = TS_NEW(arena, MlirNamedAttribute, num_attributes + 1);
  for (intptr_t i = 0; i < num_attributes; i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!mlirAttributeIsNull(split_axes) &&
        name_is(mlirIdentifierStr(attribute.name), "split_axes"))
      attributes[num++] = ts_named(emit->context, "split_axes", split_axes);
    else if (!is_partial_attribute(attribute))
      attributes[num++] = convert_attribute(arena, emit->context, attribute);
  }
  MlirAttribute partial = partial_list(arena, emit->context, op);
  if (!mlirAttributeIsNull(partial))
    attributes[num++] = ts_named(emit->context, "tessera.partial", partial);

  intptr_t num_operands = mlirOperationGetNumOperands(op);
  MlirValue *operands = TS_NEW(arena, MlirValue, num_operands);
  for (intptr_t i = 0; i < num_operands; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  intptr_t num_results = mlirOperationGetNumResults(op);
  MlirType *types = TS_NEW(arena, MlirType, num_results);
  for (intptr_t i = 0; i < num_results; i++) {
    types[i] = mlirValueGetType(mlirOperationGetResult(op, i));
    if (ts_type_is_mesh_sharding(types[i]))
      types[i] = ts_sharding_type(emit->context);
  }
  replace(op, ts_emit_op(emit, shard_name(arena, op), num_operands, operands, num_results, types,
                         num, attributes));
  return true;
}

/* ---- shard_shape ----------------------------------------------------------------------------- */

/* The grid's extents as values; the sharding is in `shard` already. */
static MlirValue *grid_extents(ts_emit *emit, MlirAttribute grid, intptr_t rank) {
  MlirType *types = TS_NEW(emit->arena, MlirType, rank);
  for (intptr_t i = 0; i < rank; i++)
    types[i] = mlirIndexTypeGet(emit->context);
  MlirNamedAttribute attribute = ts_named(emit->context, "grid", grid);
  MlirOperation shape = ts_emit_op(emit, "shard.grid_shape", 0, NULL, rank, types, 1, &attribute);
  MlirValue *extents = TS_NEW(emit->arena, MlirValue, rank);
  for (intptr_t i = 0; i < rank; i++)
    extents[i] = mlirOperationGetResult(shape, i);
  return extents;
}

/* Row-major coordinates of a device's linear index. */
static MlirValue *coordinates(ts_emit *emit, MlirValue device, const MlirValue *extents,
                              intptr_t rank) {
  MlirValue *result = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue rest = device;
  for (intptr_t i = rank - 1; i > 0; i--) {
    result[i] = ts_emit_rem(emit, rest, extents[i]);
    rest = ts_emit_div(emit, rest, extents[i]);
  }
  result[0] = rest;
  return result;
}

static MlirAttribute filled(ts_emit *emit, intptr_t num, int64_t value) {
  int64_t *values = TS_NEW(emit->arena, int64_t, num);
  for (intptr_t i = 0; i < num; i++)
    values[i] = value;
  return mlirDenseI64ArrayGet(emit->context, num, values);
}

static bool has_dynamic(MlirAttribute sizes) {
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sizes); i++)
    if (mlirDenseI64ArrayGetElement(sizes, i) == mlirShapedTypeGetDynamicSize())
      return true;
  return false;
}

/* `mesh` names a device by its linear index, `shard` by its coordinates. */
static bool convert_shard_shape(ts_emit *emit, MlirOperation op, const op_list *meshes) {
  MlirValue sharding = mlirOperationGetOperand(op, 0);
  MlirAttribute grid = ts_attribute(mlirOpResultGetOwner(sharding), "grid");
  MlirAttribute dims = ts_attribute(op, "shape");
  if (has_dynamic(dims)) {
    return ts_error(op,
                    "'mesh.shard_shape' op cannot be imported with '?' in its shape: nothing says "
                    "how large the tensor is");
  }
  intptr_t rank = mlirDenseArrayGetNumElements(mesh_shape(op, grid, meshes));
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, rank + 1);
  operands[0] = sharding;
  MlirValue *device =
      coordinates(emit, mlirOperationGetOperand(op, 1), grid_extents(emit, grid, rank), rank);
  memcpy(operands + 1, device, sizeof(MlirValue) * (size_t)rank);
  int32_t segments[3] = {0, 1, (int32_t)rank};
  MlirNamedAttribute attributes[3] = {
      ts_named(emit->context, "dims", dims),
      ts_named(emit->context, "device", filled(emit, rank, mlirShapedTypeGetDynamicSize())),
      ts_named(emit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(emit->context, 3, segments)),
  };
  intptr_t num_results = mlirOperationGetNumResults(op);
  MlirType *types = TS_NEW(emit->arena, MlirType, num_results);
  for (intptr_t i = 0; i < num_results; i++)
    types[i] = mlirIndexTypeGet(emit->context);
  replace(op, ts_emit_op(emit, "shard.shard_shape", rank + 1, operands, num_results, types, 3,
                         attributes));
  return true;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static MlirWalkResult collect(MlirOperation op, void *user) {
  op_list *list = user;
  if (list->num == list->capacity) {
    intptr_t capacity = list->capacity ? 2 * list->capacity : 64;
    MlirOperation *ops = TS_NEW(list->arena, MlirOperation, capacity);
    if (list->num)
      memcpy(ops, list->ops, sizeof(MlirOperation) * (size_t)list->num);
    list->ops = ops;
    list->capacity = capacity;
  }
  list->ops[list->num++] = op;
  return MlirWalkResultAdvance;
}

static bool is_sharding(MlirValue value) {
  return ts_type_is_mesh_sharding(mlirValueGetType(value));
}

static bool has_sharding_argument(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        if (is_sharding(mlirBlockGetArgument(block, i)))
          return true;
  return false;
}

/* A sharding that passes through another op (a call, a select, a block argument) is not one that an
 * annotation in `shard` can name. */
static bool check_foreign_op(MlirOperation op) {
  bool found = has_sharding_argument(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    found |= is_sharding(mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    found |= is_sharding(mlirOperationGetResult(op, i));
  if (found)
    ts_error(op, "a '!mesh.sharding' passes through this op; only ops of 'mesh' may take what a "
                 "'mesh.sharding' defines");
  return !found;
}

static ts_emit emit_before(ts_arena *arena, MlirOperation op) {
  ts_emit emit;
  ts_emit_init(&emit, arena, mlirOperationGetBlock(op));
  ts_emit_before(&emit, op);
  return emit;
}

static bool convert_ops(const op_list *ops, const op_list *meshes) {
  bool good = true;
  for (intptr_t i = 0; i < ops->num; i++) {
    ts_emit emit = emit_before(ops->arena, ops->ops[i]);
    good &= convert_op(&emit, ops->ops[i], meshes);
  }
  return good;
}

static bool convert_shard_shapes(const op_list *shapes, const op_list *meshes) {
  bool good = true;
  for (intptr_t i = 0; i < shapes->num; i++) {
    ts_emit emit = emit_before(shapes->arena, shapes->ops[i]);
    good &= convert_shard_shape(&emit, shapes->ops[i], meshes);
  }
  return good;
}

/* Shapes of shards ask their sharding for its grid, and the mesh of that name for its rank: so they
 * come after shardings, which a walk may meet later, and before meshes. */
static bool convert_all(const op_list *ops) {
  op_list meshes = {.arena = ops->arena}, shapes = {.arena = ops->arena};
  op_list others = {.arena = ops->arena};
  for (intptr_t i = 0; i < ops->num; i++) {
    MlirOperation op = ops->ops[i];
    if (ts_op_is(op, "mesh.mesh"))
      collect(op, &meshes);
    else if (ts_op_is(op, "mesh.shard_shape"))
      collect(op, &shapes);
    else if (is_mesh_op(op))
      collect(op, &others);
  }
  return convert_ops(&others, &meshes) && convert_shard_shapes(&shapes, &meshes) &&
         convert_ops(&meshes, &meshes);
}

bool ts_import_mesh_run(MlirOperation module, const ts_option_value *options) {
  (void)options;
  ts_arena arena = {0};
  op_list ops = {.arena = &arena};
  mlirOperationWalk(module, collect, &ops, MlirWalkPreOrder);
  bool good = true;
  for (intptr_t i = 0; i < ops.num; i++)
    good &= is_mesh_op(ops.ops[i]) || check_foreign_op(ops.ops[i]);
  good = good && convert_all(&ops);
  ts_arena_free(&arena);
  return good;
}
