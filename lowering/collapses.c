/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* memref.collapse_shape as memref.reinterpret_cast. Knows identity layouts. */
#include "collapses.h"

#include "build.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_contiguous(MlirType type) {
  MlirAttribute layout = mlirMemRefTypeGetLayout(type);
  return mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout));
}

/* The product of the source's extents that result dimension `d` is made of. */
static MlirValue collapsed_size(const ts_maker *build, MlirValue source, MlirAttribute group) {
  MlirValue size = ts_make_index(build, 1);
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); i++) {
    int64_t dim = mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
    MlirValue operands[] = {size, ts_make_size(build, source, dim)};
    size = ts_make_value(build, "arith.muli", 2, operands, mlirIndexTypeGet(build->context), 0, NULL);
  }
  return size;
}

static void lower_collapse(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "memref.collapse_shape"))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (!is_contiguous(mlirValueGetType(source)) || !is_contiguous(type) ||
      mlirShapedTypeHasStaticShape(type) || rank > TS_MAX_RANK)
    return;
  ts_maker build = ts_make_before(op);
  MlirAttribute groups = ts_attribute(op, "reassociation");
  MlirType index = mlirIndexTypeGet(build.context);
  MlirValue operands[1 + 2 * TS_MAX_RANK] = {source};
  MlirValue *sizes = operands + 1, strides[TS_MAX_RANK];
  int64_t static_sizes[TS_MAX_RANK], static_strides[TS_MAX_RANK], stride = 1, offset = 0;
  int num = 0;
  bool known[TS_MAX_RANK];
  MlirValue running = ts_make_index(&build, 1);
  for (intptr_t d = rank; d-- > 0;) {
    known[d] = stride != mlirShapedTypeGetDynamicStrideOrOffset();
    static_strides[d] = stride;
    strides[d] = running;
    static_sizes[d] = mlirShapedTypeGetDimSize(type, d);
    MlirValue size = collapsed_size(&build, source, mlirArrayAttrGetElement(groups, d));
    MlirValue factors[] = {running, size};
    running = ts_make_value(&build, "arith.muli", 2, factors, index, 0, NULL);
    bool dynamic = mlirShapedTypeIsDynamicDim(type, d);
    stride = known[d] && !dynamic ? stride * static_sizes[d]
                                  : mlirShapedTypeGetDynamicStrideOrOffset();
  }
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = collapsed_size(&build, source, mlirArrayAttrGetElement(groups, d));
  int num_sizes = num;
  for (intptr_t d = 0; d < rank; d++)
    if (!known[d])
      sizes[num++] = strides[d];
  int32_t segments[] = {1, 0, num_sizes, num - num_sizes};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "static_offsets", mlirDenseI64ArrayGet(build.context, 1, &offset)),
      ts_named(build.context, "static_sizes",
               mlirDenseI64ArrayGet(build.context, rank, static_sizes)),
      ts_named(build.context, "static_strides",
               mlirDenseI64ArrayGet(build.context, rank, static_strides)),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 4, segments)),
  };
  /* The result type's identity layout and the cast's strides say the same where both are static;
   * where they are not, the cast needs the strided form and a memref.cast back. */
  MlirAttribute layout = mlirStridedLayoutAttrGet(build.context, 0, rank, static_strides);
  MlirType strided = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), rank, static_sizes,
                                       layout, mlirMemRefTypeGetMemorySpace(type));
  MlirValue cast =
      ts_make_value(&build, "memref.reinterpret_cast", 1 + num, operands, strided, 4, attributes);
  mlirValueReplaceAllUsesOfWith(result, ts_make_memref_cast(&build, cast, type));
  mlirOperationDestroy(op);
}

void ts_collapses_lower(MlirOperation module) {
  ts_each_op(module, lower_collapse, NULL);
}
