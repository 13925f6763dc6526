/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, and writes to
 * arguments that callers keep. Knows single ops. */
#include "leftovers.h"

#include "build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sites.h"

static void check_op(MlirOperation op, void *user) {
  bool *good = user;
  if (ts_op_is(op, "shard.shard"))
    *good = ts_lower_error(mlirOperationGetLocation(op),
                           "this annotation was not partitioned: run tessera-partition first");
}

bool ts_leftovers_check(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_op, &good);
  return good;
}

/* Is `value` an argument of a function that must not write it? */
static bool is_kept_argument(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirOperation function = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  MlirAttribute list = ts_attribute(function, "arg_attrs");
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  if (!ts_op_is(function, "func.func") || mlirAttributeIsNull(list) ||
      !mlirBlockEqual(ts_function_entry(function), mlirBlockArgumentGetOwner(value)) ||
      number >= mlirArrayAttrGetNumElements(list))
    return false;
  MlirAttribute writable =
      mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(list, number),
                                         mlirStringRefCreateFromCString("bufferization.writable"));
  return !mlirAttributeIsNull(writable) && !mlirBoolAttrGetValue(writable);
}

static void protect(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "bufferization.materialize_in_destination") ||
      mlirOperationGetNumResults(op) != 1 || !is_kept_argument(mlirOperationGetOperand(op, 1)))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (!mlirTypeEqual(mlirValueGetType(source), mlirValueGetType(result)))
    source = ts_make_value(&build, "tensor.cast", 1, &source, mlirValueGetType(result), 0, NULL);
  mlirValueReplaceAllUsesOfWith(result, source);
  mlirOperationDestroy(op);
}

void ts_leftovers_protect_arguments(MlirOperation module) {
  ts_each_op(module, protect, NULL);
}
