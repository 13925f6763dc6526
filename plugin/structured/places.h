/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Indices that follow from the loops of a structured op, through whatever tensors they were put on
 * the way: places that data does not say. It must not know what is read there. */
#ifndef TESSERA_PLUGIN_STRUCTURED_PLACES_H
#define TESSERA_PLUGIN_STRUCTURED_PLACES_H

#include "mlir-c/IR.h"

/* `sign` (which may be a step, too) times the index of a loop, plus `offset`; without a loop,
 * `offset`. */
typedef struct ts_coordinate {
  intptr_t loop; /* -1: none */
  int64_t sign, offset;
} ts_coordinate;

/* ---- place_numbers.c ------------------------------------------------------------------------- */

/* The extent of loop `loop` of `op`, or -1 if no type says it. */
int64_t ts_place_extent(MlirOperation op, intptr_t loop);

/* The index of the place, before `before` in the body of the op. */
MlirValue ts_place_make(MlirOperation before, const ts_coordinate *place);

/* The place that is this number. */
ts_coordinate ts_place_number(int64_t number);
/* The smallest and largest number that the place is, INT64_MIN and INT64_MAX where that depends on
 * an extent that only the run knows. False if they are not known, or are large numbers. */
bool ts_place_bounds(MlirOperation op, const ts_coordinate *place, int64_t *least, int64_t *most);
/* Whether numbers of the type surely do not wrap at the place. */
bool ts_place_fits(MlirOperation op, const ts_coordinate *place, MlirType type);
/* `a` plus `turn` times `b`. False if that is of two loops. */
bool ts_place_add(const ts_coordinate *a, const ts_coordinate *b, int64_t turn, ts_coordinate *sum);
/* `a` times `b`. False if both are of loops, or numbers so large that the product may wrap. */
bool ts_place_times(const ts_coordinate *a, const ts_coordinate *b, ts_coordinate *product);
/* The larger (smaller for `turn` -1) of the two. False if that is not always the same one. */
bool ts_place_larger(MlirOperation op, const ts_coordinate *a, const ts_coordinate *b, int64_t turn,
                     ts_coordinate *place);

/* ---- places.c -------------------------------------------------------------------------------- */

/* Reads `value`, an integer or index in the body of the linalg.generic `op`, or outside of it.
 * False if it is no such place, or not surely. */
bool ts_place_read(MlirOperation op, MlirValue value, ts_coordinate *place);

#endif /* TESSERA_PLUGIN_STRUCTURED_PLACES_H */
