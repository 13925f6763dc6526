/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera.manual: a function that is the program of one device, run inside of an annotated one. It
 * knows what such a function says of its pieces; it must not know what it does with them. */
#ifndef TESSERA_PLUGIN_MODEL_MANUAL_H
#define TESSERA_PLUGIN_MODEL_MANUAL_H

#include "model/model.h"

/* What the function of `op`, a tessera.manual, takes or gives. */
typedef enum ts_side { TS_TAKEN, TS_GIVEN } ts_side;

/* The layout that it has of operand or result `i`, a ranked tensor of type `type`, on the grid of
 * `function`. NULL after a located error. */
const ts_sharding *ts_manual_layout(ts_model *model, const ts_function *function, MlirOperation op,
                                    ts_side side, intptr_t i, MlirType type);
/* The type of its parameter or result `i`. */
MlirType ts_manual_type(const ts_model *model, MlirOperation op, ts_side side, intptr_t i);

#endif /* TESSERA_PLUGIN_MODEL_MANUAL_H */
