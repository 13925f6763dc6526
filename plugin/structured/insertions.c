/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.insert as an insertion of a slice of one element, of which each device writes what lies in
 * its piece. It must not know layouts. */
#include "mlir-c/BuiltinTypes.h"
#include "structured/slices.h"
#include "structured/structured.h"

void ts_structure_insert(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue scalar = mlirOperationGetOperand(op, 0), into = mlirOperationGetOperand(op, 1);
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(into));
  ts_told offsets[TS_MAX_RANK], sizes[TS_MAX_RANK];
  int64_t shape[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++) {
    offsets[d] = ts_told_by(mlirOperationGetOperand(op, 2 + d));
    sizes[d] = ts_told_known(1);
    shape[d] = 1;
  }
  MlirType type = mlirRankedTensorTypeGet(rank, shape, mlirValueGetType(scalar),
                                          mlirRankedTensorTypeGetEncoding(mlirValueGetType(into)));
  MlirValue slice = ts_make_value(&build, "tensor.from_elements", 1, &scalar, type, 0, NULL);
  MlirValue made = ts_make_insert_slice(&build, slice, into, rank, offsets, sizes);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
  mlirOperationDestroy(op);
}
