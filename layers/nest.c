/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loop nests over tensors as linalg.generic. It must not know any layer. */
#include "nest.h"

#include <math.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "ir/generic.h"
#include "support/ir.h"

ts_layer_access ts_loops_from(int first, int num) {
  ts_layer_access access = {.num = num};
  for (int i = 0; i < num; i++)
    access.loops[i] = first + i;
  return access;
}

ts_layer_access ts_loops(int num) {
  return ts_loops_from(0, num);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

MlirValue ts_number_like(const ts_maker *build, MlirValue like, double value) {
  return ts_make_constant(build,
                          mlirFloatAttrDoubleGet(build->context, mlirValueGetType(like), value));
}

MlirValue ts_integer_like(const ts_maker *build, MlirValue like, int64_t value) {
  return ts_make_constant(build, mlirIntegerAttrGet(mlirValueGetType(like), value));
}

MlirValue ts_unary(const ts_maker *build, const char *name, MlirValue a) {
  return ts_make_value(build, name, 1, &a, mlirValueGetType(a), 0, NULL);
}

MlirValue ts_loop_index(const ts_maker *build, int loop) {
  MlirNamedAttribute dim =
      ts_named(build->context, "dim", ts_int_attribute(ts_i64_type(build->context), loop));
  return ts_make_value(build, "linalg.index", 0, NULL, mlirIndexTypeGet(build->context), 1, &dim);
}

MlirValue ts_times(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_make_binary(build, "arith.mulf", inputs[0], inputs[1]);
}

MlirValue ts_same(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)build;
  (void)user;
  return inputs[0];
}

MlirValue ts_plus(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_make_binary(build, "arith.addf", inputs[0], inputs[1]);
}

/* ---- ops ------------------------------------------------------------------------------------- */

static MlirAttribute map_of(const tessera_layers *layers, int num_loops,
                            const ts_layer_access *access) {
  MlirAffineExpr results[TS_LAYER_RANK];
  for (int i = 0; i < access->num; i++)
    results[i] = mlirAffineDimExprGet(layers->context, access->loops[i]);
  return mlirAffineMapAttrGet(
      mlirAffineMapGet(layers->context, num_loops, 0, access->num, results));
}

static void maps_of(const tessera_layers *layers, const ts_layer_nest *nest,
                    MlirAttribute maps[TS_NEST_INPUTS + 1]) {
  for (int i = 0; i < nest->num_inputs; i++) {
    ts_layer_access all = ts_loops(nest->num_loops);
    bool is_all =
        nest->from[i].num == 0 && mlirShapedTypeGetRank(mlirValueGetType(nest->inputs[i])) > 0;
    maps[i] = map_of(layers, nest->num_loops, is_all ? &all : &nest->from[i]);
  }
  maps[nest->num_inputs] = map_of(layers, nest->num_loops, &nest->to);
}

static void iterators_of(const tessera_layers *layers, const ts_layer_nest *nest,
                         MlirAttribute iterators[2 * TS_LAYER_RANK]) {
  unsigned kept = 0;
  for (int i = 0; i < nest->to.num; i++)
    kept |= 1u << nest->to.loops[i];
  ts_parallel_iterators(layers->context, nest->num_loops, iterators);
  for (int i = 0; i < nest->num_loops; i++)
    if (!(kept >> i & 1))
      iterators[i] = ts_reduction_iterator(layers->context);
}

static MlirRegion body_of(const tessera_layers *layers, const ts_layer_nest *nest) {
  MlirType types[TS_NEST_INPUTS + 1];
  MlirLocation locations[TS_NEST_INPUTS + 1];
  MlirValue inputs[TS_NEST_INPUTS];
  int num = nest->num_inputs;
  for (int i = 0; i <= num; i++) {
    types[i] =
        mlirShapedTypeGetElementType(i < num ? mlirValueGetType(nest->inputs[i]) : nest->type);
    locations[i] = layers->location;
  }
  MlirBlock block = mlirBlockCreate(num + 1, types, locations);
  for (int i = 0; i < num; i++)
    inputs[i] = mlirBlockGetArgument(block, i);
  ts_maker build = ts_make_at_end(block, layers->location);
  MlirValue value = nest->element(&build, inputs, nest->user);
  if (nest->gathering != TS_EACH)
    value = ts_make_binary(&build, nest->gathering == TS_ADDED ? "arith.addf" : "arith.maximumf",
                           mlirBlockGetArgument(block, num), value);
  return ts_end_body(block, layers->location, 1, &value);
}

/* A tensor that holds what gathering starts with, or nothing. */
static MlirValue destination_of(const tessera_layers *layers, const ts_layer_nest *nest) {
  ts_maker build = ts_layers_build(layers);
  if (nest->gathering == TS_EACH)
    return ts_make_value(&build, "tensor.empty", 0, NULL, nest->type, 0, NULL);
  double start = nest->gathering == TS_ADDED ? 0.0 : -HUGE_VAL;
  MlirType element = mlirShapedTypeGetElementType(nest->type);
  return ts_make_fill(
      &build, ts_make_constant(&build, mlirFloatAttrDoubleGet(layers->context, element, start)),
      nest->type);
}

MlirValue ts_nest_build(const tessera_layers *layers, const ts_layer_nest *nest) {
  MlirValue operands[TS_NEST_INPUTS + 1];
  for (int i = 0; i < nest->num_inputs; i++)
    operands[i] = nest->inputs[i];
  operands[nest->num_inputs] = destination_of(layers, nest);
  MlirAttribute maps[TS_NEST_INPUTS + 1], iterators[2 * TS_LAYER_RANK];
  maps_of(layers, nest, maps);
  iterators_of(layers, nest, iterators);
  ts_maker build = ts_layers_build(layers);
  MlirOperation made = ts_make_generic(&build, &(ts_new_generic){.num_inputs = nest->num_inputs,
                                                                 .num_outputs = 1,
                                                                 .operands = operands,
                                                                 .maps = maps,
                                                                 .num_loops = nest->num_loops,
                                                                 .iterators = iterators,
                                                                 .results = &nest->type,
                                                                 .body = body_of(layers, nest)});
  return mlirOperationGetResult(made, 0);
}
