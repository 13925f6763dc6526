/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around upstream's verifiers of views, which refuse what bufferization makes of tensors
 * without elements: a view that starts where its memory ends, and dimensions of extent 0 merged
 * with those of an extent that is not known. Can go when they allow these. It knows joins, pads and
 * reshapes. */
#include "lowering/workarounds/empties.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

static bool is_zero(MlirType type, intptr_t d) {
  return !mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) == 0;
}

static MlirType operand_type(MlirOperation op, intptr_t i) {
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

static MlirType result_type(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

/* `sizes` has all extents of the result. */
static void replace_by_empty(const ts_maker *build, MlirOperation op, const MlirValue *sizes) {
  MlirType type = result_type(op);
  MlirValue operands[TS_MAX_RANK];
  intptr_t num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      operands[num++] = sizes[d];
  replace(op, ts_make_value(build, "tensor.empty", num, operands, type, 0, NULL));
}

/* ---- joins ----------------------------------------------------------------------------------- */

static void empty_join(MlirOperation op, intptr_t joined) {
  ts_maker build = ts_make_before(op);
  MlirValue sizes[TS_MAX_RANK];
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(result_type(op)); d++) {
    sizes[d] = ts_make_size(&build, mlirOperationGetOperand(op, 0), d);
    for (intptr_t i = 1; d == joined && i < mlirOperationGetNumOperands(op); i++)
      sizes[d] = ts_make_binary(&build, "arith.addi", sizes[d],
                                ts_make_size(&build, mlirOperationGetOperand(op, i), d));
  }
  replace_by_empty(&build, op, sizes);
}

/* The extent of a part, which a cast of it may not say, but is known as soon as that is folded. */
static int64_t part_extent(MlirOperation op, intptr_t i, intptr_t joined) {
  MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, i));
  bool is_cast = mlirShapedTypeIsDynamicDim(operand_type(op, i), joined) && made.ptr &&
                 ts_op_is(made, "tensor.cast") && mlirTypeIsARankedTensor(operand_type(made, 0));
  return mlirShapedTypeGetDimSize(operand_type(is_cast ? made : op, is_cast ? 0 : i), joined);
}

/* What parts of unknown extents have together; not known itself if the result's extent is not. */
static int64_t unknown_extent(MlirOperation op, intptr_t joined) {
  if (mlirShapedTypeIsDynamicDim(result_type(op), joined))
    return mlirShapedTypeGetDynamicSize();
  int64_t left = mlirShapedTypeGetDimSize(result_type(op), joined);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (part_extent(op, i, joined) != mlirShapedTypeGetDynamicSize())
      left -= part_extent(op, i, joined);
  return left;
}

/* Joins those parts that are not surely empty. */
static void lower_join(MlirOperation op) {
  intptr_t joined = mlirIntegerAttrGetValueInt(ts_attribute(op, "dim"));
  intptr_t num_parts = mlirOperationGetNumOperands(op), num = 0;
  int64_t unknown = unknown_extent(op, joined);
  ts_arena arena = {0};
  MlirValue *parts = TS_NEW(&arena, MlirValue, num_parts);
  for (intptr_t i = 0; i < num_parts; i++) {
    int64_t extent = part_extent(op, i, joined);
    bool empty = extent == mlirShapedTypeGetDynamicSize() ? unknown == 0 : extent == 0;
    if (!empty)
      parts[num++] = mlirOperationGetOperand(op, i);
  }
  if (num == 0 || ts_has_no_elements(result_type(op)))
    empty_join(op, joined);
  else if (num < num_parts)
    mlirOperationSetOperands(op, num, parts);
  ts_arena_free(&arena);
}

/* ---- pads ------------------------------------------------------------------------------------ */

/* Width number `d` of the list `name`, whose operands begin at `*next`, which then is behind it. */
static MlirValue read_width(const ts_maker *build, MlirOperation op, const char *name, intptr_t d,
                            intptr_t *next) {
  int64_t width = mlirDenseI64ArrayGetElement(ts_attribute(op, name), d);
  if (width == mlirShapedTypeGetDynamicSize())
    return mlirOperationGetOperand(op, (*next)++);
  return ts_make_index(build, width);
}

/* All that `op` gives is padding. */
static void generate(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirType type = result_type(op);
  MlirAttribute segments = ts_attribute(op, "operandSegmentSizes");
  intptr_t low = 1, high = 1 + mlirDenseI32ArrayGetElement(segments, 1), num = 0;
  MlirValue sizes[TS_MAX_RANK], source = mlirOperationGetOperand(op, 0);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    MlirValue size = ts_make_binary(&build, "arith.addi", ts_make_size(&build, source, d),
                                    read_width(&build, op, "static_low", d, &low));
    size =
        ts_make_binary(&build, "arith.addi", size, read_width(&build, op, "static_high", d, &high));
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = size;
  }
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  MlirOperation made = ts_make_op(&build, &(ts_new_op){.name = "tensor.generate",
                                                       .num_operands = num,
                                                       .operands = sizes,
                                                       .num_results = 1,
                                                       .results = &type,
                                                       .region = body});
  replace(op, mlirOperationGetResult(made, 0));
}

/* Nothing is left of dimension `d` of the result for the source. */
static bool is_all_padding(MlirOperation op, intptr_t d) {
  const int64_t unknown = mlirShapedTypeGetDynamicSize();
  int64_t low = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_low"), d);
  int64_t high = mlirDenseI64ArrayGetElement(ts_attribute(op, "static_high"), d);
  return is_zero(operand_type(op, 0), d) ||
         (low != unknown && high != unknown && !mlirShapedTypeIsDynamicDim(result_type(op), d) &&
          mlirShapedTypeGetDimSize(result_type(op), d) == low + high);
}

static void lower_pad(MlirOperation op) {
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(result_type(op)); d++)
    if (is_all_padding(op, d)) {
      generate(op);
      return;
    }
}

/* ---- reshapes -------------------------------------------------------------------------------- */

static void lower_collapse(MlirOperation op) {
  if (!ts_has_no_elements(operand_type(op, 0)))
    return;
  ts_maker build = ts_make_before(op);
  MlirAttribute groups = ts_attribute(op, "reassociation");
  MlirValue sizes[TS_MAX_RANK];
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); g++) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    sizes[g] = ts_make_index(&build, 1);
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(group); i++) {
      int64_t d = mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
      sizes[g] = ts_make_binary(&build, "arith.muli", sizes[g],
                                ts_make_size(&build, mlirOperationGetOperand(op, 0), d));
    }
  }
  replace_by_empty(&build, op, sizes);
}

static void lower_op(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "tensor.concat"))
    lower_join(op);
  else if (ts_op_is(op, "tensor.pad"))
    lower_pad(op);
  else if (ts_op_is(op, "tensor.collapse_shape"))
    lower_collapse(op);
}

void ts_empties_lower(MlirOperation module) {
  ts_each_op(module, lower_op, NULL);
}
