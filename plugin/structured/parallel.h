/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parallel loops over the elements of one result, as linalg.generic. It must not know what they
 * compute. */
#ifndef TESSERA_PLUGIN_STRUCTURED_PARALLEL_H
#define TESSERA_PLUGIN_STRUCTURED_PARALLEL_H

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

enum { TS_MAX_INPUTS = TS_MAX_RANK };

/* A generic of one loop for each dimension of its result, all parallel. */
typedef struct ts_parallel {
  MlirType type; /* of the result */
  intptr_t num_sizes;
  const MlirValue *sizes; /* of its dynamic dimensions */
  intptr_t num_inputs;
  const MlirValue *inputs;
  const MlirAffineMap *maps; /* of the inputs */
  MlirBlock body;            /* arguments: an element of each input, and one of the result, which is
                                not read. Without a terminator. Owned by the new op. */
} ts_parallel;

/* The loops, with a destination of their own; the body yields `element`. */
MlirValue ts_make_parallel(const ts_maker *build, const ts_parallel *loops, MlirValue element);
/* A block with the arguments of such a body. */
MlirBlock ts_parallel_body(const ts_maker *build, intptr_t num_inputs, const MlirValue *inputs,
                           MlirType type);
/* linalg.index of loop `d`. */
MlirValue ts_make_loop_index(const ts_maker *build, intptr_t d);

/* Drops what nobody uses in the body of a structured op, and what that used: what computed indices
 * would still read the tensors that it did. */
void ts_drop_unused_in(MlirBlock body);

#endif /* TESSERA_PLUGIN_STRUCTURED_PARALLEL_H */
