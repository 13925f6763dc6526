/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How results that nobody annotates may be laid out. It knows a function's signature; it must
 * not know its ops. */
#ifndef TESSERA_PLUGIN_SOLVE_RETURNED_H
#define TESSERA_PLUGIN_SOLVE_RETURNED_H

#include "model/model.h"

/* Fills `choices` of the function's results without annotation: the layouts of its annotated
 * arguments of the same type. What is returned for such an argument, a gradient or a new value of
 * it, is what the caller has a place for in that layout. */
void ts_find_returned(ts_model *model, ts_function *function);

#endif /* TESSERA_PLUGIN_SOLVE_RETURNED_H */
