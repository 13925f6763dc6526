/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which loops a nest becomes on a CPU: in tiles where memory is crossed, in strips where rows are
 * combined, in blocks where much is added up. It knows nests, writes no code. */
#include "lowering/targets/cpu/levels.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/kernels/steps.h"
#include "lowering/targets/body.h"
#include "mlir-c/BuiltinAttributes.h"

enum {
  LEAST_CROSSED = 32,   /* steps of loops of which each goes through some memory in order */
  TILE = 32,            /* of these loops */
  LONG_TILE = 64,       /* of the outer one, where lines of memory are in each other's places */
  LINES = 8,            /* of the inner one then: as many as a first cache has room for there */
  SAME_PLACES = 2048,   /* bytes between lines of which TILE have room for half as many, or fewer */
  MOST_LIGHT = 8,       /* ops of a body with little to compute */
  FEWEST_PLACES = 4096, /* where all are in the same place, which has room for 8, say */
  STRIP = 2048,         /* elements of a row that is combined with others: stays in cache */
  MOST_TAPPED = 65536,  /* elements of a row that is combined with others element by element */
  LEAST_BLOCKS = 2,     /* of a long sum */
  SUM_BLOCK = 4096,     /* elements that are added up before they are added to the rest */
  LEAST_UNROLLED = 64,  /* elements of a row that others are added to, for straight code */
  MOST_UNROLLED = 256
};

/* ---- choosing levels ------------------------------------------------------------------------- */

static int64_t far(const ts_product *stride) {
  int64_t number = ts_product_number(stride, INT64_MAX);
  return number < 0 ? -number : number;
}

static int64_t steps(const ts_nest_loop *loop) {
  return ts_product_number(&loop->extent, INT64_MAX);
}

/* A loop other than the innermost one that goes through some memory in order, in which the
 * innermost takes large steps; -1 if there is none. `input` is that memory's. */
static int crossing_loop(const ts_nest *nest, int first, int *input) {
  int inner = nest->num_loops - 1;
  for (int a = 0; a < nest->num_inputs; a++) {
    const ts_access *access = &nest->accesses[a];
    if (!access->memory || far(&access->strides[inner]) < 16)
      continue;
    for (int l = first; l < inner; l++)
      if (ts_product_is(&access->strides[l], 1) && steps(&nest->loops[l]) > LEAST_CROSSED &&
          steps(&nest->loops[inner]) > LEAST_CROSSED) {
        *input = a;
        return l;
      }
  }
  return -1;
}

static bool all_parallel(const ts_nest *nest, int first) {
  for (int l = first; l < nest->num_loops; l++)
    if (nest->loops[l].is_reduction || nest->loops[l].pick)
      return false;
  return true;
}

static void add_level(ts_levels *levels, ts_level_kind kind, int loop, int64_t tile) {
  levels->levels[levels->num++] = (ts_level){kind, loop, tile, TS_KEPT_NOT};
}

/* The body has little to compute, so that what counts is memory. */
static bool is_light(const ts_nest *nest) {
  MlirOperation end = mlirBlockGetTerminator(nest->body);
  int num = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(nest->body); !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op))
    if (++num > MOST_LIGHT || strncmp(ts_op_name(op), "arith.", 6) != 0)
      return false;
  return true;
}

/* The loop's steps read lines that have the same places in a cache, one every so many bytes. */
static bool shares_places(const ts_access *access, int loop, int64_t bytes) {
  int64_t stride = far(&access->strides[loop]);
  return access->memory && stride != 0 && stride != INT64_MAX &&
         stride * ts_steps_element_bytes(access->memory) % bytes == 0;
}

/* Loops from `first` on, of which `crossing` and the last go from tile to tile. Each step of the
 * last one reads another line of memory, and the next step of `crossing` reads these lines again.
 * Where rows are a power of two long, or nearly, a first cache cannot keep a tile's lines. So these
 * are few, and of so few steps vectors would be gathered, or scattered, which takes longer than to
 * move each element. */
