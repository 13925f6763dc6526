/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A function for each layer: its result, and the gradients by its input and its parameters. Sizes
 * are odd, so that pieces are uneven. check.py knows what they compute. */
#include "cases.h"

#include <stdio.h>

#include "mlir-c/BuiltinTypes.h"

enum {
  ROWS = 7,
  TOKENS = 5,
  FEATURES = 6,
  HIDDEN = 9,
  OUT = 3,
  VOCABULARY = 11,
  LARGE_VOCABULARY = 101,
  HEADS = 3,
  HEAD_SIZE = 2,
  MAX_RESULTS = 32
};

static const tessera_split by_data[] = {TESSERA_BY_DATA, TESSERA_WHOLE, TESSERA_WHOLE};
static const tessera_split by_both[] = {TESSERA_BY_DATA, TESSERA_BY_TENSOR};

/* Returns y, and its gradients, weighted by the argument "seed", by `x` (null: not by it) and all
 * parameters. */
static bool finish(tessera_layers *layers, MlirValue x, MlirValue y, const tessera_split *splits) {
  int64_t shape[8];
  MlirValue by[MAX_RESULTS], results[MAX_RESULTS + 1];
  char text[MAX_RESULTS + 1][64];
  const char *names[MAX_RESULTS + 1] = {"y"};
  int32_t num = 0;
  if (mlirValueIsNull(y))
    return tessera_layers_finish(layers, 0, NULL, NULL);
  MlirType type = mlirValueGetType(y);
  for (int d = 0; d < (int)mlirShapedTypeGetRank(type); d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  MlirValue seed = tessera_layers_input(layers, "seed", (MlirType){NULL},
                                        (int32_t)mlirShapedTypeGetRank(type), shape, splits);
  if (!mlirValueIsNull(x)) {
    by[num] = x;
    names[++num] = "by.x";
  }
  for (int32_t i = 0; i < tessera_layers_num_parameters(layers); i++) {
    by[num] = tessera_layers_parameter_value(layers, i);
    snprintf(text[num], sizeof(text[num]), "by.%s", tessera_layers_parameter_name(layers, i));
    names[num + 1] = text[num];
    num++;
  }
  results[0] = y;
  tessera_layers_gradient(layers, y, seed, num, by, results + 1);
  return tessera_layers_finish(layers, num + 1, results, names);
}

static MlirValue rows(tessera_layers *layers, const tessera_split *splits) {
  const int64_t shape[] = {ROWS, FEATURES};
  return tessera_layers_input(layers, "x", (MlirType){NULL}, 2, shape, splits);
}

static MlirValue sentences(tessera_layers *layers) {
  const int64_t shape[] = {ROWS, TOKENS, FEATURES};
  return tessera_layers_input(layers, "x", (MlirType){NULL}, 3, shape, by_data);
}

/* ---- linear layers --------------------------------------------------------------------------- */

static bool column(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data);
  return finish(layers, x, tessera_layer_column_parallel(layers, "c", x, HIDDEN, 0), by_both);
}

static bool column_gathered(MlirModule module, const char *name,
                            const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  MlirValue y = tessera_layer_column_parallel(layers, "c", x, HIDDEN, TESSERA_GATHER_OUTPUT);
  return finish(layers, x, y, by_data);
}

static bool column_plain(MlirModule module, const char *name,
                         const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data);
  MlirValue y = tessera_layer_column_parallel(layers, "c", x, HIDDEN, TESSERA_NO_BIAS);
  return finish(layers, x, y, by_both);
}

static bool row(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_both);
  return finish(layers, x, tessera_layer_row_parallel(layers, "r", x, OUT, 0), by_data);
}

static bool row_of_whole(MlirModule module, const char *name,
                         const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  MlirValue y =
      tessera_layer_row_parallel(layers, "r", x, OUT, TESSERA_WHOLE_INPUT | TESSERA_NO_BIAS);
  return finish(layers, x, y, by_data);
}

