/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts of layers as annotations. A value has one annotation that defines its layout, and further
 * ones, for users, of that one's result. It knows splits and axes; it must not know any layer. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "function.h"
#include "support/ir.h"

/* ---- shardings ------------------------------------------------------------------------------- */

static MlirAttribute axes_of(const tessera_layers *layers, const ts_layout *layout) {
  int16_t axes[TS_LAYER_RANK];
  const int16_t *lists[TS_LAYER_RANK];
  intptr_t sizes[TS_LAYER_RANK] = {0};
  lists[0] = axes; /* one list at least, even of a scalar */
  for (int d = 0; d < layout->rank; d++) {
    int axis = layers->axes[layout->splits[d]];
    lists[d] = &axes[d];
    axes[d] = (int16_t)axis;
    sizes[d] = axis >= 0;
  }
  return ts_axis_array_create(layers->context, layout->rank ? layout->rank : 1, sizes, lists);
}

/* [[axis, #shard<partial sum>]] */
static MlirAttribute sum_over_data(const tessera_layers *layers) {
  enum { SUM = 1 };
  MlirAttribute pair[] = {
      ts_int_attribute(ts_i64_type(layers->context), layers->axes[TESSERA_BY_DATA]),
      ts_partial_create(layers->context, SUM)};
  MlirAttribute list = mlirArrayAttrGet(layers->context, 2, pair);
  return mlirArrayAttrGet(layers->context, 1, &list);
}

static bool same_attributes(MlirOperation op, intptr_t num, const MlirNamedAttribute *attributes) {
  for (intptr_t i = 0; i < num; i++)
    if (!mlirAttributeEqual(
            mlirOperationGetAttributeByName(op, mlirIdentifierStr(attributes[i].name)),
            attributes[i].attribute))
      return false;
  return num == 6 || mlirAttributeIsNull(ts_attribute(op, "tessera.partial"));
}

/* One of the shardings at the function's start, or a new one behind them. */
static MlirValue make_sharding(tessera_layers *layers, const ts_layout *layout) {
  MlirContext context = layers->context;
  const int32_t no_operands[2] = {0, 0};
  bool is_part = layout->is_part && layers->axes[TESSERA_BY_DATA] >= 0;
  intptr_t num = 5;
  MlirNamedAttribute attributes[6] = {
      ts_named(context, "grid", ts_symbol_attribute(context, layers->grid)),
      ts_named(context, "split_axes", axes_of(layers, layout)),
      ts_named(context, "static_halo_sizes", mlirDenseI64ArrayGet(context, 0, NULL)),
      ts_named(context, "static_sharded_dims_offsets", mlirDenseI64ArrayGet(context, 0, NULL)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, no_operands)),
  };
  if (is_part)
    attributes[num++] = ts_named(context, "tessera.partial", sum_over_data(layers));
  MlirOperation first = mlirBlockGetFirstOperation(layers->block);
  for (MlirOperation op = first; op.ptr && ts_op_is(op, "shard.sharding");
       op = mlirOperationGetNextInBlock(op))
    if (same_attributes(op, num, attributes))
      return mlirOperationGetResult(op, 0);
  ts_maker build = {context, layers->location, layers->block, first};
  if (layers->last_sharding.ptr)
    build.before = mlirOperationGetNextInBlock(layers->last_sharding);
  layers->last_sharding =
      ts_make_op(&build, &(ts_new_op){.name = "shard.sharding",
                                      .num_results = 1,
                                      .results = &(MlirType){ts_sharding_type(context).ptr},
                                      .num_attributes = num,
                                      .attributes = attributes});
  return mlirOperationGetResult(layers->last_sharding, 0);
}

/* ---- annotations ----------------------------------------------------------------------------- */

ts_layout ts_batch_layout(int rank) {
  ts_layout layout;
  memset(&layout, 0, sizeof(layout));
  layout.rank = rank;
  if (rank > 0)
    layout.splits[0] = TESSERA_BY_DATA;
  return layout;
}

ts_layout ts_activation_layout(int rank, tessera_split last) {
  ts_layout layout = ts_batch_layout(rank);
  layout.splits[rank - 1] = last;
  return layout;
}

bool ts_layout_equal(const ts_layout *a, const ts_layout *b) {
  bool equal = a->rank == b->rank && a->is_part == b->is_part;
  for (int d = 0; equal && d < a->rank; d++)
    equal = a->splits[d] == b->splits[d];
  return equal;
}

