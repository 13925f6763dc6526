/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Equal parts of a dimension, taken apart behind a product or joined in front of one, as a
 * dimension of parts: fused projections, gates, and their gradients. Each part is then split as it
 * is by itself, which no split of the dimension as one can say. It knows extents; it must not know
 * layouts. */
#include "ir/parts.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/slices.h"
#include "structured/structured.h"
#include "support/map.h"

/* Ops that are looked through between parts and a product. */
enum { MOST_BETWEEN = 8 };

/* ---- products -------------------------------------------------------------------------------- */

static bool only_passes_on(MlirOperation op) {
  return ts_op_is(op, "tensor.expand_shape") || ts_op_is(op, "tensor.collapse_shape") ||
         ts_op_is_elementwise(op);
}

/* A walk over what a value is computed by, or what is computed by it. */
typedef struct walk {
  ts_arena arena;
  ts_map most; /* how far the walk went from an op */
} walk;

/* False where the walk was there already, and had as far to go. */
static bool enter(walk *w, MlirOperation op, int most) {
  if ((intptr_t)ts_map_get(&w->most, op.ptr) >= most)
    return false;
  ts_map_set(&w->most, &w->arena, op.ptr, (void *)(intptr_t)most);
  return true;
}

static bool find_product_before(walk *w, MlirValue value, int most) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !enter(w, op, most))
    return false;
  bool is_linalg = ts_op_is_linalg(op);
  if (is_linalg && !ts_all_loops_are_parallel(op))
    return true;
  if (!is_linalg && !only_passes_on(op))
    return false;
  intptr_t num = is_linalg ? ts_linalg_num_inputs(op) : mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num; i++)
    if (find_product_before(w, mlirOperationGetOperand(op, i), most - 1))
      return true;
  return false;
}

static bool find_product_behind(walk *w, MlirValue value, int most) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); most && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_linalg = ts_op_is_linalg(user);
    if (!enter(w, user, most))
      continue;
    if (is_linalg && !ts_all_loops_are_parallel(user))
      return true;
    if ((is_linalg || only_passes_on(user)) && mlirOperationGetNumResults(user) == 1 &&
        find_product_behind(w, mlirOperationGetResult(user, 0), most - 1))
      return true;
  }
  return false;
}

static bool is_of_product(MlirValue value) {
  walk walk = {0};
  bool found = find_product_before(&walk, value, MOST_BETWEEN);
  ts_arena_free(&walk.arena);
  return found;
}

static bool goes_to_product(MlirValue value) {
  walk walk = {0};
  bool found = find_product_behind(&walk, value, MOST_BETWEEN);
  ts_arena_free(&walk.arena);
  return found;
}

/* ---- one dimension as two -------------------------------------------------------------------- */

/* The type with dimension `d` as `num` parts. */
static MlirType parted_type(MlirType type, intptr_t d, int64_t num) {
  int64_t shape[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++)
    shape[i < d ? i : i + 1] = mlirShapedTypeGetDimSize(type, i);
  shape[d + 1] /= num;
  shape[d] = num;
  return mlirRankedTensorTypeGet(rank + 1, shape, mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
}

/* Groups of which the one at `d` has two dimensions. */
static MlirNamedAttribute groups(MlirContext context, intptr_t rank, intptr_t d) {
  MlirType i64 = ts_i64_type(context);
  MlirAttribute lists[TS_MAX_RANK];
  intptr_t next = 0;
  for (intptr_t i = 0; i < rank; i++) {
    MlirAttribute dims[2] = {ts_int_attribute(i64, next), ts_int_attribute(i64, next + 1)};
    intptr_t num = i == d ? 2 : 1;
    lists[i] = mlirArrayAttrGet(context, num, dims);
    next += num;
  }
  return ts_named(context, "reassociation", mlirArrayAttrGet(context, rank, lists));
}

static MlirValue part(const ts_maker *build, MlirValue value, intptr_t d, int64_t num) {
  MlirType type = mlirValueGetType(value), parted = parted_type(type, d, num);
  int64_t shape[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i <= rank; i++)
    shape[i] = mlirShapedTypeGetDimSize(parted, i);
  MlirNamedAttribute attributes[] = {
      groups(build->context, rank, d),
      ts_named(build->context, "static_output_shape",
               mlirDenseI64ArrayGet(build->context, rank + 1, shape))};
  return ts_make_value(build, "tensor.expand_shape", 1, &value, parted, 2, attributes);
}

static MlirValue merge(const ts_maker *build, MlirValue value, intptr_t d, MlirType type) {
  MlirNamedAttribute merged = groups(build->context, mlirShapedTypeGetRank(type), d);
  return ts_make_value(build, "tensor.collapse_shape", 1, &value, type, 1, &merged);
}

/* A part of one index is what a dimension of parts has. */
static bool is_long(MlirValue whole, const ts_part_place *p) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(whole), p->d) > p->num;
}

