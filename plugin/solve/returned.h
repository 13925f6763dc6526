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

/* Whether the op returns from a function. */
bool ts_returns(const ts_op *op);

/* Whether `value` is a loop's result and all that is done with it behind the loop is to return it.
 */
bool ts_is_only_returned(const ts_value *value);

/* How the function's result `target` is laid out for the value, which is `from`: `best`, or a
 * choice of the result that costs less. */
const ts_sharding *ts_returned_cheapest(ts_arena *scratch, const ts_value *value,
                                        const ts_sharding *from, const ts_sharding *best,
                                        const ts_value *target);

#endif /* TESSERA_PLUGIN_SOLVE_RETURNED_H */
