/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A module of the LLVM dialect as several, for LLVM to work on at once. It knows functions and
 * references; it must not know what is compiled. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_PARTS_H
#define TESSERA_LOWERING_TARGETS_CPU_PARTS_H

#include "mlir-c/IR.h"
#include "support/arena.h"

typedef struct ts_parts {
  int num;
  MlirOperation *modules; /* the first one is what is left of the module */
  int long_part;          /* the one with functions that are long and have no loops; 0: none is */
} ts_parts;

/* Moves functions of `module` that are never part of others, and long ones, to at most `most` - 1
 * further modules of the same attributes, as many as are worth it. What is used elsewhere than
 * where it is defined becomes a hidden symbol. Depends on the module alone, so that the same code
 * is made on any machine. */
ts_parts ts_parts_make(ts_arena *arena, MlirOperation module, int most);
/* Destroys all modules but the first. */
void ts_parts_destroy(const ts_parts *parts);

#endif /* TESSERA_LOWERING_TARGETS_CPU_PARTS_H */
