/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Vectors joined of tensors whose dimensions were merged (all parameters of a model as one), as the
 * parts: what is computed of such a vector element by element, or of all its elements, is computed
 * of each part, where it is only taken apart again at the same places. Each part then lies as its
 * tensor does, which no split of the vector says. It knows slices, joins and loops; it must not
 * know what bodies compute, nor layouts. */
#include "capi/capi.h"
#include "emit/emit.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/linear_terms.h"
#include "structured/slices.h"
#include "structured/structured.h"
#include "support/map.h"

/* Ops behind each other that are followed, parts, and ops that those on one vector may become. */
enum { MOST_BEHIND = 64, MOST_PARTS = 1024, MOST_COPIES = 8192 };

typedef struct ravelled {
  ts_arena arena;
  int64_t size; /* of the vector */
  int num;      /* parts, in order: */
  MlirValue *parts;
  int64_t *offsets;   /* where each begins, and where the last ends */
  ts_map ends;        /* values that were looked at -> ENDS_*, as pointers */
  ts_map copies;      /* values -> what they are of each part */
  ts_map listed;      /* those of `ops` */
  MlirOperation *ops; /* those that are written anew, each behind the users of its results */
  int num_ops, max_ops;
} ravelled;

static char ends_well, ends_elsewhere;

/* ---- vectors --------------------------------------------------------------------------------- */

static bool is_vector(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == 1 &&
         mlirShapedTypeHasStaticShape(type) && !ts_has_no_elements(type);
}

static int64_t size_of(MlirValue vector) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(vector), 0);
}

/* What `op`, a slice or an insertion of unit stride, places in a vector begins there; else -1. */
static int64_t place_of(MlirOperation op) {
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  return mlirDenseI64ArrayGetElement(strides, 0) == 1 ? mlirDenseI64ArrayGetElement(offsets, 0)
                                                      : -1;
}

static void add_part(ravelled *r, MlirValue part, int64_t offset) {
  int at = r->num++;
  for (; at > 0 && r->offsets[at - 1] > offset; at--) {
    r->parts[at] = r->parts[at - 1];
    r->offsets[at] = r->offsets[at - 1];
  }
  r->parts[at] = part;
  r->offsets[at] = offset;
}

/* They lie behind each other and fill the vector. */
static bool fill(const ravelled *r) {
  int64_t end = 0;
  for (int i = 0; i < r->num; i++) {
    if (r->offsets[i] != end)
      return false;
    end += size_of(r->parts[i]);
  }
  return end == r->size;
}

static bool read_concat(ravelled *r, MlirOperation op) {
  int64_t end = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue part = mlirOperationGetOperand(op, i);
    if (!is_vector(part))
      return false;
    add_part(r, part, end);
    end += size_of(part);
  }
  return true;
}

static bool read_insertions(ravelled *r, MlirOperation last) {
  int64_t inserted = 0;
  for (MlirOperation op = last; inserted < r->size && op.ptr && ts_op_is(op, "tensor.insert_slice");
       op = ts_defining_op(mlirOperationGetOperand(op, 1))) {
    MlirValue part = mlirOperationGetOperand(op, 0);
    if (!is_vector(part) || place_of(op) < 0)
      return false;
    add_part(r, part, place_of(op));
    inserted += size_of(part);
  }
  return true;
}

/* How many parts there can be at most. */
static int count_parts(MlirOperation op) {
  if (ts_op_is(op, "tensor.concat"))
    return (int)mlirOperationGetNumOperands(op);
  int num = 0;
  for (; op.ptr && ts_op_is(op, "tensor.insert_slice"); num++)
    op = ts_defining_op(mlirOperationGetOperand(op, 1));
  return num;
}

/* A tensor of several dimensions that have become one. */
static bool is_merged(MlirValue part) {
  MlirOperation op = ts_defining_op(part);
  if (!op.ptr || !ts_op_is(op, "tensor.collapse_shape"))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(from); d++)
    num += mlirShapedTypeIsDynamicDim(from, d) || mlirShapedTypeGetDimSize(from, d) > 1;
  return num > 1;
}

