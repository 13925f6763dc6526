/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Linear layers that are split by columns or by rows, and the block of both. It knows which
 * dimension is split where; it must not know what that moves. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

/* ---- what both have -------------------------------------------------------------------------- */

bool ts_layers_check_name(tessera_layers *layers, const char *name, const char *what) {
  if (name && *name)
    return true;
  ts_layers_fail(layers, "%s has no name", what);
  return false;
}

MlirValue ts_parameter(tessera_layers *layers, const char *name, const char *part, int rank,
                       const int64_t *shape, const tessera_split *splits) {
  return tessera_layers_parameter(layers, ts_layers_text(layers, name, part), rank, shape, splits);
}

static bool check(tessera_layers *layers, const char *name, MlirValue x, int64_t output_size,
                  uint32_t flags, uint32_t known, const char *what) {
  return ts_layers_good(layers, 1, &x) && ts_layers_check_name(layers, name, what) &&
         ts_layers_check(layers, x, 2, name) &&
         ts_layers_check_size(layers, output_size, "an output size") &&
         ts_layers_check_flags(layers, flags, known, what);
}

static MlirValue annotate_features(tessera_layers *layers, MlirValue x, tessera_split features) {
  ts_layout layout =
      ts_activation_layout((int)mlirShapedTypeGetRank(mlirValueGetType(x)), features);
  return ts_annotate(layers, x, &layout);
}

/* x w along x's last dimension. */
static MlirValue multiply(tessera_layers *layers, const char *name, MlirValue x,
                          int64_t output_size, const tessera_split *splits) {
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  const int64_t shape[] = {ts_layers_extent(x, rank - 1), output_size};
  MlirValue weight = ts_parameter(layers, name, "weight", 2, shape, splits);
  if (!weight.ptr)
    return weight;
  /* Loops: those of x but for its last dimension, columns, and that dimension. */
  ts_layer_access of_x = ts_loops(rank), to = ts_loops(rank);
  of_x.loops[rank - 1] = rank;
  ts_layer_access of_weight = {2, {rank, rank - 1}};
  return ts_product(layers, x, of_x, weight, of_weight, to);
}

static MlirValue add_bias(tessera_layers *layers, const char *name, MlirValue x,
                          tessera_split split, uint32_t flags) {
  if (!x.ptr || flags & TESSERA_NO_BIAS)
    return x;
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  const int64_t shape[] = {ts_layers_extent(x, rank - 1)};
  MlirValue bias = ts_parameter(layers, name, "bias", 1, shape, &split);
  return bias.ptr ? ts_add_bias(layers, x, bias) : bias;
}

/* ---- layers ---------------------------------------------------------------------------------- */

MlirValue tessera_layer_column_parallel(tessera_layers *layers, const char *name, MlirValue x,
                                        int64_t output_size, uint32_t flags) {
  static const tessera_split columns[] = {TESSERA_WHOLE, TESSERA_BY_TENSOR};
  if (!check(layers, name, x, output_size, flags, TESSERA_NO_BIAS | TESSERA_GATHER_OUTPUT,
             "a column-parallel layer"))
    return (MlirValue){NULL};
  x = annotate_features(layers, x, TESSERA_WHOLE);
  MlirValue y = multiply(layers, name, x, output_size, columns);
  y = add_bias(layers, name, y, TESSERA_BY_TENSOR, flags);
  if (!y.ptr)
    return y;
  y = annotate_features(layers, y, TESSERA_BY_TENSOR);
  return flags & TESSERA_GATHER_OUTPUT ? annotate_features(layers, y, TESSERA_WHOLE) : y;
}

MlirValue tessera_layer_row_parallel(tessera_layers *layers, const char *name, MlirValue x,
                                     int64_t output_size, uint32_t flags) {
  static const tessera_split rows[] = {TESSERA_BY_TENSOR, TESSERA_WHOLE};
  if (!check(layers, name, x, output_size, flags, TESSERA_NO_BIAS | TESSERA_WHOLE_INPUT,
             "a row-parallel layer"))
    return (MlirValue){NULL};
  if (flags & TESSERA_WHOLE_INPUT)
    x = annotate_features(layers, x, TESSERA_WHOLE);
  x = annotate_features(layers, x, TESSERA_BY_TENSOR);
  MlirValue y = multiply(layers, name, x, output_size, rows);
  /* The bias is added once, to the sum. */
  if (y.ptr)
    y = annotate_features(layers, y, TESSERA_WHOLE);
  return add_bias(layers, name, y, TESSERA_WHOLE, flags);
}

MlirValue tessera_layer_mlp(tessera_layers *layers, const char *name, MlirValue x,
                            int64_t hidden_size, int64_t output_size, tessera_activation activation,
                            uint32_t flags) {
  if (!check(layers, name, x, output_size, flags, TESSERA_NO_BIAS, "an MLP") ||
      !ts_layers_check_size(layers, hidden_size, "a hidden size"))
    return (MlirValue){NULL};
  MlirValue hidden = tessera_layer_column_parallel(layers, ts_layers_text(layers, name, "up"), x,
                                                   hidden_size, flags);
  hidden = tessera_layer_activation(layers, hidden, activation);
  return tessera_layer_row_parallel(layers, ts_layers_text(layers, name, "down"), hidden,
                                    output_size, flags);
}
