/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which destinations structured ops write in full. It knows indexing maps and extents; it must not
 * know bodies. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/linalg_covers.h"

static bool is_loop(MlirAffineMap map, intptr_t d, intptr_t loop) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(expr) && mlirAffineDimExprGetPosition(expr) == loop;
}

/* Whether some operand's type says that the loop runs at least once. */
static bool surely_runs(MlirOperation op, intptr_t loop) {
  intptr_t num = ts_linalg_num_inputs(op) + ts_linalg_num_inits(op);
  for (intptr_t i = 0; i < num; i++) {
    MlirAffineMap map = ts_linalg_map(op, i);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
      if (is_loop(map, d, loop) && !mlirShapedTypeIsDynamicDim(type, d) &&
          mlirShapedTypeGetDimSize(type, d) > 0)
        return true;
  }
  return false;
}

/* A dimension for each of some loops, and the other loops run. */
bool ts_linalg_covers(MlirOperation op, intptr_t init) {
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op) + init);
  intptr_t found = 0;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++) {
    intptr_t dims = 0;
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
      dims += is_loop(map, d, l);
    if (dims > 1 || (dims == 0 && !surely_runs(op, l)))
      return false;
    found += dims;
  }
  return found == mlirAffineMapGetNumResults(map);
}
