/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that cost less to compute again than to keep. A block is stretches of structured ops,
 * which become kernels, between ops that do not. It knows structured ops on tensors; it must not
 * know kernels. */
#include "lowering/memory/recomputed.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/element_types.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/map.h"

enum {
  MOST_STEPS = 16, /* for an element, of a value and of those that it is computed again from */
  MOST_INPUTS = 8,
  MOST_READERS = 64,  /* far off, of one value */
  UNKNOWN_SIZE = 1024 /* what a dimension of run-time size is taken for */
};

typedef struct spot {
  int stretch;
  int steps; /* of a copy: with those that read it */
} spot;

typedef struct reader {
  MlirOperation op;
  intptr_t input;
} reader;

/* The uses of a value: those far off, by stretches, and whether it is kept for others. */
typedef struct uses {
  bool is_kept;
  int num, max;
  reader *readers;
} uses;

typedef struct walk {
  ts_arena *arena;
  ts_map spots; /* of the ops of the block */
} walk;

/* ---- ops ------------------------------------------------------------------------------------- */

/* Steps of the processor for one element, about; more than any value may take for all others. */
static int steps_of(MlirOperation op) {
  static const struct {
    const char *name;
    int steps;
  } rows[] = {
      {"arith.constant", 0}, {"linalg.yield", 0},   {"linalg.index", 0},  {"arith.addf", 1},
      {"arith.subf", 1},     {"arith.mulf", 1},     {"arith.negf", 1},    {"arith.addi", 1},
      {"arith.subi", 1},     {"arith.muli", 1},     {"arith.andi", 1},    {"arith.ori", 1},
      {"arith.xori", 1},     {"arith.cmpf", 1},     {"arith.cmpi", 1},    {"arith.select", 1},
      {"arith.maximumf", 2}, {"arith.minimumf", 2}, {"arith.maxnumf", 2}, {"arith.minnumf", 2},
      {"arith.maxsi", 1},    {"arith.minsi", 1},    {"arith.maxui", 1},   {"arith.minui", 1},
      {"arith.extf", 1},     {"arith.truncf", 2},   {"arith.extsi", 1},   {"arith.extui", 1},
      {"arith.trunci", 1},   {"arith.sitofp", 1},   {"arith.uitofp", 2},  {"arith.index_cast", 1},
      {"math.absf", 1},      {"arith.divf", 4}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].name))
      return rows[i].steps;
  return MOST_STEPS + 1;
}

/* Every element of the result by itself, at its own place, from inputs alone. */
static bool is_elementwise(MlirOperation op) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1 ||
      ts_linalg_num_inputs(op) > MOST_INPUTS)
    return false;
  intptr_t inputs = ts_linalg_num_inputs(op);
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  MlirOperation start = ts_defining_op(mlirOperationGetOperand(op, inputs));
  return mlirAffineMapIsIdentity(ts_linalg_map(op, inputs)) && start.ptr &&
         ts_op_is(start, "tensor.empty") &&
         mlirOpOperandIsNull(
             mlirValueGetFirstUse(mlirBlockGetArgument(ts_linalg_body(op), inputs)));
}

static int steps_for_element(MlirOperation generic) {
  int steps = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_linalg_body(generic));
       op.ptr && steps <= MOST_STEPS; op = mlirOperationGetNextInBlock(op))
    steps += steps_of(op);
  return steps;
}

/* The op's first loops are the tensor's dimensions, in order. */
static bool reads_in_order(const reader *reader) {
  MlirAffineMap map = ts_linalg_map(reader->op, reader->input);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr loop = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(loop) || mlirAffineDimExprGetPosition(loop) != d)
      return false;
  }
  return true;
}

static int64_t bytes_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsATensor(type))
    return 0;
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    bytes *= mlirShapedTypeIsDynamicDim(type, d) ? UNKNOWN_SIZE : mlirShapedTypeGetDimSize(type, d);
  return bytes;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static spot *spot_of(const walk *walk, MlirOperation op) {
  return ts_map_get(&walk->spots, op.ptr);
}

static void read_uses(const walk *walk, MlirOperation op, uses *found) {
  int stretch = spot_of(walk, op)->stretch;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    reader reader = {mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)};
    const spot *spot = spot_of(walk, reader.op);
    if (!spot || !ts_op_is(reader.op, "linalg.generic") ||
        reader.input >= ts_linalg_num_inputs(reader.op) || !reads_in_order(&reader)) {
      found->is_kept = true;
    } else if (spot->stretch != stretch) {
      found->readers = ts_arena_grow(walk->arena, found->readers, found->num, &found->max,
                                     sizeof(*found->readers));
      found->readers[found->num++] = reader;
    }
  }
}

/* Nothing outside the stretch needs the value, which is a kernel's own then. */
static bool is_of_stretch(const walk *walk, MlirValue value, int stretch) {
  MlirOperation op = ts_defining_op(value);
  const spot *made = op.ptr ? spot_of(walk, op) : NULL;
  if (!made || made->stretch != stretch || !ts_op_is(op, "linalg.generic"))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const spot *spot = spot_of(walk, user);
    if (!spot || spot->stretch != stretch || !ts_op_is(user, "linalg.generic"))
      return false;
  }
  return true;
}

static bool reads(MlirOperation op, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirValueEqual(mlirOperationGetOperand(op, i), value))
      return true;
  return false;
}

