/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-lower: its options, and the dialects of what it creates. It must not know any
 * stage. */
#include "lowering/lower.h"

#include "capi/capi.h"
#include "lowering/calls/bufferize_collectives.h"
#include "lowering/stages.h"
#include "lowering/targets/target.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/Bufferization.h"
#include "mlir-c/Dialect/Complex.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/Index.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Shape.h"
#include "mlir-c/Dialect/Shard.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/Tosa.h"
#include "mlir-c/Dialect/UB.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir-c/RegisterEverything.h"
#include "support/diagnostics.h"

enum {
  OPTION_BUFFERIZE,
  OPTION_ENTRY,
  OPTION_ORACLE,
  OPTION_REASSOCIATE,
  OPTION_APPROXIMATE,
  OPTION_LOSE_NAN,
  OPTION_SHARE,
  OPTION_TARGET
};

const ts_option_spec ts_lower_options[] = {
    [OPTION_BUFFERIZE] = {"bufferize",
                          "Lower all the way to memrefs and a program record (false: only make "
                          "sites, so that a later one-shot-bufferize emits the runtime calls)",
                          TS_OPTION_BOOL, "true"},
    [OPTION_ENTRY] = {"entry", "Entry functions, comma-separated (default: every public one)",
                      TS_OPTION_STRING, ""},
    [OPTION_ORACLE] = {"oracle",
                       "Functions without layouts are whole programs, not those of one device",
                       TS_OPTION_BOOL, "false"},
    [OPTION_REASSOCIATE] = {"reassociate",
                            "Let sums of floats be added in another order, so that they vectorize",
                            TS_OPTION_BOOL, "true"},
    [OPTION_APPROXIMATE] = {"approximate-math",
                            "Compute f32 exp, tanh, erf and the like by polynomials, which "
                            "vectorize, instead of libm calls",
                            TS_OPTION_BOOL, "true"},
    [OPTION_LOSE_NAN] = {"lose-nan",
                         "Let a relu behind a matrix product on a GPU be the library's, of which "
                         "nothing says what it is for a NaN",
                         TS_OPTION_BOOL, "true"},
    [OPTION_SHARE] = {"share-memory",
                      "Let buffers that are not in use at the same time lie in the same memory "
                      "(false: each is allocated by itself, for memory checkers)",
                      TS_OPTION_BOOL, "true"},
    [OPTION_TARGET] = {"target", "What the program becomes code for", TS_OPTION_STRING,
                       TS_DEFAULT_TARGET},
};
const int ts_lower_num_options = sizeof(ts_lower_options) / sizeof(ts_lower_options[0]);

void ts_lower_register_dialects(MlirDialectRegistry registry) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__arith__(),  mlirGetDialectHandle__bufferization__(),
      mlirGetDialectHandle__cf__(),     mlirGetDialectHandle__complex__(),
      mlirGetDialectHandle__func__(),   mlirGetDialectHandle__index__(),
      mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),   mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__scf__(),    mlirGetDialectHandle__shape__(),
      mlirGetDialectHandle__shard__(),  mlirGetDialectHandle__tensor__(),
      mlirGetDialectHandle__tosa__(),   mlirGetDialectHandle__ub__(),
      mlirGetDialectHandle__vector__(), mlirGetDialectHandle__gpu__(),
      mlirGetDialectHandle__nvvm__(),
  };
  for (size_t i = 0; i < sizeof(handles) / sizeof(handles[0]); i++)
    mlirDialectHandleInsertDialect(handles[i], registry);
  ts_decompose_register_dialects(registry);
  ts_collectives_make_bufferizable(registry);
}

bool ts_lower_run(ts_active_pass *pass, MlirOperation module, const ts_option_value *options) {
  const char *name = options[OPTION_TARGET].string;
  const ts_target *target = ts_target_named(name);
  char known[256];
  if (!target)
    return ts_error_at(mlirOperationGetLocation(module),
                       "tessera-lower: there is no target '%s': expected one of %s", name,
                       ts_target_names(known, sizeof(known)));
  ts_arena arena = {0};
  ts_lowering lowering = {
      .options = {.bufferize = options[OPTION_BUFFERIZE].boolean,
                  .reassociate = options[OPTION_REASSOCIATE].boolean,
                  .approximate = options[OPTION_APPROXIMATE].boolean,
                  .lose_nan = options[OPTION_LOSE_NAN].boolean,
                  .share = options[OPTION_SHARE].boolean,
                  .entries = {options[OPTION_ENTRY].string, options[OPTION_ORACLE].boolean}},
      .target = target,
      .module = module,
      .arena = &arena,
  };
  bool good = ts_stages_run(pass, &lowering);
  ts_memory_restore_plain(&lowering.plain); /* after an error in between */
  ts_arena_free(&arena);
  return good;
}

void ts_lower_register_stages(MlirDialectRegistry registry) {
  for (int i = 0; i < ts_num_targets; i++)
    ts_stages_insert_dialects(&ts_targets[i], registry);
}
