/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Softmax along the last dimension, with a causal mask. It must not know heads. */
#include "layer.h"

#include <math.h>

#include "mlir-c/BuiltinTypes.h"

enum { GREATER = 8 }; /* arith's number: unsigned greater */

typedef struct scores {
  double scale;
  ts_mask mask;
  int last; /* loop */
} scores;

/* ---- bodies ---------------------------------------------------------------------------------- */

/* scale x, or what exp makes 0 of. */
static MlirValue score(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const scores *s = user;
  MlirValue scaled =
      ts_make_binary(build, "arith.mulf", inputs[0], ts_number_like(build, inputs[0], s->scale));
  if (s->mask == TS_ALL)
    return scaled;
  MlirValue later = ts_make_compare(build, "arith.cmpi", GREATER, ts_loop_index(build, s->last),
                                    ts_loop_index(build, s->last - 1));
  return ts_make_select(build, later, ts_number_like(build, scaled, -HUGE_VAL), scaled);
}

/* Of x and its row's largest score. */
static MlirValue shifted_exp(const ts_maker *build, const MlirValue *inputs, const void *user) {
  return ts_unary(build, "math.exp",
                  ts_make_binary(build, "arith.subf", score(build, inputs, user), inputs[1]));
}

static MlirValue quotient(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_make_binary(build, "arith.divf", inputs[0], inputs[1]);
}

/* scale p (d - sum of p d); p is 0 where masked. */
static MlirValue by_x(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const double *scale = user;
  MlirValue rest = ts_make_binary(build, "arith.subf", inputs[1], inputs[2]);
  MlirValue product = ts_make_binary(build, "arith.mulf", inputs[0], rest);
  return ts_make_binary(build, "arith.mulf", product, ts_number_like(build, product, *scale));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Of one or two inputs as wide as the result, then one of a number for each row. */
static MlirValue for_each(const tessera_layers *layers, int num, const MlirValue *inputs,
                          ts_element *element, const void *user) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(inputs[0]));
  ts_layer_nest nest = {.num_loops = rank,
                        .num_inputs = num,
                        .to = ts_loops(rank),
                        .type = mlirValueGetType(inputs[0]),
                        .element = element,
                        .user = user};
  for (int i = 0; i < num; i++) {
    nest.inputs[i] = inputs[i];
    nest.from[i] = ts_loops(i < num - 1 ? rank : rank - 1);
  }
  return ts_nest_build(layers, &nest);
}

/* Of each row of inputs that are all as wide. */
static MlirValue for_rows(const tessera_layers *layers, int num, const MlirValue *inputs,
                          ts_gathering gathering, ts_element *element, const void *user) {
  int64_t shape[TS_LAYER_RANK];
  int rank = ts_layers_shape(inputs[0], shape);
  ts_layer_nest nest = {.num_loops = rank,
                        .num_inputs = num,
                        .to = ts_loops(rank - 1),
                        .type = ts_layers_tensor(layers, rank - 1, shape),
                        .gathering = gathering,
                        .element = element,
                        .user = user};
  for (int i = 0; i < num; i++)
    nest.inputs[i] = inputs[i];
  return ts_nest_build(layers, &nest);
}

static void gradient_of_softmax(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                                const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  MlirValue inputs[] = {node->result, by_result, {NULL}};
  inputs[2] = for_rows(layers, 2, inputs, TS_ADDED, ts_times, NULL);
  by_inputs[0] = for_each(layers, 3, inputs, by_x, &node->number);
}

MlirValue ts_softmax(tessera_layers *layers, MlirValue x, double scale, ts_mask mask) {
  scores s = {scale, mask, (int)mlirShapedTypeGetRank(mlirValueGetType(x)) - 1};
  MlirValue inputs[] = {x, for_rows(layers, 1, &x, TS_LARGEST, score, &s)};
  MlirValue powers[] = {for_each(layers, 2, inputs, shifted_exp, &s), {NULL}};
  powers[1] = for_rows(layers, 1, powers, TS_ADDED, ts_same, NULL);
  return ts_note(layers, &(ts_node){.gradient = gradient_of_softmax,
                                    .result = for_each(layers, 2, powers, quotient, NULL),
                                    .num_inputs = 1,
                                    .inputs = {x},
                                    .number = scale});
}
