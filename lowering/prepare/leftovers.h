/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, functions that never
 * return, tensors of no particular content. It knows single ops. */
#ifndef TESSERA_LOWERING_PREPARE_LEFTOVERS_H
#define TESSERA_LOWERING_PREPARE_LEFTOVERS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* False after an error at each annotation that is still there, and at each function without a
 * return that can be reached. Before control flow is rewritten, which makes poison of the latter.
 */
bool ts_leftovers_check(MlirOperation module);

/* False after an error at each op whose tensors have an encoding, which memory does not have. */
bool ts_leftovers_check_types(MlirOperation module);

/* False after an error at each op on tensors that bufferization does not know. */
bool ts_leftovers_check_bufferizable(MlirOperation module);

/* Poison tensors are empty ones. False after an error at each whose size nobody knows. */
bool ts_leftovers_empty_poison(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_LEFTOVERS_H */
