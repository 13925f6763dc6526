/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around one-shot-bufferize, which takes what each region of an scf.index_switch yields for
 * its result, whichever runs, and so lets memory be written while the result is still to be read.
 * Can go when upstream says that these aliases are not definite, as it says of those of scf.if. It
 * knows scf.index_switch and scf.if. */
#include "lowering/workarounds/switches.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

typedef struct results {
  intptr_t num;
  MlirType *types;
  MlirValue *values;
} results;

static results results_of(ts_arena *arena, MlirOperation op) {
  results of = {.num = mlirOperationGetNumResults(op)};
  of.types = TS_NEW(arena, MlirType, of.num);
  of.values = TS_NEW(arena, MlirValue, of.num);
  for (intptr_t i = 0; i < of.num; i++) {
    of.values[i] = mlirOperationGetResult(op, i);
    of.types[i] = mlirValueGetType(of.values[i]);
  }
  return of;
}

static bool has_tensors(const results *of) {
  bool any = false;
  for (intptr_t i = 0; i < of->num; i++)
    any |= mlirTypeIsATensor(of->types[i]);
  return any;
}

/* Region `i` of `op`, as one of its own. */
static MlirRegion take_region(MlirOperation op, intptr_t i) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(op, i));
  return region;
}

/* A region of `block`, which ends with `op` and yields its results. */
static MlirRegion region_around(ts_arena *arena, MlirBlock block, MlirOperation op) {
  results of = results_of(arena, op);
  ts_maker build = ts_make_at_end(block, mlirOperationGetLocation(op));
  ts_make_op(&build,
             &(ts_new_op){.name = "scf.yield", .num_operands = of.num, .operands = of.values});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

/* An scf.if of the case `number` of `op`, with the results `of`. Takes the region. */
static MlirOperation make_case(const ts_maker *build, MlirOperation op, const results *of,
                               intptr_t number, MlirRegion otherwise) {
  enum { EQUAL = 0 }; /* arith's number of the predicate */
  int64_t told = mlirDenseI64ArrayGetElement(ts_attribute(op, "cases"), number);
  MlirValue condition = ts_make_compare(build, "arith.cmpi", EQUAL, mlirOperationGetOperand(op, 0),
                                        ts_make_index(build, told));
  return ts_make_op(build, &(ts_new_op){.name = "scf.if",
                                        .num_operands = 1,
                                        .operands = &condition,
                                        .num_results = of->num,
                                        .results = of->types,
                                        .region = take_region(op, 1 + number),
                                        .second = otherwise});
}

/* The last case first, which is inside the one before it. */
static MlirOperation make_cases(ts_arena *arena, MlirOperation op, const results *of) {
  intptr_t num = mlirOperationGetNumRegions(op) - 1;
  MlirRegion otherwise = take_region(op, 0);
  ts_maker before = ts_make_before(op);
  for (intptr_t i = num - 1; i > 0; i--) {
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    ts_maker inside = ts_make_at_end(block, mlirOperationGetLocation(op));
    otherwise = region_around(arena, block, make_case(&inside, op, of, i, otherwise));
  }
  if (num > 0)
    return make_case(&before, op, of, 0, otherwise);
  return ts_make_op(&before, &(ts_new_op){.name = "scf.execute_region",
                                          .num_results = of->num,
                                          .results = of->types,
                                          .region = otherwise});
}

static void branch(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "scf.index_switch"))
    return;
  ts_arena arena = {0};
  results of = results_of(&arena, op);
  if (has_tensors(&of)) {
    MlirOperation made = make_cases(&arena, op, &of);
    for (intptr_t i = 0; i < of.num; i++)
      mlirValueReplaceAllUsesOfWith(of.values[i], mlirOperationGetResult(made, i));
    mlirOperationDestroy(op);
  }
  ts_arena_free(&arena);
}

void ts_switches_branch(MlirOperation module) {
  ts_each_op(module, branch, NULL);
}
