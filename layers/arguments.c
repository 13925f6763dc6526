/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Arguments of a function of layers: inputs, parameters, numbers. It must not know any layer. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "function.h"
#include "support/ir.h"

/* ---- finding --------------------------------------------------------------------------------- */

static const ts_argument *find_argument(const tessera_layers *layers, const char *name) {
  for (int i = 0; i < layers->num_arguments; i++)
    if (strcmp(layers->arguments[i].name, name) == 0)
      return &layers->arguments[i];
  return NULL;
}

static MlirValue add_argument(tessera_layers *layers, const char *name, MlirType type,
                              const ts_layout *layout, bool is_parameter) {
  MlirValue value = mlirBlockAddArgument(layers->block, type, layers->location);
  if (layout)
    value = ts_annotate_alone(layers, value, layout);
  layers->arguments = ts_arena_grow(&layers->arena, layers->arguments, layers->num_arguments,
                                    &layers->max_arguments, sizeof(*layers->arguments));
  layers->arguments[layers->num_arguments++] =
      (ts_argument){ts_arena_format(&layers->arena, "%s", name), value, is_parameter};
  return value;
}

/* What is there of this name, if it is the same. */
static MlirValue same_argument(tessera_layers *layers, const ts_argument *found, MlirType type,
                               const ts_layout *layout, bool is_parameter) {
  ts_layout known;
  bool is_same =
      mlirTypeEqual(mlirValueGetType(found->value), type) && found->is_parameter == is_parameter;
  if (is_same && layout)
    is_same = ts_layout_of(layers, found->value, &known) && ts_layout_equal(&known, layout);
  if (is_same)
    return found->value;
  char text[128];
  ts_type_text(mlirValueGetType(found->value), text, sizeof(text));
  return ts_layers_fail(layers,
                        "there is another argument '%s', a %s: expected one of the same type, "
                        "splits and use, or another name",
                        found->name, text);
}

static MlirValue get_argument(tessera_layers *layers, const char *name, MlirType type,
                              const ts_layout *layout, bool is_parameter) {
  const ts_argument *found = find_argument(layers, name);
  return found ? same_argument(layers, found, type, layout, is_parameter)
               : add_argument(layers, name, type, layout, is_parameter);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Two dimensions cannot be split over one axis. */
static bool read_splits(tessera_layers *layers, const char *name, int32_t rank,
                        const tessera_split *splits, ts_layout *layout) {
  int uses[3] = {0};
  memset(layout, 0, sizeof(*layout));
  layout->rank = rank;
  for (int32_t d = 0; splits && d < rank; d++) {
    if ((unsigned)splits[d] > TESSERA_BY_TENSOR ||
        (splits[d] != TESSERA_WHOLE && uses[splits[d]]++)) {
      ts_layers_fail(layers,
                     "dimension %d of '%s' is split by %d, which is no tessera_split or one "
                     "that another dimension has",
                     d, name, (int)splits[d]);
      return false;
    }
    layout->splits[d] = splits[d];
  }
  return true;
}

static bool read_shape(tessera_layers *layers, const char *name, int32_t rank,
                       const int64_t *shape) {
  if (!name || !*name) {
    ts_layers_fail(layers, "an argument has no name");
    return false;
  }
  if (rank < 0 || rank > TS_LAYER_RANK || (rank > 0 && !shape)) {
    ts_layers_fail(layers, "'%s' has %d dimensions: expected 0 to %d, and their extents", name,
                   rank, TS_LAYER_RANK);
    return false;
  }
  int64_t elements = 1;
  for (int32_t d = 0; d < rank; d++)
    if (shape[d] < 1 || __builtin_mul_overflow(elements, shape[d], &elements)) {
      ts_layers_fail(layers,
                     "dimension %d of '%s' has the extent %lld: expected 1 or more, and as "
                     "many elements as 64 bits count",
                     d, name, (long long)shape[d]);
      return false;
    }
  return true;
}

static MlirValue tensor_argument(tessera_layers *layers, const char *name, MlirType element,
                                 int32_t rank, const int64_t *shape, const tessera_split *splits,
                                 bool is_parameter) {
  ts_layout layout;
  if (!ts_layers_good(layers, 0, NULL) || !read_shape(layers, name, rank, shape) ||
      !read_splits(layers, name, rank, splits, &layout))
    return (MlirValue){NULL};
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element))
    return ts_layers_fail(layers, "'%s' has elements that are neither integers nor floats", name);
  MlirType type = mlirRankedTensorTypeGet(rank, shape, element, mlirAttributeGetNull());
  return get_argument(layers, name, type, &layout, is_parameter);
}

MlirValue ts_layers_argument(tessera_layers *layers, const char *name, int rank,
                             const int64_t *shape, const ts_layout *layout) {
  if (!read_shape(layers, name, rank, shape))
    return (MlirValue){NULL};
  return get_argument(layers, name, ts_layers_tensor(layers, rank, shape), layout, false);
}

/* ---- public ---------------------------------------------------------------------------------- */

MlirValue tessera_layers_input(tessera_layers *layers, const char *name, MlirType element,
                               int32_t rank, const int64_t *shape, const tessera_split *splits) {
  if (!layers)
    return (MlirValue){NULL};
  return tensor_argument(layers, name, mlirTypeIsNull(element) ? layers->element : element, rank,
                         shape, splits, false);
}

MlirValue tessera_layers_parameter(tessera_layers *layers, const char *name, int32_t rank,
                                   const int64_t *shape, const tessera_split *splits) {
  if (!layers)
    return (MlirValue){NULL};
  return tensor_argument(layers, name, layers->element, rank, shape, splits, true);
}

MlirValue tessera_layers_scalar(tessera_layers *layers, const char *name) {
  if (!ts_layers_good(layers, 0, NULL) || !read_shape(layers, name, 0, NULL))
    return (MlirValue){NULL};
  return get_argument(layers, name, layers->element, NULL, false);
}

static const ts_argument *find_parameter(const tessera_layers *layers, int32_t index) {
  for (int i = 0; layers && index >= 0 && i < layers->num_arguments; i++)
    if (layers->arguments[i].is_parameter && index-- == 0)
      return &layers->arguments[i];
  return NULL;
}

int32_t tessera_layers_num_parameters(const tessera_layers *layers) {
  int32_t num = 0;
  for (int i = 0; layers && i < layers->num_arguments; i++)
    num += layers->arguments[i].is_parameter;
  return num;
}

const char *tessera_layers_parameter_name(const tessera_layers *layers, int32_t index) {
  const ts_argument *found = find_parameter(layers, index);
  return found ? found->name : NULL;
}

MlirValue tessera_layers_parameter_value(const tessera_layers *layers, int32_t index) {
  const ts_argument *found = find_parameter(layers, index);
  return found ? found->value : (MlirValue){NULL};
}