/* Bytes that the value's readers of a stretch do not read anyway. */
static int64_t bytes_read(const walk *walk, MlirOperation op, const uses *uses, int stretch) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op); i++) {
    MlirValue input = mlirOperationGetOperand(op, i);
    bool is_read = false;
    for (int r = 0; r < uses->num && !is_read; r++)
      is_read = spot_of(walk, uses->readers[r].op)->stretch == stretch &&
                reads(uses->readers[r].op, input);
    bytes += is_read ? 0 : bytes_of(input);
  }
  return bytes;
}

/* Bytes of inputs that would have to be kept. */
static int64_t bytes_kept(const walk *walk, MlirOperation op) {
  int64_t bytes = 0;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op); i++) {
    MlirValue input = mlirOperationGetOperand(op, i);
    if (is_of_stretch(walk, input, spot_of(walk, op)->stretch))
      bytes += bytes_of(input);
  }
  return bytes;
}

/* The next stretch from reader `*at` on that no earlier reader has; false if there is none. */
static bool next_stretch(const walk *walk, const uses *uses, int *at, int *stretch) {
  for (; *at < uses->num; ++*at) {
    *stretch = spot_of(walk, uses->readers[*at].op)->stretch;
    bool is_new = true;
    for (int r = 0; r < *at && is_new; r++)
      is_new = spot_of(walk, uses->readers[r].op)->stretch != *stretch;
    if (is_new) {
      ++*at;
      return true;
    }
  }
  return false;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The steps of a copy for the readers of a stretch; too many where they are copies themselves that
 * take as many. */
static int steps_in(const walk *walk, MlirOperation op, const uses *uses, int stretch) {
  int most = 0;
  for (int r = 0; r < uses->num; r++) {
    const spot *spot = spot_of(walk, uses->readers[r].op);
    if (spot->stretch == stretch && spot->steps > most)
      most = spot->steps;
  }
  return most + steps_for_element(op);
}

static void copy_to(walk *walk, MlirOperation op, const uses *uses, int stretch) {
  MlirOperation first = {NULL};
  for (int r = 0; r < uses->num; r++) {
    MlirOperation reader = uses->readers[r].op;
    if (spot_of(walk, reader)->stretch == stretch &&
        (!first.ptr ||
         (!mlirOperationEqual(first, reader) && mlirOperationIsBeforeInBlock(reader, first))))
      first = reader;
  }
  spot *spot = TS_NEW(walk->arena, struct spot, 1);
  *spot = (struct spot){.stretch = stretch, .steps = steps_in(walk, op, uses, stretch)};
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), first, copy);
  ts_map_set(&walk->spots, walk->arena, copy.ptr, spot);
  for (int r = 0; r < uses->num; r++)
    if (spot_of(walk, uses->readers[r].op)->stretch == stretch)
      mlirOperationSetOperand(uses->readers[r].op, uses->readers[r].input,
                              mlirOperationGetResult(copy, 0));
}

/* Where the value is kept for others, each stretch decides for itself; else all do together, and
 * save writing it too. */
static void recompute(walk *walk, MlirOperation op) {
  uses uses = {0};
  if (!is_elementwise(op) || steps_for_element(op) > MOST_STEPS)
    return;
  read_uses(walk, op, &uses);
  int64_t bytes = bytes_of(mlirOperationGetResult(op, 0));
  int64_t kept = bytes_kept(walk, op), saved = uses.is_kept ? 0 : bytes - kept;
  int stretch;
  bool is_cheap = uses.num > 0 && uses.num <= MOST_READERS;
  for (int at = 0; next_stretch(walk, &uses, &at, &stretch);) {
    saved += bytes - bytes_read(walk, op, &uses, stretch);
    is_cheap &= steps_in(walk, op, &uses, stretch) <= MOST_STEPS;
  }
  bool all = !uses.is_kept && is_cheap && saved > 0;
  for (int at = 0; next_stretch(walk, &uses, &at, &stretch);)
    if (all || (uses.num <= MOST_READERS && kept == 0 &&
                steps_in(walk, op, &uses, stretch) <= MOST_STEPS &&
                bytes_read(walk, op, &uses, stretch) < bytes))
      copy_to(walk, op, &uses, stretch);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    mlirOperationDestroy(op);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_of_kernels(MlirOperation op) {
  return ts_op_is(op, "linalg.generic") || ts_op_is(op, "linalg.fill") ||
         strncmp(ts_op_name(op), "tensor.", 7) == 0 || strncmp(ts_op_name(op), "arith.", 6) == 0;
}

static void recompute_in(MlirBlock block) {
  ts_arena arena = {0};
  walk walk = {.arena = &arena};
  int num = 0, max = 0, stretch = 0;
  MlirOperation *ops = NULL, op = mlirBlockGetFirstOperation(block);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op)) {
    ops = ts_arena_grow(&arena, ops, num, &max, sizeof(*ops));
    ops[num++] = op;
    stretch += !is_of_kernels(op);
    spot *spot = TS_NEW(&arena, struct spot, 1);
    *spot = (struct spot){.stretch = stretch};
    ts_map_set(&walk.spots, &arena, op.ptr, spot);
  }
  for (int i = num - 1; i >= 0; i--)
    recompute(&walk, ops[i]);
  ts_arena_free(&arena);
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (strncmp(ts_op_name(op), "linalg.", 7) == 0)
    return;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      recompute_in(block);
}

void ts_memory_recompute(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
