/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Casts that forget extents: who can, reads what is cast, whose extents are known. Importers leave
 * them in front of joins. It must not know layouts. */
#include <stddef.h>

#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"
#include "support/ir.h"

/* What these give does not follow from the type of what they read. */
static const char *const readers[] = {"tensor.cast", "tensor.concat", "tensor.dim",
                                      "tensor.extract", "tensor.extract_slice"};

static bool reads_any_type(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
    if (ts_op_is(op, readers[i]))
      return true;
  return false;
}

/* The type of what is cast says all that the type of the cast says. */
static bool forgets(MlirType from, MlirType to) {
  if (!mlirTypeIsARankedTensor(from) || !mlirTypeIsARankedTensor(to))
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(to); d++)
    if (mlirShapedTypeIsDynamicDim(from, d) && !mlirShapedTypeIsDynamicDim(to, d))
      return false;
  return true;
}

void ts_structure_cast(MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  if (!forgets(mlirValueGetType(from), mlirValueGetType(to)))
    return;
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(to); !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    if (reads_any_type(use))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), from);
  }
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(to)))
    mlirOperationDestroy(op);
}
