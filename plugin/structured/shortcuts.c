/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices of what is put together of parts, or is a slice itself, as slices of the part that they
 * take: the whole then need not be where the slice is. It must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/slices.h"
#include "structured/structured.h"

/* A slice of known numbers, of as many dimensions as its tensor. */
typedef struct slice {
  MlirValue source;
  intptr_t rank;
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
} slice;

static bool read_list(MlirOperation op, const char *name, intptr_t rank, int64_t *numbers) {
  MlirAttribute list = ts_attribute(op, name);
  if (mlirDenseArrayGetNumElements(list) != rank)
    return false;
  for (intptr_t d = 0; d < rank; d++) {
    numbers[d] = mlirDenseI64ArrayGetElement(list, d);
    if (numbers[d] == mlirShapedTypeGetDynamicSize())
      return false;
  }
  return true;
}

/* The numbers of a slice or an insertion of a tensor of type `part` from or into `whole`. */
static bool read_slice(MlirOperation op, MlirType part, MlirType whole, slice *s) {
  if (!mlirShapedTypeHasStaticShape(whole) || !mlirShapedTypeHasStaticShape(part) ||
      ts_has_no_elements(part) || mlirShapedTypeGetRank(whole) > TS_MAX_RANK)
    return false;
  s->rank = mlirShapedTypeGetRank(whole);
  return read_list(op, "static_offsets", s->rank, s->offsets) &&
         read_list(op, "static_sizes", s->rank, s->sizes) &&
         read_list(op, "static_strides", s->rank, s->strides);
}

typedef enum where { INSIDE, OUTSIDE, BOTH } where;

/* Where the indices of `s` along `d` lie to the `size` indices from `offset` on. */
static where locate(const slice *s, intptr_t d, int64_t offset, int64_t size) {
  int64_t first = s->offsets[d], stride = s->strides[d], last = first + (s->sizes[d] - 1) * stride;
  if (first >= offset && last < offset + size)
    return INSIDE;
  if (first < offset)
    first += (offset - first + stride - 1) / stride * stride;
  return first > last || first >= offset + size ? OUTSIDE : BOTH;
}

static bool from_slice(MlirOperation op, slice *s) {
  slice before;
  MlirType whole = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType part = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!read_slice(op, part, whole, &before) || mlirShapedTypeGetRank(part) != before.rank)
    return false;
  for (intptr_t d = 0; d < s->rank; d++) {
    s->offsets[d] = before.offsets[d] + s->offsets[d] * before.strides[d];
    s->strides[d] = s->sizes[d] == 1 ? 1 : s->strides[d] * before.strides[d];
  }
  s->source = mlirOperationGetOperand(op, 0);
  return true;
}

static bool from_insertion(MlirOperation op, slice *s) {
  slice inserted;
  MlirValue part = mlirOperationGetOperand(op, 0), into = mlirOperationGetOperand(op, 1);
  if (!read_slice(op, mlirValueGetType(part), mlirValueGetType(into), &inserted) ||
      mlirShapedTypeGetRank(mlirValueGetType(part)) != inserted.rank)
    return false;
  bool is_inside = true;
  for (intptr_t d = 0; d < s->rank; d++) {
    if (inserted.strides[d] != 1)
      return false;
    where here = locate(s, d, inserted.offsets[d], inserted.sizes[d]);
    if (here == OUTSIDE) {
      s->source = into;
      return true;
    }
    is_inside = is_inside && here == INSIDE;
  }
  for (intptr_t d = 0; is_inside && d < s->rank; d++)
    s->offsets[d] -= inserted.offsets[d];
  if (is_inside)
    s->source = part;
  return is_inside;
}

static bool from_concat(MlirOperation op, slice *s) {
  intptr_t d = (intptr_t)ts_op_int(op, "dim", 0);
  int64_t offset = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue part = mlirOperationGetOperand(op, i);
    if (!mlirShapedTypeHasStaticShape(mlirValueGetType(part)))
      return false;
    int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(part), d);
    if (locate(s, d, offset, size) == INSIDE) {
      s->offsets[d] -= offset;
      s->source = part;
      return true;
    }
    offset += size;
  }
  return false;
}

static const struct {
  const char *op;
  bool (*go_back)(MlirOperation op, slice *s);
} rows[] = {
    {"tensor.concat", from_concat},
    {"tensor.extract_slice", from_slice},
    {"tensor.insert_slice", from_insertion},
};

/* Goes to what the slice takes of what made its source. */
static bool go_back(slice *s) {
  MlirOperation op = ts_defining_op(s->source);
  for (size_t i = 0; op.ptr && i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].op))
      return rows[i].go_back(op, s);
  return false;
}

/* Many slices of a long chain of insertions are not to look at all of it each. */
enum { MOST_STEPS = 1024 };

static bool is_all(const slice *s) {
  MlirType type = mlirValueGetType(s->source);
  for (intptr_t d = 0; d < s->rank; d++)
    if (s->offsets[d] != 0 || s->strides[d] != 1 ||
        s->sizes[d] != mlirShapedTypeGetDimSize(type, d))
      return false;
  return true;
}

bool ts_structure_shortcut(MlirOperation op) {
  slice s = {.source = mlirOperationGetOperand(op, 0)};
  MlirValue result = mlirOperationGetResult(op, 0);
  if (!read_slice(op, mlirValueGetType(result), mlirValueGetType(s.source), &s) || !go_back(&s))
    return false;
  for (int steps = 1; steps < MOST_STEPS && go_back(&s); steps++) {
  }
  MlirValue whole = mlirOperationGetOperand(op, 0);
  if (is_all(&s) && mlirTypeEqual(mlirValueGetType(s.source), mlirValueGetType(result))) {
    mlirValueReplaceAllUsesOfWith(result, s.source);
    mlirOperationDestroy(op);
    ts_drop_unused_parts(whole);
    return true;
  }
  MlirContext context = mlirOperationGetContext(op);
  mlirOperationSetOperand(op, 0, s.source);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("static_offsets"),
                                  mlirDenseI64ArrayGet(context, s.rank, s.offsets));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("static_strides"),
                                  mlirDenseI64ArrayGet(context, s.rank, s.strides));
  ts_drop_unused_parts(whole);
  return false;
}