static bool row_of_whole_bias(MlirModule module, const char *name,
                              const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data);
  MlirValue y = tessera_layer_row_parallel(layers, "r", x, OUT, TESSERA_WHOLE_INPUT);
  return finish(layers, x, y, by_data);
}

static bool mlp_plain(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data);
  MlirValue y = tessera_layer_mlp(layers, "mlp", x, HIDDEN, OUT, TESSERA_RELU, TESSERA_NO_BIAS);
  return finish(layers, x, y, by_data);
}

static bool mlp(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  MlirValue y = tessera_layer_mlp(layers, "mlp", x, HIDDEN, FEATURES, TESSERA_GELU, 0);
  return finish(layers, x, y, by_data);
}

static const char *dimension(const tessera_layers_options *options, int32_t dim) {
  static const char *const usual[] = {"data", "tensor", "pipeline", "expert"};
  return options->names ? options->names[dim] : usual[dim];
}

/* Batches over the last dimension of the mesh, layers over the first one, whatever these are
 * called. */
static bool mlp_elsewhere(MlirModule module, const char *name,
                          const tessera_layers_options *options) {
  tessera_layers_options own = *options;
  if (own.num_dims > 1) {
    own.data = dimension(options, own.num_dims - 1);
    own.tensor = dimension(options, 0);
  }
  return mlp(module, name, &own);
}

/* The same layer twice, its input added: values and parameters of several uses. */
static bool residual(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data), y = x;
  for (int i = 0; i < 2; i++) {
    MlirValue change = tessera_layer_mlp(layers, "mlp", y, HIDDEN, FEATURES, TESSERA_RELU, 0);
    y = tessera_layer_add(layers, y, change);
  }
  return finish(layers, x, y, by_data);
}

/* A step of gradient descent on the mean. */
static bool descend(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data), rate = tessera_layers_scalar(layers, "rate");
  MlirValue y = tessera_layer_mlp(layers, "mlp", x, HIDDEN, OUT, TESSERA_GELU, 0);
  MlirValue loss = tessera_layer_mean(layers, y), weights[8], gradients[8], results[9] = {loss};
  const char *names[9] = {"loss"};
  int32_t num = tessera_layers_num_parameters(layers);
  for (int32_t i = 0; i < num; i++) {
    weights[i] = tessera_layers_parameter_value(layers, i);
    names[1 + i] = tessera_layers_parameter_name(layers, i);
  }
  tessera_layers_gradient(layers, loss, (MlirValue){NULL}, num, weights, gradients);
  for (int32_t i = 0; i < num; i++)
    results[1 + i] = tessera_layers_descend(layers, weights[i], gradients[i], rate);
  return tessera_layers_finish(layers, 1 + num, results, names);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* By itself; ops have the place that was told before. */
static bool activation(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirLocation place = mlirLocationFileLineColGet(mlirModuleGetContext(module),
                                                  mlirStringRefCreateFromCString("model.py"), 3, 5);
  MlirValue x = rows(layers, by_both);
  tessera_layers_at(layers, place);
  MlirValue y = tessera_layer_activation(layers, x, TESSERA_GELU);
  bool is_there = !mlirValueIsNull(y) && mlirValueIsAOpResult(y) &&
                  mlirLocationEqual(mlirOperationGetLocation(mlirOpResultGetOwner(y)), place);
  return finish(layers, x, y, by_both) && is_there;
}

/* Values, and the gradient by them, that are brought to other layouts and back. */
static bool annotate(MlirModule module, const char *name, const tessera_layers_options *options) {
  static const tessera_split by_tensor[] = {TESSERA_BY_TENSOR, TESSERA_BY_DATA};
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data);
  MlirValue y = tessera_layer_annotate(layers, x, by_tensor);
  y = tessera_layer_annotate(layers, tessera_layer_activation(layers, y, TESSERA_RELU), by_both);
  return finish(layers, x, y, by_both);
}

