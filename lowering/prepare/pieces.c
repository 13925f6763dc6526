/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors as what they are put together from: parts of others, at known places. It knows slices,
 * insertions and paddings; it must not know who reads them. */
#include "lowering/prepare/pieces.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_STEPS = 256 }; /* from a value back to its pieces */

/* ---- origins --------------------------------------------------------------------------------- */

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

/* The part of a tensor of `rank` dimensions that a slice of it takes; false if places are not
 * known, elements left out, or dimensions dropped. */
static bool read_slice(MlirOperation op, int rank, ts_box *part) {
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute sizes = ts_attribute(op, "static_sizes");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  part->rank = rank;
  if (mlirDenseArrayGetNumElements(offsets) != rank)
    return false;
  for (int d = 0; d < rank; d++) {
    part->from[d] = mlirDenseI64ArrayGetElement(offsets, d);
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
    if (part->from[d] < 0 || size < 0 || mlirDenseI64ArrayGetElement(strides, d) != 1)
      return false;
    part->to[d] = part->from[d] + size;
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

/* How a value of static shape comes from others: a part of `inner`, or `inner` as a part of it, in
 * `outer` or a value that is the same everywhere. */
typedef enum origin_kind { ORIGIN_ITSELF, ORIGIN_SLICE, ORIGIN_JOINED } origin_kind;
typedef struct origin {
  origin_kind kind;
  MlirValue inner, outer; /* outer: a tensor, or the scalar of a padding */
  ts_box part;
} origin;

static origin origin_of(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  origin o = {.kind = ORIGIN_ITSELF};
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(value));
  if (!op.ptr || rank > TS_BOX_RANK)
    return o;
  if (ts_op_is(op, "tensor.extract_slice")) {
    o.inner = mlirOperationGetOperand(op, 0);
    if (is_static(o.inner, rank) && read_slice(op, rank, &o.part))
      o.kind = ORIGIN_SLICE;
  } else if (ts_op_is(op, "tensor.insert_slice")) {
    o.inner = mlirOperationGetOperand(op, 0);
    o.outer = mlirOperationGetOperand(op, 1);
    if (is_static(o.inner, rank) && read_slice(op, rank, &o.part))
      o.kind = ORIGIN_JOINED;
  } else if (ts_op_is(op, "tensor.pad") && read_pad(op, rank, &o.part)) {
    o.inner = mlirOperationGetOperand(op, 0);
    o.outer = padding_of(op);
    o.kind = ORIGIN_JOINED;
  }
  return o;
}

static ts_box moved(const ts_box *b, const ts_box *origin, int direction) {
  ts_box result = *b;
  for (int d = 0; d < b->rank; d++) {
    result.from[d] += direction * origin->from[d];
    result.to[d] += direction * origin->from[d];
  }
  return result;
}

/* False if the two have no element in common. */
static bool intersect(const ts_box *a, const ts_box *b, ts_box *common) {
  common->rank = a->rank;
  for (int d = 0; d < a->rank; d++) {
    common->from[d] = a->from[d] > b->from[d] ? a->from[d] : b->from[d];
    common->to[d] = a->to[d] < b->to[d] ? a->to[d] : b->to[d];
    if (common->from[d] >= common->to[d])
      return false;
  }
  return true;
}

static bool contains(const ts_box *outer, const ts_box *inner) {
  for (int d = 0; d < outer->rank; d++)
    if (inner->from[d] < outer->from[d] || inner->to[d] > outer->to[d])
      return false;
  return true;
}

static bool is_tensor(MlirValue value) {
  return mlirTypeIsARankedTensor(mlirValueGetType(value));
}

/* ---- borders --------------------------------------------------------------------------------- */

/* The piece would be computed where it is inserted, so nothing is copied. */
static bool is_computed_in_place(MlirValue piece) {
  MlirOperation op = ts_defining_op(piece);
  MlirOpOperand use = mlirValueGetFirstUse(piece);
  return op.ptr && ts_op_is_linalg(op) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

typedef struct search {
  ts_borders *borders;
  int steps;
} search;

/* Of elements `wanted` of `value`, whose first element is that at `shift` of the value at which the
 * search began. */
static void find(search *s, MlirValue value, const ts_box *wanted, const ts_box *shift) {
  if (!is_tensor(value) || ++s->steps > MOST_STEPS)
    return;
  origin o = origin_of(value);
  if (o.kind == ORIGIN_ITSELF)
    return;
  if (o.kind == ORIGIN_SLICE) {
    ts_box within = moved(wanted, &o.part, 1), further = moved(shift, &o.part, 1);
    find(s, o.inner, &within, &further);
    return;
  }
  ts_box common;
  if (!intersect(wanted, &o.part, &common)) {
    find(s, o.outer, wanted, shift);
    return;
  }
  s->borders->copies |= !is_computed_in_place(o.inner);
  for (int d = 0; d < wanted->rank; d++) {
    if (common.from[d] > wanted->from[d])
      s->borders->visit(s->borders->user, d, common.from[d] - shift->from[d]);
    if (common.to[d] < wanted->to[d])
      s->borders->visit(s->borders->user, d, common.to[d] - shift->from[d]);
  }
  ts_box inner = moved(&common, &o.part, -1), inner_shift = moved(shift, &o.part, -1);
  find(s, o.inner, &inner, &inner_shift);
  if (!contains(&o.part, wanted))
    find(s, o.outer, wanted, shift);
}

bool ts_pieces_find(MlirValue tensor, ts_borders *borders) {
  search s = {.borders = borders};
  ts_box all = ts_box_of(tensor), nowhere = {.rank = all.rank};
  find(&s, tensor, &all, &nowhere);
  return s.steps <= MOST_STEPS;
}

/* ---- slices ---------------------------------------------------------------------------------- */

static intptr_t slice_attributes(const ts_maker *build, const ts_box *part, bool inserts,
                                 MlirNamedAttribute attributes[4]) {
  int64_t sizes[TS_BOX_RANK], strides[TS_BOX_RANK];
  for (int d = 0; d < part->rank; d++) {
    sizes[d] = part->to[d] - part->from[d];
    strides[d] = 1;
  }
  int32_t segments[] = {1, inserts, 0, 0, 0};
  MlirContext context = build->context;
  attributes[0] =
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, part->rank, part->from));
  attributes[1] =
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, part->rank, sizes));
  attributes[2] =
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, part->rank, strides));
  attributes[3] = ts_named(context, "operandSegmentSizes",
                           mlirDenseI32ArrayGet(context, inserts ? 5 : 4, segments));
  return 4;
}

