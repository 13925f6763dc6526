/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Better choices than those made op by op: what a whole neighbourhood would pay less with. It
 * knows values and prices; it must not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_IMPROVE_H
#define TESSERA_PLUGIN_SOLVE_IMPROVE_H

#include "model/model.h"

/* What saves so many bytes may cost devices an iteration more. */
enum { TS_BYTES_PER_ITERATION = 2 };

/* Changes loop shardings of the function's ops, and layouts of values that no annotation fixes, as
 * long as fewer bytes move. Layouts of ops under their loops are there, and the plan of what stays
 * partial, which is to be made anew afterwards. The work is linear in the ops. Whether anything
 * changed. */
bool ts_improve(ts_model *model, ts_function *function);

/* It only moves data and reads ranges of what is split, so what it needs is what its uses do: it
 * stays as propagation has it, unless the model prices ranges or an operand is partial. */
bool ts_holds_ranges(const ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_IMPROVE_H */
