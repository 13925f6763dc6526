/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Cross-entropy over logits that are split along the vocabulary, and the mean that losses end in.
 * It knows rows and labels; it must not know who has which logits. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

enum { EQUAL = 0, LESS = 6 }; /* arith's numbers: equal; unsigned less */

/* ---- cross-entropy --------------------------------------------------------------------------- */

typedef struct vocabulary {
  int loop; /* the last */
  int64_t size;
} vocabulary;

/* Of a logit and its row's largest. */
static MlirValue shifted_exp(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  return ts_unary(build, "math.exp", ts_make_binary(build, "arith.subf", inputs[0], inputs[1]));
}

/* Is the label the number of the logit? */
static MlirValue is_picked(const ts_maker *build, MlirValue label, const vocabulary *v) {
  MlirValue index = ts_loop_index(build, v->loop);
  MlirValue place =
      ts_make_value(build, "arith.index_cast", 1, &index, mlirValueGetType(label), 0, NULL);
  return ts_make_compare(build, "arith.cmpi", EQUAL, place, label);
}

/* Of a logit and a label: the logit if it is the label's. */
static MlirValue picked(const ts_maker *build, const MlirValue *inputs, const void *user) {
  return ts_make_select(build, is_picked(build, inputs[1], user), inputs[0],
                        ts_number_like(build, inputs[0], 0.0));
}

/* `value`, or 0 if the label is outside the vocabulary; a negative one is a large one without a
 * sign. */
static MlirValue if_known(const ts_maker *build, MlirValue label, MlirValue value,
                          const vocabulary *v) {
  MlirValue is_known =
      ts_make_compare(build, "arith.cmpi", LESS, label, ts_integer_like(build, label, v->size));
  return ts_make_select(build, is_known, value, ts_number_like(build, value, 0.0));
}

/* Of the largest logit, the sum of powers, the label's logit, and the label. */
static MlirValue row_loss(const ts_maker *build, const MlirValue *inputs, const void *user) {
  MlirValue log = ts_unary(build, "math.log", inputs[1]);
  MlirValue all = ts_make_binary(build, "arith.addf", inputs[0], log);
  MlirValue loss = ts_make_binary(build, "arith.subf", all, inputs[2]);
  return if_known(build, inputs[3], loss, user);
}

/* (probability - 1 at the label, else 0) times the gradient by the row's loss. */
static MlirValue by_logit(const ts_maker *build, const MlirValue *inputs, const void *user) {
  enum { POWER, SUM, LABEL, BY_LOSS };
  MlirValue probability = ts_make_binary(build, "arith.divf", inputs[POWER], inputs[SUM]);
  MlirValue one = ts_number_like(build, probability, 1.0);
  MlirValue zero = ts_number_like(build, probability, 0.0);
  MlirValue hot = ts_make_select(build, is_picked(build, inputs[LABEL], user), one, zero);
  MlirValue difference = ts_make_binary(build, "arith.subf", probability, hot);
  MlirValue weighted = ts_make_binary(build, "arith.mulf", difference, inputs[BY_LOSS]);
  return if_known(build, inputs[LABEL], weighted, user);
}

/* A nest over logits or what is as wide, the first input, and numbers of rows. */
static ts_layer_nest over_logits(int num, const MlirValue *inputs, ts_element *element,
                                 const vocabulary *v) {
  ts_layer_nest nest = {.num_loops = v->loop + 1,
                        .num_inputs = num,
                        .to = ts_loops(v->loop + 1),
                        .type = mlirValueGetType(inputs[0]),
                        .element = element,
                        .user = v};
  for (int i = 0; i < num; i++) {
    nest.inputs[i] = inputs[i];
    nest.from[i] = ts_loops(i == 0 ? v->loop + 1 : v->loop);
  }
  return nest;
}

static MlirType rows_type(const tessera_layers *layers, MlirValue logits) {
  int64_t shape[TS_LAYER_RANK];
  return ts_layers_tensor(layers, ts_layers_shape(logits, shape) - 1, shape);
}

static MlirValue over_rows(const tessera_layers *layers, int num, const MlirValue *inputs,
                           ts_gathering gathering, ts_element *element, const vocabulary *v) {
  ts_layer_nest nest = over_logits(num, inputs, element, v);
  nest.to = ts_loops(v->loop);
  nest.type = rows_type(layers, inputs[0]);
  nest.gathering = gathering;
  return ts_nest_build(layers, &nest);
}

static vocabulary vocabulary_of(MlirValue logits) {
  int last = (int)mlirShapedTypeGetRank(mlirValueGetType(logits)) - 1;
  return (vocabulary){last, ts_layers_extent(logits, last)};
}

