/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around the folders of arith, which make dense constants of x ^ x and of comparisons of x
 * with itself even where the tensor's shape is known at run time only: no constant has such a type.
 * Values that are not one yet may become one (a loop of one trip is taken out), so such ops are
 * loops over elements, of which nothing is folded. Can go when upstream folds these for static
 * shapes alone. It knows single ops of arith. */
#include "workarounds/constant_folds.h"

#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"

static MlirValue loop(MlirOperation op, MlirType type) {
  ts_maker build = ts_make_before(op);
  MlirValue sizes[TS_MAX_RANK], inputs[2];
  MlirAffineMap maps[2];
  for (int i = 0; i < 2; i++) {
    inputs[i] = mlirOperationGetOperand(op, i);
    maps[i] = mlirAffineMapMultiDimIdentityGet(build.context, mlirShapedTypeGetRank(type));
  }
  intptr_t num_sizes = ts_make_dynamic_sizes(&build, inputs[0], sizes);
  MlirBlock body = ts_parallel_body(&build, 2, inputs, type);
  MlirOperation scalar = mlirOperationClone(op);
  for (int i = 0; i < 2; i++)
    mlirOperationSetOperand(scalar, i, mlirBlockGetArgument(body, i));
  MlirValue result = mlirOperationGetResult(scalar, 0);
  mlirValueSetType(result, mlirShapedTypeGetElementType(type));
  mlirBlockAppendOwnedOperation(body, scalar);
  return ts_make_parallel(&build,
                          &(ts_parallel){.type = type,
                                         .num_sizes = num_sizes,
                                         .sizes = sizes,
                                         .num_inputs = 2,
                                         .inputs = inputs,
                                         .maps = maps,
                                         .body = body},
                          result);
}

static void keep_from_folding(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "arith.cmpi") && !ts_op_is(op, "arith.xori"))
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeHasStaticShape(type))
    return;
  mlirValueReplaceAllUsesOfWith(result, loop(op, type));
  mlirOperationDestroy(op);
}

void ts_folds_to_loops(MlirOperation module) {
  ts_each_op(module, keep_from_folding, NULL);
}
