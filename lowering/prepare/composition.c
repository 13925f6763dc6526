/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors as what they are put together from, at places that are known for each device. It knows
 * slices and insertions; it must not know who reads them. */
#include "lowering/prepare/origins.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_STEPS = 256 }; /* from a value back to its pieces */

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
  ts_asking who;
  ts_borders *borders;
  int steps;
} search;

/* Of elements `wanted` of `value`, whose first element is that at `shift` of the value at which the
 * search began. */
static void find(search *s, MlirValue value, const ts_box *wanted, const ts_box *shift) {
  if (!is_tensor(value) || ++s->steps > MOST_STEPS)
    return;
  ts_origin o = ts_origin_of(&s->who, value);
  if (o.kind == TS_ORIGIN_ITSELF)
    return;
  if (o.kind == TS_ORIGIN_SLICE) {
    ts_box within = ts_box_moved(wanted, &o.part, 1), further = ts_box_moved(shift, &o.part, 1);
    find(s, o.inner, &within, &further);
    return;
  }
  ts_box common;
  if (!ts_box_intersect(wanted, &o.part, &common)) {
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
  ts_box inner = ts_box_moved(&common, &o.part, -1), inner_shift = ts_box_moved(shift, &o.part, -1);
  find(s, o.inner, &inner, &inner_shift);
  if (!ts_box_contains(&o.part, wanted))
    find(s, o.outer, wanted, shift);
}

bool ts_pieces_find(const ts_devices *devices, MlirValue tensor, ts_borders *borders) {
  bool varies = false;
  ts_box all = ts_box_of(tensor), nowhere = {.rank = all.rank};
  for (int device = 0; device < devices->num && (device == 0 || varies); device++) {
    search s = {.who = {devices, device, &varies}, .borders = borders};
    find(&s, tensor, &all, &nowhere);
    if (s.steps > MOST_STEPS)
      return false;
  }
  return true;
}

/* ---- avoiding -------------------------------------------------------------------------------- */

/* Of what begins at from[i] of the tensor on device i. */
static bool avoids(const ts_devices *devices, MlirValue value, const ts_box *from,
                   const ts_box *parts);

/* What is read by `slice` of such a value. */
static bool slice_avoids(const ts_devices *devices, MlirValue slice, const ts_box *from,
                         const ts_box *parts) {
  ts_box region[TS_MOST_DEVICES], common;
  bool is_apart = true, varies;
  for (int device = 0; device < devices->num; device++) {
    ts_asking who = {devices, device, &varies};
    ts_origin o = ts_origin_of(&who, slice);
    if (o.kind != TS_ORIGIN_SLICE)
      return false;
    region[device] = ts_box_moved(&o.part, &from[device], 1);
    is_apart &= !ts_box_intersect(&region[device], &parts[device], &common);
  }
  return is_apart || avoids(devices, slice, region, parts);
}

static bool avoids(const ts_devices *devices, MlirValue value, const ts_box *from,
                   const ts_box *parts) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (ts_op_is(op, "tensor.dim"))
      continue;
    if (!ts_op_is(op, "tensor.extract_slice") ||
        !slice_avoids(devices, mlirOperationGetResult(op, 0), from, parts))
      return false;
  }
  return true;
}

