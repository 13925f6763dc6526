/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What propagation tells once the layouts are known: the model's notes, and what idles, in words.
 * It must not know how either was found. */
#ifndef TESSERA_PLUGIN_SOLVE_TOLD_H
#define TESSERA_PLUGIN_SOLVE_TOLD_H

#include "model/model.h"

/* Of a model that ts_model_solve has been asked about. What leaves axes idle, or makes whole what
 * nobody asked to be whole, is a warning at its op, any other note a remark. That a dimension stays
 * whole which nobody splits is not told. */
void ts_tell_notes(ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_TOLD_H */
