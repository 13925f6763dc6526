/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around expand-strided-metadata, which takes no reshape of memory with a group of several
 * run-time extents. Can go when it does. It knows identity layouts. */
#include "lowering/workarounds/dynamic_reshapes.h"

#include "ir/build.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue product(const ts_maker *build, MlirValue a, MlirValue b) {
  return ts_make_binary(build, "arith.muli", a, b);
}

/* The extents of a collapsed memref: products of the source's. */
static void collapsed_sizes(const ts_maker *build, MlirOperation op, intptr_t rank,
                            MlirValue *sizes) {
  MlirAttribute groups = ts_attribute(op, "reassociation");
  for (intptr_t d = 0; d < rank; d++) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, d);
    sizes[d] = ts_make_index(build, 1);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); i++) {
      int64_t dim = mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
      sizes[d] = product(build, sizes[d], ts_make_size(build, mlirOperationGetOperand(op, 0), dim));
    }
  }
}

/* The extents of an expanded memref: its operands, or static. */
static void expanded_sizes(const ts_maker *build, MlirOperation op, MlirType type,
                           MlirValue *sizes) {
  intptr_t next = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    sizes[d] = mlirShapedTypeIsDynamicDim(type, d)
                   ? mlirOperationGetOperand(op, next++)
                   : ts_make_index(build, mlirShapedTypeGetDimSize(type, d));
}

/* `source` seen as contiguous memory of `type`, whose extents are `sizes`. */
static MlirValue reinterpret(const ts_maker *build, MlirValue source, MlirType type,
                             const MlirValue *sizes) {
  const int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue operands[1 + 2 * TS_MAX_RANK] = {source}, strides[TS_MAX_RANK];
  int64_t static_sizes[TS_MAX_RANK], static_strides[TS_MAX_RANK], stride = 1, offset = 0;
  MlirValue running = ts_make_index(build, 1);
  for (intptr_t d = rank; d-- > 0;) {
    strides[d] = running;
    static_strides[d] = stride;
    static_sizes[d] = mlirShapedTypeGetDimSize(type, d);
    bool known = stride != dynamic && !mlirShapedTypeIsDynamicDim(type, d);
    stride = known ? stride * static_sizes[d] : dynamic;
    running = product(build, running, sizes[d]);
  }
  int num_sizes = 0, num_strides = 0;
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      operands[1 + num_sizes++] = sizes[d];
  for (intptr_t d = 0; d < rank; d++)
    if (static_strides[d] == dynamic)
      operands[1 + num_sizes + num_strides++] = strides[d];
  int32_t segments[] = {1, 0, num_sizes, num_strides};
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "static_offsets", mlirDenseI64ArrayGet(build->context, 1, &offset)),
      ts_named(build->context, "static_sizes",
               mlirDenseI64ArrayGet(build->context, rank, static_sizes)),
      ts_named(build->context, "static_strides",
               mlirDenseI64ArrayGet(build->context, rank, static_strides)),
      ts_named(build->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build->context, 4, segments)),
  };
  MlirAttribute layout = mlirStridedLayoutAttrGet(build->context, 0, rank, static_strides);
  MlirType strided = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, static_sizes,
                                       layout, mlirMemRefTypeGetMemorySpace(type));
  MlirValue cast = ts_make_value(build, "memref.reinterpret_cast", 1 + num_sizes + num_strides,
                                 operands, strided, 4, attributes);
  return ts_make_memref_cast(build, cast, type);
}

static void lower_reshape(MlirOperation op, void *user) {
  (void)user;
  bool collapses = ts_op_is(op, "memref.collapse_shape");
  if (!collapses && !ts_op_is(op, "memref.expand_shape"))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!ts_is_identity_memref(mlirValueGetType(source)) || !ts_is_identity_memref(type) ||
      mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > TS_MAX_RANK)
    return;
  ts_maker build = ts_make_before(op);
  MlirValue sizes[TS_MAX_RANK];
  if (collapses)
    collapsed_sizes(&build, op, mlirShapedTypeGetRank(type), sizes);
  else
    expanded_sizes(&build, op, type, sizes);
  mlirValueReplaceAllUsesOfWith(result, reinterpret(&build, source, type, sizes));
  mlirOperationDestroy(op);
}

void ts_reshapes_lower(MlirOperation module) {
  ts_each_op(module, lower_reshape, NULL);
}
