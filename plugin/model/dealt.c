/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops whose trips are independent: which places of tensors each trip has to itself. It knows what
 * the ops of such a loop say; it must not know layouts. */
#include "model/dealt.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "emit/emit.h"
#include "ir/generic.h"
#include "model/trip_index.h"
#include "rules/linear_terms.h"
#include "rules/rules.h"
#include "rules/tensor_slice.h"
#include "support/ir.h"

enum { NUM_BOUNDS = 3, MOST_PLACES = 256 };

typedef struct reading {
  ts_arena *arena;
  MlirBlock body;
  MlirValue index;
  ts_dealt *out;
} reading;

/* ---- values ---------------------------------------------------------------------------------- */

/* The value before all annotations of it. */
static MlirValue before_links(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  while (op.ptr && ts_op_is(op, "shard.shard")) {
    value = mlirOperationGetOperand(op, 0);
    op = ts_defining_op(value);
  }
  return value;
}

static bool is_static_tensor(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type);
}

static bool is_inside(const reading *r, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  while (block.ptr && !mlirBlockEqual(block, r->body)) {
    MlirOperation around = mlirBlockGetParentOperation(block);
    block = around.ptr ? mlirOperationGetBlock(around) : (MlirBlock){NULL};
  }
  return block.ptr;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The dimension along which the slice is the trip's own place: as many indices as a trip goes on
 * by, from the loop's index on. -1 if there is none. */
static int own_dim(const reading *r, MlirOperation op) {
  ts_slice s = ts_slice_read(r->arena, op);
  for (int d = 0; d < s.rank; d++)
    if (s.offsets[d].operand >= 0 && s.sizes[d].value == r->out->step && s.strides[d].value == 1 &&
        ts_known_extent(mlirValueGetType(s.large), d) == r->out->extent &&
        ts_is_trip_index(mlirOperationGetOperand(op, s.offsets[d].operand), r->index,
                         r->out->extent - r->out->step))
      return d;
  return -1;
}

static bool add_slice(reading *r, MlirOperation op, MlirValue value, int dim, bool is_built) {
  if (r->out->num_slices == MOST_PLACES)
    return false;
  r->out->slices[r->out->num_slices++] = (ts_dealt_place){op, value, dim, is_built};
  return true;
}

/* ---- what is built --------------------------------------------------------------------------- */

/* Finds the number of what is built from `first` on, -1 if it is not that. */
static int find_built(const ts_dealt *out, int first, MlirValue value) {
  for (int i = first; i < out->num_built; i++)
    if (mlirValueEqual(out->built[i].value, value))
      return i;
  return -1;
}

static bool add_built(reading *r, int first, MlirValue value) {
  if (find_built(r->out, first, value) >= 0)
    return true;
  if (r->out->num_built == MOST_PLACES)
    return false;
  r->out->built[r->out->num_built++] =
      (ts_dealt_place){.value = value, .dim = -1, .is_built = true};
  return true;
}

/* A slice of what is built is at the trip's own place, along one dimension for all of them. */
static bool read_place(reading *r, int first, MlirOperation op) {
  int dim = own_dim(r, op), known = r->out->built[first].dim;
  if (dim < 0 || (known >= 0 && known != dim))
    return false;
  r->out->built[first].dim = dim;
  return add_slice(r, op, r->out->built[first].value, dim, true);
}

/* One use of what is built; adds what it is from there on. */
static bool read_use(reading *r, int first, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t number = mlirOpOperandGetOperandNumber(use);
  if (ts_op_is(op, "shard.shard"))
    return add_built(r, first, mlirOperationGetResult(op, 0));
  if (ts_op_is(op, "tensor.extract_slice"))
    return read_place(r, first, op);
  if (ts_op_is(op, "tensor.insert_slice"))
    return number == 1 && read_place(r, first, op) &&
           add_built(r, first, mlirOperationGetResult(op, 0));
  if (ts_op_is(op, "scf.for") && number >= NUM_BOUNDS) {
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    return add_built(r, first, mlirBlockGetArgument(body, 1 + number - NUM_BOUNDS)) &&
           add_built(r, first, mlirOperationGetResult(op, number - NUM_BOUNDS));
  }
  return ts_op_is(op, "scf.yield") && ts_op_is(mlirOperationGetParentOperation(op), "scf.for");
}

/* What ends the loops that carry it gives each of them just it again. */
static bool comes_back(const reading *r, int first) {
  for (int i = first; i < r->out->num_built; i++) {
    MlirValue value = r->out->built[i].value;
    if (mlirValueIsABlockArgument(value)) {
      MlirOperation end = mlirBlockGetTerminator(mlirBlockArgumentGetOwner(value));
      intptr_t number = mlirBlockArgumentGetArgNumber(value) - 1;
      if (find_built(r->out, first, mlirOperationGetOperand(end, number)) < 0)
        return false;
    }
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (!ts_op_is(op, "scf.yield"))
        continue;
      MlirValue carried =
          mlirBlockGetArgument(mlirOperationGetBlock(op), 1 + mlirOpOperandGetOperandNumber(use));
      if (find_built(r->out, first, carried) < 0)
        return false;
    }
  }
  return true;
}

/* All that is done with argument `number` of the body is to read and write the trip's own places.
 */
