/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around the folders of arith, which make dense constants of x ^ x and of comparisons of x
 * with itself even where the tensor's shape is known at run time only: no constant has such a type.
 * Values that are not one yet may become one (a loop of one trip is taken out), so such ops are
 * loops over elements, of which nothing is folded. Can go when upstream folds these for static
 * shapes alone. It knows single ops of arith. */
#include "workarounds/constant_folds.h"

#include "ir/generic.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue loop(MlirOperation op, MlirType type) {
  ts_maker build = ts_make_before(op);
  MlirValue sizes[TS_MAX_RANK], operands[3];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (int i = 0; i < 2; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  intptr_t num = ts_make_dynamic_sizes(&build, operands[0], sizes);
  operands[2] = ts_make_value(&build, "tensor.empty", num, sizes, type, 0, NULL);
  MlirType elements[3];
  MlirLocation locations[3];
  MlirAttribute maps[3], iterators[TS_MAX_RANK];
  for (int i = 0; i < 3; i++) {
    elements[i] = mlirShapedTypeGetElementType(mlirValueGetType(operands[i]));
    locations[i] = build.location;
    maps[i] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(build.context, rank));
  }
  ts_parallel_iterators(build.context, rank, iterators);
  MlirBlock body = mlirBlockCreate(3, elements, locations);
  MlirOperation scalar = mlirOperationClone(op);
  for (int i = 0; i < 2; i++)
    mlirOperationSetOperand(scalar, i, mlirBlockGetArgument(body, i));
  MlirValue result = mlirOperationGetResult(scalar, 0);
  mlirValueSetType(result, elements[2]);
  mlirBlockAppendOwnedOperation(body, scalar);
  MlirOperation generic = ts_make_generic(
      &build, &(ts_new_generic){.num_inputs = 2,
                                .num_outputs = 1,
                                .operands = operands,
                                .maps = maps,
                                .num_loops = rank,
                                .iterators = iterators,
                                .results = &type,
                                .body = ts_end_body(body, build.location, 1, &result)});
  return mlirOperationGetResult(generic, 0);
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
