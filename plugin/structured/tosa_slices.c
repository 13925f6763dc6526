/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tosa.slice as tensor.extract_slice. It must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/slices.h"
#include "structured/structured.h"

/* The numbers of a tosa.const_shape; null if `shape` is something else. */
static MlirAttribute listed(MlirValue shape) {
  MlirOperation made = ts_defining_op(shape);
  return made.ptr && ts_op_is(made, "tosa.const_shape") ? ts_attribute(made, "values")
                                                        : mlirAttributeGetNull();
}

static int64_t number(MlirAttribute list, intptr_t i) {
  bool is_splat = mlirDenseElementsAttrIsSplat(list);
  return (int64_t)(is_splat ? mlirDenseElementsAttrGetInt64SplatValue(list)
                            : mlirDenseElementsAttrGetInt64Value(list, i));
}

void ts_structure_tosa_slice(MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(result);
  MlirAttribute starts = listed(mlirOperationGetOperand(op, 1));
  MlirAttribute sizes = listed(mlirOperationGetOperand(op, 2));
  if (!mlirTypeIsARankedTensor(from) || !mlirTypeIsARankedTensor(to) ||
      mlirAttributeIsNull(starts) || mlirAttributeIsNull(sizes))
    return;
  ts_told begin[TS_MAX_RANK], size[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(from);
  for (intptr_t d = 0; d < rank; d++) {
    int64_t length = number(sizes, d), start = number(starts, d);
    bool is_unknown = mlirShapedTypeIsDynamicDim(from, d);
    if (is_unknown ? start != 0 || length >= 0 : mlirShapedTypeIsDynamicDim(to, d))
      return;
    begin[d] = ts_told_known(start);
    size[d] = ts_told_known(is_unknown ? 0 : mlirShapedTypeGetDimSize(to, d));
  }
  ts_maker build = ts_make_before(op);
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(from, d))
      size[d] = ts_told_by(ts_make_size(&build, source, d));
  MlirValue made = ts_make_extract_slice(&build, source, rank, begin, size);
  if (!mlirTypeEqual(mlirValueGetType(made), to))
    made = ts_make_value(&build, "tensor.cast", 1, &made, to, 0, NULL);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
}