static bool read_built(reading *r, intptr_t number) {
  int first = r->out->num_built;
  if (!add_built(r, first, mlirBlockGetArgument(r->body, 1 + number)))
    return false;
  for (int i = first; i < r->out->num_built; i++)
    for (MlirOpOperand use = mlirValueGetFirstUse(r->out->built[i].value);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (!read_use(r, first, use))
        return false;
  int dim = r->out->built[first].dim;
  for (int i = first; i < r->out->num_built; i++)
    r->out->built[i].dim = dim;
  r->out->results[number] = (ts_dealt_result){TS_REDUCTION_NONE, dim};
  return dim >= 0 && comes_back(r, first);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The one use of the value but by annotations, and of what these give; a null one if there are
 * more. */
static MlirOpOperand only_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  while (!mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) &&
         ts_op_is(mlirOpOperandGetOwner(use), "shard.shard"))
    use = mlirValueGetFirstUse(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0));
  bool is_alone = !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return is_alone ? use : (MlirOpOperand){NULL};
}

/* What is found so far is combined as it is: element by element, or as what a reduction starts
 * from. */
static ts_reduction combined_in_body(MlirOperation op, intptr_t number) {
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  if (mlirOperationGetNumResults(op) != 1 ||
      (number < num_inputs &&
       !(ts_all_loops_are_parallel(op) &&
         mlirAffineMapEqual(ts_linalg_map(op, number), ts_linalg_map(op, num_inputs)))))
    return TS_REDUCTION_NONE;
  MlirBlock body = ts_linalg_body(op);
  MlirValue given = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  MlirOperation combiner = ts_defining_op(given);
  MlirOpOperand use = mlirValueGetFirstUse(mlirBlockGetArgument(body, number));
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !combiner.ptr || !mlirOperationEqual(mlirOpOperandGetOwner(use), combiner))
    return TS_REDUCTION_NONE;
  return ts_combiner_of(combiner, mlirOpOperandGetOperandNumber(use));
}

/* By what `op` combines its operand with what depends on nothing of it. */
static ts_reduction combined_by(MlirOperation op, intptr_t number) {
  if (mlirOperationGetNumRegions(op) == 0 && mlirOperationGetNumResults(op) == 1)
    return ts_combiner_of(op, number);
  return ts_op_is_linalg(op) ? combined_in_body(op, number) : TS_REDUCTION_NONE;
}

static bool read_sum(reading *r, intptr_t number) {
  MlirOpOperand use = only_use(mlirBlockGetArgument(r->body, 1 + number));
  MlirOperation op = mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
  if (!op.ptr || !mlirBlockEqual(mlirOperationGetBlock(op), r->body) ||
      mlirOperationEqual(op, mlirBlockGetTerminator(r->body)))
    return false;
  ts_reduction kind = combined_by(op, mlirOpOperandGetOperandNumber(use));
  if (!kind)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirOpOperand end = only_use(result);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(result));
  r->out->results[number] = (ts_dealt_result){kind, -1};
  return !mlirOpOperandIsNull(end) &&
         mlirOperationEqual(mlirOpOperandGetOwner(end), mlirBlockGetTerminator(r->body)) &&
         mlirOpOperandGetOperandNumber(end) == number &&
         !mlirAttributeIsNull(ts_neutral_element(kind, element));
}

/* ---- the body -------------------------------------------------------------------------------- */

typedef struct look {
  reading *r;
  bool ok;
} look;

/* What may send messages of its own, or asks for layouts, keeps all trips on every device. */
static MlirWalkResult look_at(MlirOperation op, void *user) {
  static const char *const refused[] = {"func.call", "tessera.manual", "shard.get_sharding", NULL};
  look *l = user;
  l->ok = l->ok && !ts_op_is_any(op, refused);
  if (!l->ok)
    return MlirWalkResultInterrupt;
  if (!ts_op_is(op, "tensor.extract_slice"))
    return MlirWalkResultAdvance;
  MlirValue from = before_links(mlirOperationGetOperand(op, 0));
  int dim = is_inside(l->r, from) ? -1 : own_dim(l->r, op);
  if (dim >= 0)
    l->ok = add_slice(l->r, op, from, dim, false);
  return MlirWalkResultAdvance;
}

/* From 0 on, by a step that divides the end. */
static bool read_bounds(MlirOperation loop, ts_dealt *out) {
  int64_t first;
  return ts_constant_integer(mlirOperationGetOperand(loop, 0), &first) && first == 0 &&
         ts_constant_integer(mlirOperationGetOperand(loop, 1), &out->extent) &&
         ts_constant_integer(mlirOperationGetOperand(loop, 2), &out->step) && out->step > 0 &&
         out->extent > out->step && out->extent % out->step == 0;
}

bool ts_dealt_read(ts_arena *arena, MlirOperation loop, ts_dealt *out) {
  *out = (ts_dealt){.loop = loop, .num_results = (int)mlirOperationGetNumResults(loop)};
  if (!ts_op_is(loop, "scf.for") || !out->num_results || !read_bounds(loop, out))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  reading r = {arena, body, mlirBlockGetArgument(body, 0), out};
  out->results = TS_NEW(arena, ts_dealt_result, out->num_results);
  out->slices = TS_NEW(arena, ts_dealt_place, MOST_PLACES);
  out->built = TS_NEW(arena, ts_dealt_place, MOST_PLACES);
  for (int i = 0; i < out->num_results; i++) {
    int slices = out->num_slices, built = out->num_built;
    if (!is_static_tensor(mlirOperationGetResult(loop, i)))
      return false;
    if (read_built(&r, i))
      continue;
    out->num_slices = slices;
    out->num_built = built;
    if (!read_sum(&r, i))
      return false;
  }
  look l = {&r, true};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr && l.ok;
       op = mlirOperationGetNextInBlock(op))
    mlirOperationWalk(op, look_at, &l, MlirWalkPreOrder);
  return l.ok && out->num_slices > 0;
}
