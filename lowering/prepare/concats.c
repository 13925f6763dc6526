/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Concatenations as insertions. It knows tensor.concat; it must not know who reads it. */
#include "lowering/prepare/concats.h"

#include "ir/element_types.h"
#include "lowering/prepare/composition.h"
#include "mlir-c/BuiltinTypes.h"

/* Known, and not without elements. */
static bool has_known_size(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > TS_BOX_RANK)
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(type, d) == 0)
      return false;
  return true;
}

static bool has_known_sizes(MlirOperation concat) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); i++)
    if (!has_known_size(mlirOperationGetOperand(concat, i)))
      return false;
  return has_known_size(mlirOperationGetResult(concat, 0));
}

enum {
  MOST_PIECES = 32, /* bufferization compares each insertion with all others, for each of them */
  MOST_SMALL_PIECES = 8,
  SMALL_BYTES = 1 << 20 /* of all: to copy them costs less than that */
};

static bool has_few_pieces(MlirOperation concat) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(concat, 0));
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  bool is_small = true;
  for (intptr_t d = 0; is_small && d < mlirShapedTypeGetRank(type); d++)
    is_small = !__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d), &bytes) &&
               bytes <= SMALL_BYTES;
  return mlirOperationGetNumOperands(concat) <= (is_small ? MOST_SMALL_PIECES : MOST_PIECES);
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.concat") || !has_known_sizes(op) || !has_few_pieces(op))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t dim = ts_op_int(op, "dim", 0), at = 0;
  MlirValue joined =
      ts_make_value(&build, "tensor.empty", 0, NULL, mlirValueGetType(result), 0, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    ts_box part = ts_box_of(piece);
    part.from[dim] = at;
    part.to[dim] += at;
    at = part.to[dim];
    joined = ts_box_insert(&build, piece, joined, &part);
  }
  mlirValueReplaceAllUsesOfWith(result, joined);
  mlirOperationDestroy(op);
}

void ts_concats_to_insertions(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
