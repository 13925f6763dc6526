/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops and branches of scf. It knows their blocks and what ends these; it must not know what is
 * inside. */
#include "ir/control_flow.h"

#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

ts_for ts_make_for(const ts_maker *build, MlirValue from, MlirValue to, MlirValue step,
                   intptr_t num, const MlirValue *carried) {
  ts_arena arena = {0};
  MlirType *types = TS_NEW(&arena, MlirType, 1 + num);
  MlirLocation *locations = TS_NEW(&arena, MlirLocation, 1 + num);
  MlirValue *operands = TS_NEW(&arena, MlirValue, 3 + num);
  types[0] = mlirIndexTypeGet(build->context);
  locations[0] = build->location;
  operands[0] = from;
  operands[1] = to;
  operands[2] = step;
  for (intptr_t i = 0; i < num; i++) {
    types[1 + i] = mlirValueGetType(carried[i]);
    locations[1 + i] = build->location;
    operands[3 + i] = carried[i];
  }
  MlirBlock body = mlirBlockCreate(1 + num, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperation op = ts_make_op(build, &(ts_new_op){.name = "scf.for",
                                                    .num_operands = 3 + num,
                                                    .operands = operands,
                                                    .num_results = num,
                                                    .results = types + 1,
                                                    .region = region});
  ts_arena_free(&arena);
  return (ts_for){op, body, mlirBlockGetArgument(body, 0)};
}

void ts_make_yield(const ts_maker *build, intptr_t num, const MlirValue *values) {
  ts_make_op(build, &(ts_new_op){.name = "scf.yield", .num_operands = num, .operands = values});
}

/* A region of one block, which is empty. */
static MlirRegion make_region(MlirBlock *block) {
  MlirRegion region = mlirRegionCreate();
  *block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, *block);
  return region;
}

ts_if ts_make_if_of(const ts_maker *build, MlirValue condition, intptr_t num,
                    const MlirValue *otherwise) {
  ts_arena arena = {0};
  MlirType *types = TS_NEW(&arena, MlirType, num);
  for (intptr_t i = 0; i < num; i++)
    types[i] = mlirValueGetType(otherwise[i]);
  ts_if made;
  MlirBlock block;
  MlirRegion then = make_region(&made.then), other = make_region(&block);
  ts_maker inside = ts_make_at_end(block, build->location);
  ts_make_yield(&inside, num, otherwise);
  made.op = ts_make_op(build, &(ts_new_op){.name = "scf.if",
                                           .num_operands = 1,
                                           .operands = &condition,
                                           .num_results = num,
                                           .results = types,
                                           .region = then,
                                           .second = other});
  ts_arena_free(&arena);
  return made;
}

ts_maker ts_make_if(const ts_maker *build, MlirValue condition) {
  MlirBlock block;
  MlirRegion region = make_region(&block);
  ts_maker inside = ts_make_at_end(block, build->location);
  inside.before = ts_make_op(&inside, &(ts_new_op){.name = "scf.yield"});
  ts_make_op(build, &(ts_new_op){.name = "scf.if",
                                 .num_operands = 1,
                                 .operands = &condition,
                                 .region = region,
                                 .second = mlirRegionCreate()});
  return inside;
}
