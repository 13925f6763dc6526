/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A small transformer that predicts the next token, made of parallel layers, as annotated MLIR: one
 * training step for a mesh of data x tensor, or two stages for one of pipeline x tensor. It knows
 * layers; it must not know how they are partitioned or run.
 *
 *   model step DATA TENSOR      @step: tokens, labels, weights -> loss, new weights
 *   model stages TENSOR         @stage0_forward, @stage0_backward, @stage1_backward,
 * @stage0_update,
 *                               @stage1_update: the same in two stages, for a microbatch each
 *
 * Sizes are odd on purpose: five heads, 13 tokens, and so on, are uneven pieces on two devices. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include "tessera/layers.h"

enum {
  BATCH = 12,
  MICROBATCHES = 4,
  TOKENS = 9,
  VOCABULARY = 13,
  FEATURES = 20,
  HEADS = 5,
  HEAD_SIZE = 4,
  HIDDEN = 31,
  MAX_RESULTS = 64
};

/* What a function returns, as it is put together. */
typedef struct results {
  int32_t num;
  MlirValue values[MAX_RESULTS];
  char names[MAX_RESULTS][64];
} results;

static void add_result(results *r, const char *prefix, const char *name, MlirValue value) {
  if (r->num == MAX_RESULTS)
    return;
  snprintf(r->names[r->num], sizeof(r->names[r->num]), "%s%s", prefix, name);
  r->values[r->num++] = value;
}

static bool finish(tessera_layers *layers, const results *r) {
  const char *names[MAX_RESULTS];
  for (int32_t i = 0; i < r->num; i++)
    names[i] = r->names[i];
  return tessera_layers_finish(layers, r->num, r->values, names);
}

/* ---- the model ------------------------------------------------------------------------------- */

static const tessera_split by_data[] = {TESSERA_BY_DATA, TESSERA_WHOLE, TESSERA_WHOLE};

static MlirValue integers(tessera_layers *layers, MlirModule module, const char *name, int batch) {
  const int64_t shape[] = {batch, TOKENS};
  return tessera_layers_input(layers, name, mlirIntegerTypeGet(mlirModuleGetContext(module), 32), 2,
                              shape, by_data);
}

static MlirValue embed(tessera_layers *layers, MlirModule module, int batch) {
  MlirValue tokens = integers(layers, module, "tokens", batch);
  MlirValue places = integers(layers, module, "places", batch);
  return tessera_layer_add(
      layers, tessera_layer_embedding(layers, "embedding", tokens, VOCABULARY, FEATURES),
      tessera_layer_embedding(layers, "place", places, TOKENS, FEATURES));
}

static MlirValue block(tessera_layers *layers, int number, MlirValue x) {
  char names[4][32];
  static const char *const parts[] = {"norm1", "attention", "norm2", "mlp"};
  for (int i = 0; i < 4; i++)
    snprintf(names[i], sizeof(names[i]), "block%d.%s", number, parts[i]);
  MlirValue y = tessera_layer_norm(layers, names[0], x, 1e-5);
  y = tessera_layer_attention(layers, names[1], y, HEADS, HEAD_SIZE, TESSERA_CAUSAL);
  x = tessera_layer_add(layers, x, y);
  y = tessera_layer_norm(layers, names[2], x, 1e-5);
  y = tessera_layer_mlp(layers, names[3], y, HIDDEN, FEATURES, TESSERA_GELU, 0);
  return tessera_layer_annotate(layers, tessera_layer_add(layers, x, y), by_data);
}

/* The mean loss of all tokens. */
static MlirValue loss_of(tessera_layers *layers, MlirModule module, int batch, MlirValue x) {
  MlirValue labels = integers(layers, module, "labels", batch);
  x = tessera_layer_norm(layers, "norm", x, 1e-5);
  MlirValue logits = tessera_layer_column_parallel(layers, "logits", x, VOCABULARY, 0);
  return tessera_layer_mean(layers, tessera_layer_cross_entropy(layers, logits, labels));
}

/* ---- on a mesh of data x tensor -------------------------------------------------------------- */

static bool write_step(MlirModule module, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, "step", options);
  MlirValue x = embed(layers, module, BATCH), weights[MAX_RESULTS], gradients[MAX_RESULTS];
  for (int i = 0; i < 2; i++)
    x = block(layers, i, x);
  MlirValue loss = loss_of(layers, module, BATCH, x);
  MlirValue rate = tessera_layers_scalar(layers, "rate");
  results r = {0};
  add_result(&r, "", "loss", loss);
  int32_t num = tessera_layers_num_parameters(layers);
  for (int32_t i = 0; i < num; i++)
    weights[i] = tessera_layers_parameter_value(layers, i);
  tessera_layers_gradient(layers, loss, (MlirValue){NULL}, num, weights, gradients);
  for (int32_t i = 0; i < num; i++)
    add_result(&r, "", tessera_layers_parameter_name(layers, i),
               tessera_layers_descend(layers, weights[i], gradients[i], rate));
  return finish(layers, &r);
}

/* ---- on a mesh of pipeline x tensor ---------------------------------------------------------- */

