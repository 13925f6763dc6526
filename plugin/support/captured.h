/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors from outside that the regions of an op read. It knows scopes; it must not know any op in
 * particular. */
#ifndef TESSERA_PLUGIN_SUPPORT_CAPTURED_H
#define TESSERA_PLUGIN_SUPPORT_CAPTURED_H

#include "mlir-c/IR.h"

#include "support/arena.h"

/* One of the operands that are such tensors. */
typedef struct ts_captured_use {
  MlirOperation user;
  intptr_t operand;
  int value; /* its number in the list of values */
} ts_captured_use;

typedef struct ts_captured {
  int num;
  MlirValue *values; /* each once, in the order of their first use */
  int num_uses;
  ts_captured_use *uses; /* in the order of the text */
} ts_captured;

/* All of them, in the arena. */
ts_captured ts_captured_tensors(ts_arena *arena, MlirOperation op);
/* The first, or null. */
MlirValue ts_captured_tensor(MlirOperation op);

#endif /* TESSERA_PLUGIN_SUPPORT_CAPTURED_H */
