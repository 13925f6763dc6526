/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the functions of layers refuse: each try gives a diagnostic, and leaves the module as it is.
 */
#include "cases.h"

#include <stdio.h>

#include "mlir-c/BuiltinTypes.h"

static const int64_t mesh_shape[] = {2, 2}, rows_shape[] = {4, 6};

static tessera_layers_options usual(void) {
  return (tessera_layers_options){
      .struct_size = sizeof(tessera_layers_options), .num_dims = 2, .shape = mesh_shape};
}

/* ---- options --------------------------------------------------------------------------------- */

/* 1 if a function could be begun with these options. */
static int begins(MlirModule module, const char *name, tessera_layers_options options) {
  tessera_layers *layers = tessera_layers_begin(module, name, &options);
  tessera_layers_drop(layers);
  return layers != NULL;
}

static int try_options(MlirModule module) {
  static const int64_t zero[] = {2, 0}, many[] = {1LL << 31, 1LL << 31};
  static const char *const twice[] = {"data", "data"}, *const nameless[] = {"data", ""};
  tessera_layers_options o[11];
  for (int i = 0; i < 11; i++)
    o[i] = usual();
  o[0].struct_size = 8;
  o[1].num_dims = 0;
  o[2].num_dims = 17;
  o[3].shape = NULL;
  o[4].shape = zero;
  o[5].shape = many;
  o[6].names = twice;
  o[7].names = nameless;
  o[8].tensor = "modle";
  o[9].data = "tensor";
  o[10].grid = "";
  int wrong = begins((MlirModule){NULL}, "f", usual()) + begins(module, "", usual()) +
              begins(module, NULL, usual());
  for (int i = 0; i < 11; i++)
    wrong += begins(module, "f", o[i]);
  o[0] = usual();
  o[0].element = mlirF16TypeGet(mlirModuleGetContext(module));
  wrong += begins(module, "f", o[0]);
  return wrong + (tessera_layers_begin(module, "f", NULL) != NULL);
}

/* ---- layers ---------------------------------------------------------------------------------- */

typedef MlirValue attempt(tessera_layers *layers, MlirValue x);

static MlirValue null_input(tessera_layers *layers, MlirValue x) {
  (void)x;
  return tessera_layer_column_parallel(layers, "c", (MlirValue){NULL}, 3, 0);
}

static MlirValue no_name(tessera_layers *layers, MlirValue x) {
  return tessera_layer_column_parallel(layers, "", x, 3, 0);
}

static MlirValue no_size(tessera_layers *layers, MlirValue x) {
  return tessera_layer_row_parallel(layers, "r", x, 0, 0);
}

static MlirValue other_flag(tessera_layers *layers, MlirValue x) {
  return tessera_layer_column_parallel(layers, "c", x, 3, TESSERA_WHOLE_INPUT);
}

static MlirValue no_hidden(tessera_layers *layers, MlirValue x) {
  return tessera_layer_mlp(layers, "m", x, -1, 3, TESSERA_GELU, 0);
}

static MlirValue no_activation(tessera_layers *layers, MlirValue x) {
  return tessera_layer_activation(layers, x, (tessera_activation)7);
}

/* A layer of one name with other sizes. */
static MlirValue other_size(tessera_layers *layers, MlirValue x) {
  tessera_layer_column_parallel(layers, "c", x, 3, 0);
  return tessera_layer_column_parallel(layers, "c", x, 4, 0);
}

static MlirValue a_vector(tessera_layers *layers, MlirValue x) {
  (void)x;
  MlirValue vector = tessera_layers_input(layers, "v", (MlirType){NULL}, 1, rows_shape, NULL);
  return tessera_layer_column_parallel(layers, "c", vector, 3, 0);
}

static MlirValue other_shapes(tessera_layers *layers, MlirValue x) {
  return tessera_layer_add(layers, x, tessera_layer_column_parallel(layers, "c", x, 3, 0));
}

static MlirValue two_splits(tessera_layers *layers, MlirValue x) {
  static const tessera_split splits[] = {TESSERA_BY_DATA, TESSERA_BY_DATA};
  return tessera_layer_annotate(layers, x, splits);
}

static MlirValue no_extent(tessera_layers *layers, MlirValue x) {
  static const int64_t shape[] = {4, 0};
  (void)x;
  return tessera_layers_input(layers, "y", (MlirType){NULL}, 2, shape, NULL);
}

