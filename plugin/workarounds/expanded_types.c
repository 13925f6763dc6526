/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around upstream's fusion, which puts an op with the extents that tensor.expand_shape lists
 * where its type, and what uses it, say `?`. Can go when upstream refuses such types, or casts. It
 * knows tensor.expand_shape. */
#include "workarounds/expanded_types.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirType with_shape(MlirType type, intptr_t rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
}

/* The type of what is expanded to `shape`: extents whose parts are all known are known. */
static MlirType merged_type(MlirOperation op, const int64_t *shape) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirAttribute groups = ts_attribute(op, "reassociation");
  intptr_t num = mlirArrayAttrGetNumElements(groups), d = 0;
  int64_t merged[TS_MAX_RANK], unknown = mlirShapedTypeGetDynamicSize();
  for (intptr_t g = 0; g < num; g++) {
    intptr_t end = d + mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    for (merged[g] = 1; d < end; d++)
      merged[g] = merged[g] == unknown || shape[d] == unknown ? unknown : merged[g] * shape[d];
  }
  return with_shape(type, num, merged);
}

static MlirValue cast_to(const ts_maker *build, MlirValue value, MlirType type) {
  return ts_make_value(build, "tensor.cast", 1, &value, type, 0, NULL);
}

static void say(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.expand_shape"))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t shape[TS_MAX_RANK];
  if (rank > TS_MAX_RANK)
    return;
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_output_shape"), d);
  MlirType listed = with_shape(type, rank, shape), merged = merged_type(op, shape);
  if (mlirTypeEqual(listed, type))
    return;
  ts_maker build = ts_make_before(op);
  if (!mlirTypeEqual(mlirValueGetType(source), merged))
    mlirOperationSetOperand(op, 0, cast_to(&build, source, merged));
  build.before = mlirOperationGetNextInBlock(op);
  mlirValueSetType(result, listed);
  MlirValue cast = cast_to(&build, result, type);
  MlirOperation kept = ts_defining_op(cast);
  mlirValueReplaceAllUsesExcept(result, cast, 1, &kept);
}

void ts_expanded_types_say(MlirOperation module) {
  ts_each_op(module, say, NULL);
}
