/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Making linalg.generic. It knows the form of the op; it must not know what bodies compute. */
#ifndef TESSERA_PLUGIN_IR_GENERIC_H
#define TESSERA_PLUGIN_IR_GENERIC_H

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

typedef struct ts_new_generic {
  intptr_t num_inputs, num_outputs;
  const MlirValue *operands; /* inputs, then destinations */
  const MlirAttribute *maps; /* of the operands */
  intptr_t num_loops;
  const MlirAttribute *iterators; /* of the loops */
  const MlirType *results;        /* the types of destinations that are tensors; NULL: memory */
  MlirRegion body;                /* owned by the new op */
} ts_new_generic;

MlirOperation ts_make_generic(const ts_maker *build, const ts_new_generic *generic);

/* Lets a generic of at most TS_MAX_RANK operands read `tensor` by `map`, as its last input; returns
 * the element in the body. */
MlirValue ts_add_input(MlirOperation generic, MlirValue tensor, MlirAffineMap map);

/* No loop of the structured op combines. */
bool ts_all_loops_are_parallel(MlirOperation op);

/* The iterators of `num` parallel loops. */
void ts_parallel_iterators(MlirContext context, intptr_t num, MlirAttribute *iterators);
/* That of a loop that combines. */
MlirAttribute ts_reduction_iterator(MlirContext context);

/* The region of a body that ends by yielding these values. Takes the block. */
MlirRegion ts_end_body(MlirBlock body, MlirLocation location, intptr_t num,
                       const MlirValue *values);

#endif /* TESSERA_PLUGIN_IR_GENERIC_H */