static void tiled_levels(const ts_nest *nest, int first, int crossing, int input,
                         ts_levels *levels) {
  int inner = nest->num_loops - 1;
  bool narrow = is_light(nest) && shares_places(&nest->accesses[input], inner, SAME_PLACES);
  int64_t outer_tile = narrow ? LONG_TILE : TILE, inner_tile = narrow ? LINES : TILE;
  for (int l = first; l < inner; l++)
    add_level(levels, l == crossing ? TS_LEVEL_TILES : TS_LEVEL_FULL, l, outer_tile);
  add_level(levels, TS_LEVEL_TILES, inner, inner_tile);
  add_level(levels, TS_LEVEL_IN_TILE, crossing, outer_tile);
  add_level(levels, TS_LEVEL_IN_TILE, inner, inner_tile);
  levels->levels[levels->num - 1].kept = narrow ? TS_KEPT_SCALAR : TS_KEPT_NOT;
}

/* A long row that others are added to is done in strips: each stays in cache till all are added. */
static bool needs_strips(const ts_nest *nest, int reduction) {
  int inner = nest->num_loops - 1;
  return reduction >= 0 && !nest->loops[inner].is_reduction && !nest->loops[inner].pick &&
         steps(&nest->loops[inner]) > 2 * STRIP;
}

static bool has_picks(const ts_nest *nest) {
  for (int l = 0; l < nest->num_loops; l++)
    if (nest->loops[l].pick)
      return true;
  return false;
}

/* How many steps of the loop, times those of others, are done without a loop: what they read stays
 * in a first cache till the next step of the innermost loop reads the rest of its lines. */
static int64_t most_taps(const ts_nest *nest, int loop) {
  for (int a = 0; a < nest->num_inputs; a++)
    if (shares_places(&nest->accesses[a], loop, FEWEST_PLACES))
      return TS_MOST_TAPS / 2;
  return TS_MOST_TAPS;
}

/* The first of the reductions before the innermost loop that are done inside it instead, step by
 * step: as few as those of a window, so that what they combine stays in registers. The innermost
 * loop if there are none. Long rows come from memory faster one after the other. */
static int first_tap(const ts_nest *nest, int first) {
  int inner = nest->num_loops - 1, tap = inner;
  int64_t taps = 1;
  if (inner < first || nest->loops[inner].is_reduction || has_picks(nest) || !is_light(nest) ||
      ts_product_number(&nest->loops[inner].extent, 0) > MOST_TAPPED || ts_nest_reads_outputs(nest))
    return inner;
  for (; tap > first && ts_nest_keeps_outputs(nest, tap - 1); tap--) {
    int64_t num = steps(&nest->loops[tap - 1]);
    if (num < 1 || num > most_taps(nest, tap - 1) / taps)
      break;
    taps *= num;
  }
  return tap;
}

/* The loop over a row that others are added to, one after the other or `tapped`. Unrolled as a
 * whole, a long row would be kept in registers, which there are not as many of: most would go
 * through the stack. A short one LLVM unrolls before it would make vectors of it, and then finds
 * none; and what is shorter than its vectors it takes as one of which a part is masked, whose
 * elements it gathers. */
static ts_level_kept kept_row(const ts_nest *nest, int reduction, bool tapped) {
  int inner = nest->num_loops - 1;
  int64_t row = steps(&nest->loops[inner]);
  if ((reduction < 0 && !tapped) || nest->loops[inner].is_reduction)
    return TS_KEPT_NOT;
  if (row < LEAST_UNROLLED)
    return tapped ? TS_KEPT_SHORT : TS_KEPT_VECTORS;
  return row > MOST_UNROLLED ? TS_KEPT_VECTORS : TS_KEPT_NOT;
}