enum { MICROBATCH = BATCH / MICROBATCHES };

/* What passes between the stages. */
static MlirValue between(tessera_layers *layers, const char *name) {
  const int64_t shape[] = {MICROBATCH, TOKENS, FEATURES};
  return tessera_layers_input(layers, name, (MlirType){NULL}, 3, shape, by_data);
}

/* Adds the gradients by all parameters, and by `input` (null: not by it), to the results: the
 * former added to the sums of the microbatches before. */
static void add_gradients(tessera_layers *layers, MlirValue of, MlirValue seed, MlirValue input,
                          results *r) {
  MlirValue by[MAX_RESULTS], gradients[MAX_RESULTS] = {{NULL}};
  int32_t num = tessera_layers_num_parameters(layers), all = num;
  for (int32_t i = 0; i < num; i++)
    by[i] = tessera_layers_parameter_value(layers, i);
  if (!mlirValueIsNull(input))
    by[all++] = input;
  tessera_layers_gradient(layers, of, seed, all, by, gradients);
  for (int32_t i = 0; i < num; i++) {
    char name[64];
    snprintf(name, sizeof(name), "sum.%s", tessera_layers_parameter_name(layers, i));
    MlirValue sum = tessera_layers_sum(layers, name, by[i]);
    add_result(r, "", name, tessera_layers_accumulate(layers, sum, gradients[i]));
  }
  if (all > num)
    add_result(r, "", "by.hidden", tessera_layer_annotate(layers, gradients[num], by_data));
}

static bool write_first_forward(MlirModule module, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, "stage0_forward", options);
  results r = {0};
  add_result(&r, "", "hidden", block(layers, 0, embed(layers, module, MICROBATCH)));
  return finish(layers, &r);
}

/* Computes forward again: of what it was computed by, a stage keeps its input alone. */
static bool write_first_backward(MlirModule module, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, "stage0_backward", options);
  MlirValue hidden = block(layers, 0, embed(layers, module, MICROBATCH));
  results r = {0};
  add_gradients(layers, hidden, between(layers, "by.hidden"), (MlirValue){NULL}, &r);
  return finish(layers, &r);
}

/* Forward and backward at once: the loss needs no message between. */
static bool write_last(MlirModule module, const tessera_layers_options *options) {
  tessera_layers *layers = tessera_layers_begin(module, "stage1_backward", options);
  MlirValue hidden = between(layers, "hidden");
  MlirValue loss = loss_of(layers, module, MICROBATCH, block(layers, 1, hidden));
  results r = {0};
  add_result(&r, "", "loss", loss);
  MlirValue share = tessera_layers_constant(layers, (MlirType){NULL}, 1.0 / MICROBATCHES);
  add_gradients(layers, loss, share, hidden, &r);
  return finish(layers, &r);
}

/* The parameters of a stage are those of its computation, which is left out as nobody uses it. */
static bool write_update(MlirModule module, int stage, const tessera_layers_options *options) {
  tessera_layers *layers =
      tessera_layers_begin(module, stage ? "stage1_update" : "stage0_update", options);
  if (stage == 0)
    block(layers, 0, embed(layers, module, MICROBATCH));
  else
    loss_of(layers, module, MICROBATCH, block(layers, 1, between(layers, "hidden")));
  MlirValue rate = tessera_layers_scalar(layers, "rate");
  results r = {0};
  for (int32_t i = 0; i < tessera_layers_num_parameters(layers); i++) {
    const char *name = tessera_layers_parameter_name(layers, i);
    char of_sum[64];
    snprintf(of_sum, sizeof(of_sum), "sum.%s", name);
    MlirValue weight = tessera_layers_parameter_value(layers, i);
    MlirValue sum = tessera_layers_sum(layers, of_sum, weight);
    add_result(&r, "", name, tessera_layers_descend(layers, weight, sum, rate));
  }
  return finish(layers, &r);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void print(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stdout);
}

static bool write_all(MlirModule module, int argc, char **argv) {
  static const char *const dims[2][2] = {{"data", "tensor"}, {"pipeline", "tensor"}};
  bool is_step = argc == 4 && strcmp(argv[1], "step") == 0;
  if (!is_step && !(argc == 3 && strcmp(argv[1], "stages") == 0)) {
    fprintf(stderr, "usage: model step DATA TENSOR\n       model stages TENSOR\n");
    return false;
  }
  const int64_t shape[] = {is_step ? atoll(argv[2]) : 2, atoll(argv[argc - 1])};
  const tessera_layers_options options = {
      .struct_size = sizeof(options), .num_dims = 2, .shape = shape, .names = dims[!is_step]};
  if (is_step)
    return write_step(module, &options);
  return write_first_forward(module, &options) && write_first_backward(module, &options) &&
         write_last(module, &options) && write_update(module, 0, &options) &&
         write_update(module, 1, &options);
}

int main(int argc, char **argv) {
  MlirContext context = mlirContextCreate();
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  bool good = write_all(module, argc, argv);
  if (good)
    mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return good ? 0 : 1;
}