static void gradient_of_loss(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                             const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  vocabulary v = vocabulary_of(node->inputs[0]);
  MlirValue inputs[] = {node->saved[0], node->saved[1], node->saved[2], by_result};
  ts_layer_nest nest = over_logits(4, inputs, by_logit, &v);
  by_inputs[0] = ts_nest_build(layers, &nest);
}

static MlirValue losses_of(tessera_layers *layers, MlirValue logits, MlirValue labels) {
  vocabulary v = vocabulary_of(logits);
  MlirValue largest = over_rows(layers, 1, &logits, TS_LARGEST, ts_same, &v);
  MlirValue shifted[] = {logits, largest}, with_label[] = {logits, labels};
  ts_layer_nest powers = over_logits(2, shifted, shifted_exp, &v);
  MlirValue power = ts_nest_build(layers, &powers);
  MlirValue sum = over_rows(layers, 1, &power, TS_ADDED, ts_same, &v);
  MlirValue own = over_rows(layers, 2, with_label, TS_ADDED, picked, &v);
  MlirValue made = ts_nest_build(layers, &(ts_layer_nest){.num_loops = v.loop,
                                                          .num_inputs = 4,
                                                          .inputs = {largest, sum, own, labels},
                                                          .to = ts_loops(v.loop),
                                                          .type = mlirValueGetType(largest),
                                                          .element = row_loss,
                                                          .user = &v});
  return ts_note(layers, &(ts_node){.gradient = gradient_of_loss,
                                    .result = made,
                                    .num_inputs = 1,
                                    .inputs = {logits},
                                    .saved = {power, sum, labels}});
}

static bool check_labels(tessera_layers *layers, MlirValue logits, MlirValue labels) {
  MlirType type = mlirValueGetType(labels);
  int64_t shape[TS_LAYER_RANK];
  int rank = ts_layers_shape(logits, shape);
  bool fits = mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == rank - 1;
  MlirType element = fits ? mlirShapedTypeGetElementType(type) : type;
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 0;
  for (int d = 0; fits && d < rank - 1; d++)
    fits = !mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) == shape[d];
  if (fits && (bits == 32 || bits == 64) && mlirIntegerTypeIsSignless(element) &&
      (bits == 64 || shape[rank - 1] <= INT32_MAX))
    return true;
  ts_layers_fail(layers, "labels are no tensor of i32 or i64 with one for each row of the logits");
  return false;
}

MlirValue tessera_layer_cross_entropy(tessera_layers *layers, MlirValue logits, MlirValue labels) {
  MlirValue both[] = {logits, labels};
  if (!ts_layers_good(layers, 2, both) || !ts_layers_check(layers, logits, 2, "what has a loss") ||
      !check_labels(layers, logits, labels))
    return (MlirValue){NULL};
  ts_layout split =
      ts_activation_layout((int)mlirShapedTypeGetRank(mlirValueGetType(logits)), TESSERA_BY_TENSOR);
  MlirValue losses = losses_of(layers, ts_annotate(layers, logits, &split), labels);
  ts_layout rows = ts_batch_layout((int)mlirShapedTypeGetRank(mlirValueGetType(losses)));
  return ts_annotate(layers, losses, &rows);
}

/* ---- the mean -------------------------------------------------------------------------------- */

static int64_t num_elements(MlirValue x) {
  int64_t shape[TS_LAYER_RANK], num = 1;
  int rank = ts_layers_shape(x, shape);
  for (int d = 0; d < rank; d++)
    num *= shape[d];
  return num;
}

/* The first input times a number. */
static MlirValue scaled(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const double *scale = user;
  return ts_make_binary(build, "arith.mulf", inputs[0], ts_number_like(build, inputs[0], *scale));
}

/* Each element has the same part in the mean. */
static void gradient_of_mean(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                             const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  MlirType type = mlirValueGetType(node->inputs[0]);
  int rank = (int)mlirShapedTypeGetRank(type);
  by_inputs[0] = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                        .num_inputs = 1,
                                                        .inputs = {by_result},
                                                        .to = ts_loops(rank),
                                                        .type = type,
                                                        .element = scaled,
                                                        .user = &node->number});
}

MlirValue tessera_layer_mean(tessera_layers *layers, MlirValue x) {
  if (!ts_layers_good(layers, 1, &x) || !ts_layers_check(layers, x, 1, "what is averaged"))
    return (MlirValue){NULL};
  double share = 1.0 / (double)num_elements(x);
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  MlirValue made = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                          .num_inputs = 1,
                                                          .inputs = {x},
                                                          .to = ts_loops(0),
                                                          .type = ts_layers_tensor(layers, 0, NULL),
                                                          .gathering = TS_ADDED,
                                                          .element = scaled,
                                                          .user = &share});
  return ts_note(layers, &(ts_node){.gradient = gradient_of_mean,
                                    .result = made,
                                    .num_inputs = 1,
                                    .inputs = {x},
                                    .number = share});
}
