/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.generate whose body reads tensors, as a loop that reads them. It must not know layouts. */
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"
#include "structured/structured.h"
#include "support/captured.h"

/* Moves what the body computes from its indices into `block`; returns the element. */
static MlirValue move_body(MlirOperation op, MlirBlock block, MlirLocation location) {
  MlirBlock old = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  ts_maker inside = ts_make_at_end(block, location);
  for (intptr_t d = 0; d < mlirBlockGetNumArguments(old); d++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(old, d), ts_make_loop_index(&inside, d));
  MlirOperation end = mlirBlockGetTerminator(old);
  MlirValue element = mlirOperationGetOperand(end, 0);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(old); !mlirOperationEqual(inner, end);
       inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockAppendOwnedOperation(block, inner);
  }
  return element;
}

void ts_structure_generate(MlirOperation op) {
  if (mlirValueIsNull(ts_captured_tensor(op)))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue sizes[TS_MAX_RANK], result = mlirOperationGetResult(op, 0);
  intptr_t num = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num; i++)
    sizes[i] = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(result);
  MlirBlock body = ts_parallel_body(&build, 0, NULL, type);
  MlirValue element = move_body(op, body, build.location);
  const ts_parallel loops = {.type = type, .num_sizes = num, .sizes = sizes, .body = body};
  MlirValue made = ts_make_parallel(&build, &loops, element);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
  ts_structure_reads(mlirOpResultGetOwner(made));
}
