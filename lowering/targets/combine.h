/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions whose parts may be combined in any order: how, and what changes nothing. It knows
 * bodies of ops; it must not know threads. */
#ifndef TESSERA_LOWERING_TARGETS_COMBINE_H
#define TESSERA_LOWERING_TARGETS_COMBINE_H

#include "ir/build.h"
#include "lowering/kernels/nest.h"

/* How two parts of output `output` of the nest become one: the name of an op. NULL if the body does
 * more with what was found so far than to combine it with something, or if the order counts. */
const char *ts_combine_op(const ts_nest *nest, int output);

/* All outputs have such an op, and no input may be what an output becomes. */
bool ts_combine_any_order(const ts_nest *nest);

/* The value that `op` combines with any other to that. */
MlirValue ts_combine_neutral(const ts_maker *build, const char *op, MlirType type);

#endif /* TESSERA_LOWERING_TARGETS_COMBINE_H */
