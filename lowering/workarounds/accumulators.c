/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around linalg-fuse-elementwise-ops, which fuses a producer that reads its initial value
 * into a consumer with more loops as it is, and so updates each element once for every iteration of
 * those. Can go when upstream leaves such producers alone. It knows linalg.generic. */
#include "lowering/workarounds/accumulators.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "ir/linalg_covers.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MAX_PORTS = 64 };

/* Upstream folds these into the structured ops on both sides, which then meet. */
static bool is_reshape(MlirOperation op) {
  return ts_op_is(op, "tensor.collapse_shape") || ts_op_is(op, "tensor.expand_shape") ||
         ts_op_is(op, "tensor.cast");
}

/* True if a structured op reads a result of `op`, directly or behind reshapes. */
static bool has_structured_user(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (ts_op_is_linalg(user) || (is_reshape(user) && has_structured_user(user)))
        return true;
    }
  return false;
}

/* A tensor of `like`'s type and extents that holds nothing. */
static MlirValue make_empty_like(const ts_maker *build, MlirValue like) {
  MlirType type = mlirValueGetType(like);
  MlirValue sizes[TS_MAX_RANK];
  intptr_t num = ts_make_dynamic_sizes(build, like, sizes);
  return ts_make_value(build, "tensor.empty", num, sizes, type, 0, NULL);
}

/* Gives `op` one more input before its inits: the init number `init`, read as the body reads it. */
static void read_as_input(MlirOperation op, intptr_t init) {
  intptr_t inputs = ts_linalg_num_inputs(op), inits = ts_linalg_num_inits(op);
  ts_maker build = ts_make_before(op);
  MlirValue operands[MAX_PORTS], value = mlirOperationGetOperand(op, inputs + init);
  MlirAttribute maps[MAX_PORTS];
  intptr_t num = 0;
  for (intptr_t i = 0; i < inputs + inits; i++) {
    if (i == inputs) {
      operands[num] = value;
      maps[num++] = mlirAffineMapAttrGet(ts_linalg_map(op, inputs + init));
    }
    operands[num] =
        i == inputs + init ? make_empty_like(&build, value) : mlirOperationGetOperand(op, i);
    maps[num++] = mlirAffineMapAttrGet(ts_linalg_map(op, i));
  }
  MlirBlock body = ts_linalg_body(op);
  MlirValue old = mlirBlockGetArgument(body, inputs + init);
  MlirValue input = mlirBlockInsertArgument(body, inputs, mlirValueGetType(old), build.location);
  mlirValueReplaceAllUsesOfWith(old, input);
  int32_t segments[] = {(int32_t)inputs + 1, (int32_t)inits};
  mlirOperationSetOperands(op, num, operands);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(build.context, num, maps));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(build.context, 2, segments));
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0 ||
      !ts_all_loops_are_parallel(op) || !has_structured_user(op))
    return;
  for (intptr_t i = 0; i < ts_linalg_num_inits(op); i++) {
    intptr_t inputs = ts_linalg_num_inputs(op);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, inputs + i));
    MlirValue argument = mlirBlockGetArgument(ts_linalg_body(op), inputs + i);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(argument)) || !ts_linalg_covers(op, i) ||
        mlirShapedTypeGetRank(type) > TS_MAX_RANK ||
        inputs + ts_linalg_num_inits(op) + 1 > MAX_PORTS)
      continue;
    read_as_input(op, i);
  }
}

void ts_accumulators_to_inputs(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