static void plain_levels(const ts_nest *nest, int first, ts_levels *levels) {
  int inner = nest->num_loops - 1, tap = first_tap(nest, first), reduction = -1;
  for (int l = inner; l >= first; l--)
    if (nest->loops[l].is_reduction && !nest->loops[l].pick && (l < tap || l == inner))
      reduction = l;
  bool strips = needs_strips(nest, reduction);
  for (int l = first; l < nest->num_loops; l++) {
    if (nest->loops[l].pick || (l >= tap && l < inner))
      continue;
    if (strips && l == reduction)
      add_level(levels, TS_LEVEL_TILES, inner, STRIP);
    add_level(levels, strips && l == inner ? TS_LEVEL_IN_TILE : TS_LEVEL_FULL, l, STRIP);
  }
  if (levels->num > 0)
    levels->levels[levels->num - 1].kept = kept_row(nest, reduction, tap < inner);
  for (int l = tap; l < inner; l++)
    add_level(levels, TS_LEVEL_UNROLLED, l, 1);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The body only adds a value to each output, in an order that may change. */
static bool is_sum(const ts_nest *nest) {
  MlirOperation yielded = mlirBlockGetTerminator(nest->body);
  if (mlirBlockGetNumArguments(nest->body) < nest->num_inputs + nest->num_outputs)
    return false;
  for (int o = 0; o < nest->num_outputs; o++) {
    MlirOperation add = ts_defining_op(mlirOperationGetOperand(yielded, o));
    MlirValue argument = mlirBlockGetArgument(nest->body, nest->num_inputs + o);
    if (!add.ptr || !ts_op_is(add, "arith.addf") || !ts_body_may_reorder(add) ||
        !ts_body_is_only_use(argument, add) ||
        !ts_body_is_only_use(mlirOperationGetResult(add, 0), yielded))
      return false;
  }
  return true;
}

/* A last loop that adds up many values goes from block to block, so that rounding grows with blocks
 * rather than values. */
static void block_sum(const ts_nest *nest, ts_levels *levels) {
  int last = nest->num_loops - 1;
  if (levels->num == 0 || ts_nest_reads_outputs(nest) || !nest->loops[last].is_reduction ||
      nest->loops[last].pick || steps(&nest->loops[last]) < LEAST_BLOCKS * SUM_BLOCK ||
      !is_sum(nest))
    return;
  levels->num--;
  add_level(levels, TS_LEVEL_TILES, last, SUM_BLOCK);
  add_level(levels, TS_LEVEL_IN_TILE, last, SUM_BLOCK);
  levels->sum_level = levels->num - 1;
}

/* ---- picked steps ---------------------------------------------------------------------------- */

/* Puts the loop's step behind the levels that say it, so that those inside go on from there. */
static void add_picked(const ts_nest *nest, int loop, ts_levels *levels) {
  uint32_t needed = ts_nest_pick_loops(nest, nest->loops[loop].pick);
  int at = levels->num;
  while (at > 0 && !(needed >> levels->levels[at - 1].loop & 1))
    at--;
  for (int l = levels->num++; l > at; l--)
    levels->levels[l] = levels->levels[l - 1];
  levels->levels[at] = (ts_level){.kind = TS_LEVEL_PICKED, .loop = loop};
  if (levels->sum_level >= at)
    levels->sum_level++;
}

/* ---- all levels ------------------------------------------------------------------------------ */

void ts_levels_choose(const ts_nest *nest, int first, ts_levels *levels) {
  levels->num = 0;
  levels->sum_level = -1;
  int input = -1, crossing = all_parallel(nest, first) ? crossing_loop(nest, first, &input) : -1;
  if (crossing >= 0) {
    tiled_levels(nest, first, crossing, input, levels);
  } else {
    plain_levels(nest, first, levels);
    block_sum(nest, levels);
  }
  for (int l = first; l < nest->num_loops; l++)
    if (nest->loops[l].pick)
      add_picked(nest, l, levels);
  levels->first_carried = levels->num;
  if (ts_nest_reads_outputs(nest))
    return;
  while (levels->first_carried > 0 &&
         ts_nest_keeps_outputs(nest, levels->levels[levels->first_carried - 1].loop))
    levels->first_carried--;
  if (levels->first_carried > levels->sum_level - 1)
    levels->sum_level = -1;
}
