/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products and biases: the steps that linear layers and attention are made of. It must not
 * know what is split over what. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

/* ---- products -------------------------------------------------------------------------------- */

/* Notes in `extents` how long the loops are that this operand follows; returns their number so far.
 */
static int read_extents(MlirValue value, const ts_layer_access *access, int64_t *extents,
                        int num_loops) {
  for (int d = 0; d < access->num; d++) {
    extents[access->loops[d]] = ts_layers_extent(value, d);
    num_loops = access->loops[d] >= num_loops ? access->loops[d] + 1 : num_loops;
  }
  return num_loops;
}

static MlirValue build_product(const tessera_layers *layers, MlirValue a,
                               const ts_layer_access *of_a, MlirValue b,
                               const ts_layer_access *of_b, const ts_layer_access *to) {
  int64_t extents[2 * TS_LAYER_RANK], shape[TS_LAYER_RANK];
  int num_loops = read_extents(a, of_a, extents, 0);
  num_loops = read_extents(b, of_b, extents, num_loops);
  for (int d = 0; d < to->num; d++)
    shape[d] = extents[to->loops[d]];
  return ts_nest_build(layers,
                       &(ts_layer_nest){.num_loops = num_loops,
                                        .num_inputs = 2,
                                        .inputs = {a, b},
                                        .from = {*of_a, *of_b},
                                        .to = *to,
                                        .type = ts_layers_tensor(layers, to->num, shape),
                                        .gathering = to->num < num_loops ? TS_ADDED : TS_EACH,
                                        .element = ts_times});
}

static void gradient_of_product(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                                const bool *wanted, MlirValue *by_inputs) {
  const ts_layer_access *of = node->accesses, *to = &node->accesses[2];
  if (wanted[0])
    by_inputs[0] = build_product(layers, by_result, to, node->inputs[1], &of[1], &of[0]);
  if (wanted[1])
    by_inputs[1] = build_product(layers, node->inputs[0], &of[0], by_result, to, &of[1]);
}

MlirValue ts_product(tessera_layers *layers, MlirValue a, ts_layer_access of_a, MlirValue b,
                     ts_layer_access of_b, ts_layer_access to) {
  return ts_note(layers, &(ts_node){.gradient = gradient_of_product,
                                    .result = build_product(layers, a, &of_a, b, &of_b, &to),
                                    .num_inputs = 2,
                                    .inputs = {a, b},
                                    .accesses = {of_a, of_b, to}});
}

/* ---- biases ---------------------------------------------------------------------------------- */

static void gradient_of_bias(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                             const bool *wanted, MlirValue *by_inputs) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(by_result));
  MlirType type = mlirValueGetType(node->inputs[1]);
  int num = (int)mlirShapedTypeGetRank(type);
  by_inputs[0] = by_result;
  if (wanted[1])
    by_inputs[1] = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                          .num_inputs = 1,
                                                          .inputs = {by_result},
                                                          .to = ts_loops_from(rank - num, num),
                                                          .type = type,
                                                          .gathering = TS_ADDED,
                                                          .element = ts_same});
}

MlirValue ts_add_bias(tessera_layers *layers, MlirValue x, MlirValue b) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  int num = (int)mlirShapedTypeGetRank(mlirValueGetType(b));
  MlirValue made = ts_nest_build(
      layers, &(ts_layer_nest){.num_loops = rank,
                               .num_inputs = 2,
                               .inputs = {x, b},
                               .from = {ts_loops(rank), ts_loops_from(rank - num, num)},
                               .to = ts_loops(rank),
                               .type = mlirValueGetType(x),
                               .element = ts_plus});
  return ts_note(
      layers,
      &(ts_node){.gradient = gradient_of_bias, .result = made, .num_inputs = 2, .inputs = {x, b}});
}

/* ---- sums of two ----------------------------------------------------------------------------- */

static void gradient_of_sum(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                            const bool *wanted, MlirValue *by_inputs) {
  (void)layers;
  (void)node;
  (void)wanted;
  by_inputs[0] = by_inputs[1] = by_result;
}

MlirValue tessera_layer_add(tessera_layers *layers, MlirValue a, MlirValue b) {
  MlirValue both[] = {a, b};
  if (!ts_layers_good(layers, 2, both) || !ts_layers_check(layers, a, 0, "the first of a sum") ||
      !ts_layers_check(layers, b, 0, "the second of a sum"))
    return (MlirValue){NULL};
  if (!mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)))
    return ts_layers_fail(layers, "a sum of tensors of different shapes: expected one shape");
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(a));
  MlirValue made = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                          .num_inputs = 2,
                                                          .inputs = {a, b},
                                                          .to = ts_loops(rank),
                                                          .type = mlirValueGetType(a),
                                                          .element = ts_plus});
  return ts_note(
      layers,
      &(ts_node){.gradient = gradient_of_sum, .result = made, .num_inputs = 2, .inputs = {a, b}});
}
