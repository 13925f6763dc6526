/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Maxima and minima of floats as the one instruction that a GPU has for each. It knows ops by name;
 * it must not know kernels. */
#include "lowering/targets/cuda/extrema.h"

#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"

static const char *const names[][2] = {
    {"arith.maximumf", "llvm.intr.maximum"},
    {"arith.minimumf", "llvm.intr.minimum"},
    {"arith.maxnumf", "llvm.intr.maxnum"},
    {"arith.minnumf", "llvm.intr.minnum"},
};

static void spell(MlirOperation op, void *user) {
  (void)user;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!ts_op_is(op, names[i][0]) ||
        !mlirTypeIsAF32(mlirValueGetType(mlirOperationGetResult(op, 0))))
      continue;
    ts_maker build = ts_make_before(op);
    MlirValue value = ts_make_binary(&build, names[i][1], mlirOperationGetOperand(op, 0),
                                     mlirOperationGetOperand(op, 1));
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
    mlirOperationDestroy(op);
    return;
  }
}

static void spell_all(MlirOperation op, void *user) {
  if (ts_op_is(op, "gpu.module"))
    ts_each_op(op, spell, user);
}

void ts_cuda_spell_extrema(MlirOperation module) {
  ts_each_op(module, spell_all, NULL);
}
