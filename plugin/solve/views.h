/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What an op reads for a piece of its result, and which ops can be run for such pieces. It knows
 * loops, windows and layouts; it must not know who asks for that piece. */
#ifndef TESSERA_PLUGIN_SOLVE_VIEWS_H
#define TESSERA_PLUGIN_SOLVE_VIEWS_H

#include "model/model.h"

/* The value that `value` is the same as, in the same layout or whole, before annotations of it. */
ts_value *ts_value_behind(ts_value *value);

/* Whether uses of `value` may be served by what is behind the annotation that it is the result of,
 * each by itself: few annotations there say the same, so that one piece for all is no better. */
bool ts_may_be_asked_through(const ts_value *value);

/* The loops of the op for a piece of its results under `layout`. NULL if the op cannot make that
 * piece: op->sharding makes one of op->natural[0] then. */
const ts_loop_sharding *ts_view_loops(ts_arena *arena, const ts_op *op, const ts_sharding *layout);

/* Whether the op could run for any range of its results, which are alike, instead of its own. */
bool ts_can_be_made_in_pieces(const ts_op *op);
/* Whether it could for each of several ranges of its one result, if that moves less. */
bool ts_can_be_pulled(const ts_op *op);

/* Each element of the result is computed once, of few others: no loop is reduced. */
bool ts_is_elementwise(const ts_op *op);
/* The same of one that computes, and not through windows: any device can make any piece of it. */
bool ts_is_made_by_element(const ts_op *op);
/* The same without functions, which take as long as many bytes do to move. */
bool ts_is_light(const ts_op *op);

/* What operand `i` is asked for if the op runs under `loops`. */
const ts_sharding *ts_asked_by(ts_arena *arena, const ts_op *op, const ts_loop_sharding *loops,
                               int i);
/* Whether dimension `d` of operand `i` is read through a late window, and pieces of it are: of what
 * op->required says each device is brought what it reads, known at the launch. */
bool ts_is_read_late(const ts_op *op, int i, int d);
/* Where that is not all here: what operand `i` is to lie like before, else NULL. */
const ts_sharding *ts_held_for_late(ts_arena *arena, const ts_op *op, int i);
/* What the shards read of dimension `d` of that operand, if its piece is to be cut to it: else NULL
 * in `of`. */
ts_ranges ts_read_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i, int d,
                     const ts_sharding *asked);

/* The window with a leader through which dimension `d` of operand `i` is read, or NULL. */
const ts_window *ts_led_window(const ts_op *op, int i, int d);
/* `layout` of operand `i` with just what shards read of dimension `d`, which has such a window, if
 * the op runs under `loops`; `layout` itself where no offsets say that. */
const ts_sharding *ts_cut_to_reads(ts_arena *arena, const ts_op *op, const ts_loop_sharding *loops,
                                   int i, int d, const ts_sharding *layout);

/* Whether some operand is read through a window that a loop leads. */
bool ts_reads_windows(const ts_op *op);
/* Whether some operand is read so in ranges: by pieces of a split loop, or of a split dimension. */
bool ts_reads_ranges(const ts_op *op);
/* Whether some use asks for a part of the value that is no balanced piece of it. */
bool ts_is_asked_in_ranges(const ts_value *value);
/* Whether operand `operand` is a destination that is written and not read: it needs no data of its
 * own, and if it lies elsewhere, a fresh tensor serves. */
bool ts_is_bare_destination(const ts_op *op, int operand);
/* Whether every loop may have pieces of any ranges: extents are known, and no loop's messages are
 * for balanced ones. */
bool ts_loops_take_any_pieces(const ts_op *op);
/* Whether the op can run for any piece of its results: these are alike, neither end is partial, and
 * every dimension is of one factor of known extent. */
bool ts_runs_for_pieces(const ts_op *op);
/* Whether the op only moves elements, in ranges: each of its uses reads through it. */
bool ts_moves_ranges(const ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_VIEWS_H */
