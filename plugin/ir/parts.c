/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors that are taken apart, or joined, in equal parts of one dimension. It knows slices,
 * insertions and joins; it must not know why anybody asks. */
#include "ir/parts.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Extents are known, and there is room for one dimension more. */
static bool is_plain(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) < TS_MAX_RANK && !ts_has_no_elements(type);
}

/* How `op`, a slice or an insertion, places what is of type `slice` in `whole`. */
static bool read_place(MlirOperation op, MlirType slice, MlirType whole, ts_part_place *part) {
  if (!is_plain(slice) || !is_plain(whole) ||
      mlirShapedTypeGetRank(slice) != mlirShapedTypeGetRank(whole))
    return false;
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  *part = (ts_part_place){.d = -1};
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(whole); i++) {
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, i);
    int64_t size = mlirShapedTypeGetDimSize(slice, i), all = mlirShapedTypeGetDimSize(whole, i);
    if (mlirDenseI64ArrayGetElement(strides, i) != 1)
      return false;
    if (size == all)
      continue;
    if (part->d >= 0 || all % size || all / size > TS_MOST_PARTS || offset < 0 || offset % size)
      return false;
    *part = (ts_part_place){i, all / size, offset / size};
  }
  return part->d >= 0;
}

bool ts_part_taken(MlirOperation op, MlirValue whole, ts_part_place *part) {
  return ts_op_is(op, "tensor.extract_slice") &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), whole) &&
         read_place(op, mlirValueGetType(mlirOperationGetResult(op, 0)), mlirValueGetType(whole),
                    part);
}

static uint64_t all_of(int64_t num) {
  return num == TS_MOST_PARTS ? UINT64_MAX : (UINT64_C(1) << num) - 1;
}

/* Each slice asks about all others, so that too many are no parts. */
enum { MOST_USES = 8 * TS_MOST_PARTS };

bool ts_is_taken_in_parts(MlirValue whole, const ts_part_place *part) {
  uint64_t taken = 0;
  int num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(whole); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    ts_part_place other;
    if (++num > MOST_USES || !ts_part_taken(mlirOpOperandGetOwner(use), whole, &other) ||
        other.d != part->d || other.num != part->num)
      return false;
    taken |= UINT64_C(1) << other.index;
  }
  return taken == all_of(part->num);
}

static bool joins_equal(MlirOperation op, MlirValue parts[TS_MOST_PARTS], ts_part_place *part) {
  intptr_t num = mlirOperationGetNumOperands(op);
  if (num < 2 || num > TS_MOST_PARTS)
    return false;
  for (intptr_t i = 0; i < num; i++) {
    parts[i] = mlirOperationGetOperand(op, i);
    if (!mlirTypeEqual(mlirValueGetType(parts[i]), mlirValueGetType(parts[0])))
      return false;
  }
  *part = (ts_part_place){.d = (intptr_t)ts_op_int(op, "dim", 0), .num = num};
  return is_plain(mlirValueGetType(parts[0])) &&
         is_plain(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* The insertion that made the destination of `op`, which nobody else reads; null if there is none.
 */
static MlirOperation insertion_before(MlirOperation op) {
  MlirValue into = mlirOperationGetOperand(op, 1);
  MlirOperation before = ts_defining_op(into);
  bool is_one = before.ptr && ts_op_is(before, "tensor.insert_slice") && ts_has_one_use(into);
  return is_one ? before : (MlirOperation){NULL};
}

static bool completes(MlirOperation op, MlirValue parts[TS_MOST_PARTS], ts_part_place *part) {
  MlirType whole = mlirValueGetType(mlirOperationGetResult(op, 0));
  uint64_t written = 0;
  ts_part_place one;
  for (MlirOperation at = op; at.ptr && (!written || written != all_of(part->num));
       at = insertion_before(at)) {
    MlirValue slice = mlirOperationGetOperand(at, 0);
    if (!read_place(at, mlirValueGetType(slice), whole, &one))
      return false;
    if (!written)
      *part = one;
    if (one.d != part->d || one.num != part->num || (written >> one.index & 1))
      return false;
    written |= UINT64_C(1) << one.index;
    parts[one.index] = slice;
  }
  return written == all_of(part->num);
}

bool ts_parts_joined(MlirOperation op, MlirValue parts[TS_MOST_PARTS], ts_part_place *part) {
  if (ts_op_is(op, "tensor.concat"))
    return joins_equal(op, parts, part);
  return ts_op_is(op, "tensor.insert_slice") && completes(op, parts, part);
}
