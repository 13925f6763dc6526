/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Compares a piece of a result with the oracle's whole result.
 * It must not know programs or ranks. */
#ifndef TESSERA_TOOLS_CHECK_COMPARE_H
#define TESSERA_TOOLS_CHECK_COMPARE_H

#include <stdbool.h>

#include "tessera/program.h"

typedef struct tolerance {
  double relative; /* to the largest finite magnitude of the whole result */
  double absolute; /* of integers as well, which are otherwise exact */
} tolerance;

typedef struct comparison {
  double max_error;     /* relative to that magnitude (absolute where it is zero) */
  int64_t first_local;  /* the differing element that comes first in the global tensor, or -1 */
  int64_t first_global; /* its row-major index there */
  double allowed;       /* the difference that would have passed */
} comparison;

/* The relative tolerance of a result of one type that was computed in another (0: not known). */
double compare_default(tessera_dtype type, tessera_dtype computed_in);

/* `indices` gives the row-major index in `want` of each element of `got`, or -1: not compared. All
 * are dense; got and want have one element type. NaN equals NaN. */
comparison compare_piece(const tessera_tensor *got, const tessera_tensor *indices,
                         const tessera_tensor *want, tolerance tolerance);

#endif /* TESSERA_TOOLS_CHECK_COMPARE_H */
