/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops of which a comparison of the body with data leaves one step to do: scatters, histograms and
 * gathers, as importers write them. It knows bodies; it must not know code.
 *
 *   for v, t, d: out[v, d] += index[t] == v ? update[t, d] : 0
 *
 * is work for every v, of which all but one add nothing, for each t. As a nest of t and d it finds
 * its v. What is combined to one element comes in the same order: parallel loops do not order it,
 * and a reduction is picked only where no later one says which of its steps it is. */
#include "lowering/kernels/one_hot.h"

#include "capi/capi.h"
#include "lowering/kernels/unchanged.h"
#include "mlir-c/BuiltinTypes.h"
#include "numbers/divisions.h"

enum {
  MOST_DEPTH = 32, /* of what is added to an index: a path has a bit for each */
  MOST_VISITS = 256,
  WORD = 64 /* bits of an index */
};

/* A comparison that may pick a step of loop `dim`. */
typedef struct candidate {
  ts_arena *arena;
  const ts_nest *nest;
  int dim;
  ts_pick pick;
  ts_map seen;     /* values that it is made of */
  bool needs_step; /* what it is made of may fail where no step of the loop is done */
  bool is_unknown; /* before a step is */
  int visits;
} candidate;

/* ---- bodies ---------------------------------------------------------------------------------- */

typedef struct effects {
  const ts_nest *nest;
  bool good;
} effects;

/* Bodies that only compute, and look up what they do not write: steps may be left out. */
static MlirWalkResult note_effect(MlirOperation op, void *user) {
  effects *known = user;
  const ts_nest *nest = known->nest;
  if (ts_op_is_linalg(op) || mlirOperationGetNumRegions(op) > 0 || ts_op_is_memory_effect_free(op))
    return MlirWalkResultAdvance;
  known->good &= ts_op_is(op, "memref.load");
  for (int o = nest->num_inputs; known->good && o < nest->num_inputs + nest->num_outputs; o++)
    known->good = !ts_buffer_may_be_in(nest->accesses[o].memory, mlirOperationGetOperand(op, 0));
  return known->good ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool only_computes(const ts_nest *nest) {
  effects found = {nest, true};
  mlirOperationWalk(nest->op, note_effect, &found, MlirWalkPreOrder);
  return found.good;
}

/* ---- what a number is made of ---------------------------------------------------------------- */

static void note_index(candidate *c, int64_t dim) {
  const ts_nest *nest = c->nest;
  for (int a = nest->num_inputs + nest->num_outputs; a < nest->num_accesses; a++)
    c->pick.needs[a] |= nest->index_loops[a] == dim;
}

/* Notes what `value` is made of. */
static void note_needs(candidate *c, MlirValue value) {
  MlirBlock body = c->nest->body;
  if (ts_map_get(&c->seen, value.ptr))
    return;
  ts_map_set(&c->seen, c->arena, value.ptr, c);
  if (mlirValueIsABlockArgument(value)) {
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), body))
      return; /* of the code around */
    if (number < c->nest->num_inputs)
      c->pick.needs[number] = true;
    else
      c->is_unknown = true;
    return;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirBlockEqual(mlirOperationGetBlock(op), body))
    return;
  if (ts_op_is(op, "linalg.index"))
    note_index(c, ts_op_int(op, "dim", -1));
  c->is_unknown |= mlirOperationGetNumRegions(op) > 0;
  c->needs_step |= ts_division_may_fail(op) || ts_op_is(op, "memref.load");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    note_needs(c, mlirOperationGetOperand(op, i));
}

/* ---- what an index comes to ------------------------------------------------------------------ */

static int bits_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : WORD;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* `value` is the loop's index, plus or minus something, modulo a power of 2: notes the path to the
 * index, the bits, and what is added. */
