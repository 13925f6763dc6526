/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neighbouring dimensions of a tensor that are one of another. */
#include "ir/merged_dims.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

void ts_merged_dims_read(MlirOperation reshape, ts_merged_dims *merged) {
  MlirAttribute list = ts_attribute(reshape, "reassociation");
  merged->count = (int)mlirArrayAttrGetNumElements(list);
  for (int g = 0; g < merged->count; g++) {
    MlirAttribute group = mlirArrayAttrGetElement(list, g);
    merged->num[g] = (int)mlirArrayAttrGetNumElements(group);
    merged->first[g] = (int)mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, 0));
  }
}

static MlirNamedAttribute reassociation(MlirContext context, const ts_merged_dims *merged) {
  MlirAttribute list[TS_MAX_RANK], dims[TS_MAX_RANK];
  MlirType i64 = mlirIntegerTypeGet(context, 64);
  for (int g = 0; g < merged->count; g++) {
    for (int i = 0; i < merged->num[g]; i++)
      dims[i] = mlirIntegerAttrGet(i64, merged->first[g] + i);
    list[g] = mlirArrayAttrGet(context, merged->num[g], dims);
  }
  return ts_named(context, "reassociation", mlirArrayAttrGet(context, merged->count, list));
}

static MlirType tensor_like(MlirValue value, int rank, const int64_t *sizes) {
  return mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(mlirValueGetType(value)),
                                 mlirAttributeGetNull());
}

MlirValue ts_make_collapse(const ts_maker *build, MlirValue value, const ts_merged_dims *merged,
                           const int64_t *sizes) {
  MlirNamedAttribute attribute = reassociation(build->context, merged);
  return ts_make_value(build, "tensor.collapse_shape", 1, &value,
                       tensor_like(value, merged->count, sizes), 1, &attribute);
}

MlirValue ts_make_expand(const ts_maker *build, MlirValue value, const ts_merged_dims *merged,
                         int rank, const int64_t *sizes) {
  MlirNamedAttribute attributes[] = {reassociation(build->context, merged),
                                     ts_named(build->context, "static_output_shape",
                                              mlirDenseI64ArrayGet(build->context, rank, sizes))};
  return ts_make_value(build, "tensor.expand_shape", 1, &value, tensor_like(value, rank, sizes), 2,
                       attributes);
}
