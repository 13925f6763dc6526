/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether loops run at all. It knows ops; it must not know what it is asked for. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_LOOP_RUNS_H
#define TESSERA_PLUGIN_OPTIMIZE_LOOP_RUNS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Does region `region` of an scf.for or scf.while surely run at least once? */
bool ts_surely_runs(MlirOperation loop, intptr_t region);

#endif /* TESSERA_PLUGIN_OPTIMIZE_LOOP_RUNS_H */
