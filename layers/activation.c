/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Activations: functions of single elements, and their derivatives. It must not know tensors'
 * layouts. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

enum { GREATER = 2 }; /* arith's number of an ordered comparison */

/* ---- functions of one element ---------------------------------------------------------------- */

static MlirValue relu(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_make_binary(build, "arith.maximumf", inputs[0], ts_number_like(build, inputs[0], 0.0));
}

/* Of x, and the gradient by the result. */
static MlirValue relu_gradient(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  MlirValue zero = ts_number_like(build, inputs[0], 0.0);
  MlirValue active = ts_make_compare(build, "arith.cmpf", GREATER, inputs[0], zero);
  return ts_make_select(build, active, inputs[1], zero);
}

/* sqrt(2 / pi), and the cubic term's share. */
static const double gelu_scale = 0.79788456080286535588, gelu_cubic = 0.044715;

static MlirValue times(const ts_maker *build, MlirValue a, double b) {
  return ts_make_binary(build, "arith.mulf", a, ts_number_like(build, a, b));
}

static MlirValue plus(const ts_maker *build, MlirValue a, double b) {
  return ts_make_binary(build, "arith.addf", a, ts_number_like(build, a, b));
}

/* tanh(scale (x + cubic x^3)), of x and x^2. */
static MlirValue gelu_tanh(const ts_maker *build, MlirValue x, MlirValue square) {
  MlirValue factor = plus(build, times(build, square, gelu_cubic), 1.0);
  MlirValue inner = ts_make_binary(build, "arith.mulf", times(build, x, gelu_scale), factor);
  return ts_unary(build, "math.tanh", inner);
}

static MlirValue gelu(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  MlirValue x = inputs[0], square = ts_make_binary(build, "arith.mulf", x, x);
  MlirValue share = plus(build, gelu_tanh(build, x, square), 1.0);
  return ts_make_binary(build, "arith.mulf", times(build, x, 0.5), share);
}

/* (1 + t) / 2 + x / 2 (1 - t^2) scale (1 + 3 cubic x^2), times the gradient by the result. */
static MlirValue gelu_gradient(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  MlirValue x = inputs[0], square = ts_make_binary(build, "arith.mulf", x, x);
  MlirValue t = gelu_tanh(build, x, square), one = ts_number_like(build, x, 1.0);
  MlirValue slope =
      ts_make_binary(build, "arith.subf", one, ts_make_binary(build, "arith.mulf", t, t));
  MlirValue inner =
      times(build, plus(build, times(build, square, 3 * gelu_cubic), 1.0), gelu_scale);
  MlirValue second = ts_make_binary(build, "arith.mulf", times(build, x, 0.5),
                                    ts_make_binary(build, "arith.mulf", slope, inner));
  MlirValue all =
      ts_make_binary(build, "arith.addf", times(build, plus(build, t, 1.0), 0.5), second);
  return ts_make_binary(build, "arith.mulf", inputs[1], all);
}

typedef struct function {
  ts_element *value, *gradient;
} function;

static const function functions[] = {
    [TESSERA_RELU] = {relu, relu_gradient},
    [TESSERA_GELU] = {gelu, gelu_gradient},
};

/* ---- layers ---------------------------------------------------------------------------------- */

static MlirValue apply(const tessera_layers *layers, ts_element *element, int num,
                       const MlirValue *inputs) {
  MlirType type = mlirValueGetType(inputs[0]);
  int rank = (int)mlirShapedTypeGetRank(type);
  return ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                .num_inputs = num,
                                                .inputs = {inputs[0], inputs[num - 1]},
                                                .to = ts_loops(rank),
                                                .type = type,
                                                .element = element});
}

static void gradient_of_activation(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                                   const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  MlirValue inputs[] = {node->inputs[0], by_result};
  by_inputs[0] = apply(layers, functions[node->kind].gradient, 2, inputs);
}

MlirValue tessera_layer_activation(tessera_layers *layers, MlirValue x,
                                   tessera_activation activation) {
  if (!ts_layers_good(layers, 1, &x) || !ts_layers_check(layers, x, 0, "what is activated"))
    return (MlirValue){NULL};
  if ((unsigned)activation >= sizeof(functions) / sizeof(functions[0]))
    return ts_layers_fail(layers, "there is no activation %d: expected a tessera_activation",
                          (int)activation);
  return ts_note(layers, &(ts_node){.gradient = gradient_of_activation,
                                    .result = apply(layers, functions[activation].value, 1, &x),
                                    .num_inputs = 1,
                                    .inputs = {x},
                                    .kind = (int)activation});
}
