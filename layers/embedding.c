/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An embedding whose table is split by rows. It knows ids and rows; it must not know which device
 * has which. */
#include "layer.h"

#include "mlir-c/BuiltinTypes.h"

enum { EQUAL = 0, LESS = 6 }; /* arith's numbers: equal; unsigned less */

/* ---- looking up ------------------------------------------------------------------------------ */

typedef struct table {
  MlirValue weight;
  int64_t vocabulary;
  int features; /* the loop of its columns */
} table;

/* The row of an id, in the first place where that has none; and whether it has one. */
static MlirValue row_of(const ts_maker *build, MlirValue id, int64_t vocabulary,
                        MlirValue *is_there) {
  *is_there =
      ts_make_compare(build, "arith.cmpi", LESS, id, ts_integer_like(build, id, vocabulary));
  MlirValue safe = ts_make_select(build, *is_there, id, ts_integer_like(build, id, 0));
  return ts_make_value(build, "arith.index_cast", 1, &safe, mlirIndexTypeGet(build->context), 0,
                       NULL);
}

/* A negative id is a large one without a sign. */
static MlirValue look_up(const ts_maker *build, const MlirValue *inputs, const void *user) {
  const table *table = user;
  MlirValue is_there;
  MlirValue row = row_of(build, inputs[0], table->vocabulary, &is_there);
  MlirValue operands[] = {table->weight, row, ts_loop_index(build, table->features)};
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(table->weight));
  MlirValue found = ts_make_value(build, "tensor.extract", 3, operands, element, 0, NULL);
  return ts_make_select(build, is_there, found, ts_number_like(build, found, 0.0));
}

/* ---- the gradient ---------------------------------------------------------------------------- */

/* Of an id and the gradient by its row: what that adds to the table's row at loop 0. */
static MlirValue at_row(const ts_maker *build, const MlirValue *inputs, const void *user) {
  (void)user;
  MlirValue index = ts_loop_index(build, 0);
  MlirValue row =
      ts_make_value(build, "arith.index_cast", 1, &index, mlirValueGetType(inputs[0]), 0, NULL);
  MlirValue hit = ts_make_compare(build, "arith.cmpi", EQUAL, row, inputs[0]);
  return ts_make_select(build, hit, inputs[1], ts_number_like(build, inputs[1], 0.0));
}

static void gradient_of_embedding(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                                  const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  /* Loops: rows and columns of the table, then places. */
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(by_result));
  ts_layer_access of_result = ts_loops_from(2, rank);
  of_result.loops[rank - 1] = 1;
  by_inputs[0] =
      ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank + 1,
                                             .num_inputs = 2,
                                             .inputs = {node->saved[0], by_result},
                                             .from = {ts_loops_from(2, rank - 1), of_result},
                                             .to = ts_loops(2),
                                             .type = mlirValueGetType(node->inputs[0]),
                                             .gathering = TS_ADDED,
                                             .element = at_row});
}

/* ---- the layer ------------------------------------------------------------------------------- */

static bool check_ids(tessera_layers *layers, const char *name, MlirValue ids, int64_t vocabulary) {
  MlirType type = mlirValueGetType(ids);
  bool is_tensor = mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
                   mlirShapedTypeGetRank(type) >= 1 && mlirShapedTypeGetRank(type) < TS_LAYER_RANK;
  MlirType element = is_tensor ? mlirShapedTypeGetElementType(type) : type;
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element) : 0;
  if (is_tensor && (bits == 32 || bits == 64) && mlirIntegerTypeIsSignless(element) &&
      (bits == 64 || vocabulary <= INT32_MAX))
    return true;
  ts_layers_fail(layers,
                 "the ids of '%s' are no tensor of i32 or i64 with 1 to %d known dimensions, "
                 "wide enough for a vocabulary of %lld",
                 name, TS_LAYER_RANK - 1, (long long)vocabulary);
  return false;
}

static MlirValue build_lookup(const tessera_layers *layers, MlirValue ids, MlirValue weight) {
  int64_t shape[TS_LAYER_RANK];
  int rank = ts_layers_shape(ids, shape);
  shape[rank] = ts_layers_extent(weight, 1);
  table table = {weight, ts_layers_extent(weight, 0), rank};
  return ts_nest_build(layers, &(ts_layer_nest){.num_loops = rank + 1,
                                                .num_inputs = 1,
                                                .inputs = {ids},
                                                .from = {ts_loops(rank)},
                                                .to = ts_loops(rank + 1),
                                                .type = ts_layers_tensor(layers, rank + 1, shape),
                                                .element = look_up,
                                                .user = &table});
}

MlirValue tessera_layer_embedding(tessera_layers *layers, const char *name, MlirValue ids,
                                  int64_t vocabulary, int64_t features) {
  static const tessera_split rows[] = {TESSERA_BY_TENSOR, TESSERA_WHOLE};
  if (!ts_layers_good(layers, 1, &ids) || !ts_layers_check_name(layers, name, "an embedding") ||
      !ts_layers_check_size(layers, vocabulary, "a vocabulary") ||
      !ts_layers_check_size(layers, features, "a number of features") ||
      !check_ids(layers, name, ids, vocabulary))
    return (MlirValue){NULL};
  const int64_t shape[] = {vocabulary, features};
  MlirValue weight = ts_parameter(layers, name, "weight", 2, shape, rows);
  if (!weight.ptr)
    return weight;
  MlirValue y = ts_note(layers, &(ts_node){.gradient = gradient_of_embedding,
                                           .result = build_lookup(layers, ids, weight),
                                           .num_inputs = 1,
                                           .inputs = {weight},
                                           .saved = {ids}});
  ts_layout layout = ts_batch_layout((int)mlirShapedTypeGetRank(mlirValueGetType(y)));
  return ts_annotate(layers, y, &layout);
}
