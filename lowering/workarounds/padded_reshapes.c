/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around linalg-fuse-elementwise-ops, which moves tensor.expand_shape from behind a pad by
 * one number to where the padded tensor is defined, though its extents may be computed after that.
 * Can go when upstream moves these too, as it does at structured ops. It knows bodies of
 * tensor.pad. */
#include "lowering/workarounds/padded_reshapes.h"

#include "lowering/workarounds/stand_ins.h"
#include "mlir-c/BuiltinTypes.h"

static const char mark_name[] = "tessera.pads_alike";

static void mark(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.pad") ||
      mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  ts_maker build = ts_make_before(yield);
  mlirOperationSetOperand(yield, 0,
                          ts_stand_in(&build, mlirOperationGetOperand(yield, 0),
                                      mlirBlockGetArgument(body, 0), mark_name));
}

void ts_padded_reshapes_keep(MlirOperation module) {
  ts_each_op(module, mark, NULL);
}

void ts_padded_reshapes_free(MlirOperation module) {
  ts_stand_ins_drop(module, mark_name);
}
