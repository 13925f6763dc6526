/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which float types a CPU has code for. It knows single ops of arith and math. */
#include "lowering/targets/cpu/float_types.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/calls/site_records.h"
#include "lowering/targets/cpu/small_floats.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"

/* Of 8 bits and fewer, and tf32: they move, but no machine and no library computes with them. */
static bool is_storage_only(MlirType type) {
  if (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAFloat(type) && (mlirFloatTypeGetWidth(type) < 16 || mlirTypeIsATF32(type));
}

static bool computes(MlirOperation op) {
  static const char *const moves[] = {"arith.constant", "arith.select", "arith.bitcast"};
  for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
    if (ts_op_is(op, moves[i]))
      return false;
  return strncmp(ts_op_name(op), "arith.", 6) == 0 || strncmp(ts_op_name(op), "math.", 5) == 0;
}

/* The bodies that named ops stand for have no place in the source of their own. */
static MlirLocation place_of(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  bool nowhere = ts_location_text(mlirOperationGetLocation(op), NULL, 0) == 0;
  return nowhere && parent.ptr ? place_of(parent) : mlirOperationGetLocation(op);
}

static void check_float(MlirOperation op, void *user) {
  MlirLocation *failed = user;
  if (!computes(op) || ts_small_floats_convert(op))
    return;
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  intptr_t num = num_operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < num; i++) {
    MlirType type =
        mlirValueGetType(i < num_operands ? mlirOperationGetOperand(op, i)
                                          : mlirOperationGetResult(op, i - num_operands));
    if (!is_storage_only(type))
      continue;
    MlirLocation place = place_of(op);
    if (!mlirLocationIsNull(*failed) && mlirLocationEqual(*failed, place))
      return; /* once for the body of a named op */
    *failed = place;
    char text[64];
    ts_type_text(type, text, sizeof(text));
    ts_error_at(place,
                "'%s' on %s, which can be moved but not computed with, nor converted: expected "
                "f16, bf16, f32 or f64",
                ts_op_name(op), text);
    return;
  }
}

bool ts_float_types_check(MlirOperation module) {
  MlirLocation failed = {NULL};
  ts_each_op(module, check_float, &failed);
  return mlirLocationIsNull(failed);
}
