/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, functions that never
 * return, tensors of no particular content. Knows single ops. */
#include "leftovers.h"

#include "build.h"
#include "mlir-c/BuiltinTypes.h"
#include "sites.h"
#include "solve/blocks.h"

static bool returns(MlirOperation function) {
  ts_arena arena = {0};
  int num;
  MlirBlock *blocks = ts_blocks_in_order(&arena, mlirOperationGetRegion(function, 0), &num);
  bool found = false;
  for (int i = 0; i < num && !found; i++)
    found = ts_op_is(mlirBlockGetTerminator(blocks[i]), "func.return");
  ts_arena_free(&arena);
  return found;
}

static void check_op(MlirOperation op, void *user) {
  bool *good = user;
  if (ts_op_is(op, "shard.shard"))
    *good = ts_lower_error(mlirOperationGetLocation(op),
                           "this annotation was not partitioned: run tessera-partition first");
  if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr && !returns(op)) {
    MlirStringRef name = ts_op_symbol(op, "sym_name");
    *good = ts_lower_error(mlirOperationGetLocation(op),
                           "@%.*s never returns: no func.return can be reached from its start; "
                           "expected one, or no body",
                           (int)name.length, name.data);
  }
}

bool ts_leftovers_check(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_op, &good);
  return good;
}

static void empty_poison(MlirOperation op, void *user) {
  bool *good = user;
  if (!ts_op_is(op, "ub.poison"))
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeIsATensor(type))
    return;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type)) {
    *good = ts_lower_error(mlirOperationGetLocation(op),
                           "a poison tensor whose size is not known at compile time: expected a "
                           "static shape, or a tensor.empty with its sizes");
    return;
  }
  ts_maker build = ts_make_before(op);
  mlirValueReplaceAllUsesOfWith(result,
                                ts_make_value(&build, "tensor.empty", 0, NULL, type, 0, NULL));
  mlirOperationDestroy(op);
}

bool ts_leftovers_empty_poison(MlirOperation module) {
  bool good = true;
  ts_each_op(module, empty_poison, &good);
  return good;
}