MlirValue ts_box_slice(const ts_maker *build, MlirValue value, const ts_box *part) {
  ts_box all = ts_box_of(value);
  if (contains(part, &all))
    return value;
  int64_t sizes[TS_BOX_RANK];
  for (int d = 0; d < part->rank; d++)
    sizes[d] = part->to[d] - part->from[d];
  MlirNamedAttribute attributes[4];
  intptr_t num = slice_attributes(build, part, false, attributes);
  MlirType type = mlirRankedTensorTypeGet(part->rank, sizes,
                                          mlirShapedTypeGetElementType(mlirValueGetType(value)),
                                          mlirAttributeGetNull());
  return ts_make_value(build, "tensor.extract_slice", 1, &value, type, num, attributes);
}

MlirValue ts_box_insert(const ts_maker *build, MlirValue piece, MlirValue into,
                        const ts_box *part) {
  MlirNamedAttribute attributes[4];
  intptr_t num = slice_attributes(build, part, true, attributes);
  MlirValue operands[] = {piece, into};
  return ts_make_value(build, "tensor.insert_slice", 2, operands, mlirValueGetType(into), num,
                       attributes);
}

MlirValue ts_pieces_take(const ts_maker *build, MlirValue value, const ts_box *wanted) {
  ts_box part = *wanted;
  for (int depth = 0; is_tensor(value) && depth < MOST_STEPS; depth++) {
    origin o = origin_of(value);
    ts_box common;
    if (o.kind == ORIGIN_SLICE) {
      part = moved(&part, &o.part, 1);
      value = o.inner;
    } else if (o.kind == ORIGIN_JOINED && contains(&o.part, &part)) {
      part = moved(&part, &o.part, -1);
      value = o.inner;
    } else if (o.kind == ORIGIN_JOINED && !intersect(&o.part, &part, &common)) {
      value = o.outer;
    } else {
      break;
    }
  }
  return is_tensor(value) ? ts_box_slice(build, value, &part) : value;
}