static MlirValue many_dims(tessera_layers *layers, MlirValue x) {
  static const int64_t shape[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  (void)x;
  return tessera_layers_parameter(layers, "y", 9, shape, NULL);
}

static MlirValue no_epsilon(tessera_layers *layers, MlirValue x) {
  return tessera_layer_norm(layers, "n", x, 0.0);
}

static MlirValue ids_of_floats(tessera_layers *layers, MlirValue x) {
  return tessera_layer_embedding(layers, "e", x, 10, 3);
}

static MlirValue no_vocabulary(tessera_layers *layers, MlirValue x) {
  return tessera_layer_embedding(layers, "e", x, 0, 3);
}

static MlirValue two_dims(tessera_layers *layers, MlirValue x) {
  return tessera_layer_attention(layers, "a", x, 2, 2, 0);
}

static MlirValue no_heads(tessera_layers *layers, MlirValue x) {
  return tessera_layer_attention(layers, "a", x, 0, 2, 0);
}

static MlirValue labels_of_floats(tessera_layers *layers, MlirValue x) {
  return tessera_layer_cross_entropy(layers, x, x);
}

static MlirValue a_scalar_mean(tessera_layers *layers, MlirValue x) {
  return tessera_layer_mean(layers, tessera_layer_mean(layers, x));
}

/* ---- gradients ------------------------------------------------------------------------------- */

static MlirValue gradient_of_nothing(tessera_layers *layers, MlirValue x) {
  MlirValue other = tessera_layers_input(layers, "o", (MlirType){NULL}, 2, rows_shape, NULL);
  MlirValue gradient;
  tessera_layers_gradient(layers, tessera_layer_mean(layers, x), (MlirValue){NULL}, 1, &other,
                          &gradient);
  return gradient;
}

static MlirValue other_seed(tessera_layers *layers, MlirValue x) {
  MlirValue gradient;
  tessera_layers_gradient(layers, tessera_layer_mean(layers, x), x, 1, &x, &gradient);
  return gradient;
}

/* An op of the caller's between layers. */
static MlirValue through_foreign(tessera_layers *layers, MlirValue x) {
  MlirValue y = tessera_layer_column_parallel(layers, "c", x, 3, TESSERA_NO_BIAS), gradient;
  if (mlirValueIsNull(y))
    return y;
  MlirType type = mlirValueGetType(y);
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("math.exp"), mlirLocationUnknownGet(mlirTypeGetContext(type)));
  mlirOperationStateAddOperands(&state, 1, &y);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(tessera_layers_block(layers), op);
  MlirValue mean = tessera_layer_mean(layers, mlirOperationGetResult(op, 0));
  tessera_layers_gradient(layers, mean, (MlirValue){NULL}, 1, &x, &gradient);
  return gradient;
}

static MlirValue no_rate(tessera_layers *layers, MlirValue x) {
  return tessera_layers_descend(layers, x, x, x);
}

static MlirValue no_parameter(tessera_layers *layers, MlirValue x) {
  MlirValue y = tessera_layer_add(layers, x, x);
  return tessera_layers_descend(layers, y, x, tessera_layers_scalar(layers, "rate"));
}

static attempt *const attempts[] = {
    null_input,    no_name,         no_size,          other_flag,    no_hidden,
    no_activation, other_size,      a_vector,         other_shapes,  two_splits,
    no_extent,     many_dims,       no_epsilon,       ids_of_floats, no_vocabulary,
    two_dims,      no_heads,        labels_of_floats, a_scalar_mean, gradient_of_nothing,
    other_seed,    through_foreign, no_rate,          no_parameter,
};

/* 1 if it was not refused, or without a message, or if the function could be finished after it. */
static int try_one(MlirModule module, attempt *attempt) {
  tessera_layers_options options = usual();
  tessera_layers *layers = tessera_layers_begin(module, "f", &options);
  MlirValue x = tessera_layers_input(layers, "x", (MlirType){NULL}, 2, rows_shape, NULL);
  MlirValue y = attempt(layers, x);
  bool refused = mlirValueIsNull(y) && *tessera_layers_message(layers);
  return tessera_layers_finish(layers, 1, &x, NULL) || !refused;
}

/* A value of another function: the verifier finds it, and neither function nor grid stay. */
static int try_strange_value(MlirModule module) {
  tessera_layers_options options = usual();
  tessera_layers *one = tessera_layers_begin(module, "one", &options);
  tessera_layers *other = tessera_layers_begin(module, "other", &options);
  MlirValue x = tessera_layers_input(one, "x", (MlirType){NULL}, 2, rows_shape, NULL);
  int wrong = tessera_layers_finish(other, 1, &x, NULL);
  tessera_layers_drop(one);
  MlirBlock body = mlirModuleGetBody(module);
  return wrong + !mlirOperationIsNull(mlirBlockGetFirstOperation(body));
}

/* A function of that name, and a grid of another shape. */
static int try_module(MlirModule module) {
  static const int64_t other[] = {4, 1};
  tessera_layers_options options = usual();
  tessera_layers *layers = tessera_layers_begin(module, "g", &options);
  MlirValue x = tessera_layers_input(layers, "x", (MlirType){NULL}, 2, rows_shape, NULL);
  if (!tessera_layers_finish(layers, 1, &x, NULL))
    return 1;
  int wrong = begins(module, "g", options);
  options.shape = other;
  return wrong + begins(module, "h", options);
}

int try_refused(MlirModule module) {
  int wrong = try_options(module);
  for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
    int one = try_one(module, attempts[i]);
    if (one)
      fprintf(stderr, "attempt %d was not refused\n", (int)i);
    wrong += one;
  }
  return wrong + try_strange_value(module) + try_module(module);
}