static const ts_annotation *annotation_of(const tessera_layers *layers, MlirValue value) {
  for (int i = 0; i < layers->num_annotations; i++)
    if (mlirValueEqual(layers->annotations[i].value, value))
      return &layers->annotations[i];
  return NULL;
}

/* The annotation of `from` with this layout; with any, the first, if `layout` is NULL. */
static const ts_annotation *find_annotation(const tessera_layers *layers, MlirValue from,
                                            const ts_layout *layout) {
  for (int i = 0; i < layers->num_annotations; i++) {
    const ts_annotation *known = &layers->annotations[i];
    if (mlirValueEqual(known->from, from) && (!layout || ts_layout_equal(&known->layout, layout)))
      return known;
  }
  return NULL;
}

bool ts_layout_of(const tessera_layers *layers, MlirValue value, ts_layout *layout) {
  const ts_annotation *known = annotation_of(layers, value);
  if (known)
    *layout = known->layout;
  return known != NULL;
}

static MlirValue make_annotation(tessera_layers *layers, MlirValue from, const ts_layout *layout) {
  MlirValue operands[] = {from, make_sharding(layers, layout)};
  ts_maker build = ts_layers_build(layers);
  MlirNamedAttribute for_users =
      ts_named(layers->context, "annotate_for_users", mlirUnitAttrGet(layers->context));
  bool defines = !annotation_of(layers, from);
  MlirValue made = ts_make_value(&build, "shard.shard", 2, operands, mlirValueGetType(from),
                                 defines ? 0 : 1, &for_users);
  layers->annotations = ts_arena_grow(&layers->arena, layers->annotations, layers->num_annotations,
                                      &layers->max_annotations, sizeof(*layers->annotations));
  layers->annotations[layers->num_annotations++] = (ts_annotation){made, from, *layout};
  return made;
}

/* `value`, or the annotation that defines it. */
static MlirValue definition_of(const tessera_layers *layers, MlirValue value) {
  const ts_annotation *first =
      annotation_of(layers, value) ? NULL : find_annotation(layers, value, NULL);
  return first ? first->value : value;
}

/* The annotated value that is there already, or null. */
static MlirValue known_value(const tessera_layers *layers, MlirValue value,
                             const ts_layout *layout) {
  const ts_annotation *own = annotation_of(layers, value);
  if (own && ts_layout_equal(&own->layout, layout))
    return value;
  const ts_annotation *other = find_annotation(layers, value, layout);
  return other ? other->value : (MlirValue){NULL};
}

MlirValue ts_annotate_alone(tessera_layers *layers, MlirValue value, const ts_layout *layout) {
  value = definition_of(layers, value);
  MlirValue known = known_value(layers, value, layout);
  return known.ptr ? known : make_annotation(layers, value, layout);
}

/* What is laid out so has a gradient that is, too: a sum that is not complete is completed here. */
static void gradient_of_annotation(tessera_layers *layers, const ts_node *node, MlirValue by_result,
                                   const bool *wanted, MlirValue *by_inputs) {
  (void)wanted;
  by_inputs[0] = ts_annotate_alone(layers, by_result, &node->layout);
}

MlirValue ts_annotate(tessera_layers *layers, MlirValue value, const ts_layout *layout) {
  value = definition_of(layers, value);
  MlirValue known = known_value(layers, value, layout);
  if (known.ptr)
    return known;
  return ts_note(layers, &(ts_node){.gradient = gradient_of_annotation,
                                    .result = make_annotation(layers, value, layout),
                                    .num_inputs = 1,
                                    .inputs = {value},
                                    .layout = *layout});
}

MlirValue tessera_layer_annotate(tessera_layers *layers, MlirValue x, const tessera_split *splits) {
  if (!ts_layers_good(layers, 1, &x) || !ts_layers_check(layers, x, 0, "what is annotated"))
    return (MlirValue){NULL};
  int uses[3] = {0};
  ts_layout layout;
  memset(&layout, 0, sizeof(layout));
  layout.rank = (int)mlirShapedTypeGetRank(mlirValueGetType(x));
  for (int d = 0; splits && d < layout.rank; d++) {
    layout.splits[d] = splits[d];
    if ((unsigned)splits[d] > TESSERA_BY_TENSOR || (splits[d] && uses[splits[d]]++))
      return ts_layers_fail(layers,
                            "dimension %d is to be split by %d, which is no tessera_split or "
                            "one that another dimension has",
                            d, (int)splits[d]);
  }
  return ts_annotate(layers, x, &layout);
}
