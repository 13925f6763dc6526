/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Places that several loops of a structured op say together: a window's, or those of a dimension in
 * parts. It must not know what is computed of what is there. */
#ifndef TESSERA_PLUGIN_STRUCTURED_PLACE_SUMS_H
#define TESSERA_PLUGIN_STRUCTURED_PLACE_SUMS_H

#include <stdbool.h>

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

/* A sum of steps of loops, and a number. Loops of one trip are left out. */
typedef struct ts_place_sum {
  int64_t steps[TS_MAX_RANK]; /* of each loop */
  int64_t offset;
  int64_t least, most; /* the smallest and largest place */
  bool is_new;         /* no ts_coordinate says it */
} ts_place_sum;

/* Reads `value`, an integer or index in the body of the linalg.generic `op`. False if it is no such
 * sum, if only the run knows how far it goes, or if a number on the way may wrap. */
bool ts_place_read_sum(MlirOperation op, MlirValue value, ts_place_sum *sum);

/* How the body of `op` reads as an input of it what `extract` reads there: `tensor`, the extract's
 * or a slice of that, by `map`. False where data says a place, or an index may lie outside; or if
 * no place is a sum. */
bool ts_place_window(MlirOperation op, MlirOperation extract, MlirValue *tensor,
                     MlirAffineMap *map);

#endif /* TESSERA_PLUGIN_STRUCTURED_PLACE_SUMS_H */
