/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a function says of its arguments and results by attributes: tessera.layout, which
 * outlives annotations that canonicalization deletes, and tessera.propagated. It knows
 * attributes; it must not know how layouts are chosen. */
#ifndef TESSERA_PLUGIN_MODEL_SIGNATURE_H
#define TESSERA_PLUGIN_MODEL_SIGNATURE_H

#include "model/model.h"

/* Sets tessera.layout on every tensor argument and result of the function. */
void ts_record_signature(ts_model *model, ts_function *function);
/* What tessera.layout says of parameter `i` of `list` (arg_attrs, res_attrs), and its type in the
 * source; NULL if it says nothing that makes sense. */
const ts_sharding *ts_recorded_layout(ts_grids *grids, MlirAttribute list, intptr_t i,
                                      MlirType *global);
/* What tessera.resolve of the function names; empty if it names nothing. */
MlirStringRef ts_resolver_name(MlirOperation function);
/* tessera.propagated: the function has layouts and is not partitioned yet, even if no annotation is
 * left of it. */
void ts_set_propagated(MlirOperation function);
void ts_remove_propagated(MlirOperation function);
bool ts_is_propagated(MlirOperation function);
/* The grid of a propagated function's layouts; NULL if it is no such function, or has none. */
const ts_grid *ts_propagated_grid(ts_grids *grids, MlirOperation function);

#endif /* TESSERA_PLUGIN_MODEL_SIGNATURE_H */