static bool norm(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  return finish(layers, x, tessera_layer_norm(layers, "n", x, 1e-5), by_data);
}

/* A gradient that is added to what other batches gave; each device along data keeps its part. */
static bool accumulate(MlirModule module, const char *name, const tessera_layers_options *options) {
  static const char *const names[] = {"sum.c.weight", "sum.c.bias"};
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = rows(layers, by_data), by[2], gradients[2], sums[2];
  MlirValue y = tessera_layer_column_parallel(layers, "c", x, HIDDEN, 0);
  for (int i = 0; i < 2; i++)
    by[i] = tessera_layers_parameter_value(layers, i);
  tessera_layers_gradient(layers, tessera_layer_mean(layers, y), (MlirValue){NULL}, 2, by,
                          gradients);
  for (int i = 0; i < 2; i++)
    sums[i] = tessera_layers_accumulate(layers, tessera_layers_sum(layers, names[i], by[i]),
                                        gradients[i]);
  return tessera_layers_finish(layers, 2, sums, names);
}

static MlirValue integers(tessera_layers *layers, MlirModule module, const char *name,
                          unsigned bits) {
  const int64_t shape[] = {ROWS, TOKENS};
  return tessera_layers_input(layers, name, mlirIntegerTypeGet(mlirModuleGetContext(module), bits),
                              2, shape, by_data);
}

static bool embedding(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue ids = integers(layers, module, "ids", 32);
  MlirValue y = tessera_layer_embedding(layers, "e", ids, VOCABULARY, FEATURES);
  return finish(layers, (MlirValue){NULL}, y, by_data);
}

/* A table that is larger than what is looked up. */
static bool embedding_large(MlirModule module, const char *name,
                            const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue ids = integers(layers, module, "many_ids", 64);
  MlirValue y = tessera_layer_embedding(layers, "e", ids, LARGE_VOCABULARY, FEATURES);
  return finish(layers, (MlirValue){NULL}, y, by_data);
}

static bool attention(MlirModule module, const char *name, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  return finish(layers, x, tessera_layer_attention(layers, "a", x, HEADS, HEAD_SIZE, 0), by_data);
}

static bool attention_causal(MlirModule module, const char *name,
                             const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = sentences(layers);
  MlirValue y =
      tessera_layer_attention(layers, "a", x, HEADS, HEAD_SIZE, TESSERA_CAUSAL | TESSERA_NO_BIAS);
  return finish(layers, x, y, by_data);
}

static bool cross_entropy(MlirModule module, const char *name,
                          const tessera_layers_options *options) {
  static const tessera_split splits[] = {TESSERA_BY_DATA, TESSERA_WHOLE, TESSERA_BY_TENSOR};
  const int64_t shape[] = {ROWS, TOKENS, VOCABULARY};
  tessera_layers *layers = tessera_layers_begin(module, name, options);
  MlirValue x = tessera_layers_input(layers, "x", (MlirType){NULL}, 3, shape, splits);
  MlirValue labels = integers(layers, module, "labels", 64);
  return finish(layers, x, tessera_layer_cross_entropy(layers, x, labels), by_data);
}

const layer_case layer_cases[] = {
    {"column", column},
    {"column_gathered", column_gathered},
    {"column_plain", column_plain},
    {"row", row},
    {"row_of_whole", row_of_whole},
    {"row_of_whole_bias", row_of_whole_bias},
    {"mlp", mlp},
    {"mlp_plain", mlp_plain},
    {"mlp_elsewhere", mlp_elsewhere},
    {"residual", residual},
    {"descend", descend},
    {"activation", activation},
    {"annotate", annotate},
    {"norm", norm},
    {"embedding", embedding},
    {"accumulate", accumulate},
    {"embedding_large", embedding_large},
    {"attention", attention},
    {"attention_causal", attention_causal},
    {"cross_entropy", cross_entropy},
};
const int num_layer_cases = sizeof(layer_cases) / sizeof(layer_cases[0]);