bool ts_pieces_avoid(const ts_devices *devices, MlirValue tensor, const ts_box *parts) {
  ts_box from[TS_MOST_DEVICES];
  for (int device = 0; device < devices->num; device++)
    from[device] = (ts_box){.rank = parts[device].rank};
  return avoids(devices, tensor, from, parts);
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
  if (ts_box_contains(part, &all))
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

/* ---- taking ---------------------------------------------------------------------------------- */

/* As many elements of a value on every device, from a place that each has for itself. */
typedef struct region {
  int rank;
  ts_index from[TS_BOX_RANK];
  int64_t sizes[TS_BOX_RANK];
  int64_t at[TS_MOST_DEVICES][TS_BOX_RANK]; /* `from`, by device */
} region;

static MlirValue as_value(const ts_maker *build, const ts_index *n) {
  return mlirValueIsNull(n->value) ? ts_make_index(build, n->known) : n->value;
}

typedef enum operation { PLUS, MINUS, LEAST, MOST } operation;

static ts_index compute(const ts_maker *build, operation operation, ts_index a, ts_index b) {
  static const char *const ops[] = {"arith.addi", "arith.subi", "arith.minsi", "arith.maxsi"};
  if (!mlirValueIsNull(a.value) || !mlirValueIsNull(b.value)) {
    bool same = operation <= MINUS && mlirValueIsNull(b.value) && b.known == 0;
    return same ? a
                : (ts_index){.value = ts_make_binary(build, ops[operation], as_value(build, &a),
                                                     as_value(build, &b))};
  }
  int64_t results[] = {a.known + b.known, a.known - b.known, a.known < b.known ? a.known : b.known,
                       a.known > b.known ? a.known : b.known};
  return (ts_index){.known = results[operation]};
}

/* A slice, or an insertion of `piece`, whose sizes may depend on the device. */
static MlirValue make_part(const ts_maker *build, MlirValue piece, MlirValue of, int rank,
                           const ts_index *from, const ts_index *sizes) {
  int64_t numbers[3][TS_BOX_RANK], dynamic = mlirShapedTypeGetDynamicSize();
  MlirValue operands[2 + 2 * TS_BOX_RANK];
  bool inserts = !mlirValueIsNull(piece);
  int32_t num = 0, segments[] = {1, 0, 0, 0, 0};
  segments[1] = inserts;
  if (inserts)
    operands[num++] = piece;
  operands[num++] = of;
  for (int which = 0; which < 2; which++)
    for (int d = 0; d < rank; d++) {
      const ts_index *n = which == 0 ? &from[d] : &sizes[d];
      numbers[which][d] = mlirValueIsNull(n->value) ? n->known : dynamic;
      numbers[2][d] = 1;
      if (!mlirValueIsNull(n->value)) {
        operands[num++] = n->value;
        segments[(inserts ? 2 : 1) + which]++;
      }
    }
  MlirContext context = build->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, rank, numbers[0])),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, rank, numbers[1])),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, rank, numbers[2])),
      ts_named(context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, inserts ? 5 : 4, segments))};
  MlirType type = mlirValueGetType(of);
  if (!inserts)
    type = mlirRankedTensorTypeGet(rank, numbers[1], mlirShapedTypeGetElementType(type),
                                   mlirAttributeGetNull());
  return ts_make_value(build, inserts ? "tensor.insert_slice" : "tensor.extract_slice", num,
                       operands, type, 4, attributes);
}

static MlirValue slice_of(const ts_maker *build, MlirValue value, const region *r) {
  ts_box part = {.rank = r->rank};
  ts_index sizes[TS_BOX_RANK];
  bool is_known = mlirShapedTypeHasStaticShape(mlirValueGetType(value));
  for (int d = 0; d < r->rank; d++) {
    sizes[d] = (ts_index){.known = r->sizes[d]};
    is_known &= mlirValueIsNull(r->from[d].value);
    part.from[d] = r->from[d].known;
    part.to[d] = part.from[d] + r->sizes[d];
  }
  MlirOperation op = ts_defining_op(value);
  if (is_known && !(op.ptr && ts_op_is(op, "tensor.empty")))
    return ts_box_slice(build, value, &part);
  if (!op.ptr || !ts_op_is(op, "tensor.empty"))
    return make_part(build, (MlirValue){NULL}, value, r->rank, r->from, sizes);
  MlirType type = mlirRankedTensorTypeGet(r->rank, r->sizes,
                                          mlirShapedTypeGetElementType(mlirValueGetType(value)),
                                          mlirAttributeGetNull());
  return ts_make_value(build, "tensor.empty", 0, NULL, type, 0, NULL);
}

/* What is in a tensor's origin of `r`, on all devices. */
typedef enum place { PLACE_INSIDE, PLACE_OUTSIDE, PLACE_EITHER, PLACE_UNKNOWN } place;

static place place_of(const ts_devices *devices, MlirValue value, const region *r,
                      ts_box parts[TS_MOST_DEVICES], ts_origin *o) {
  int num_inside = 0, num_outside = 0;
  for (int device = 0; device < devices->num; device++) {
    bool varies = false;
    ts_asking who = {devices, device, &varies};
    *o = ts_origin_of(&who, value);
    if (o->kind == TS_ORIGIN_ITSELF)
      return PLACE_UNKNOWN;
    parts[device] = o->part;
    ts_box own = {.rank = r->rank}, common;
    for (int d = 0; d < r->rank; d++) {
      own.from[d] = r->at[device][d];
      own.to[d] = own.from[d] + r->sizes[d];
    }
    if (o->kind == TS_ORIGIN_SLICE || ts_box_contains(&o->part, &own))
      num_inside++;
    else if (!ts_box_intersect(&o->part, &own, &common))
      num_outside++;
    else
      return PLACE_UNKNOWN;
  }
  return num_outside == 0 ? PLACE_INSIDE : num_inside == 0 ? PLACE_OUTSIDE : PLACE_EITHER;
}

