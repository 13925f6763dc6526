/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tosa.scatter as a loop that takes each update where an index is its own: then batches, rows and
 * channels can be split, while upstream's loops look at one update after another. It must not know
 * layouts. */
#include "ir/generic.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"
#include "structured/structured.h"
#include "support/ir.h"

enum { BATCH, ROW, CHANNEL, UPDATE, NUM_LOOPS };
enum { INTO, INDICES, UPDATES, NUM_OPERANDS };

static MlirAttribute map(MlirContext context, intptr_t num, const int *loops) {
  MlirAffineExpr results[NUM_LOOPS];
  for (intptr_t i = 0; i < num; i++)
    results[i] = mlirAffineDimExprGet(context, loops[i]);
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, NUM_LOOPS, 0, num, results));
}

/* The update where the index is that of the row, else what was there. */
static MlirRegion make_body(const ts_maker *build, const MlirValue *operands) {
  enum { EQUAL = 0 }; /* arith's number */
  MlirType types[NUM_OPERANDS];
  MlirLocation locations[NUM_OPERANDS];
  for (int i = 0; i < NUM_OPERANDS; i++) {
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(operands[i]));
    locations[i] = build->location;
  }
  MlirBlock body = mlirBlockCreate(NUM_OPERANDS, types, locations);
  ts_maker inside = ts_make_at_end(body, build->location);
  MlirValue place = mlirBlockGetArgument(body, 0), update = mlirBlockGetArgument(body, 1);
  MlirValue row = ts_make_loop_index(&inside, ROW);
  place = ts_make_value(&inside, "arith.index_cast", 1, &place, mlirIndexTypeGet(build->context), 0,
                        NULL);
  MlirValue chosen[] = {ts_make_compare(&inside, "arith.cmpi", EQUAL, place, row), update,
                        mlirBlockGetArgument(body, 2)};
  MlirValue value = ts_make_value(&inside, "arith.select", 3, chosen, types[1], 0, NULL);
  return ts_end_body(body, build->location, 1, &value);
}

static void rewrite(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tosa.scatter"))
    return;
  for (intptr_t i = 0; i < NUM_OPERANDS; i++)
    if (!mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return;
  ts_maker build = ts_make_before(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue into = mlirOperationGetOperand(op, INTO);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeEqual(mlirValueGetType(into), type))
    into = ts_make_value(&build, "tensor.cast", 1, &into, type, 0, NULL);
  const MlirValue operands[] = {mlirOperationGetOperand(op, INDICES),
                                mlirOperationGetOperand(op, UPDATES), into};
  const MlirAttribute maps[] = {map(build.context, 2, (const int[]){BATCH, UPDATE}),
                                map(build.context, 3, (const int[]){BATCH, UPDATE, CHANNEL}),
                                map(build.context, 3, (const int[]){BATCH, ROW, CHANNEL})};
  MlirAttribute iterators[NUM_LOOPS];
  ts_parallel_iterators(build.context, NUM_LOOPS, iterators);
  iterators[UPDATE] = ts_reduction_iterator(build.context);
  MlirOperation made =
      ts_make_generic(&build, &(ts_new_generic){.num_inputs = 2,
                                                .num_outputs = 1,
                                                .operands = operands,
                                                .maps = maps,
                                                .num_loops = NUM_LOOPS,
                                                .iterators = iterators,
                                                .results = &type,
                                                .body = make_body(&build, operands)});
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
}

void ts_structure_tosa_scatters(MlirOperation module) {
  ts_each_op(module, rewrite, NULL);
}
