/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Initial values that several ops start from. It knows tensor.empty and linalg.fill. */
#ifndef TESSERA_LOWERING_PREPARE_FILLS_H
#define TESSERA_LOWERING_PREPARE_FILLS_H

#include "mlir-c/IR.h"

/* Gives each op that writes over a new tensor, or a filled one, one of its own. CSE has made one of
 * them all; bufferization would copy a fill for every op but one, and its analysis takes the cube
 * of how many ops write over one tensor. */
void ts_fills_split(MlirOperation module);

/* Large constants of one value that loops, insertions and structured ops start from become fills:
 * one pass over new memory instead of a copy of memory that is part of the program. */
void ts_fills_spell_constants(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_FILLS_H */