/* The region as one of what the op of `value` slices or inserts. */
static region within(const ts_maker *build, const ts_devices *devices, MlirOperation op,
                     const ts_origin *o, const ts_box *parts, const region *r) {
  ts_index from[TS_BOX_RANK], sizes[TS_BOX_RANK];
  region inner = *r;
  bool slices = o->kind == TS_ORIGIN_SLICE, is_pad = ts_op_is(op, "tensor.pad");
  if (!is_pad)
    ts_origin_numbers(op, r->rank, from, sizes);
  for (int d = 0; d < r->rank; d++) {
    ts_index shift = is_pad ? (ts_index){.known = o->part.from[d]} : from[d];
    inner.from[d] = compute(build, slices ? PLUS : MINUS, r->from[d], shift);
    for (int device = 0; device < devices->num; device++)
      inner.at[device][d] += slices ? parts[device].from[d] : -parts[device].from[d];
  }
  return inner;
}

static MlirValue take(const ts_devices *devices, const ts_maker *build, MlirValue value, region *r);

/* What `op` inserts and what it inserts into, both as far as they are in the region. */
static MlirValue put_together(const ts_devices *devices, const ts_maker *build, MlirOperation op,
                              const region *r) {
  ts_index from[TS_BOX_RANK], sizes[TS_BOX_RANK], to[TS_BOX_RANK], source[TS_BOX_RANK];
  ts_index zero = {.known = 0};
  region outer = *r;
  MlirValue around = take(devices, build, mlirOperationGetOperand(op, 1), &outer);
  if (!is_tensor(around))
    around = slice_of(build, mlirOperationGetOperand(op, 1), r);
  ts_origin_numbers(op, r->rank, from, sizes);
  for (int d = 0; d < r->rank; d++) {
    ts_index all = {.known = r->sizes[d]};
    ts_index first = compute(build, MINUS, from[d], r->from[d]);
    ts_index last = compute(build, PLUS, first, sizes[d]);
    first = compute(build, LEAST, compute(build, MOST, first, zero), all);
    last = compute(build, LEAST, compute(build, MOST, last, zero), all);
    source[d] = compute(build, MINUS, compute(build, PLUS, r->from[d], first), from[d]);
    source[d] = compute(build, LEAST, compute(build, MOST, source[d], zero), sizes[d]);
    to[d] = first;
    sizes[d] = compute(build, MOST, compute(build, MINUS, last, first), zero);
  }
  MlirValue piece =
      make_part(build, (MlirValue){NULL}, mlirOperationGetOperand(op, 0), r->rank, source, sizes);
  return make_part(build, piece, around, r->rank, to, sizes);
}

static MlirValue take(const ts_devices *devices, const ts_maker *build, MlirValue value,
                      region *r) {
  ts_box parts[TS_MOST_DEVICES];
  for (int depth = 0; is_tensor(value) && depth < MOST_STEPS; depth++) {
    ts_origin o;
    place place = place_of(devices, value, r, parts, &o);
    MlirOperation op = ts_defining_op(value);
    if (place == PLACE_UNKNOWN)
      break;
    if (place == PLACE_EITHER) {
      if (!ts_op_is(op, "tensor.insert_slice"))
        break;
      return put_together(devices, build, op, r);
    }
    if (place == PLACE_INSIDE)
      *r = within(build, devices, op, &o, parts, r);
    value = place == PLACE_INSIDE ? o.inner : o.outer;
  }
  return is_tensor(value) ? slice_of(build, value, r) : value;
}

MlirValue ts_pieces_take(const ts_devices *devices, const ts_maker *build, MlirValue value,
                         const ts_box *wanted) {
  region r = {.rank = wanted->rank};
  for (int d = 0; d < r.rank; d++) {
    r.from[d] = (ts_index){.known = wanted->from[d]};
    r.sizes[d] = wanted->to[d] - wanted->from[d];
    for (int device = 0; device < devices->num; device++)
      r.at[device][d] = wanted->from[d];
  }
  return take(devices, build, value, &r);
}
