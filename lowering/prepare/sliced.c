/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices of what is copied or computed element by element. It knows structured ops, concatenations,
 * pads and slices on tensors; it must not know memory. */
#include "lowering/prepare/sliced.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "lowering/prepare/composition.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "numbers/divisions.h"
#include "support/arena.h"

enum {
  LEAST_BYTES = 1 << 16, /* of the whole: below, a copy costs less than more code */
  MOST_OPERANDS = 64,
  MOST_SLICES = 8
};

static bool is_known(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirShapedTypeGetRank(type) > 0 && mlirShapedTypeGetRank(type) <= TS_BOX_RANK;
}

/* Of a known value; INT64_MAX if there are more. */
static int64_t num_elements(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t num = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (__builtin_mul_overflow(num, mlirShapedTypeGetDimSize(type, d), &num))
      return INT64_MAX;
  return num;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* A slice at a known place, of neighbours and all dimensions. */
static bool read_slice(MlirOperation op, ts_box *part) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  if (!is_known(result) || num_elements(result) == 0 || mlirOperationGetNumOperands(op) != 1 ||
      mlirDenseArrayGetNumElements(offsets) != mlirShapedTypeGetRank(mlirValueGetType(result)))
    return false;
  *part = ts_box_of(result);
  for (int d = 0; d < part->rank; d++) {
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, d);
    if (mlirDenseI64ArrayGetElement(strides, d) != 1)
      return false;
    part->from[d] += offset;
    part->to[d] += offset;
  }
  return true;
}

typedef struct slices {
  int num;
  MlirOperation ops[MOST_SLICES];
  ts_box parts[MOST_SLICES];
} slices;

/* All that looks at the only result, if that takes less than the whole. */
static bool find_slices(MlirOperation op, slices *found) {
  MlirValue whole = mlirOperationGetResult(op, 0);
  int64_t all = num_elements(whole), sum = 0;
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(mlirValueGetType(whole)));
  if (all < LEAST_BYTES / (bytes > 0 ? bytes : 1) || all == INT64_MAX)
    return false;
  found->num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(whole); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation slice = mlirOpOperandGetOwner(use);
    if (found->num == MOST_SLICES || !ts_op_is(slice, "tensor.extract_slice") ||
        !mlirBlockEqual(mlirOperationGetBlock(slice), mlirOperationGetBlock(op)) ||
        !read_slice(slice, &found->parts[found->num]))
      return false;
    sum += num_elements(mlirOperationGetResult(slice, 0));
    found->ops[found->num++] = slice;
  }
  return found->num == 1 ? sum < all : found->num > 1 && sum <= all - sum;
}

/* ---- elementwise ops ------------------------------------------------------------------------- */

/* It asks where an element lies, or may fail for one that nobody looks at. */
static MlirWalkResult note_bound(MlirOperation op, void *user) {
  *(bool *)user |=
      ts_op_is(op, "linalg.index") || ts_op_is(op, "cf.assert") || ts_division_may_fail(op);
  return MlirWalkResultAdvance;
}

/* The operand's dimensions are loops, each one of them. */
static bool follows_loops(MlirOperation op, intptr_t operand) {
  MlirAffineMap map = ts_linalg_map(op, operand);
  MlirValue value = mlirOperationGetOperand(op, operand);
  if (!mlirTypeIsARankedTensor(mlirValueGetType(value)))
    return mlirAffineMapGetNumResults(map) == 0;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, d)))
      return false;
  return is_known(value) || mlirAffineMapGetNumResults(map) == 0;
}

static bool is_elementwise(MlirOperation op) {
  intptr_t num = mlirOperationGetNumOperands(op);
  if (!ts_op_is_linalg(op) || mlirOperationGetNumResults(op) != 1 || num > MOST_OPERANDS ||
      ts_linalg_num_inputs(op) + 1 != num || ts_linalg_num_loops(op) > TS_BOX_RANK ||
      !mlirAffineMapIsPermutation(ts_linalg_map(op, num - 1)))
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  for (intptr_t i = 0; i < num; i++)
    if (!follows_loops(op, i))
      return false;
  bool is_bound = false;
  mlirOperationWalk(op, note_bound, &is_bound, MlirWalkPreOrder);
  return !is_bound;
}

