/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that take the extents of their result as operands. Knows where such an op has them, not what
 * they are for. */
#include <string.h>

#include "capi/capi.h"
#include "rules/linalg.h"
#include "rules/ports.h"

#include "mlir-c/BuiltinTypes.h"

/* The first of one operand for each dynamic dimension of the result. */
typedef struct sized_op {
  const char *name;
  intptr_t first;
} sized_op;

static const sized_op sized_ops[] = {
    {"tensor.empty", 0},
    {"tensor.expand_shape", 1},
    {"tensor.generate", 0},
    {"tensor.splat", 1},
};

ts_size_operand ts_size_operand_of(MlirValue value, int d) {
  const ts_size_operand none = {{NULL}, 0};
  MlirOperation op = ts_defining_op(value);
  MlirType type = mlirValueGetType(value);
  /* A destination has its result's extents. */
  while (op.ptr && ts_op_is_linalg(op) && ts_is_free(value)) {
    value = mlirOperationGetOperand(op, ts_linalg_num_inputs(op));
    op = ts_defining_op(value);
  }
  if (!op.ptr || !mlirShapedTypeIsDynamicDim(type, d))
    return none;
  intptr_t before = 0;
  for (int other = 0; other < d; ++other)
    before += mlirShapedTypeIsDynamicDim(type, other);
  for (size_t i = 0; i < sizeof(sized_ops) / sizeof(sized_ops[0]); ++i)
    if (ts_op_is(op, sized_ops[i].name))
      return (ts_size_operand){op, sized_ops[i].first + before};
  return none;
}
