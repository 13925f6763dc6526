/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Attention with heads split over devices. Heads are a dimension of weights and values, so that any
 * number of them can be split. It must not know what that moves. */
#include "layer.h"

#include <math.h>

#include "mlir-c/BuiltinTypes.h"

/* What all parts of one attention share. */
typedef struct attention {
  tessera_layers *layers;
  const char *name;
  int64_t features, heads, head_size;
  uint32_t flags;
} attention;

/* Batch x tokens x heads x head size. */
static MlirValue annotate_heads(const attention *a, MlirValue x) {
  ts_layout layout = ts_batch_layout(4);
  layout.splits[2] = TESSERA_BY_TENSOR;
  return ts_annotate(a->layers, x, &layout);
}

static MlirValue bias_of(const attention *a, MlirValue x, const char *part, int rank,
                         const int64_t *shape, const tessera_split *splits) {
  if (!x.ptr || a->flags & TESSERA_NO_BIAS)
    return x;
  MlirValue bias = ts_parameter(a->layers, a->name, ts_layers_text(a->layers, part, "bias"), rank,
                                shape, splits);
  return bias.ptr ? ts_add_bias(a->layers, x, bias) : bias;
}

/* One of query, key and value: b t f, f h k -> b t h k. */
static MlirValue project(const attention *a, const char *part, MlirValue x) {
  static const tessera_split splits[] = {TESSERA_WHOLE, TESSERA_BY_TENSOR, TESSERA_WHOLE};
  const int64_t shape[] = {a->features, a->heads, a->head_size};
  MlirValue weight =
      ts_parameter(a->layers, a->name, ts_layers_text(a->layers, part, "weight"), 3, shape, splits);
  if (!weight.ptr)
    return weight;
  MlirValue y = ts_product(a->layers, x, (ts_layer_access){3, {0, 1, 4}}, weight,
                           (ts_layer_access){3, {4, 2, 3}}, ts_loops(4));
  y = bias_of(a, y, part, 2, shape + 1, splits + 1);
  return y.ptr ? annotate_heads(a, y) : y;
}

/* b t h k, h k f -> b t f: a sum over heads. */
static MlirValue join(const attention *a, MlirValue heads) {
  static const tessera_split splits[] = {TESSERA_BY_TENSOR, TESSERA_WHOLE, TESSERA_WHOLE};
  const int64_t shape[] = {a->heads, a->head_size, a->features};
  MlirValue weight = ts_parameter(a->layers, a->name, "out.weight", 3, shape, splits);
  if (!weight.ptr)
    return weight;
  MlirValue y = ts_product(a->layers, heads, (ts_layer_access){4, {0, 1, 3, 4}}, weight,
                           (ts_layer_access){3, {3, 4, 2}}, ts_loops(3));
  ts_layout layout = ts_batch_layout(3);
  return bias_of(a, ts_annotate(a->layers, y, &layout), "out", 1, &a->features, splits + 1);
}

static MlirValue attend(const attention *a, MlirValue x) {
  MlirValue query = project(a, "query", x), key = project(a, "key", x);
  MlirValue value = project(a, "value", x);
  if (!query.ptr || !key.ptr || !value.ptr)
    return (MlirValue){NULL};
  /* Loops of the scores: batch, heads, tokens that see, tokens seen; then the head's size. */
  MlirValue scores = ts_product(a->layers, query, (ts_layer_access){4, {0, 2, 1, 4}}, key,
                                (ts_layer_access){4, {0, 3, 1, 4}}, ts_loops(4));
  MlirValue weights = ts_softmax(a->layers, scores, 1.0 / sqrt((double)a->head_size),
                                 a->flags & TESSERA_CAUSAL ? TS_CAUSAL : TS_ALL);
  /* Loops of the result: batch, tokens, heads, the head's size; then tokens seen. */
  MlirValue seen = ts_product(a->layers, weights, (ts_layer_access){4, {0, 2, 1, 4}}, value,
                              (ts_layer_access){4, {0, 4, 2, 3}}, ts_loops(4));
  return join(a, annotate_heads(a, seen));
}

MlirValue tessera_layer_attention(tessera_layers *layers, const char *name, MlirValue x,
                                  int64_t heads, int64_t head_size, uint32_t flags) {
  if (!ts_layers_good(layers, 1, &x) || !ts_layers_check_name(layers, name, "an attention") ||
      !ts_layers_check(layers, x, 3, name) ||
      !ts_layers_check_size(layers, heads, "a number of heads") ||
      !ts_layers_check_size(layers, head_size, "a head's size") ||
      !ts_layers_check_flags(layers, flags, TESSERA_NO_BIAS | TESSERA_CAUSAL, "an attention"))
    return (MlirValue){NULL};
  if (mlirShapedTypeGetRank(mlirValueGetType(x)) != 3)
    return ts_layers_fail(layers,
                          "the input of '%s' has %d dimensions: expected batch, tokens and "
                          "features",
                          name, (int)mlirShapedTypeGetRank(mlirValueGetType(x)));
  const attention a = {layers, name, ts_layers_extent(x, 2), heads, head_size, flags};
  ts_layout layout = ts_batch_layout(3);
  return attend(&a, ts_annotate(layers, x, &layout));
}
