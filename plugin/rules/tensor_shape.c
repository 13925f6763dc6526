/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.expand_shape and collapse_shape: dimensions regrouped, no data moved. It knows
 * reassociations; it must not know factors: loops say them. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "ir/parts.h"
#include "rules/build_loops.h"
#include "rules/rows.h"

/* One group of a reshape: `count` dimensions of `many` from `first` on are dimension `one` of
 * `few`. */
typedef struct group {
  ts_arena *arena;
  ts_op_loops *out;
  ts_port *many, *few;
  const int64_t *many_shape, *few_shape;
  int first, count, one;
  intptr_t parts; /* the dimension of `many` that is taken apart or joined, index by index, or -1 */
} group;

/* The extents can be told from that of the merged dimension: all but one are known now. */
static bool is_known(const group *g) {
  int unknown = 0;
  for (int i = 0; i < g->count; i++)
    unknown += g->many_shape[g->first + i] == TS_DYNAMIC;
  return unknown <= 1;
}

/* One loop for each dimension that holds more than one index; dimensions of extent 1 add nothing to
 * the merged one. Returns false if the loops had to stay whole. */
static bool read_group(const group *g) {
  bool known = is_known(g);
  int *loops = TS_NEW(g->arena, int, g->count);
  int num = 0;
  for (int i = 0; i < g->count; i++) {
    int64_t size = g->many_shape[g->first + i];
    if (size == 1 && g->count > 1)
      continue;
    bool splits = known && g->first + i != g->parts;
    int loop = ts_ports_add_loop(g->out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, size);
    ts_ports_follow(g->arena, g->out, g->many, g->first + i, loop, size);
    loops[num++] = loop;
  }
  ts_ports_follow_all(g->arena, g->few, g->one, num, loops);
  return known;
}

/* The dimension of `many` along which it is used, or made, an index at a time, and all of them:
 * each is somebody's own tensor, of which one device would have all. */
static intptr_t dim_of_parts(MlirValue many, bool expands) {
  MlirValue parts[TS_MOST_PARTS];
  ts_part_place p;
  MlirOperation op = ts_defining_op(many);
  if (expands) {
    MlirOpOperand use = mlirValueGetFirstUse(many);
    if (mlirOpOperandIsNull(use) || !ts_part_taken(mlirOpOperandGetOwner(use), many, &p) ||
        !ts_is_taken_in_parts(many, &p))
      return -1;
  } else if (!op.ptr || !ts_parts_joined(op, parts, &p)) {
    return -1;
  }
  return mlirShapedTypeGetDimSize(mlirValueGetType(many), p.d) == p.num ? p.d : -1;
}

bool ts_reshape_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool expands = ts_op_is(op, "tensor.expand_shape");
  MlirType many = expands ? to : from, few = expands ? from : to;
  if (!ts_ports_init(arena, op, (int)mlirShapedTypeGetRank(many), out, reason))
    return false;
  group g = {.arena = arena,
             .out = out,
             .many = expands ? &out->results[0] : &out->operands[0],
             .few = expands ? &out->operands[0] : &out->results[0],
             .many_shape = ts_shape_of(arena, many),
             .few_shape = ts_shape_of(arena, few)};
  g.parts = dim_of_parts(expands ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0),
                         expands);
  MlirAttribute groups = ts_attribute(op, "reassociation");
  for (g.one = 0; g.one < mlirArrayAttrGetNumElements(groups); g.one++) {
    g.count = (int)mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g.one));
    if (!read_group(&g))
      *remark = "merged or split dimensions of which several have a dynamic extent stay whole on "
                "every device";
    g.first += g.count;
  }
  ts_terms_copy(out, 0, 0);
  return true;
}

/* Local extents of the result, in order. */
static MlirValue *local_sizes(const ts_localize *context) {
  int rank = (int)mlirShapedTypeGetRank(context->result_types[0]);
  MlirValue *sizes = TS_NEW(context->emit->arena, MlirValue, rank);
  for (int d = 0, next = 1; d < rank; d++) {
    MlirValue global = {NULL};
    if (mlirShapedTypeIsDynamicDim(context->global_types[0], d))
      global = context->operands[next++];
    sizes[d] = ts_emit_local_size(context->emit, context->result_layouts[0], d, global);
  }
  return sizes;
}

/* A dimension is cut into several extents that are known at run time only. MLIR lowers an
 * expand_shape by dividing by all other extents of the group, so it cannot take that one. */
static bool cuts_twice(MlirOperation op, MlirType local) {
  MlirAttribute groups = ts_attribute(op, "reassociation");
  intptr_t d = 0;
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); g++) {
    intptr_t end = d + mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, g));
    int dynamic = 0;
    for (; d < end; d++)
      dynamic += mlirShapedTypeIsDynamicDim(local, d);
    if (dynamic > 1)
      return true;
  }
  return false;
}

static MlirValue emit_reshape(ts_emit *emit, MlirValue tensor, MlirType type,
                              const MlirValue *sizes) {
  int64_t rank = mlirShapedTypeGetRank(type);
  MlirType shape_type =
      mlirRankedTensorTypeGet(1, &rank, mlirIndexTypeGet(emit->context), mlirAttributeGetNull());
  MlirOperation shape =
      ts_emit_op(emit, "tensor.from_elements", rank, sizes, 1, &shape_type, 0, NULL);
  MlirValue operands[2] = {tensor, mlirOperationGetResult(shape, 0)};
  return mlirOperationGetResult(ts_emit_op(emit, "tensor.reshape", 2, operands, 1, &type, 0, NULL),
                                0);
}

bool ts_expand_shape_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  MlirType type = context->result_types[0];
  MlirValue *sizes = local_sizes(context);
  if (cuts_twice(context->op, type)) {
    results[0] = emit_reshape(emit, context->operands[0], type, sizes);
    return true;
  }
  int rank = (int)mlirShapedTypeGetRank(type), num = 1;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank);
  int64_t *extents = TS_NEW(emit->arena, int64_t, rank);
  operands[0] = context->operands[0];
  for (int d = 0; d < rank; d++) {
    extents[d] = TS_DYNAMIC;
    if (mlirShapedTypeIsDynamicDim(type, d))
      operands[num++] = sizes[d];
    else
      extents[d] = mlirShapedTypeGetDimSize(type, d);
  }
  MlirNamedAttribute attributes[2] = {
      ts_named(emit->context, "reassociation", ts_attribute(context->op, "reassociation")),
      ts_named(emit->context, "static_output_shape",
               mlirDenseI64ArrayGet(emit->context, rank, extents))};
  MlirOperation local =
      ts_emit_op(emit, "tensor.expand_shape", num, operands, 1, &type, 2, attributes);
  results[0] = mlirOperationGetResult(local, 0);
  return true;
}
