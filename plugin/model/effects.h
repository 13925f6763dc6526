/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What ops of an annotated function may not do: touch memory, communicate, call what does. It
 * knows ops and calls; it must not know layouts. */
#ifndef TESSERA_PLUGIN_MODEL_EFFECTS_H
#define TESSERA_PLUGIN_MODEL_EFFECTS_H

#include "model/model.h"

/* Whether an annotated function may have this call, or this op with all that is inside it: false
 * after located errors. */
bool ts_check_call(const ts_model *model, MlirOperation call);
bool ts_check_effects(ts_model *model, ts_function *function, MlirOperation op);
/* Whether the op of a function without annotations has effects that outlive a call: on other memory
 * than what the function, or its callers without annotations, allocate. Calls are not asked. */
bool ts_has_lasting_effect(const ts_model *model, MlirOperation op);

/* Whether all of `function`, which has no annotations, could stand where it is called: tensors and
 * scalars, and no recursion. */
bool ts_is_plain(const ts_model *model, ts_function *function);

#endif /* TESSERA_PLUGIN_MODEL_EFFECTS_H */
