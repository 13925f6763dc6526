/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The mean, which losses end in. It must not know of what. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

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
  by_inputs[0] = ts_nest_build(layers, &(ts_nest){.num_loops = rank,
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
  MlirValue made = ts_nest_build(layers, &(ts_nest){.num_loops = rank,
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
