/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which values stay partial, and through which ops, so that one collective completes what is
 * least. It knows layouts and prices; it must not know terms. */
#ifndef TESSERA_PLUGIN_SOLVE_PARTIAL_H
#define TESSERA_PLUGIN_SOLVE_PARTIAL_H

#include "model/model.h"

/* Decides for every value of the function that is made partial whether it stays so until those that
 * use it, or, of a loop, is carried so; by the bytes of completing it. The layouts of its ops, but
 * for what passes through them, are there. Fills `pending` of the values. */
void ts_plan_partial(ts_model *model, ts_function *function);
/* Plans anew, as if nothing had been planned; of the ops that are `refused`, one flag for each op
 * of the function, loops carry nothing partial. */
void ts_plan_without(ts_model *model, ts_function *function, const bool *refused);
/* Whether loops of the function are planned to carry anything partial. */
bool ts_carries_partial(const ts_function *function);
/* Refuses loops that would complete for less in each trip, in sum over all values; it has been
 * planned, and is anew. */
void ts_refuse_dear(ts_model *model, ts_function *function, bool *refused);

/* Has a linear op take partial operands as they are and give a partial result, if that moves no
 * more. What it adds to them may be complete: it counts on one device. */
void ts_pass_partial(ts_model *model, ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_PARTIAL_H */
