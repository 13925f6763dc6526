/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What it costs that an op runs whole: told once the layouts are known. It knows what the solver
 * found; it must not know how. */
#ifndef TESSERA_PLUGIN_SOLVE_IDLE_H
#define TESSERA_PLUGIN_SOLVE_IDLE_H

#include "model/model.h"

/* Tells the model's notes, which ts_model_solve has been asked about: what a whole op gathers and
 * leaves idle is a warning at it, any other note a remark. That a dimension stays whole which
 * nobody splits is not told. */
void ts_tell_notes(ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_IDLE_H */