/* A slice, but of an empty tensor, of which nobody is to make the whole. */
static MlirValue take(const ts_maker *build, MlirValue value, const ts_box *part) {
  MlirOperation op = ts_defining_op(value);
  int64_t sizes[TS_BOX_RANK];
  if (!op.ptr || !ts_op_is(op, "tensor.empty"))
    return ts_box_slice(build, value, part);
  for (int d = 0; d < part->rank; d++)
    sizes[d] = part->to[d] - part->from[d];
  MlirType type = mlirRankedTensorTypeGet(part->rank, sizes,
                                          mlirShapedTypeGetElementType(mlirValueGetType(value)),
                                          mlirAttributeGetNull());
  return ts_make_value(build, "tensor.empty", 0, NULL, type, 0, NULL);
}

/* What the operand has for the steps `loops`. */
static MlirValue narrow_operand(const ts_maker *build, MlirOperation op, intptr_t operand,
                                const ts_box *loops) {
  MlirValue value = mlirOperationGetOperand(op, operand);
  MlirAffineMap map = ts_linalg_map(op, operand);
  ts_box part = {.rank = (int)mlirAffineMapGetNumResults(map)};
  if (part.rank == 0)
    return value;
  for (int d = 0; d < part.rank; d++) {
    intptr_t loop = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d));
    part.from[d] = loops->from[loop];
    part.to[d] = loops->to[loop];
  }
  return take(build, value, &part);
}

static MlirValue narrow_elementwise(const ts_maker *build, MlirOperation op, const ts_box *part) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirAffineMap map = ts_linalg_map(op, last);
  ts_box loops = {.rank = part->rank};
  for (int d = 0; d < part->rank; d++) {
    intptr_t loop = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d));
    loops.from[loop] = part->from[d];
    loops.to[loop] = part->to[d];
  }
  MlirValue operands[MOST_OPERANDS];
  for (intptr_t i = 0; i <= last; i++)
    operands[i] = narrow_operand(build, op, i, &loops);
  MlirOperation made = mlirOperationClone(op);
  for (intptr_t i = 0; i <= last; i++)
    mlirOperationSetOperand(made, i, operands[i]);
  mlirValueSetType(mlirOperationGetResult(made, 0), mlirValueGetType(operands[last]));
  ts_insert(build, made);
  return mlirOperationGetResult(made, 0);
}

/* ---- concatenations -------------------------------------------------------------------------- */

static bool is_concat(MlirOperation op) {
  intptr_t num = mlirOperationGetNumOperands(op);
  if (!ts_op_is(op, "tensor.concat") || num > MOST_OPERANDS ||
      !is_known(mlirOperationGetResult(op, 0)))
    return false;
  for (intptr_t i = 0; i < num; i++)
    if (!is_known(mlirOperationGetOperand(op, i)))
      return false;
  return true;
}

static MlirValue narrow_concat(const ts_maker *build, MlirOperation op, const ts_box *part) {
  int64_t dim = ts_op_int(op, "dim", 0), at = 0;
  MlirValue pieces[MOST_OPERANDS];
  int num = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(piece), dim);
    ts_box inside = *part;
    inside.from[dim] = part->from[dim] > at ? part->from[dim] - at : 0;
    inside.to[dim] = part->to[dim] < at + size ? part->to[dim] - at : size;
    if (inside.from[dim] < inside.to[dim])
      pieces[num++] = ts_box_slice(build, piece, &inside);
    at += size;
  }
  if (num == 1)
    return pieces[0];
  int64_t sizes[TS_BOX_RANK];
  MlirType whole = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (int d = 0; d < part->rank; d++)
    sizes[d] = part->to[d] - part->from[d];
  MlirType type = mlirRankedTensorTypeGet(part->rank, sizes, mlirShapedTypeGetElementType(whole),
                                          mlirAttributeGetNull());
  MlirNamedAttribute attribute = ts_named(build->context, "dim", ts_attribute(op, "dim"));
  return ts_make_value(build, "tensor.concat", num, pieces, type, 1, &attribute);
}

/* ---- pads ------------------------------------------------------------------------------------ */

/* The value around the tensor, which comes from elsewhere. */
static MlirValue padding(MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
}

