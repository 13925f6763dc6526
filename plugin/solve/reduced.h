/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which indices of a loop that an op reduces each device takes. It knows asks, ranges and prices;
 * it must not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_REDUCED_H
#define TESSERA_PLUGIN_SOLVE_REDUCED_H

#include "model/model.h"

/* Notes which values of the function are made of parts of others along some dimension, for
 * ts_take_reduced_where_they_lie. */
void ts_find_cut_out(ts_function *function);

/* Lets `op` reduce other pieces of a split loop than balanced ones if its operands, made of parts
 * of others, then move fewer bytes: what is asked of the op is the same for any pieces, and all ops
 * behind it have asked already. */
void ts_take_reduced_where_they_lie(ts_model *model, ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_REDUCED_H */