static bool read_vector(ravelled *r, MlirOperation op) {
  int most = count_parts(op);
  r->size = size_of(mlirOperationGetResult(op, 0));
  r->parts = TS_NEW(&r->arena, MlirValue, most);
  r->offsets = TS_NEW(&r->arena, int64_t, most + 1);
  if (most > MOST_PARTS ||
      !(ts_op_is(op, "tensor.concat") ? read_concat(r, op) : read_insertions(r, op)) || !fill(r))
    return false;
  r->offsets[r->num] = r->size;
  bool any = false;
  for (int i = 0; i < r->num; i++)
    any |= is_merged(r->parts[i]);
  return any && r->num > 1;
}

/* ---- what is computed of it ------------------------------------------------------------------ */

/* The operand is an element for each of the loop's indices, one for all of them, or neither. */
typedef enum follows { FOLLOWS, STAYS, NEITHER } follows;

static follows map_follows(MlirAffineMap map) {
  if (mlirAffineMapGetNumResults(map) == 0)
    return STAYS;
  return mlirAffineMapIsIdentity(map) ? FOLLOWS : NEITHER;
}

static follows operand_follows(MlirOperation op, intptr_t i) {
  if (ts_op_is_linalg(op))
    return map_follows(ts_linalg_map(op, i));
  return mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i))) ? FOLLOWS
                                                                                   : STAYS;
}

static bool asks_where_it_is(MlirOperation op) {
  MlirBlock body = ts_linalg_body(op);
  for (MlirOperation at = mlirBlockGetFirstOperation(body); at.ptr;
       at = mlirOperationGetNextInBlock(at))
    if (ts_op_is(at, "linalg.index") || mlirOperationGetNumRegions(at))
      return true;
  return false;
}

/* A loop over vectors of this size. */
static bool is_along(const ravelled *r, MlirOperation op) {
  bool is_linalg = ts_op_is_linalg(op);
  intptr_t num = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  if (is_linalg ? ts_linalg_num_loops(op) != 1 || ts_linalg_num_inits(op) != results ||
                      num != ts_linalg_num_inputs(op) + results || asks_where_it_is(op)
                : !ts_op_is_elementwise(op) || results != 1 || mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0; i < num; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    follows how = operand_follows(op, i);
    if (how == NEITHER || (how == FOLLOWS && !(is_vector(operand) && size_of(operand) == r->size)))
      return false;
    if (is_linalg && i >= num - results && how != operand_follows(op, num - 1))
      return false;
  }
  return results > 0;
}

/* All elements become one. */
static bool combines(MlirOperation op) {
  return ts_op_is_linalg(op) && operand_follows(op, mlirOperationGetNumOperands(op) - 1) == STAYS;
}

/* The part that has all of what the slice takes, or -1. */
static int part_of_slice(const ravelled *r, MlirOperation slice) {
  MlirValue taken = mlirOperationGetResult(slice, 0);
  int64_t first = place_of(slice), end = is_vector(taken) ? first + size_of(taken) : -1;
  for (int i = 0; first >= 0 && i < r->num; i++)
    if (first >= r->offsets[i] && end > first && end <= r->offsets[i + 1])
      return i;
  return -1;
}

/* `op`, on the vector or what is computed of it, is written anew. */
static bool is_taken_apart(ravelled *r, MlirOperation op, int behind);

/* Only parts of the value, and what is computed of parts, are asked for. */
static bool ends(ravelled *r, MlirValue value, int behind) {
  void *known = ts_map_get(&r->ends, value.ptr);
  if (known || behind == 0)
    return known == &ends_well;
  bool well = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); well && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    well = ts_op_is(user, "tensor.extract_slice") ? part_of_slice(r, user) >= 0
                                                  : is_taken_apart(r, user, behind);
  }
  ts_map_set(&r->ends, &r->arena, value.ptr, well ? &ends_well : &ends_elsewhere);
  return well;
}