static bool is_pad(MlirOperation op) {
  if (!ts_op_is(op, "tensor.pad") || mlirOperationGetNumOperands(op) != 1 ||
      !is_known(mlirOperationGetOperand(op, 0)) || !is_known(mlirOperationGetResult(op, 0)))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  return mlirOperationEqual(mlirBlockGetFirstOperation(body), mlirBlockGetTerminator(body)) &&
         !(mlirValueIsABlockArgument(padding(op)) &&
           mlirBlockEqual(mlirBlockArgumentGetOwner(padding(op)), body));
}

static MlirValue narrow_pad(const ts_maker *build, MlirOperation op, const ts_box *part) {
  MlirValue value = mlirOperationGetOperand(op, 0);
  MlirAttribute widths = ts_attribute(op, "static_low");
  ts_box inside = ts_box_of(value);
  int64_t low[TS_BOX_RANK], high[TS_BOX_RANK], sizes[TS_BOX_RANK];
  bool pads = false, empty = false;
  for (int d = 0; d < part->rank; d++) {
    int64_t at = mlirDenseI64ArrayGetElement(widths, d), end = at + inside.to[d];
    int64_t from = part->from[d] > at ? part->from[d] : at;
    int64_t to = part->to[d] < end ? part->to[d] : end;
    inside.from[d] = from - at;
    inside.to[d] = to - at;
    low[d] = from - part->from[d];
    high[d] = part->to[d] - to;
    sizes[d] = part->to[d] - part->from[d];
    pads |= low[d] > 0 || high[d] > 0;
    empty |= from >= to;
  }
  MlirType type = mlirRankedTensorTypeGet(part->rank, sizes,
                                          mlirShapedTypeGetElementType(mlirValueGetType(value)),
                                          mlirAttributeGetNull());
  if (empty)
    return ts_make_fill(build, padding(op), type);
  MlirValue slice = ts_box_slice(build, value, &inside);
  if (!pads)
    return slice;
  MlirOperation made = mlirOperationClone(op);
  mlirOperationSetOperand(made, 0, slice);
  mlirOperationSetAttributeByName(made, mlirStringRefCreateFromCString("static_low"),
                                  mlirDenseI64ArrayGet(build->context, part->rank, low));
  mlirOperationSetAttributeByName(made, mlirStringRefCreateFromCString("static_high"),
                                  mlirDenseI64ArrayGet(build->context, part->rank, high));
  mlirValueSetType(mlirOperationGetResult(made, 0), type);
  ts_insert(build, made);
  return mlirOperationGetResult(made, 0);
}

/* ---- all ops --------------------------------------------------------------------------------- */

typedef struct list {
  ts_arena arena;
  int num, max;
  MlirOperation *ops; /* in program order, each before those inside of it */
} list;

static MlirWalkResult note(MlirOperation op, void *user) {
  list *l = user;
  if (!is_elementwise(op) && !is_concat(op) && !is_pad(op))
    return MlirWalkResultAdvance;
  l->ops = ts_arena_grow(&l->arena, l->ops, l->num, &l->max, sizeof(MlirOperation));
  l->ops[l->num++] = op;
  return MlirWalkResultAdvance;
}

static void narrow(MlirOperation op, const slices *found) {
  for (int i = 0; i < found->num; i++) {
    ts_maker build = ts_make_before(found->ops[i]);
    const ts_box *part = &found->parts[i];
    MlirValue made = is_concat(op) ? narrow_concat(&build, op, part)
                     : is_pad(op)  ? narrow_pad(&build, op, part)
                                   : narrow_elementwise(&build, op, part);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(found->ops[i], 0), made);
    mlirOperationDestroy(found->ops[i]);
  }
  mlirOperationDestroy(op);
}

/* Users first: what is left of an op looks at slices of its operands. And what is inside of an op
 * before the op, which is then made anew. */
void ts_sliced_narrow(MlirOperation module) {
  list l = {.num = 0};
  mlirOperationWalk(module, note, &l, MlirWalkPreOrder);
  for (int i = l.num - 1; i >= 0; i--) {
    slices found;
    if (find_slices(l.ops[i], &found))
      narrow(l.ops[i], &found);
  }
  ts_arena_free(&l.arena);
}
