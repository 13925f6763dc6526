/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What gradients are used for: a step of gradient descent, and sums over several calls. It must not
 * know what they are gradients of. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

/* w - rate * gradient. */
static MlirValue step(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const MlirValue *rate = user;
  return ts_make_binary(build, "arith.subf", inputs[0],
                        ts_make_binary(build, "arith.mulf", *rate, inputs[1]));
}

/* One value of two of one type, laid out as `layout` says. */
static MlirValue combine(tessera_layers *layers, MlirValue a, MlirValue b, ts_element *element,
                         const void *user, const ts_layout *layout) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(a));
  MlirValue made = ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank,
                                                          .num_inputs = 2,
                                                          .inputs = {a, b},
                                                          .to = ts_loops(rank),
                                                          .type = mlirValueGetType(a),
                                                          .element = element,
                                                          .user = user});
  return ts_annotate_alone(layers, made, layout);
}

/* `gradient` has the type of `like`, which is an argument; its layout. */
static bool read_like(tessera_layers *layers, MlirValue like, MlirValue gradient,
                      ts_layout *layout) {
  if (!ts_layout_of(layers, like, layout)) {
    ts_layers_fail(layers, "what a gradient is used for is no parameter of the function");
    return false;
  }
  if (mlirTypeEqual(mlirValueGetType(like), mlirValueGetType(gradient)))
    return true;
  ts_layers_fail(layers, "a gradient has another shape than what it is used for");
  return false;
}

MlirValue tessera_layers_descend(tessera_layers *layers, MlirValue parameter, MlirValue gradient,
                                 MlirValue rate) {
  MlirValue all[] = {parameter, gradient, rate};
  ts_layout layout;
  if (!ts_layers_good(layers, 3, all) || !read_like(layers, parameter, gradient, &layout))
    return (MlirValue){NULL};
  if (!mlirTypeEqual(mlirValueGetType(rate), layers->element))
    return ts_layers_fail(layers, "a rate is a scalar of the layers' type, as "
                                  "tessera_layers_scalar gives it");
  gradient = ts_annotate_alone(layers, gradient, &layout);
  return combine(layers, parameter, gradient, step, &rate, &layout);
}

MlirValue tessera_layers_sum(tessera_layers *layers, const char *name, MlirValue parameter) {
  ts_layout layout;
  if (!ts_layers_good(layers, 1, &parameter) || !read_like(layers, parameter, parameter, &layout))
    return (MlirValue){NULL};
  layout.is_part = true;
  int64_t shape[TS_LAYER_RANK];
  int rank = ts_layers_shape(parameter, shape);
  return ts_layers_argument(layers, name, rank, shape, &layout);
}

MlirValue tessera_layers_accumulate(tessera_layers *layers, MlirValue sum, MlirValue gradient) {
  MlirValue all[] = {sum, gradient};
  ts_layout layout;
  if (!ts_layers_good(layers, 2, all) || !read_like(layers, sum, gradient, &layout))
    return (MlirValue){NULL};
  return combine(layers, sum, gradient, ts_plus, NULL, &layout);
}
