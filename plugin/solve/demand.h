/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which parts of each value its uses ask for, once layouts are known: windows, slices and joins
 * of split dimensions. It knows loops, layouts and ranges; it must not know how pieces are
 * built. */
#ifndef TESSERA_PLUGIN_SOLVE_DEMAND_H
#define TESSERA_PLUGIN_SOLVE_DEMAND_H

#include "model/model.h"

/* Notes what is asked of each value of a solved function, from uses to definitions: an op that
 * reads through windows requires ranges; a value that only moves data becomes a view; what is
 * computed and asked for in other pieces of the same sizes is computed in those. */
void ts_demand(ts_model *model, ts_function *function);

/* The value that `value` is the same as, in the same layout, before annotations of it. */
ts_value *ts_value_behind(ts_value *value);

/* The layout whose piece serves `ask` and what else is asked of the value, where that moves no more
 * than they do alone; that of `ask` itself if there is none. */
const ts_sharding *ts_demanded(ts_model *model, ts_value *value, ts_ask ask);

/* The loops of the view's op for a piece of its result under `layout`. NULL if the op cannot make
 * that piece: op->sharding makes one of op->natural[0] then. */
const ts_loop_sharding *ts_view_loops(ts_model *model, const ts_op *op, const ts_sharding *layout);

/* Whether the op could run for any range of its one result, if that moves less. */
bool ts_can_be_pulled(const ts_op *op);

/* What operand `i` is asked for if the op runs under `loops`. */
const ts_sharding *ts_asked_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops,
                               int i);
/* What the shards read of dimension `d` of that operand, if its piece is to be cut to it: else NULL
 * in `of`. */
ts_ranges ts_read_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i, int d,
                     const ts_sharding *asked);

#endif /* TESSERA_PLUGIN_SOLVE_DEMAND_H */
