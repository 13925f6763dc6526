/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scalar code that upstream defines and does not lower. It knows single ops. */
#ifndef TESSERA_LOWERING_PREPARE_SCALARS_H
#define TESSERA_LOWERING_PREPARE_SCALARS_H

#include "mlir-c/IR.h"

/* tensor.bitcast as a loop over elements. */
void ts_scalars_spell_tensor_bitcasts(MlirOperation module);
/* math.isinf, math.isnormal, math.clampf and complex.bitcast of scalars, by comparisons and bits.
 */
void ts_scalars_spell(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_SCALARS_H */
