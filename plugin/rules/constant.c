/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces of constant tensors: a smaller splat, or a slice at computed offsets. It must not know who
 * wants them. */
#include "rules/constant.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"

MlirAttribute ts_constant_value(MlirOperation op) {
  MlirAttribute value = ts_attribute(op, "value");
  return mlirAttributeIsNull(value) ? ts_attribute(op, "values") : value; /* tosa's name for it */
}

MlirAttribute ts_constant_splat(MlirOperation op) {
  MlirAttribute value = ts_constant_value(op);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value) ||
      !mlirDenseElementsAttrIsSplat(value))
    return mlirAttributeGetNull();
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  if (!mlirTypeIsAFloat(element) && !mlirTypeIsAInteger(element) && !mlirTypeIsAIndex(element))
    return mlirAttributeGetNull();
  return mlirDenseElementsAttrGetSplatValue(value);
}

static MlirValue build_splat(ts_emit *emit, MlirAttribute element, const ts_sharding *layout,
                             MlirType local) {
  if (mlirShapedTypeHasStaticShape(local))
    return ts_emit_constant(emit, local, mlirDenseElementsAttrSplatGet(local, element));
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + layout->rank);
  intptr_t num = 0;
  operands[num++] = ts_emit_scalar(emit, element);
  for (int d = 0; d < layout->rank; d++)
    if (mlirShapedTypeIsDynamicDim(local, d))
      operands[num++] = ts_emit_local_size(emit, layout, d, (MlirValue){NULL});
  return mlirOperationGetResult(ts_emit_op(emit, "tensor.splat", num, operands, 1, &local, 0, NULL),
                                0);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* A tensor seen with one dimension a factor. */
typedef struct factored {
  int rank;
  int64_t *global, *local; /* extents */
  MlirValue *offsets, *sizes;
  MlirAttribute *groups; /* a dimension's factors, for each dimension */
} factored;

static factored factor_out(ts_emit *emit, const ts_sharding *layout) {
  const MlirValue own_size = {NULL};
  ts_arena *arena = emit->arena;
  int num = 0;
  for (int d = 0; d < layout->rank; d++)
    num += layout->dims[d].num_factors;
  factored f = {.global = TS_NEW(arena, int64_t, num),
                .local = TS_NEW(arena, int64_t, num),
                .offsets = TS_NEW(arena, MlirValue, num),
                .sizes = TS_NEW(arena, MlirValue, num),
                .groups = TS_NEW(arena, MlirAttribute, layout->rank)};
  MlirAttribute *positions = TS_NEW(arena, MlirAttribute, num);
  MlirType i64 = mlirIntegerTypeGet(emit->context, 64);
  for (int d = 0; d < layout->rank; d++) {
    int first = f.rank;
    for (int i = 0; i < layout->dims[d].num_factors; i++, ++f.rank) {
      const ts_factor *factor = &layout->dims[d].factors[i];
      ts_dim alone = {.num_factors = 1, .factors = factor};
      f.global[f.rank] = factor->size;
      f.local[f.rank] = ts_dim_local_size(layout->grid, &alone);
      f.offsets[f.rank] = ts_emit_factor_offset(emit, layout->grid, factor, own_size);
      f.sizes[f.rank] = ts_emit_factor_size(emit, layout->grid, factor, own_size);
      positions[f.rank] = mlirIntegerAttrGet(i64, f.rank);
    }
    f.groups[d] = mlirArrayAttrGet(emit->context, f.rank - first, positions + first);
  }
  return f;
}

static MlirValue emit_reshape(ts_emit *emit, const char *name, MlirValue tensor, MlirType type,
                              int num_groups, const MlirAttribute *groups) {
  MlirAttribute reassociation = mlirArrayAttrGet(emit->context, num_groups, groups);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = mlirShapedTypeIsDynamicDim(type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
  MlirNamedAttribute attributes[2] = {ts_named(emit->context, "reassociation", reassociation),
                                      ts_named(emit->context, "static_output_shape",
                                               mlirDenseI64ArrayGet(emit->context, rank, shape))};
  int num_attributes = rank > num_groups ? 2 : 1; /* only what expands has an output shape */
  return mlirOperationGetResult(
      ts_emit_op(emit, name, 1, &tensor, 1, &type, num_attributes, attributes), 0);
}

static MlirValue build_slice(ts_emit *emit, MlirValue tensor, const ts_sharding *layout,
                             MlirType local) {
  factored f = factor_out(emit, layout);
  MlirType global = mlirValueGetType(tensor), element = mlirShapedTypeGetElementType(global);
  MlirAttribute none = mlirAttributeGetNull();
  if (f.rank == layout->rank)
    return ts_emit_extract_slice(emit, tensor, local, f.offsets, f.sizes);
  MlirType whole = mlirRankedTensorTypeGet(f.rank, f.global, element, none);
  MlirType piece = mlirRankedTensorTypeGet(f.rank, f.local, element, none);
  tensor = emit_reshape(emit, "tensor.expand_shape", tensor, whole, layout->rank, f.groups);
  tensor = ts_emit_extract_slice(emit, tensor, piece, f.offsets, f.sizes);
  return emit_reshape(emit, "tensor.collapse_shape", tensor, local, layout->rank, f.groups);
}

MlirValue ts_constant_build(ts_emit *emit, MlirOperation op, const ts_sharding *layout) {
  MlirType global = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirType local = ts_local_type(layout, global);
  MlirAttribute splat = ts_constant_splat(op);
  /* Offsets alone make a piece smaller too, on no axis. */
  if (!mlirAttributeIsNull(splat) && !mlirTypeEqual(local, global))
    return build_splat(emit, splat, layout, local);
  MlirValue whole = mlirOperationGetResult(ts_clone_here(emit, op), 0);
  return ts_sharding_split_axes(layout) ? build_slice(emit, whole, layout, local) : whole;
}
