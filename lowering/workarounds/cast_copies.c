/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around bufferization, which gives strided memory as contiguous memory of run-time sizes by
 * a cast, because both types have strides that are not known. Can go when it copies there. It knows
 * memref layouts. */
#include "lowering/workarounds/cast_copies.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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

void ts_casts_mark(MlirOperation module) {
  ts_each_op(module, mark_cast, NULL);
}

static void copy_for_cast(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "memref.cast") ||
      mlirOperationRemoveDiscardableAttributeByName(op, view_mark()))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (!is_memref(source) || !is_memref(result) || ts_is_identity_memref(mlirValueGetType(source)) ||
      !ts_is_identity_memref(mlirValueGetType(result)) ||
      !has_unknown_strides(mlirValueGetType(result)))
    return;
  ts_maker build = ts_make_before(op);
  mlirValueReplaceAllUsesOfWith(result, ts_make_copy(&build, source, mlirValueGetType(result)));
  mlirOperationDestroy(op);
}

void ts_casts_copy(MlirOperation module) {
  ts_each_op(module, copy_for_cast, NULL);
}