static bool is_taken_apart(ravelled *r, MlirOperation op, int behind) {
  if (!is_along(r, op))
    return false;
  bool well = true, is_sum = combines(op);
  for (intptr_t i = 0; !is_sum && i < mlirOperationGetNumResults(op); i++)
    well = well && ends(r, mlirOperationGetResult(op, i), behind - 1);
  return well;
}

/* Lists what is written anew of `value` on. */
static void collect(ravelled *r, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ts_op_is(user, "tensor.extract_slice") || ts_map_get(&r->listed, user.ptr) ||
        !is_taken_apart(r, user, MOST_BEHIND))
      continue;
    ts_map_set(&r->listed, &r->arena, user.ptr, user.ptr);
    for (intptr_t i = 0; !combines(user) && i < mlirOperationGetNumResults(user); i++)
      collect(r, mlirOperationGetResult(user, i));
    r->ops = ts_arena_grow(&r->arena, r->ops, r->num_ops, &r->max_ops, sizeof(*r->ops));
    r->ops[r->num_ops++] = user;
  }
}

/* ---- on each part ---------------------------------------------------------------------------- */

static MlirType part_type(const ravelled *r, MlirType vector, int i) {
  int64_t size = r->offsets[i + 1] - r->offsets[i];
  return mlirRankedTensorTypeGet(1, &size, mlirShapedTypeGetElementType(vector),
                                 mlirRankedTensorTypeGetEncoding(vector));
}

static MlirValue part_of(ravelled *r, MlirValue value, MlirOperation user, int i);

/* `op` on part `i`; a sum goes on from `before`, the one on the part before. */
static MlirOperation copy_for(ravelled *r, MlirOperation op, int i, MlirOperation before) {
  bool is_sum = combines(op);
  intptr_t inputs = is_sum ? ts_linalg_num_inputs(op) : 0;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
    if (operand_follows(op, k) == FOLLOWS)
      mlirOperationSetOperand(copy, k, part_of(r, mlirOperationGetOperand(op, k), op, i));
    else if (before.ptr && k >= inputs)
      mlirOperationSetOperand(copy, k, mlirOperationGetResult(before, k - inputs));
  for (intptr_t k = 0; !is_sum && k < mlirOperationGetNumResults(op); k++) {
    MlirValue result = mlirOperationGetResult(copy, k);
    mlirValueSetType(result, part_type(r, mlirValueGetType(result), i));
  }
  ts_maker build = ts_make_before(op);
  ts_insert(&build, copy);
  return copy;
}

/* No operand but destinations without elements has one for each index: a number written across. */
static bool spreads(const ravelled *r, MlirOperation op) {
  if (ts_op_is(op, "tensor.empty") || ts_op_is(op, "tensor.splat"))
    return true;
  if (!ts_op_is_linalg(op) || !is_along(r, op) || combines(op))
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, k));
    if (operand_follows(op, k) == FOLLOWS && !(made.ptr && ts_op_is(made, "tensor.empty")))
      return false;
  }
  return true;
}

static MlirValue slice_for(const ravelled *r, MlirValue value, MlirOperation user, int i) {
  ts_maker build = ts_make_before(user);
  ts_told offset = ts_told_known(r->offsets[i]);
  ts_told size = ts_told_known(r->offsets[i + 1] - r->offsets[i]);
  return ts_make_extract_slice(&build, value, 1, &offset, &size);
}

/* A copy of an op without operands that are vectors, but for such copies. */
static MlirValue spread_for(ravelled *r, MlirValue value, MlirOperation op, int i) {
  if (ts_op_is_linalg(op))
    return mlirOperationGetResult(copy_for(r, op, i, (MlirOperation){NULL}),
                                  mlirOpResultGetResultNumber(value));
  MlirOperation copy = mlirOperationClone(op);
  MlirValue result = mlirOperationGetResult(copy, 0);
  mlirValueSetType(result, part_type(r, mlirValueGetType(result), i));
  ts_maker build = ts_make_before(op);
  ts_insert(&build, copy);
  return result;
}

