/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise ops that read the tensor they update. It knows linalg.generic; it must not know
 * what is fused later. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_ACCUMULATORS_H
#define TESSERA_LOWERING_WORKAROUNDS_ACCUMULATORS_H

#include "mlir-c/IR.h"

/* Makes the initial value of an all-parallel linalg.generic on tensors an input where its body
 * reads it and another structured op uses the result. Upstream fuses such a producer into a
 * consumer with more loops as it is, and then updates each element once for every iteration of
 * those. */
void ts_accumulators_to_inputs(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_ACCUMULATORS_H */
