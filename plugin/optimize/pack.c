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

static MlirValue extract(const ts_maker *build, MlirValue from, int64_t offset, int64_t num) {
  const int64_t step = 1;
  const int32_t segments[] = {1, 0, 0, 0}; /* no offsets, sizes and strides as operands */
  MlirContext context = build->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &offset)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, 1, &num)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, 1, &step))};
  return ts_make_value(build, "tensor.extract_slice", 1, &from,
                       flat_type(mlirValueGetType(from), num), 4, attributes);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* All inputs in a row: by one op, since what bufferization looks at grows with the square of a
 * chain of insertions. */
static MlirValue join(ts_arena *arena, const ts_maker *build, int num, const MlirOperation *ops) {
  MlirValue *parts = TS_NEW(arena, MlirValue, num);
  int64_t all = 0;
  for (int i = 0; i < num; i++) {
    parts[i] = flatten(build, mlirOperationGetOperand(ops[i], 0));
    all += num_elements(mlirValueGetType(parts[i]));
  }
  MlirNamedAttribute dim =
      ts_named(build->context, "dim", mlirIntegerAttrGet(ts_i64_type(build->context), 0));
  return ts_make_value(build, "tensor.concat", num, parts,
                       flat_type(mlirValueGetType(parts[0]), all), 1, &dim);
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
  MlirValue joined = join(arena, &build, num, ops);
  MlirType type = flat_type(mlirValueGetType(ts_communication_result(&first)),
                            num_elements(mlirValueGetType(joined)));
  MlirValue done = ts_communication_again(&first, before, joined, type);
  for (int i = 1; i < num; i++)
    ts_causes_join(arena, mlirOpResultGetOwner(done), ops[i]);
  split(&build, done, num, ops);
  for (int i = 0; i < num; i++)
    mlirOperationDestroy(ops[i]);
}