/* What `value`, a vector that `user` reads, is of part `i`. */
static MlirValue part_of(ravelled *r, MlirValue value, MlirOperation user, int i) {
  MlirValue *copies = ts_map_get(&r->copies, value.ptr);
  if (copies)
    return copies[i];
  MlirOperation op = ts_defining_op(value);
  return op.ptr && spreads(r, op) ? spread_for(r, value, op, i) : slice_for(r, value, user, i);
}

/* ---- sums of the parts ----------------------------------------------------------------------- */

/* The op of the body that combines what result `k` is so far with the next, in either order; null
 * if there is none. */
static MlirOperation combiner_of(MlirOperation op, intptr_t k) {
  MlirBlock body = ts_linalg_body(op);
  MlirOperation none = {NULL};
  MlirOperation by = ts_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), k));
  MlirValue before = mlirBlockGetArgument(body, ts_linalg_num_inputs(op) + k);
  if (!by.ptr || !mlirBlockEqual(mlirOperationGetBlock(by), body) || !ts_has_one_use(before) ||
      !mlirOperationEqual(mlirOpOperandGetOwner(mlirValueGetFirstUse(before)), by) ||
      mlirOperationGetNumOperands(by) != 2)
    return none;
  ts_reduction kind = ts_combiner_of(by, 0);
  MlirType element = mlirValueGetType(before);
  bool combines = kind != TS_REDUCTION_NONE && ts_combiner_of(by, 1) == kind &&
                  !mlirAttributeIsNull(ts_neutral_element(kind, element));
  return combines ? by : none;
}

static bool all_combine(MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); k++)
    if (!combiner_of(op, k).ptr)
      return false;
  return true;
}

/* Has the op start from nothing. */
static void start_anew(MlirOperation copy, MlirOperation op) {
  ts_maker build = ts_make_before(copy);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); k++) {
    intptr_t init = ts_linalg_num_inputs(op) + k;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, init));
    MlirAttribute neutral = ts_neutral_element(ts_combiner_of(combiner_of(op, k), 0),
                                               mlirShapedTypeGetElementType(type));
    mlirOperationSetOperand(copy, init,
                            ts_make_constant(&build, mlirDenseElementsAttrSplatGet(type, neutral)));
  }
}

/* Adds the results of `copy` to those of the parts before, before `op`. */
static void add_up(MlirOperation op, MlirOperation copy, MlirValue *totals) {
  ts_maker build = ts_make_before(op);
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); k++) {
    MlirValue one = mlirOperationGetResult(copy, k);
    MlirOperation sum = mlirOperationClone(combiner_of(op, k));
    mlirOperationSetOperand(sum, 0, totals[k]);
    mlirOperationSetOperand(sum, 1, one);
    mlirValueSetType(mlirOperationGetResult(sum, 0), mlirValueGetType(one));
    ts_insert(&build, sum);
    totals[k] = mlirOperationGetResult(sum, 0);
  }
}

/* Sums of the parts that are put together lie each as its part does. What combines in an order goes
 * on from part to part. */
static void rewrite_sum(ravelled *r, MlirOperation op) {
  intptr_t num = mlirOperationGetNumResults(op);
  MlirValue *totals = TS_NEW(&r->arena, MlirValue, num);
  MlirOperation before = {NULL};
  bool is_in_any_order = all_combine(op);
  for (int i = 0; i < r->num; i++) {
    MlirOperation copy = copy_for(r, op, i, is_in_any_order ? (MlirOperation){NULL} : before);
    if (i && is_in_any_order) {
      start_anew(copy, op);
      add_up(op, copy, totals);
    } else {
      for (intptr_t k = 0; k < num; k++)
        totals[k] = mlirOperationGetResult(copy, k);
    }
    before = copy;
  }
  for (intptr_t k = 0; k < num; k++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, k), totals[k]);
}

