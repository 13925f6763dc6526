/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of what is computed from scalars and shapes alone. It knows scalar code; it must not know
 * what the results are for. */
#ifndef TESSERA_PLUGIN_NUMBERS_SCALAR_CODE_H
#define TESSERA_PLUGIN_NUMBERS_SCALAR_CODE_H

#include "mlir-c/IR.h"

#include "support/arena.h"
#include "support/map.h"

/* Zero-initialise the rest. */
typedef struct ts_scalar_copier {
  ts_arena *arena;
  MlirBlock block;      /* where copies go: */
  MlirOperation before; /* before this op of it, or to its end if null */
  ts_map copies;        /* MlirValue -> its copy */
} ts_scalar_copier;

/* The copy of each argument of `from` is that of `to`, which has the same types. */
void ts_copy_arguments(ts_scalar_copier *copier, MlirBlock from, MlirBlock to);
/* The copy of `value`, made with all that it depends on; null if that is more than scalar
 * arithmetic on, and shapes of, values that have copies. */
MlirValue ts_copy_scalar(ts_scalar_copier *copier, MlirValue value);

/* Arithmetic on scalars, without effects. */
bool ts_is_scalar_op(MlirOperation op);
/* A tensor whose shape is asked for, without the annotations that it comes through. */
MlirValue ts_without_annotations(MlirValue value);

#endif /* TESSERA_PLUGIN_NUMBERS_SCALAR_CODE_H */
