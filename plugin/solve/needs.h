/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one op needs whole that is split, and what that costs. It knows loops and layouts; it must
 * not know what follows from it. */
#ifndef TESSERA_PLUGIN_SOLVE_NEEDS_H
#define TESSERA_PLUGIN_SOLVE_NEEDS_H

#include "solve/idle.h"

/* Zero-initialise but for the model. */
typedef struct ts_needs {
  ts_model *model;
  ts_map given; /* ts_value -> the last layout that it was brought to: it is there again for free */
} ts_needs;

/* Axes of more than one device. */
ts_axes ts_busy_axes(const ts_sharding *layout);
/* Axes that loops of the op are split over. */
ts_axes ts_loop_axes(const ts_op *op);

/* The op reads one place of one tensor, which only the run says. */
bool ts_reads_one_place(const ts_op *op);
/* It does work on tensors that devices could share. */
bool ts_has_work(const ts_op *op);

/* What a rule's op, or one that runs whole, needs whole. No axes: nothing. `noted`: a note is about
 * the op, though it has no work. */
ts_idle ts_needed_whole(ts_needs *needs, const ts_op *op, bool noted);
/* What it looks up at a place of the run in pieces, and everybody has. */
ts_idle ts_sent_to_all(ts_needs *needs, const ts_op *op);
/* What a call passes whole, or a function returns, that is made split and nobody asks for so. */
ts_idle ts_passed_whole(ts_needs *needs, const ts_op *op);

/* Adds what it costs to complete what the op leaves partial over axes of `found`, if it does. */
void ts_pay_for_parts(ts_needs *needs, ts_idle *found, const ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_NEEDS_H */
