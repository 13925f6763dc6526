/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Constants and pieces of constant tensors. It must not know who wants them. */
#ifndef TESSERA_PLUGIN_RULES_CONSTANT_H
#define TESSERA_PLUGIN_RULES_CONSTANT_H

#include "emit/emit.h"

/* The attribute with the value of a constant op of arith or tosa. */
MlirAttribute ts_constant_value(MlirOperation op);
/* The element that a constant tensor op repeats, as a scalar attribute; null if it is no splat, or
 * of a type without scalar attributes. */
MlirAttribute ts_constant_splat(MlirOperation op);
/* This device's piece of the constant tensor op under `layout`. */
MlirValue ts_constant_build(ts_emit *emit, MlirOperation op, const ts_sharding *layout);

#endif /* TESSERA_PLUGIN_RULES_CONSTANT_H */
