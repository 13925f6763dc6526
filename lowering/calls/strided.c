/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory with strides taken apart, and seen in another order of dimensions. It knows memrefs; it
 * must not know what is computed on them. */
#include "lowering/calls/strided.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

void ts_strided_read(const ts_maker *build, MlirValue memref, ts_strided *strided) {
  MlirType type = mlirValueGetType(memref), index = mlirIndexTypeGet(build->context);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType results[2 + 2 * TS_MAX_RANK];
  results[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                           mlirAttributeGetNull());
  for (intptr_t r = 1; r < 2 + 2 * rank; r++)
    results[r] = index;
  MlirOperation metadata = ts_make_op(build, &(ts_new_op){.name = "memref.extract_strided_metadata",
                                                          .num_operands = 1,
                                                          .operands = &memref,
                                                          .num_results = 2 + 2 * rank,
                                                          .results = results});
  strided->memref = memref;
  strided->base = mlirOperationGetResult(metadata, 0);
  strided->offset = mlirOperationGetResult(metadata, 1);
  for (intptr_t d = 0; d < rank; d++) {
    strided->sizes[d] = mlirOperationGetResult(metadata, 2 + d);
    strided->strides[d] = mlirOperationGetResult(metadata, 2 + rank + d);
  }
}

MlirValue ts_strided_view(const ts_maker *build, const ts_strided *strided, MlirValue offset,
                          int rank, const MlirValue *sizes, const MlirValue *strides) {
  MlirValue operands[2 + 2 * TS_MAX_RANK];
  int64_t dynamic_sizes[TS_MAX_RANK], dynamic_strides[TS_MAX_RANK];
  int64_t dynamic_offset = mlirShapedTypeGetDynamicStrideOrOffset();
  operands[0] = strided->base;
  operands[1] = offset;
  for (int d = 0; d < rank; d++) {
    operands[2 + d] = sizes[d];
    operands[2 + rank + d] = strides[d];
    dynamic_sizes[d] = mlirShapedTypeGetDynamicSize();
    dynamic_strides[d] = dynamic_offset;
  }
  int32_t segments[] = {1, 1, rank, rank};
  MlirContext context = build->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &dynamic_offset)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, rank, dynamic_sizes)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, rank, dynamic_strides)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
  };
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(strided->memref));
  return ts_make_value(build, "memref.reinterpret_cast", 2 + 2 * rank, operands,
                       ts_any_strides_type(element, rank), 4, attributes);
}
