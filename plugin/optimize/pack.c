/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors behind each other in one, what a collective makes of that, and the parts of it as tensors
 * again, which move nothing. It knows shapes; it must not know what the collective does. */
#include "optimize/pack.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/communication.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static int64_t num_elements(MlirType tensor) {
  int64_t num = 1;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(tensor); d++)
    num *= mlirShapedTypeGetDimSize(tensor, d);
  return num;
}

static MlirType flat_type(MlirType like, int64_t num) {
  return mlirRankedTensorTypeGet(1, &num, mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

/* [[0, 1, ...]], or [] for a tensor of one element without dimensions. */
static MlirAttribute one_group(MlirContext context, int64_t rank) {
  MlirAttribute members[TS_MAX_RANK];
  for (int64_t d = 0; d < rank; d++)
    members[d] = mlirIntegerAttrGet(ts_i64_type(context), d);
  MlirAttribute group = mlirArrayAttrGet(context, rank, members);
  return mlirArrayAttrGet(context, rank > 0, &group);
}

static MlirValue collapse(const ts_maker *build, MlirValue value, MlirType type, int64_t rank) {
  MlirNamedAttribute groups =
      ts_named(build->context, "reassociation", one_group(build->context, rank));
  return ts_make_value(build, "tensor.collapse_shape", 1, &value, type, 1, &groups);
}

static MlirValue expand(const ts_maker *build, MlirValue value, MlirType type, int64_t rank) {
  int64_t shape[TS_MAX_RANK];
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "reassociation", one_group(build->context, rank)),
      ts_named(build->context, "static_output_shape",
               mlirDenseI64ArrayGet(build->context, mlirShapedTypeGetRank(type), shape))};
  return ts_make_value(build, "tensor.expand_shape", 1, &value, type, 2, attributes);
}

/* `value` as its elements in a row. */
static MlirValue flatten(const ts_maker *build, MlirValue value) {
  MlirType type = mlirValueGetType(value), flat = flat_type(type, num_elements(type));
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank == 1)
    return value;
  return rank == 0 ? expand(build, value, flat, 0) : collapse(build, value, flat, rank);
}

static MlirValue unflatten(const ts_maker *build, MlirValue value, MlirType type) {
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank == 1)
    return value;
  return rank == 0 ? collapse(build, value, type, 0) : expand(build, value, type, rank);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Where a part of `num` elements lies, as ops on slices say it. */
static intptr_t place(const ts_maker *build, int64_t offset, int64_t num, int num_tensors,
                      MlirNamedAttribute out[4]) {
  const int64_t step = 1;
  int32_t segments[5] = {1, num_tensors == 2}; /* no offsets, sizes and strides as operands */
  out[0] = ts_named(build->context, "operandSegmentSizes",
                    mlirDenseI32ArrayGet(build->context, 3 + num_tensors, segments));
  out[1] =
      ts_named(build->context, "static_offsets", mlirDenseI64ArrayGet(build->context, 1, &offset));
  out[2] = ts_named(build->context, "static_sizes", mlirDenseI64ArrayGet(build->context, 1, &num));
  out[3] =
      ts_named(build->context, "static_strides", mlirDenseI64ArrayGet(build->context, 1, &step));
  return 4;
}

static MlirValue insert(const ts_maker *build, MlirValue part, MlirValue into, int64_t offset,
                        int64_t num) {
  MlirNamedAttribute attributes[4];
  MlirValue operands[] = {part, into};
  intptr_t count = place(build, offset, num, 2, attributes);
  return ts_make_value(build, "tensor.insert_slice", 2, operands, mlirValueGetType(into), count,
                       attributes);
}

static MlirValue extract(const ts_maker *build, MlirValue from, int64_t offset, int64_t num) {
  MlirNamedAttribute attributes[4];
  intptr_t count = place(build, offset, num, 1, attributes);
  return ts_make_value(build, "tensor.extract_slice", 1, &from,
                       flat_type(mlirValueGetType(from), num), count, attributes);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* All inputs in a row. */
static MlirValue join(const ts_maker *build, int num, const MlirOperation *ops) {
  int64_t all = 0, offset = 0;
  for (int i = 0; i < num; i++)
    all += num_elements(mlirValueGetType(mlirOperationGetOperand(ops[i], 0)));
  MlirType type = flat_type(mlirValueGetType(mlirOperationGetOperand(ops[0], 0)), all);
  MlirValue joined = ts_make_value(build, "tensor.empty", 0, NULL, type, 0, NULL);
  for (int i = 0; i < num; i++) {
    MlirValue part = flatten(build, mlirOperationGetOperand(ops[i], 0));
    int64_t size = num_elements(mlirValueGetType(part));
    joined = insert(build, part, joined, offset, size);
    offset += size;
  }
  return joined;
}

static void split(const ts_maker *build, MlirValue done, int num, const MlirOperation *ops) {
  int64_t offset = 0;
  for (int i = 0; i < num; i++) {
    MlirValue result = mlirOperationGetResult(ops[i], 0);
    MlirType type = mlirValueGetType(result);
    MlirValue part = extract(build, done, offset, num_elements(type));
    mlirValueReplaceAllUsesOfWith(result, unflatten(build, part, type));
    offset += num_elements(type);
  }
}

void ts_pack(ts_arena *arena, MlirOperation before, int num, const MlirOperation *ops) {
  ts_communication first;
  ts_communication_read(ops[0], &first);
  ts_maker build = ts_make_before(before);
  build.location = mlirOperationGetLocation(ops[0]);
  MlirValue joined = join(&build, num, ops);
  MlirType type = flat_type(mlirValueGetType(ts_communication_result(&first)),
                            num_elements(mlirValueGetType(joined)));
  MlirValue done = ts_communication_again(&first, before, joined, type);
  for (int i = 1; i < num; i++)
    ts_causes_join(arena, mlirOpResultGetOwner(done), ops[i]);
  split(&build, done, num, ops);
  for (int i = 0; i < num; i++)
    mlirOperationDestroy(ops[i]);
}
