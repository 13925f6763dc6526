/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finds the zero that a sum starts from, where the runtime's call can start from it by itself. It
 * knows memory and its names; it must not know what is summed. */
#include "lowering/calls/zero_fills.h"

#include "capi/capi.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"
#include "support/ir.h"

static bool is_zero(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute constant = ts_attribute(op, "value");
  if (!ts_op_is(op, "arith.constant") || mlirAttributeIsNull(constant))
    return false;
  if (mlirAttributeIsAFloat(constant))
    return mlirFloatAttrGetValueDouble(constant) == 0.0;
  return mlirAttributeIsAInteger(constant) && mlirIntegerAttrGetValueInt(constant) == 0;
}

/* Does anything between `first` and `last` use the memory of `value`, or can it have another name?
 */
static bool is_used_between(MlirValue value, MlirOperation first, MlirOperation last) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool view = mlirValueEqual(ts_view_source(user), value);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); r++) {
      MlirValue result = mlirOperationGetResult(user, r);
      if (mlirTypeIsAMemRef(mlirValueGetType(result)) &&
          (!view || is_used_between(result, first, last)))
        return true;
    }
    MlirOperation place = ts_ancestor_in(mlirOperationGetBlock(last), user);
    if (!view && place.ptr && mlirOperationIsBeforeInBlock(first, place) &&
        mlirOperationIsBeforeInBlock(place, last))
      return true;
  }
  return false;
}

MlirOperation ts_zero_fill_of(MlirOperation op, intptr_t operand) {
  MlirValue destination = mlirOperationGetOperand(op, operand), root = ts_view_root(destination);
  MlirOperation found = {NULL};
  if (!mlirValueIsAOpResult(root) || !ts_op_is(mlirOpResultGetOwner(root), "memref.alloc"))
    return found;
  for (MlirOpOperand use = mlirValueGetFirstUse(destination); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation fill = mlirOpOperandGetOwner(use);
    if (ts_op_is(fill, "linalg.fill") && mlirOpOperandGetOperandNumber(use) == 1 &&
        mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(fill, op) && is_zero(mlirOperationGetOperand(fill, 0)) &&
        !is_used_between(root, fill, op))
      found = fill;
  }
  return found;
}
