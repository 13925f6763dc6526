/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions without annotations become one function for all layouts that calls pass. It knows
 * calls and annotations; it must not know how layouts are chosen. */
#ifndef TESSERA_PLUGIN_CALLS_SPECIALISE_H
#define TESSERA_PLUGIN_CALLS_SPECIALISE_H

#include "model/model.h"

/* `model` is one of `module` read by layouts. If annotated functions call such without annotations,
 * it is solved, and for every one of these that is given or gives split tensors, and every distinct
 * layout of them, a private copy with annotations is written, which is then called; private
 * functions that nothing calls any more go. `model` is then read anew, in `arena`, which is
 * emptied: what calls are left run whole. False after located errors. */
bool ts_specialise_calls(ts_model *model, ts_arena *arena, MlirOperation module);

#endif /* TESSERA_PLUGIN_CALLS_SPECIALISE_H */