/* ---- taking apart ---------------------------------------------------------------------------- */

static void take(MlirOperation slice, MlirValue parted, const ts_part_place *p) {
  ts_maker build = ts_make_before(slice);
  ts_told offsets[TS_MAX_RANK], sizes[TS_MAX_RANK];
  MlirType type = mlirValueGetType(parted);
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++) {
    offsets[i] = ts_told_known(i == p->d ? p->index : 0);
    sizes[i] = ts_told_known(i == p->d ? 1 : mlirShapedTypeGetDimSize(type, i));
  }
  MlirValue result = mlirOperationGetResult(slice, 0);
  MlirValue taken = ts_make_extract_slice(&build, parted, rank, offsets, sizes);
  mlirValueReplaceAllUsesOfWith(result, merge(&build, taken, p->d, mlirValueGetType(result)));
}

/* Of the slices of one value the first is asked about all of them; the walk has yet to come to the
 * others, which stay as ops that nobody uses and go when it does. */
void ts_structure_part(MlirOperation op) {
  MlirValue whole = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(result))) {
    mlirOperationDestroy(op);
    return;
  }
  ts_part_place p;
  if (!ts_part_taken(op, whole, &p) || !is_long(whole, &p) || !ts_is_taken_in_parts(whole, &p) ||
      !is_of_product(whole))
    return;
  MlirOperation made = ts_defining_op(whole);
  ts_maker build = ts_make_before(mlirOperationGetNextInBlock(made));
  build.location = mlirOperationGetLocation(made);
  MlirOpOperand first = mlirValueGetFirstUse(whole);
  MlirValue parted = part(&build, whole, p.d, p.num);
  for (MlirOpOperand use = first; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation slice = mlirOpOperandGetOwner(use);
    if (ts_part_taken(slice, whole, &p))
      take(slice, parted, &p);
  }
  mlirOperationDestroy(op);
}

/* ---- joining --------------------------------------------------------------------------------- */

void ts_structure_joined(MlirOperation op) {
  MlirValue parts[TS_MOST_PARTS], single[TS_MOST_PARTS], result = mlirOperationGetResult(op, 0);
  ts_part_place p;
  if (!ts_parts_joined(op, parts, &p) || !is_long(result, &p) || !goes_to_product(result))
    return;
  ts_maker build = ts_make_before(op);
  MlirType type = mlirValueGetType(result);
  for (intptr_t i = 0; i < p.num; i++)
    single[i] = part(&build, parts[i], p.d, 1);
  MlirNamedAttribute dim =
      ts_named(build.context, "dim", ts_int_attribute(ts_i64_type(build.context), p.d));
  MlirValue joined =
      ts_make_value(&build, "tensor.concat", p.num, single, parted_type(type, p.d, p.num), 1, &dim);
  mlirValueReplaceAllUsesOfWith(result, merge(&build, joined, p.d, type));
  MlirValue into = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  bool inserts = ts_op_is(op, "tensor.insert_slice");
  mlirOperationDestroy(op);
  if (inserts)
    ts_drop_unused_parts(into);
}
