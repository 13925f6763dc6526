/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors behind each other in one, what a collective makes of that, and the parts of it as tensors
 * again, which move nothing where they are in one row. Where each member has a piece of what is
 * taken or given, that is a row for each member, with the pieces of all tensors in it. It knows
 * shapes; it must not know what the collective does. */
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

/* `num` elements of each of `rows` members. */
static MlirType rows_type(MlirType like, int64_t rows, int64_t num) {
  const int64_t shape[] = {rows, num};
  return mlirRankedTensorTypeGet(2, shape, mlirShapedTypeGetElementType(like),
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

/* The part of `from`, which is in a row for each member or in one, at `offset` of each row, as its
 * elements in one row. */
static MlirValue extract(const ts_maker *build, MlirValue from, int64_t rows, int64_t offset,
                         int64_t num) {
  const int64_t ones[] = {1, 1}, offsets[] = {0, offset}, sizes[] = {rows, num};
  const int32_t segments[] = {1, 0, 0, 0}; /* no offsets, sizes and strides as operands */
  const intptr_t skip = rows == 1;         /* a part of one row has that dimension alone */
  MlirContext context = build->context;
  MlirType like = mlirValueGetType(from);
  MlirNamedAttribute attributes[] = {
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 2 - skip, offsets + skip)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, 2 - skip, sizes + skip)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, 2 - skip, ones))};
  MlirType type = rows == 1 ? flat_type(like, num) : rows_type(like, rows, num);
  MlirValue part = ts_make_value(build, "tensor.extract_slice", 1, &from, type, 4, attributes);
  return flatten(build, part);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* How many members' pieces a tensor of `elements` has, of which each has `piece`. */
static int64_t num_rows(MlirType tensor, MlirType piece) {
  int64_t all = num_elements(tensor), own = num_elements(piece);
  return all > own ? all / own : 1;
}

static MlirValue in_rows(const ts_maker *build, MlirValue flat, int64_t rows) {
  MlirType type = mlirValueGetType(flat);
  if (rows == 1)
    return flat;
  return expand(build, flat, rows_type(type, rows, num_elements(type) / rows), 2);
}

/* All inputs behind each other, in each row: by one op, since what bufferization looks at grows
 * with the square of a chain of insertions. */
static MlirValue join(ts_arena *arena, const ts_maker *build, int64_t rows, int num,
                      const MlirOperation *ops) {
  MlirValue *parts = TS_NEW(arena, MlirValue, num);
  int64_t all = 0;
  for (int i = 0; i < num; i++) {
    parts[i] = in_rows(build, flatten(build, mlirOperationGetOperand(ops[i], 0)), rows);
    all += num_elements(mlirValueGetType(parts[i]));
  }
  MlirType like = mlirValueGetType(parts[0]);
  MlirType type = rows == 1 ? flat_type(like, all) : rows_type(like, rows, all / rows);
  MlirNamedAttribute dim = ts_named(
      build->context, "dim", mlirIntegerAttrGet(ts_i64_type(build->context), rows == 1 ? 0 : 1));
  return flatten(build, ts_make_value(build, "tensor.concat", num, parts, type, 1, &dim));
}

static void split(const ts_maker *build, MlirValue done, int64_t rows, int num,
                  const MlirOperation *ops) {
  int64_t offset = 0;
  MlirValue all = in_rows(build, done, rows);
  for (int i = 0; i < num; i++) {
    MlirValue result = mlirOperationGetResult(ops[i], 0);
    MlirType type = mlirValueGetType(result);
    int64_t own = num_elements(type) / rows;
    MlirValue part = extract(build, all, rows, offset, own);
    mlirValueReplaceAllUsesOfWith(result, unflatten(build, part, type));
    offset += own;
  }
}

void ts_pack(ts_arena *arena, MlirOperation before, int num, const MlirOperation *ops) {
  ts_communication first;
  ts_communication_read(ops[0], &first);
  ts_maker build = ts_make_before(before);
  build.location = mlirOperationGetLocation(ops[0]);
  MlirType input = mlirValueGetType(ts_communication_input(&first));
  MlirType result = mlirValueGetType(ts_communication_result(&first));
  bool of_pieces = first.row->combines == TS_COMBINES_PIECES;
  int64_t rows_in = of_pieces ? num_rows(input, result) : 1;
  int64_t rows_out = of_pieces ? num_rows(result, input) : 1;
  MlirValue joined = join(arena, &build, rows_in, num, ops);
  MlirType type = flat_type(result, num_elements(mlirValueGetType(joined)) / rows_in * rows_out);
  MlirValue done = ts_communication_again(&first, before, joined, type);
  for (int i = 1; i < num; i++)
    ts_causes_join(arena, mlirOpResultGetOwner(done), ops[i]);
  split(&build, done, rows_out, num, ops);
  for (int i = 0; i < num; i++)
    mlirOperationDestroy(ops[i]);
}
