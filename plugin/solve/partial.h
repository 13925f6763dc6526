/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which values stay partial, and through which ops, so that one collective completes what is
 * least. It knows terms, layouts and prices; it must not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_PARTIAL_H
#define TESSERA_PLUGIN_SOLVE_PARTIAL_H

#include "model/model.h"

/* Decides for every value of the function that is made partial whether it stays so until those that
 * use it, or, of a loop, is carried so; by the bytes of completing it. The layouts of its ops, but
 * for what passes through them, are there. Fills `pending` of the values. */
void ts_plan_partial(ts_model *model, ts_function *function);
/* As if nothing had been planned. */
void ts_forget_plan(ts_function *function);

/* Has a linear op take partial operands as they are and give a partial result, if that moves no
 * more. What it adds to them may be complete: it counts on one device. */
void ts_pass_partial(ts_model *model, ts_op *op);

/* How an op may pass partial values on: its operands `operands` (a bit for each) are required, and
 * its results given, partial over `axes` by `kind`. No operands: it does not. */
typedef struct ts_passage {
  ts_axes axes;
  ts_reduction kind;
  uint32_t operands;
} ts_passage;

/* Which values count as partial: those made so, or those that the plan leaves so. */
typedef enum ts_passing_of { TS_PASSING_AS_MADE, TS_PASSING_AS_PLANNED } ts_passing_of;

ts_passage ts_passage_of_op(const ts_op *op, ts_passing_of which);

/* Operand `i` is zero (the kind's neutral element) everywhere: as good as partial. */
bool ts_is_neutral_operand(const ts_op *op, int i, ts_reduction kind);

#endif /* TESSERA_PLUGIN_SOLVE_PARTIAL_H */
