/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a tensor's elements come from: a slice, or what is inserted and padded. It knows slices,
 * insertions and paddings; it must not know who reads them. */
#include "lowering/prepare/origins.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_static(MlirValue value, int rank) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == rank &&
         mlirShapedTypeHasStaticShape(type);
}

ts_box ts_box_of(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  ts_box b = {.rank = (int)mlirShapedTypeGetRank(type)};
  for (int d = 0; d < b.rank; d++)
    b.to[d] = mlirShapedTypeGetDimSize(type, d);
  return b;
}

static bool is_ranked(MlirValue value, int rank) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == rank;
}

/* A number of a slice or insertion: an attribute's element, or else the next operand. */
static ts_index number_at(MlirOperation op, MlirAttribute numbers, int d, intptr_t *operand) {
  int64_t known = mlirDenseI64ArrayGetElement(numbers, d);
  if (known != mlirShapedTypeGetDynamicSize())
    return (ts_index){.known = known};
  return (ts_index){.value = mlirOperationGetOperand(op, (*operand)++)};
}

/* Where a slice or insertion begins and how large it is; false if elements are left out, or
 * dimensions dropped. */
bool ts_origin_numbers(MlirOperation op, int rank, ts_index *from, ts_index *size) {
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute sizes = ts_attribute(op, "static_sizes");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  intptr_t operand = ts_op_is(op, "tensor.insert_slice") ? 2 : 1;
  if (mlirDenseArrayGetNumElements(offsets) != rank)
    return false;
  for (int d = 0; d < rank; d++) {
    from[d] = number_at(op, offsets, d, &operand);
    if (mlirDenseI64ArrayGetElement(strides, d) != 1)
      return false;
  }
  for (int d = 0; d < rank; d++)
    size[d] = number_at(op, sizes, d, &operand);
  return true;
}

static bool ask(const ts_asking *who, const ts_index *n, int64_t *known) {
  *known = n->known;
  if (mlirValueIsNull(n->value))
    return true;
  *who->varies = true;
  return ts_devices_number(who->devices, who->device, n->value, known);
}

/* The part of a tensor of `rank` dimensions that a slice of it takes; false if its place is not
 * known. */
static bool read_slice(const ts_asking *who, MlirOperation op, int rank, ts_box *part) {
  ts_index from[TS_BOX_RANK], size[TS_BOX_RANK];
  part->rank = rank;
  if (!ts_origin_numbers(op, rank, from, size))
    return false;
  for (int d = 0; d < rank; d++) {
    int64_t elements;
    if (!ask(who, &from[d], &part->from[d]) || !ask(who, &size[d], &elements) ||
        part->from[d] < 0 || elements < 0)
      return false;
    part->to[d] = part->from[d] + elements;
  }
  return true;
}

/* The value that a tensor.pad puts around its source, if it is the same everywhere. */
static MlirValue padding_of(MlirOperation pad) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(pad, 0));
  MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  MlirOperation op = ts_defining_op(value);
  bool is_outside = op.ptr ? !mlirBlockEqual(mlirOperationGetBlock(op), body)
                           : !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body);
  return is_outside ? value : (MlirValue){NULL};
}

static bool read_pad(MlirOperation op, int rank, ts_box *part) {
  MlirAttribute low = ts_attribute(op, "static_low");
  if (!is_static(mlirOperationGetOperand(op, 0), rank) || mlirValueIsNull(padding_of(op)))
    return false;
  *part = ts_box_of(mlirOperationGetOperand(op, 0));
  for (int d = 0; d < rank; d++) {
    int64_t offset = mlirDenseI64ArrayGetElement(low, d);
    if (offset < 0)
      return false;
    part->from[d] += offset;
    part->to[d] += offset;
  }
  return true;
}

ts_origin ts_origin_of(const ts_asking *who, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  ts_origin o = {.kind = TS_ORIGIN_ITSELF};
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(value));
  if (!op.ptr || rank > TS_BOX_RANK)
    return o;
  if (ts_op_is(op, "tensor.extract_slice")) {
    o.inner = mlirOperationGetOperand(op, 0);
    if (is_ranked(o.inner, rank) && read_slice(who, op, rank, &o.part))
      o.kind = TS_ORIGIN_SLICE;
  } else if (ts_op_is(op, "tensor.insert_slice")) {
    o.inner = mlirOperationGetOperand(op, 0);
    o.outer = mlirOperationGetOperand(op, 1);
    if (is_ranked(o.inner, rank) && read_slice(who, op, rank, &o.part))
      o.kind = TS_ORIGIN_JOINED;
  } else if (ts_op_is(op, "tensor.pad") && read_pad(op, rank, &o.part)) {
    o.inner = mlirOperationGetOperand(op, 0);
    o.outer = padding_of(op);
    o.kind = TS_ORIGIN_JOINED;
  }
  return o;
}

ts_box ts_box_moved(const ts_box *b, const ts_box *origin, int direction) {
  ts_box result = *b;
  for (int d = 0; d < b->rank; d++) {
    result.from[d] += direction * origin->from[d];
    result.to[d] += direction * origin->from[d];
  }
  return result;
}

bool ts_box_intersect(const ts_box *a, const ts_box *b, ts_box *common) {
  common->rank = a->rank;
  for (int d = 0; d < a->rank; d++) {
    common->from[d] = a->from[d] > b->from[d] ? a->from[d] : b->from[d];
    common->to[d] = a->to[d] < b->to[d] ? a->to[d] : b->to[d];
    if (common->from[d] >= common->to[d])
      return false;
  }
  return true;
}

bool ts_box_contains(const ts_box *outer, const ts_box *inner) {
  for (int d = 0; d < outer->rank; d++)
    if (inner->from[d] < outer->from[d] || inner->to[d] > outer->to[d])
      return false;
  return true;
}
