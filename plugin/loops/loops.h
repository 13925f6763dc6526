/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An op as loops: which loops it has and which each dimension of each operand and result
 * follows. The one thing that propagation and partition know about an op. It knows loops and
 * factors; it must not know MLIR's ops. */
#ifndef TESSERA_PLUGIN_LOOPS_LOOPS_H
#define TESSERA_PLUGIN_LOOPS_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "sharding/ranges.h"
#include "sharding/sharding.h"

typedef enum ts_loop_kind {
  TS_LOOP_PARALLEL,
  TS_LOOP_REDUCTION, /* sharding it makes results partial, each with its own kind */
  TS_LOOP_LOOKUP,    /* a place that data says: the device that has it gives the result, so sharding
                        makes results partial */
  TS_LOOP_CHOICE,    /* a reduction that chooses: each device has a candidate, all get all of them;
                        split over a known number of devices, in one range each unless it chooses
                        in any order */
  TS_LOOP_SCAN, /* parallel, but that each device needs what others' pieces add up to; split as a
                   choice is */
  TS_LOOP_WHOLE /* must not be sharded */
} ts_loop_kind;

typedef struct ts_loop {
  ts_loop_kind kind;
  int64_t size;   /* TS_DYNAMIC if not known */
  bool scatters;  /* a reduction of which few iterations change any one element of a result */
  bool any_order; /* a choice that is the same in whichever order candidates come */
  /* Of a choice: 1 + the result, a maximum or minimum of floats, that is a NaN once one is seen,
   * while the others are of the best number before it, which is part of a candidate; 0 if none is.
   */
  int number_of;
} ts_loop;

/* Few iterations count for any one element, which ones data says: moving operands may be cheaper
 * than combining results, and costs little computation. */
bool ts_loop_may_be_given_up(const ts_loop *loop);

/* What chooses or adds up along the loop, if that does, may do so along pieces as `dim` has them:
 * of known number, and of one factor unless in any order. */
bool ts_loop_allows(const ts_loop *loop, const ts_grid *grid, const ts_dim *dim);

/* What one loop adds to the index at which a window reads: `stride` for each of its iterations. Of
 * a convolution, one loop is the position in the result, with the op's stride, another the place in
 * the window, with its dilation. */
typedef struct ts_window_step {
  int loop;
  int64_t stride; /* negative where the loop runs backwards, never 0 */
} ts_window_step;

/* A dimension that is read at the sum of the steps of several loops and `offset`, divided by
 * `every`: where that leaves a remainder, or lies outside, nothing is read. */
typedef struct ts_window {
  int num_steps;
  const ts_window_step *steps; /* each of another loop, in the order of the loops */
  int64_t offset;              /* the index where all loops are at their start, times `every` */
  int64_t every;               /* of an insertion with a stride; 0 is 1 */
  /* One more than the loop that may be split, and the dimension with it: what a piece of the loop
   * reads is a range. 0: none may, the dimension stays whole. */
  int leader;
  bool from_leader; /* what it reads counts from the leader's own place: the op's index expression
                       stays as it is on a piece */
  /* The leader has as many iterations as the dimensions that it reads so have indices, of all
   * operands together, and `added` more; what is read of each lies behind those of the operands
   * before. Of pads and joins where extents are not known. */
  bool adds_up;
  int64_t added;
  /* In place of steps, of a window that is read wherever the op computes from the leader's index:
   * what is read at each index of it, `num_places` of them, both ends rising or both falling. */
  int64_t num_places;
  const ts_range *places;
} ts_window;

/* A dimension of an operand or result follows `loops`, outermost first: its extent is the product
 * of theirs. No loops: the dimension is whole on every device (broadcast, constant index), or what
 * its window reads. */
typedef struct ts_dim_loops {
  int num_loops;
  const int *loops;
  const ts_window *window; /* how it is read where it follows no loops; NULL if none read it so */
} ts_dim_loops;

typedef struct ts_port {
  bool is_tensor; /* a ranked tensor; otherwise the port has no dimensions and no sharding */
  int rank;
  const ts_dim_loops *dims;
} ts_port;

enum { TS_MAX_TERMS = 16, TS_MAX_TERM_OPERANDS = 32 };

/* How a result depends on operands, for partial values: it is the `kind`-combination of terms, each
 * linear in every operand of its set (bit i: operand i) with the others fixed. Partial operands of
 * kind `kind` give a partial result exactly if every term contains one of them and no more.
 * num_terms == 0: operands must be complete. kind TS_REDUCTION_NONE: a pure copy (one term, one
 * operand), which any kind passes. A reduction's initial value is a term of its own. */
