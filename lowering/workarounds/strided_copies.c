/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of strided memory: where they are needed, and as loops. Knows memref layouts. */
#include "lowering/workarounds/strided_copies.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_identity(MlirValue memref) {
  MlirAttribute layout = mlirMemRefTypeGetLayout(mlirValueGetType(memref));
  return mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout));
}

/* ---- making copies ----------------------------------------------------------------------------
 */

MlirValue ts_make_copy(const ts_maker *build, MlirValue memref, MlirType type) {
  MlirValue sizes[TS_MAX_RANK];
  int32_t num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_make_size(build, memref, d);
  int32_t segments[] = {num, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  MlirValue copy = ts_make_value(build, "memref.alloc", num, sizes, type, 1, &attribute);
  MlirValue ends[] = {memref, copy};
  ts_make_op(build, &(ts_new_op){.name = "memref.copy", .num_operands = 2, .operands = ends});
  return copy;
}

static bool is_memref(MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value));
}

/* Contiguous memory of this type has strides that depend on its run-time sizes. */
static bool has_unknown_strides(MlirType type) {
  for (intptr_t d = 1; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      return true;
  return false;
}

/* On the casts of the program, which are views: what is written through them stays. */
static MlirStringRef view_mark(void) {
  return mlirStringRefCreateFromCString("tessera.view");
}

static void mark_cast(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "memref.cast"))
    mlirOperationSetDiscardableAttributeByName(op, view_mark(),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
}

void ts_copies_mark_views(MlirOperation module) {
  ts_each_op(module, mark_cast, NULL);
}

static void copy_for_cast(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "memref.cast") ||
      mlirOperationRemoveDiscardableAttributeByName(op, view_mark()))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (!is_memref(source) || !is_memref(result) || is_identity(source) || !is_identity(result) ||
      !has_unknown_strides(mlirValueGetType(result)))
    return;
  ts_maker build = ts_make_before(op);
  mlirValueReplaceAllUsesOfWith(result, ts_make_copy(&build, source, mlirValueGetType(result)));
  mlirOperationDestroy(op);
}

void ts_copies_for_casts(MlirOperation module) {
  ts_each_op(module, copy_for_cast, NULL);
}

/* ---- copies as loops --------------------------------------------------------------------------
 */

/* What upstream copies by memcpy: it calls a C runner library, which programs do not have, for
 * everything else. */
static bool is_plain(MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  if (!mlirShapedTypeHasStaticShape(type) || !is_identity(memref))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(type, d) == 0)
      return false;
  return true;
}

static MlirRegion copying_body(MlirType element, MlirLocation location) {
  MlirType types[] = {element, element};
  MlirLocation locations[] = {location, location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  ts_maker build = ts_make_at_end(block, location);
  MlirValue value = mlirBlockGetArgument(block, 0);
  ts_make_op(&build, &(ts_new_op){.name = "linalg.yield", .num_operands = 1, .operands = &value});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

static void lower_copy(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "memref.copy"))
    return;
  MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  MlirType type = mlirValueGetType(operands[0]);
  if (!mlirTypeIsAMemRef(type) || !mlirTypeIsAMemRef(mlirValueGetType(operands[1])) ||
      (is_plain(operands[0]) && is_plain(operands[1])))
    return;
  ts_maker build = ts_make_before(op);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAttribute map = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(build.context, rank));
  MlirAttribute maps[] = {map, map}, iterators[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    iterators[d] = mlirAttributeParseGet(
        build.context, mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
  int32_t segments[] = {1, 1};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "indexing_maps", mlirArrayAttrGet(build.context, 2, maps)),
      ts_named(build.context, "iterator_types", mlirArrayAttrGet(build.context, rank, iterators)),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 2, segments)),
  };
  ts_make_op(&build, &(ts_new_op){.name = "linalg.generic",
                                  .num_operands = 2,
                                  .operands = operands,
                                  .num_attributes = 3,
                                  .attributes = attributes,
                                  .region = copying_body(mlirShapedTypeGetElementType(type),
                                                         build.location)});
  mlirOperationDestroy(op);
}

void ts_copies_lower(MlirOperation module) {
  ts_each_op(module, lower_copy, NULL);
}
