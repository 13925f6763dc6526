/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which loop of a kernel goes over the cores of a rank: a parallel one, outermost if it has steps
 * enough, where the kernel has so much to do that threads are worth waking. It knows nests; it must
 * not know threads. */
#include "lowering/targets/cpu/split.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/kernels/steps.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  ACCESS_COST = 200,    /* picoseconds: of an element that is loaded or stored */
  OP_COST = 25,         /* of an op on one */
  GUESSED_STEPS = 1024, /* of a loop that only the launch knows */
  ENOUGH_STEPS = 64,    /* for any number of threads */
  ROW_STEPS = 256,      /* of the innermost loop: elements that are neighbours in memory */
  TILE_STEPS = 64       /* of others, which may go from tile to tile */
};
static const double least_cost = 50e6; /* of a kernel, for threads to be worth waking */

/* ---- what may be split ----------------------------------------------------------------------- */

/* Functions that call each other, at most. */
enum { MOST_CALLS = 4 };

typedef struct effects {
  int depth;
  bool good;
} effects;

static MlirWalkResult note_effect(MlirOperation op, void *user);

/* A function of another library, or one of the program that only computes: the runtime is called,
 * and fails, on the rank's own thread alone, which has kernels with threads of their own too. */
static bool callee_computes(MlirOperation call, int depth) {
  char name[256];
  MlirStringRef callee = ts_op_symbol(call, "callee");
  if (callee.length == 0 || callee.length >= sizeof(name) ||
      (callee.length >= 7 && memcmp(callee.data, "tessera", 7) == 0))
    return false;
  memcpy(name, callee.data, callee.length);
  name[callee.length] = '\0';
  MlirOperation function = ts_module_symbol(ts_parent_named(call, "builtin.module"), name);
  if (!function.ptr || mlirRegionIsNull(mlirOperationGetRegion(function, 0)) ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0))))
    return true;
  effects inner = {depth + 1, depth < MOST_CALLS};
  for (MlirBlock block = ts_function_entry(function); inner.good && !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block); inner.good && op.ptr;
         op = mlirOperationGetNextInBlock(op))
      mlirOperationWalk(op, note_effect, &inner, MlirWalkPreOrder);
  return inner.good;
}