typedef struct ts_terms {
  ts_reduction kind;
  int num_terms;
  uint32_t sets[TS_MAX_TERMS];
  uint32_t must_be_complete; /* operands that may never be partial: divisors, conditions */
} ts_terms;

typedef struct ts_op_loops {
  int num_loops;
  ts_loop *loops;
  int num_operands; /* all operands of the op, in order */
  ts_port *operands;
  int num_results; /* all results, in order */
  ts_port *results;
  ts_reduction *result_reduction; /* kind over the reduction loops; NONE where there are none */
  int *result_init;   /* operand that is a result's initial value / destination, or -1 */
  bool *init_is_read; /* per result: false where the initial value does not count */
  ts_terms *terms;    /* per result */
  bool picks;         /* the results are whole operands, of which only the launch knows which: their
                         unknown extents may differ */
} ts_op_loops;

/* The indices from the first to the last that the window reads while `loop` stands still, or all
 * loops run for a `loop` of -1. TS_DYNAMIC if the size of one of the others is not known. */
int64_t ts_window_extent(const ts_op_loops *op, const ts_window *window, int loop);

/* Strides of windows of unknown extents, and their offsets, are at most so large: what the launch
 * computes with them does not overflow then. */
enum { TS_MOST_LATE = INT32_MAX };

/* Dimension `d` of `port`, of a tensor of shape `shape`, is read through a window with a leader,
 * and what a piece of that reads only the launch knows, for an extent is not known. Rules give such
 * dimensions only windows whose steps go forwards, and that are not divided. */
bool ts_window_is_late(const ts_op_loops *op, const ts_port *port, int d, const int64_t *shape);

/* The loop is the leader of some window: it is split in one factor of known shards, or not at all.
 */
bool ts_leads_window(const ts_op_loops *op, int loop);
/* The loop, if it leads a window, may be split so: in one factor of known shards, none of them
 * known to be empty, for windows would be read for pieces that have nothing. */
bool ts_window_allows(const ts_op_loops *op, int loop, const ts_grid *grid, const ts_dim *split);

/* What follows the loops at a port: operands, then results. */
const ts_port *ts_op_port(const ts_op_loops *op, int port);
bool ts_op_loops_equal(const ts_op_loops *a, const ts_op_loops *b);
/* Each result follows the same loops: the piece of one says those of all. */
bool ts_op_results_are_alike(const ts_op_loops *op);
/* All of it in `arena`. */
ts_op_loops *ts_op_loops_copy(ts_arena *arena, const ts_op_loops *op);

/* The sharding of every loop of an op: one dimension (factor list) a loop. */
typedef struct ts_loop_sharding {
  const ts_grid *grid;
  int num_loops;
  ts_dim *loops;
} ts_loop_sharding;

/* The layout that port `port` of `op` (of tensor shape `shape`) has under the loops' sharding,
 * without partial axes: each dimension is the join of its loops' factors, or holds at least the
 * ranges that its window reads. */
const ts_sharding *ts_loops_project(ts_arena *arena, const ts_op_loops *op,
                                    const ts_loop_sharding *loops, const ts_port *port,
                                    const int64_t *shape);

/* How a dimension split as `dim` would have the loops that it follows be split, in `wishes`. Where
 * the outermost has to stay whole, the next one is wished to be split in its place. Returns the
 * axes that the dimension does not have so. If borders of pieces may move for it, the outermost
 * loop is wished to be split where the dimension's pieces begin within an index of it. */
ts_axes ts_loops_wished(ts_arena *arena, const ts_op_loops *op, const ts_grid *grid,
                        const ts_dim_loops *follows, const ts_dim *dim, bool moves_borders,
                        ts_dim *wishes);

/* What each shard of the window's leader reads of dimension `d` of `port`, just that: nothing of
 * what `shape` does not have. NULL in `of` if the dimension has no window with a leader, or pieces
 * of it are not known. */
ts_ranges ts_loops_read(ts_arena *arena, const ts_op_loops *op, const ts_loop_sharding *loops,
                        const ts_port *port, int d, const int64_t *shape);

/* The axes of sharded reduction loops that result `r` is partial over. */
ts_axes ts_loops_partial_axes(const ts_op_loops *op, const ts_loop_sharding *loops);

#endif /* TESSERA_PLUGIN_LOOPS_LOOPS_H */