static void rewrite(ravelled *r, MlirOperation op) {
  if (combines(op)) {
    rewrite_sum(r, op);
    return;
  }
  intptr_t num = mlirOperationGetNumResults(op);
  MlirValue *copies = TS_NEW(&r->arena, MlirValue, num * r->num);
  for (int i = 0; i < r->num; i++) {
    MlirOperation copy = copy_for(r, op, i, (MlirOperation){NULL});
    for (intptr_t k = 0; k < num; k++)
      copies[k * r->num + i] = mlirOperationGetResult(copy, k);
  }
  for (intptr_t k = 0; k < num; k++)
    ts_map_set(&r->copies, &r->arena, mlirOperationGetResult(op, k).ptr, copies + k * r->num);
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

/* Slices of what was computed are slices of its parts. */
static void take_from_parts(ravelled *r, MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); k++) {
    MlirValue result = mlirOperationGetResult(op, k), *copies = ts_map_get(&r->copies, result.ptr);
    MlirOpOperand use = mlirValueGetFirstUse(result);
    while (!mlirOpOperandIsNull(use)) {
      MlirOperation slice = mlirOpOperandGetOwner(use);
      use = mlirOpOperandGetNextUse(use);
      if (!ts_op_is(slice, "tensor.extract_slice"))
        continue;
      int i = part_of_slice(r, slice);
      int64_t offset = place_of(slice) - r->offsets[i];
      mlirOperationSetOperand(slice, 0, copies[i]);
      mlirOperationSetAttributeByName(
          slice, mlirStringRefCreateFromCString("static_offsets"),
          mlirDenseI64ArrayGet(mlirOperationGetContext(slice), 1, &offset));
    }
  }
}

static void write_parts(ravelled *r) {
  for (int i = r->num_ops; i-- > 0;)
    rewrite(r, r->ops[i]);
  for (int i = 0; i < r->num_ops; i++) {
    if (!combines(r->ops[i]))
      take_from_parts(r, r->ops[i]);
    mlirOperationDestroy(r->ops[i]);
  }
}

static void structure(MlirOperation op) {
  MlirValue vector = mlirOperationGetResult(op, 0);
  ravelled r = {0};
  if (is_vector(vector) && read_vector(&r, op)) {
    collect(&r, vector);
    ts_map_set(&r.copies, &r.arena, vector.ptr, r.parts);
    if ((int64_t)r.num_ops * r.num <= MOST_COPIES)
      write_parts(&r);
  }
  ts_arena_free(&r.arena);
}

/* ---- all of the module ----------------------------------------------------------------------- */

typedef struct joins {
  ts_arena arena;
  MlirOperation *list;
  int num, max;
} joins;

/* Others are insertions into what was joined so far. */
static bool is_last(MlirOperation op) {
  MlirValue joined = mlirOperationGetResult(op, 0);
  MlirOpOperand use = mlirValueGetFirstUse(joined);
  return !ts_has_one_use(joined) || !ts_op_is(mlirOpOperandGetOwner(use), "tensor.insert_slice") ||
         mlirOpOperandGetOperandNumber(use) != 1;
}

static void note_join(MlirOperation op, void *user) {
  joins *all = user;
  if (!ts_op_is(op, "tensor.concat") && !ts_op_is(op, "tensor.insert_slice"))
    return;
  all->list = ts_arena_grow(&all->arena, all->list, all->num, &all->max, sizeof(*all->list));
  all->list[all->num++] = op;
}

void ts_structure_ravelled(MlirOperation module) {
  joins all = {0};
  ts_each_op(module, note_join, &all);
  for (int i = 0; i < all.num; i++)
    if (is_last(all.list[i]))
      structure(all.list[i]);
  /* What made a join is listed before it. */
  for (int i = all.num; i-- > 0;)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(all.list[i], 0))))
      mlirOperationDestroy(all.list[i]);
  ts_arena_free(&all.arena);
}
