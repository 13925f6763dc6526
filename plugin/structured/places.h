/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Indices that follow from the loops of a structured op, through whatever tensors they were put on
 * the way: places that data does not say. It must not know what is read there. */
#ifndef TESSERA_PLUGIN_STRUCTURED_PLACES_H
#define TESSERA_PLUGIN_STRUCTURED_PLACES_H

#include "mlir-c/IR.h"

/* `sign` times the index of a loop, plus `offset`; without a loop, `offset`. */
typedef struct ts_coordinate {
  intptr_t loop; /* -1: none */
  int64_t sign, offset;
} ts_coordinate;

/* Reads `value`, an integer or index in the body of the linalg.generic `op`, or outside of it.
 * False if it is no such place, or not surely. */
bool ts_place_read(MlirOperation op, MlirValue value, ts_coordinate *place);

/* The extent of loop `loop` of `op`, or -1 if no type says it. */
int64_t ts_place_extent(MlirOperation op, intptr_t loop);

/* The index of the place, before `before` in the body of the op. */
MlirValue ts_place_make(MlirOperation before, const ts_coordinate *place);

#endif /* TESSERA_PLUGIN_STRUCTURED_PLACES_H */
