/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise results in the memory of an operand that nobody reads later. It knows structured ops
 * on tensors; it must not know buffers. */
#ifndef TESSERA_LOWERING_MEMORY_REUSE_H
#define TESSERA_LOWERING_MEMORY_REUSE_H

#include <stdbool.h>

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"

/* Large results that structured ops compute in new memory, element by element, take that of an
 * operand instead, if this is its last use: the destination becomes that operand. So do results of
 * any size that a loop carries on in the place of the operand. */
void ts_memory_reuse(MlirOperation module);

/* May result number `result` of the structured op `op`, which goes through `value` by `map`, lie in
 * the memory of `value`? Its last use is `op`, and the memory is its own, or a loop carries it on.
 */
bool ts_memory_ends_at(MlirValue value, MlirOperation op, intptr_t result, MlirAffineMap map);

#endif /* TESSERA_LOWERING_MEMORY_REUSE_H */
