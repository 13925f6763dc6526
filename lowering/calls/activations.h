/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which function of the sum of its inputs the body of a loop nest is, however it is spelled. It
 * knows scalar ops; it must not know memory, nor who computes such functions. */
#ifndef TESSERA_LOWERING_CALLS_ACTIVATIONS_H
#define TESSERA_LOWERING_CALLS_ACTIVATIONS_H

#include <stdint.h>

#include "mlir-c/IR.h"

typedef enum ts_activation {
  TS_OTHER_FUNCTION,
  TS_NO_ACTIVATION, /* the sum itself, of which each input is part once */
  TS_RELU,          /* max(sum, 0), whatever that is for a NaN */
  TS_GELU           /* 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))) of the sum */
} ts_activation;

/* Of a structured op with one block and one result. Conversions between floats do not count where
 * none is narrower than the result: a function may be found that rounds less often than the body.
 */
ts_activation ts_activation_of(MlirOperation nest, intptr_t num_inputs);

#endif /* TESSERA_LOWERING_CALLS_ACTIVATIONS_H */
