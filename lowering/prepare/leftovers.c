/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, functions that never
 * return, tensors of no particular content. It knows single ops. */
#include "lowering/prepare/leftovers.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/calls/site_records.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

/* ---- what must not be there ------------------------------------------------------------------ */

static bool returns(MlirOperation function) {
  ts_arena arena = {0};
  int num;
  ts_drop_unreached_blocks(&arena, mlirOperationGetRegion(function, 0));
  MlirBlock *blocks = ts_blocks_in_order(&arena, mlirOperationGetRegion(function, 0), &num);
  bool found = false;
  for (int i = 0; i < num && !found; i++)
    found = ts_op_is(mlirBlockGetTerminator(blocks[i]), "func.return");
  ts_arena_free(&arena);
  return found;
}

/* Ops that neither upstream nor this folder has code for, and what says the same. */
static const char *const without_code[][2] = {
    {"arith.scaling_extf", "arith.extf of the value times the scale"},
    {"arith.scaling_truncf", "arith.truncf of the value divided by the scale"},
    {"tosa.cast_from_block_scaled", "values of a type that can be computed with"},
    {"tosa.cast_to_block_scaled", "values of a type that can be computed with"},
    {"tosa.custom", "ops that say what is computed"},
    {"tosa.matmul_t_block_scaled", "tosa.matmul of values that can be computed with"},
    {"tosa.variable", "arguments and results"},
    {"tosa.variable_read", "an argument"},
    {"tosa.variable_write", "a result"},
};

static void check_code(MlirOperation op, bool *good) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof(without_code) / sizeof(without_code[0]); i++)
    if (ts_op_is(op, without_code[i][0]))
      *good = ts_error_at(mlirOperationGetLocation(op), "'%s' has no code here: expected %s",
                          without_code[i][0], without_code[i][1]);
  static const char shape[] = "_shape";
  size_t length = strlen(shape);
  bool computes_shape = name.length > length && memcmp(name.data, "tosa.", 5) == 0 &&
                        memcmp(name.data + name.length - length, shape, length) == 0 &&
                        !ts_op_is(op, "tosa.const_shape");
  if (computes_shape || ts_op_is(op, "tosa.dim"))
    *good = ts_error_at(mlirOperationGetLocation(op),
                        "'%s' computes a shape while the program runs, which has no code here: "
                        "expected tosa.const_shape",
                        ts_op_name(op));
}

static void check_op(MlirOperation op, void *user) {
  bool *good = user;
  check_code(op, good);
  if (ts_op_is(op, "shard.shard"))
    *good = ts_error_at(mlirOperationGetLocation(op),
                        "this annotation was not partitioned: run tessera-partition first");
  if (ts_op_is(op, "func.func") && !mlirAttributeIsNull(ts_attribute(op, "tessera.propagated")))
    *good = ts_error_at(mlirOperationGetLocation(op),
                        "this function was propagated and not partitioned: run "
                        "tessera-partition first");
  if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr && !returns(op)) {
    MlirStringRef name = ts_op_symbol(op, "sym_name");
    *good = ts_error_at(mlirOperationGetLocation(op),
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

/* ---- types ----------------------------------------------------------------------------------- */

static bool check_type(MlirOperation op, MlirType type) {
  if (mlirTypeIsARankedTensor(type) && !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return ts_error_at(mlirOperationGetLocation(op),
                       "'%s' on a tensor with an encoding, which says nothing about plain "
                       "memory: expected tensors without",
                       ts_op_name(op));
  return true;
}

static void check_types(MlirOperation op, void *user) {
  bool *good = user, fits = true;
  for (intptr_t i = 0; fits && i < mlirOperationGetNumOperands(op); i++)
    fits = check_type(op, mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; fits && i < mlirOperationGetNumResults(op); i++)
    fits = check_type(op, mlirValueGetType(mlirOperationGetResult(op, i)));
  *good = *good && fits;
}

bool ts_leftovers_check_types(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_types, &good);
  return good;
}

static bool has_tensors(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static void check_bufferizable(MlirOperation op, void *user) {
  bool *good = user;
  if (ts_op_is(op, "tessera.manual"))
    *good = ts_error_at(mlirOperationGetLocation(op),
                        "'tessera.manual' runs the program of one device of a grid, which means "
                        "nothing in the program on one device (--oracle, tessera-check): expected "
                        "tessera-partition to have made a call of it");
  else if (has_tensors(op) && !ts_op_is_bufferizable(op))
    *good = ts_error_at(mlirOperationGetLocation(op),
                        "no code is known for '%s' on tensors: write what it computes in other "
                        "ops, such as linalg.generic",
                        ts_op_name(op));
}

bool ts_leftovers_check_bufferizable(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_bufferizable, &good);
  return good;
}

/* ---- poison ---------------------------------------------------------------------------------- */

static void empty_poison(MlirOperation op, void *user) {
  bool *good = user;
  if (!ts_op_is(op, "ub.poison"))
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeIsATensor(type))
    return;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type)) {
    *good = ts_error_at(mlirOperationGetLocation(op),
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