static bool follow(candidate *c, MlirValue value, int depth) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || depth == MOST_DEPTH || c->visits-- <= 0)
    return false;
  if (ts_op_is(op, "linalg.index"))
    return ts_op_int(op, "dim", -1) == c->dim;
  int bits = bits_of(value);
  bool is_sum = ts_op_is(op, "arith.addi");
  if (is_sum || ts_op_is(op, "arith.subi")) {
    for (int side = 0; side < (is_sum ? 2 : 1); side++)
      if (follow(c, mlirOperationGetOperand(op, side), depth + 1)) {
        c->pick.path |= (uint32_t)side << depth;
        note_needs(c, mlirOperationGetOperand(op, 1 - side));
        return true;
      }
    return false;
  }
  bool is_cast = ts_op_is(op, "arith.index_cast") || ts_op_is(op, "arith.index_castui") ||
                 ts_op_is(op, "arith.trunci");
  /* What was cut off is not there again in a wider type. */
  if (!is_cast || bits > bits_of(mlirOperationGetOperand(op, 0)) ||
      !follow(c, mlirOperationGetOperand(op, 0), depth + 1))
    return false;
  c->pick.bits = least(c->pick.bits, bits);
  return true;
}

/* ---- picking --------------------------------------------------------------------------------- */

/* The step is known before loops that `pick` does not need. */
static bool is_before(const ts_nest *nest, int dim, const ts_pick *pick) {
  uint32_t loops = ts_nest_pick_loops(nest, pick);
  for (int l = 0; l < nest->num_loops; l++) {
    const ts_nest_loop *loop = &nest->loops[l];
    bool is_needed = loops >> l & 1;
    bool comes_later = loop->is_reduction && nest->loops[dim].is_reduction && l > dim;
    if (is_needed && (l == dim || loop->pick || comes_later))
      return false;
    if (loop->pick && ts_nest_pick_loops(nest, loop->pick) >> dim & 1)
      return false;
  }
  return true;
}

/* A comparison for each of a few steps is faster than finding one, since it is done for several
 * elements at once: unless there are loops inside for which that is done once. */
static bool is_worth(const ts_nest *nest, int dim, const ts_pick *pick) {
  enum { FEW_STEPS = 16, GUESSED_STEPS = 1024 };
  uint32_t outside = ts_nest_pick_loops(nest, pick);
  int64_t steps = ts_product_number(&nest->loops[dim].extent, GUESSED_STEPS);
  for (int l = 0; l < nest->num_loops && steps < FEW_STEPS; l++)
    if (l != dim && !(outside >> l & 1) && !nest->loops[l].pick)
      steps *= ts_product_number(&nest->loops[l].extent, GUESSED_STEPS);
  return steps >= FEW_STEPS;
}

static bool try_pick(ts_buffers *memories, ts_nest *nest, int dim, MlirOperation compare,
                     int side) {
  candidate c = {.arena = memories->arena,
                 .nest = nest,
                 .dim = dim,
                 .pick = {.compare = compare, .side = side, .bits = WORD},
                 .visits = MOST_VISITS};
  MlirValue index = mlirOperationGetOperand(compare, side);
  int64_t extent = ts_product_number(&nest->loops[dim].extent, -1);
  c.pick.needs = TS_NEW(memories->arena, bool, nest->num_accesses);
  c.pick.bits = least(WORD, bits_of(index));
  if (nest->loops[dim].pick || !follow(&c, index, 0))
    return false;
  note_needs(&c, mlirOperationGetOperand(compare, 1 - side));
  if (c.is_unknown || (c.needs_step && extent < 1) || !is_before(nest, dim, &c.pick) ||
      !is_worth(nest, dim, &c.pick))
    return false;
  c.pick.is_one = c.pick.bits >= WORD - 1 || (extent >= 0 && extent <= INT64_C(1) << c.pick.bits);
  /* Of several steps of a reduction it matters what comes between them. */
  if (!c.pick.is_one && nest->loops[dim].is_reduction)
    return false;
  nest->loops[dim].pick = ts_arena_copy(memories->arena, &c.pick, sizeof(c.pick));
  return true;
}

void ts_one_hot_find(ts_buffers *memories, ts_nest *nest) {
  enum { EQUAL = 0, DIFFERENT = 1 }; /* arith's numbers */
  if (ts_nest_reads_outputs(nest) || !only_computes(nest))
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(nest->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    int64_t predicate = ts_op_is(op, "arith.cmpi") ? ts_op_int(op, "predicate", -1) : -1;
    if ((predicate != EQUAL && predicate != DIFFERENT) ||
        !ts_unchanged_unless_equal(nest->body, nest->num_inputs, op))
      continue;
    for (int dim = 0; dim < nest->num_loops; dim++)
      if (try_pick(memories, nest, dim, op, 0) || try_pick(memories, nest, dim, op, 1))
        break;
  }
}
