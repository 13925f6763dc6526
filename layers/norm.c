/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layer norm along whole features. It knows rows and features; it must not know what follows. */
#include "layer.h"

#include <math.h>

#include "mlir-c/BuiltinTypes.h"

/* ---- bodies ---------------------------------------------------------------------------------- */

/* A row's mean: the first input over the size. */
static MlirValue share(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const double *size = user;
  return ts_make_binary(build, "arith.divf", inputs[0], ts_number_like(build, inputs[0], *size));
}

/* Its variance, of x and the mean. */
static MlirValue square_share(const ts_maker *build, const MlirValue *inputs, const void *user) {
  MlirValue difference = ts_make_binary(build, "arith.subf", inputs[0], inputs[1]);
  MlirValue square = ts_make_binary(build, "arith.mulf", difference, difference);
  return share(build, &square, user);
}

/* The mean of a product. */
static MlirValue product_share(const ts_maker *build, const MlirValue *inputs, const void *user) {
  MlirValue product = ts_make_binary(build, "arith.mulf", inputs[0], inputs[1]);
  return share(build, &product, user);
}

static MlirValue inverse_root(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const double *epsilon = user;
  return ts_unary(
      build, "math.rsqrt",
      ts_make_binary(build, "arith.addf", inputs[0], ts_number_like(build, inputs[0], *epsilon)));
}

/* (x - mean) inverse. */
static MlirValue normal(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_make_binary(build, "arith.mulf",
                        ts_make_binary(build, "arith.subf", inputs[0], inputs[1]), inputs[2]);
}

/* inverse (d - mean of d - normal * mean of d normal), d being the gradient by the normal value. */
static MlirValue by_x(const ts_maker *build, const MlirValue *inputs, const void *user) {
  enum { D, NORMAL, INVERSE, MEAN, ALONG };
  (void)user;
  MlirValue along = ts_make_binary(build, "arith.mulf", inputs[NORMAL], inputs[ALONG]);
  MlirValue rest = ts_make_binary(build, "arith.subf", inputs[D], inputs[MEAN]);
  rest = ts_make_binary(build, "arith.subf", rest, along);
  return ts_make_binary(build, "arith.mulf", inputs[INVERSE], rest);
}

/* ---- nests ----------------------------------------------------------------------------------- */

/* A nest over `wide` tensors like x, and others of a number for each row. */
static ts_layer_nest over_rows(int num_wide, int num, const MlirValue *inputs) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(inputs[0]));
  ts_layer_nest nest = {.num_loops = rank, .num_inputs = num, .to = ts_loops(rank)};
  nest.type = mlirValueGetType(inputs[0]);
  for (int i = 0; i < num; i++) {
    nest.inputs[i] = inputs[i];
    nest.from[i] = ts_loops(i < num_wide ? rank : rank - 1);
  }
  return nest;
}

static MlirValue for_each(const tessera_layers *layers, int num_wide, int num,
                          const MlirValue *inputs, ts_element *element, const void *user) {
  ts_layer_nest nest = over_rows(num_wide, num, inputs);
  nest.element = element;
  nest.user = user;
  return ts_nest_build(layers, &nest);
}

/* A sum over each row. */
static MlirValue row_sum(const tessera_layers *layers, int num_wide, int num,
                         const MlirValue *inputs, ts_element *element, const void *user) {
  int64_t shape[TS_LAYER_RANK];
  int rank = ts_layers_shape(inputs[0], shape);
  ts_layer_nest nest = over_rows(num_wide, num, inputs);
  nest.to = ts_loops(rank - 1);
  nest.type = ts_layers_tensor(layers, rank - 1, shape);
  nest.gathering = TS_ADDED;
  nest.element = element;
  nest.user = user;
  return ts_nest_build(layers, &nest);
}

/* ---- the layer ------------------------------------------------------------------------------- */

static void gradient_of_normal(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                               const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  double size = node->number;
  MlirValue both[] = {by_result, node->result};
  MlirValue mean = row_sum(layers, 1, 1, both, share, &size);
  MlirValue along = row_sum(layers, 2, 2, both, product_share, &size);
  MlirValue inputs[] = {by_result, node->result, node->saved[0], mean, along};
  by_inputs[0] = for_each(layers, 2, 5, inputs, by_x, NULL);
}

/* (x - mean) / sqrt(variance + epsilon) for each row. */
static MlirValue normalize(tessera_layers *layers, MlirValue x, double epsilon) {
  double size = (double)ts_layers_extent(x, (int)mlirShapedTypeGetRank(mlirValueGetType(x)) - 1);
  MlirValue inputs[] = {x, row_sum(layers, 1, 1, &x, share, &size), {NULL}};
  MlirValue variance = row_sum(layers, 1, 2, inputs, square_share, &size);
  int rows = (int)mlirShapedTypeGetRank(mlirValueGetType(variance));
  inputs[2] = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rows,
                                                     .num_inputs = 1,
                                                     .inputs = {variance},
                                                     .to = ts_loops(rows),
                                                     .type = mlirValueGetType(variance),
                                                     .element = inverse_root,
                                                     .user = &epsilon});
  return ts_note(layers, &(ts_node){.gradient = gradient_of_normal,
                                    .result = for_each(layers, 1, 3, inputs, normal, NULL),
                                    .num_inputs = 1,
                                    .inputs = {x},
                                    .saved = {inputs[2]},
                                    .number = size});
}

MlirValue tessera_layer_norm(tessera_layers *layers, const char *name, MlirValue x,
                             double epsilon) {
  static const tessera_split whole[] = {TESSERA_WHOLE};
  if (!ts_layers_good(layers, 1, &x) || !ts_layers_check_name(layers, name, "a layer norm") ||
      !ts_layers_check(layers, x, 2, name))
    return (MlirValue){NULL};
  if (!(epsilon > 0) || !isfinite(epsilon))
    return ts_layers_fail(layers, "the epsilon of '%s' is %g: expected more than 0", name, epsilon);
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  const int64_t shape[] = {ts_layers_extent(x, rank - 1)};
  MlirValue weight = ts_parameter(layers, name, "weight", 1, shape, whole);
  MlirValue bias = ts_parameter(layers, name, "bias", 1, shape, whole);
  if (!weight.ptr || !bias.ptr)
    return (MlirValue){NULL};
  ts_layout layout = ts_activation_layout(rank, TESSERA_WHOLE);
  MlirValue y = normalize(layers, ts_annotate(layers, x, &layout), epsilon);
  y = ts_product(layers, y, ts_loops(rank), weight, ts_loops_from(rank - 1, 1), ts_loops(rank));
  return ts_add_bias(layers, y, bias);
}