/* Bodies that only compute, and look up what nobody writes. */
static MlirWalkResult note_effect(MlirOperation op, void *user) {
  effects *known = user;
  bool is_call = ts_op_is(op, "func.call") || ts_op_is(op, "llvm.call");
  bool computes = ts_op_is_linalg(op) || ts_op_is(op, "memref.load") ||
                  (is_call && callee_computes(op, known->depth)) ||
                  mlirOperationGetNumRegions(op) > 0 || ts_op_is_memory_effect_free(op);
  known->good &= computes;
  return computes ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool only_computes(const ts_kernel *kernel) {
  effects found = {.good = true};
  for (int n = 0; n < kernel->num_nests && found.good; n++)
    mlirOperationWalk(kernel->nests[n]->op, note_effect, &found, MlirWalkPreOrder);
  bool good = found.good;
  for (int c = 0; c < kernel->num_captured && good; c++)
    for (int p = 0;
         p < kernel->num_pointers && mlirTypeIsAMemRef(mlirValueGetType(kernel->captured[c])); p++)
      good &= !kernel->pointers[p].is_written || kernel->pointers[p].is_apart;
  return good;
}

/* The loop, of those not yet in `used`, whose steps are the next larger ones; -1: there is none, or
 * they overlap `reach`, which is how far all smaller ones go. */
static int next_loop(const ts_nest *nest, const ts_access *access, uint32_t used,
                     const ts_product *reach) {
  int best = -1;
  for (int l = 0; l < nest->num_loops; l++) {
    const ts_product *stride = &access->strides[l];
    if (used >> l & 1 || ts_product_is(stride, 0))
      continue;
    if (ts_product_equal(stride, reach))
      return l;
    if (ts_product_is_number(stride) && ts_product_is_number(reach) &&
        stride->factor >= reach->factor &&
        (best < 0 || stride->factor < access->strides[best].factor))
      best = l;
  }
  return best;
}

/* Different steps of `loop` go to different elements, whatever the other loops do. */
static bool is_apart(const ts_nest *nest, const ts_access *access, int loop) {
  ts_product reach = ts_product_of_number(1);
  uint32_t used = 0;
  int num = 0;
  for (int l = 0; l < nest->num_loops; l++)
    num += !ts_product_is(&access->strides[l], 0);
  for (; num > 0; num--) {
    int next = next_loop(nest, access, used, &reach);
    if (next < 0 || !ts_product_multiply(&access->strides[next], &nest->loops[next].extent, &reach))
      return false;
    used |= UINT32_C(1) << next;
  }
  return !ts_product_is(&access->strides[loop], 0);
}

static bool is_same(const ts_nest *nest, const ts_access *a, const ts_access *b) {
  return ts_steps_same_base(a->memory, b->memory) && ts_product_equal(&a->offset, &b->offset) &&
         ts_steps_are_same(a, b, nest->num_loops);
}

/* Memory of one step is each thread's own. */
static bool is_private(const ts_kernel *kernel, int nest, int access) {
  int pointer = kernel->pointer_of[nest][access];
  return pointer >= 0 && kernel->pointers[pointer].elements > 0;
}

/* Steps are picked by what the loop goes through. Of rows or columns each block would go through
 * all that picks steps, and through memory in pieces: two threads took 1.5 times as long as one. */
static bool is_before_picks(const ts_nest *nest, int loop) {
  for (int l = 0; l < nest->num_loops; l++)
    if (nest->loops[l].pick && !(ts_nest_pick_loops(nest, nest->loops[l].pick) >> loop & 1))
      return false;
  return true;
}

/* What a step writes, no other step looks at. */
static bool may_split(const ts_kernel *kernel, int n, int loop) {
  const ts_nest *nest = kernel->nests[n];
  int num = nest->num_inputs + nest->num_outputs;
  if (nest->loops[loop].is_reduction || !is_before_picks(nest, loop))
    return false;
  for (int o = nest->num_inputs; o < num; o++) {
    const ts_access *output = &nest->accesses[o];
    if (is_private(kernel, n, o))
      continue;
    if (!is_apart(nest, output, loop))
      return false;
    for (int a = 0; a < num; a++) {
      const ts_access *other = &nest->accesses[a];
      if (a != o && other->memory && ts_buffer_may_alias(other->memory, output->memory) &&
          !is_same(nest, other, output))
        return false;
    }
  }
  return true;
}

/* ---- how much there is to do ----------------------------------------------------------------- */

static double steps_of(const ts_nest_loop *loop) {
  double steps = (double)loop->extent.factor;
  for (int i = 0; i < loop->extent.num; i++)
    steps *= GUESSED_STEPS;
  return steps;
}

static MlirWalkResult count_op(MlirOperation op, void *user) {
  (void)op;
  *(int64_t *)user += OP_COST;
  return MlirWalkResultAdvance;
}

int64_t ts_split_cost(const ts_nest *nest) {
  int64_t cost = 0;
  mlirOperationWalk(nest->op, count_op, &cost, MlirWalkPreOrder);
  for (int a = 0; a < nest->num_accesses; a++)
    cost += nest->accesses[a].memory ? ACCESS_COST : 0;
  return cost;
}

static double cost_of(const ts_kernel *kernel) {
  double cost = 0;
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    double part = (double)ts_split_cost(nest);
    for (int l = 0; l < nest->num_loops; l++)
      part *= nest->loops[l].pick ? 1 : steps_of(&nest->loops[l]);
    cost += part;
  }
  return cost;
}

/* Of a nest alone: loops in tiles go from one tile to the next. Shared loops are as they are. */
static int64_t unit_of(const ts_kernel *kernel, int loop) {
  const ts_nest *nest = kernel->nests[0];
  if (kernel->num_nests > 1)
    return 1;
  if (loop == nest->num_loops - 1)
    return ROW_STEPS;
  for (int a = 0; a < nest->num_accesses; a++)
    if (nest->accesses[a].memory && ts_product_is(&nest->accesses[a].strides[loop], 1))
      return TILE_STEPS;
  return 1;
}

/* ---- the choice ------------------------------------------------------------------------------ */

ts_split ts_split_choose(const ts_kernel *kernel) {
  ts_split split = {.loop = -1};
  double most = 1;
  int num = kernel->num_nests == 1 ? kernel->nests[0]->num_loops : kernel->num_shared;
  if (cost_of(kernel) < least_cost || !only_computes(kernel))
    return split;
  for (int l = 0; l < num && most < ENOUGH_STEPS; l++) {
    bool may = true;
    for (int n = 0; n < kernel->num_nests && may; n++)
      may = may_split(kernel, n, l);
    int64_t unit = unit_of(kernel, l);
    double steps = steps_of(&kernel->nests[0]->loops[l]) / (double)unit;
    if (!may || steps <= most)
      continue;
    most = steps;
    split = (ts_split){l, unit};
  }
  return split;
}
