/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Casts that forget extents: who can, reads what is cast, whose extents are known. Importers leave
 * them in front of joins. It must not know layouts. */
#include <stddef.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"
#include "support/ir.h"

static bool are_apart(int64_t a, int64_t b) {
  return a >= 0 && b >= 0 && a != b;
}

/* ---- who can --------------------------------------------------------------------------------- *
 * What these give does not follow from the type of what they read. Each says whether it can have
 * operand `i` of type `from`: what known extents rule out is no op, and may stand where nobody
 * comes for them. */

static bool any_can(MlirOperation op, intptr_t i, MlirType from) {
  (void)op, (void)i, (void)from;
  return true;
}

static bool cast_can(MlirOperation op, intptr_t i, MlirType from) {
  (void)i;
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (intptr_t d = 0; mlirTypeIsARankedTensor(to) && d < mlirShapedTypeGetRank(to); d++)
    if (are_apart(ts_known_extent(from, d), ts_known_extent(to, d)))
      return false;
  return true;
}

static bool concat_can(MlirOperation op, intptr_t i, MlirType from) {
  MlirType whole = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t dim = (intptr_t)ts_op_int(op, "dim", 0);
  int64_t sum = 0;
  for (intptr_t o = 0; o < mlirOperationGetNumOperands(op); o++) {
    MlirType part = o == i ? from : mlirValueGetType(mlirOperationGetOperand(op, o));
    sum = sum < 0 || ts_known_extent(part, dim) < 0 ? -1 : sum + ts_known_extent(part, dim);
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(from); d++)
      if (d != dim && are_apart(ts_known_extent(part, d), ts_known_extent(from, d)))
        return false;
  }
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(from); d++)
    if (are_apart(d == dim ? sum : ts_known_extent(from, d), ts_known_extent(whole, d)))
      return false;
  return true;
}

/* Not even a slice without elements may start behind the last index. */
static bool slice_can(MlirOperation op, intptr_t i, MlirType from) {
  const int64_t unknown = mlirShapedTypeGetDynamicSize();
  for (intptr_t d = 0; i == 0 && d < mlirShapedTypeGetRank(from); d++) {
    int64_t size = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_sizes"), d);
    int64_t stride = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_strides"), d);
    int64_t first = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_offsets"), d);
    int64_t last = size == unknown || stride == unknown ? first : first + (size - 1) * stride;
    if (ts_known_extent(from, d) >= 0 && first != unknown &&
        (first >= ts_known_extent(from, d) || last >= ts_known_extent(from, d)))
      return false;
  }
  return true;
}

static const struct {
  const char *op;
  bool (*can)(MlirOperation op, intptr_t i, MlirType from);
} readers[] = {
    {"tensor.cast", cast_can},   {"tensor.concat", concat_can},       {"tensor.dim", any_can},
    {"tensor.extract", any_can}, {"tensor.extract_slice", slice_can},
};

static bool can_read(MlirOpOperand use, MlirType from) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
    if (ts_op_is(op, readers[i].op))
      return readers[i].can(op, mlirOpOperandGetOperandNumber(use), from);
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
    if (can_read(use, mlirValueGetType(from)))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), from);
  }
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(to)))
    mlirOperationDestroy(op);
}
