/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around finalize-memref-to-llvm, which makes of a memref.copy of strided memory a call of a
 * C++ runner library that programs do not have. Can go when it makes loops. It knows memref
 * layouts. */
#include "lowering/workarounds/strided_copies.h"

#include "ir/generic.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* What upstream copies by memcpy: it calls a C runner library, which programs do not have, for
 * everything else. */
static bool is_plain(MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  if (!mlirShapedTypeHasStaticShape(type) || !ts_is_identity_memref(mlirValueGetType(memref)))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(type, d) == 0)
      return false;
  return true;
}

static MlirRegion copying_body(MlirType element, MlirLocation location) {
  MlirType types[] = {element, element};
  MlirLocation locations[] = {location, location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  MlirValue value = mlirBlockGetArgument(block, 0);
  return ts_end_body(block, location, 1, &value);
}

/* Those that upstream has code for are lowered too if `user` says so. */
static void lower_copy(MlirOperation op, void *user) {
  const bool *plain_too = user;
  if (!ts_op_is(op, "memref.copy"))
    return;
  MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  MlirType type = mlirValueGetType(operands[0]);
  if (!mlirTypeIsAMemRef(type) || !mlirTypeIsAMemRef(mlirValueGetType(operands[1])) ||
      (!*plain_too && is_plain(operands[0]) && is_plain(operands[1])))
    return;
  ts_maker build = ts_make_before(op);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAttribute map = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(build.context, rank));
  MlirAttribute maps[] = {map, map}, iterators[TS_MAX_RANK];
  ts_parallel_iterators(build.context, rank, iterators);
  MlirRegion body = copying_body(mlirShapedTypeGetElementType(type), build.location);
  ts_make_generic(&build, &(ts_new_generic){.num_inputs = 1,
                                            .num_outputs = 1,
                                            .operands = operands,
                                            .maps = maps,
                                            .num_loops = rank,
                                            .iterators = iterators,
                                            .body = body});
  mlirOperationDestroy(op);
}

void ts_copies_lower(MlirOperation module) {
  bool plain_too = false;
  ts_each_op(module, lower_copy, &plain_too);
}

void ts_copies_lower_all(MlirOperation module) {
  bool plain_too = true;
  ts_each_op(module, lower_copy, &plain_too);
}
