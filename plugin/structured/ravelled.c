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

/* Parts of a vector, and ops that those on vectors may become. */
enum { MOST_PARTS = 4096, MOST_COPIES = 1 << 16 };

/* A loop over vectors. */
typedef struct along {
  MlirOperation op;
  bool is_left;    /* it stays as it is */
  bool is_waiting; /* to be looked at once more */
  int num_before;  /* operands that others give that are yet to be written */
} along;

typedef struct ravelled {
  ts_arena *arena;
  int64_t size; /* of the vector */
  int num;      /* parts, in order: */
  MlirValue *parts;
  int64_t *offsets; /* where each begins, and where the last ends */
  ts_map copies;    /* vectors -> what they are of each part */
  ts_map numbers;   /* of ops among `loops`, from 1 */
  along *loops;     /* all that joined vectors and others of these have to do with */
  int num_loops, max_loops;
} ravelled;

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

static MlirType part_type(const ravelled *r, MlirType vector, int i) {
  int64_t size = r->offsets[i + 1] - r->offsets[i];
  return mlirRankedTensorTypeGet(1, &size, mlirShapedTypeGetElementType(vector),
                                 mlirRankedTensorTypeGetEncoding(vector));
}

/* They lie behind each other, fill the vector, and are tensors like it. */
static bool fill(const ravelled *r, MlirType vector) {
  int64_t end = 0;
  for (int i = 0; i < r->num; i++) {
    if (r->offsets[i] != end)
      return false;
    end += size_of(r->parts[i]);
  }
  for (int i = 0; end == r->size && i < r->num; i++)
    if (!mlirTypeEqual(mlirValueGetType(r->parts[i]), part_type(r, vector, i)))
      return false;
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

static bool is_join(MlirOperation op) {
  return ts_op_is(op, "tensor.concat") || ts_op_is(op, "tensor.insert_slice");
}

static bool read_parts(ravelled *r, MlirOperation op) {
  int most = count_parts(op);
  r->num = 0;
  r->parts = TS_NEW(r->arena, MlirValue, most);
  r->offsets = TS_NEW(r->arena, int64_t, most + 1);
  if (most > MOST_PARTS ||
      !(ts_op_is(op, "tensor.concat") ? read_concat(r, op) : read_insertions(r, op)))
    return false;
  r->offsets[r->num] = r->size;
  return fill(r, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool read_vector(ravelled *r, MlirOperation op) {
  r->size = size_of(mlirOperationGetResult(op, 0));
  if (!read_parts(r, op) || r->num < 2)
    return false;
  bool any = false;
  for (int i = 0; i < r->num; i++)
    any |= is_merged(r->parts[i]);
  return any;
}

/* The parts of another vector that is joined at the same places, or NULL. */
static MlirValue *parts_alike(ravelled *r, MlirOperation op) {
  ravelled other = {.arena = r->arena, .size = r->size};
  bool alike = read_parts(&other, op) && other.num == r->num;
  for (int i = 0; alike && i < r->num; i++)
    alike = other.offsets[i] == r->offsets[i];
  return alike ? other.parts : NULL;
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

/* The body asks where it is, or has ops on tensors. */
static bool is_more_than_scalar(MlirOperation op) {
  MlirBlock body = ts_linalg_body(op);
  for (MlirOperation at = mlirBlockGetFirstOperation(body); at.ptr;
       at = mlirOperationGetNextInBlock(at)) {
    if (ts_op_is(at, "linalg.index") || mlirOperationGetNumRegions(at))
      return true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(at); i++)
      if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(at, i))))
        return true;
  }
  return false;
}

static bool is_in_body(MlirOperation op) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  return around.ptr && ts_op_is_linalg(around);
}

/* A loop over vectors of this size. */
static bool is_along(const ravelled *r, MlirOperation op) {
  bool is_linalg = ts_op_is_linalg(op);
  intptr_t num = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  if (is_in_body(op))
    return false;
  if (is_linalg ? ts_linalg_num_loops(op) != 1 || ts_linalg_num_inits(op) != results ||
                      num != ts_linalg_num_inputs(op) + results || is_more_than_scalar(op)
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
  if (first < 0 || end <= first || end > r->size)
    return -1;
  int low = 0, high = r->num;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (r->offsets[middle] <= first)
      low = middle;
    else
      high = middle;
  }
  return end <= r->offsets[low + 1] ? low : -1;
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

/* ---- all that vectors have to do with -------------------------------------------------------- */

static along *find(const ravelled *r, MlirOperation op) {
  intptr_t number = op.ptr ? (intptr_t)ts_map_get(&r->numbers, op.ptr) : 0;
  return number ? &r->loops[number - 1] : NULL;
}

static void list(ravelled *r, MlirOperation op) {
  if (!op.ptr || find(r, op) || !is_along(r, op))
    return;
  r->loops = ts_arena_grow(r->arena, r->loops, r->num_loops, &r->max_loops, sizeof(*r->loops));
  r->loops[r->num_loops++] = (along){.op = op};
  ts_map_set(&r->numbers, r->arena, op.ptr, (void *)(intptr_t)r->num_loops);
}

static void list_users(ravelled *r, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    list(r, mlirOpOperandGetOwner(use));
}

/* Lists what gives the vector, or what else a vector that is joined alike is used by. */
static void list_source(ravelled *r, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || ts_map_get(&r->copies, value.ptr))
    return;
  MlirValue *parts = is_join(op) ? parts_alike(r, op) : NULL;
  if (parts) {
    ts_map_set(&r->copies, r->arena, value.ptr, parts);
    list_users(r, value);
  } else if (!spreads(r, op) && !(ts_op_is_linalg(op) && combines(op))) {
    list(r, op);
  }
}

/* False if that is too much. */
static bool list_all(ravelled *r, MlirValue vector) {
  ts_map_set(&r->copies, r->arena, vector.ptr, r->parts);
  list_users(r, vector);
  for (int i = 0; i < r->num_loops; i++) {
    MlirOperation op = r->loops[i].op;
    if ((int64_t)r->num_loops * r->num > MOST_COPIES)
      return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
      if (operand_follows(op, k) == FOLLOWS)
        list_source(r, mlirOperationGetOperand(op, k));
    for (intptr_t k = 0; !combines(op) && k < mlirOperationGetNumResults(op); k++)
      list_users(r, mlirOperationGetResult(op, k));
  }
  return true;
}

/* ---- what is written anew -------------------------------------------------------------------- */

static bool is_annotated_whole(MlirOperation shard) {
  MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(shard, 1));
  MlirAttribute lists = sharding.ptr ? ts_attribute(sharding, "split_axes") : (MlirAttribute){NULL};
  const int16_t *axes;
  return !mlirAttributeIsNull(lists) &&
         (ts_axis_array_size(lists) == 0 || ts_axis_array_get(lists, 0, &axes) == 0);
}

static bool is_annotated(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (ts_op_is(mlirOpOperandGetOwner(use), "shard.shard"))
      return true;
  return false;
}

/* Its parts can be had for nothing: a number written across, a constant, what is whole, or an
 * argument that nobody says a layout of. */
static bool is_for_free(const ravelled *r, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (op.ptr)
    return ts_op_is(op, "arith.constant") || spreads(r, op) ||
           (ts_op_is(op, "shard.shard") && is_annotated_whole(op));
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation around = mlirBlockGetParentOperation(block);
  return ts_op_is(around, "func.func") && mlirBlockEqual(block, ts_function_entry(around)) &&
         !is_annotated(value);
}

static bool is_written(const ravelled *r, MlirOperation op) {
  const along *loop = find(r, op);
  return loop && !loop->is_left;
}

static bool has_parts(const ravelled *r, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return ts_map_get(&r->copies, value.ptr) || is_for_free(r, value) ||
         (op.ptr && is_written(r, op) && !combines(op));
}

/* Only parts of the value are asked for, and what is computed of parts. */
static bool is_taken_apart(const ravelled *r, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ts_op_is(user, "tensor.extract_slice") ? part_of_slice(r, user) < 0 : !is_written(r, user))
      return false;
  }
  return true;
}

static bool may_be_written(const ravelled *r, MlirOperation op) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
    if (operand_follows(op, k) == FOLLOWS && !has_parts(r, mlirOperationGetOperand(op, k)))
      return false;
  for (intptr_t k = 0; !combines(op) && k < mlirOperationGetNumResults(op); k++)
    if (!is_taken_apart(r, mlirOperationGetResult(op, k)))
      return false;
  return true;
}

typedef struct queue {
  along **of;
  int num;
} queue;

static void look_again(const ravelled *r, MlirOperation op, queue *next) {
  along *loop = find(r, op);
  if (!loop || loop->is_left || loop->is_waiting)
    return;
  loop->is_waiting = true;
  next->of[next->num++] = loop;
}

static void look_at_users_again(const ravelled *r, MlirOperation op, queue *next) {
  for (intptr_t k = 0; k < mlirOperationGetNumResults(op); k++)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, k));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      look_again(r, mlirOpOperandGetOwner(use), next);
}

/* Leaves what cannot be written anew, and what that leaves without parts or asks for a whole. */
static void leave(ravelled *r) {
  queue next = {TS_NEW(r->arena, along *, r->num_loops), 0};
  for (int i = 0; i < r->num_loops; i++)
    look_again(r, r->loops[i].op, &next);
  while (next.num) {
    along *loop = next.of[--next.num];
    loop->is_waiting = false;
    if (may_be_written(r, loop->op))
      continue;
    loop->is_left = true;
    look_at_users_again(r, loop->op, &next);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(loop->op); k++)
      look_again(r, ts_defining_op(mlirOperationGetOperand(loop->op, k)), &next);
  }
}

/* ---- on each part ---------------------------------------------------------------------------- */

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
      mlirOperationGetNumResults(by) != 1 || !ts_has_one_use(mlirOperationGetResult(by, 0)) ||
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
  MlirValue *totals = TS_NEW(r->arena, MlirValue, num);
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
  MlirValue *copies = TS_NEW(r->arena, MlirValue, num * r->num);
  for (int i = 0; i < r->num; i++) {
    MlirOperation copy = copy_for(r, op, i, (MlirOperation){NULL});
    for (intptr_t k = 0; k < num; k++)
      copies[k * r->num + i] = mlirOperationGetResult(copy, k);
  }
  for (intptr_t k = 0; k < num; k++)
    ts_map_set(&r->copies, r->arena, mlirOperationGetResult(op, k).ptr, copies + k * r->num);
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

/* Those in the order of what they give each other. Returns their number. */
static int order(ravelled *r, MlirOperation *ordered) {
  int num = 0;
  for (int i = 0; i < r->num_loops; i++) {
    along *loop = &r->loops[i];
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(loop->op); k++) {
      MlirOperation before = ts_defining_op(mlirOperationGetOperand(loop->op, k));
      loop->num_before += before.ptr && is_written(r, before);
    }
    if (!loop->is_left && loop->num_before == 0)
      ordered[num++] = loop->op;
  }
  for (int i = 0; i < num; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumResults(ordered[i]); k++)
      for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(ordered[i], k));
           !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
        along *loop = find(r, mlirOpOperandGetOwner(use));
        if (loop && !loop->is_left && --loop->num_before == 0)
          ordered[num++] = loop->op;
      }
  return num;
}

static void write_parts(ravelled *r) {
  MlirOperation *ordered = TS_NEW(r->arena, MlirOperation, r->num_loops);
  int num = order(r, ordered);
  for (int i = 0; i < num; i++)
    rewrite(r, ordered[i]);
  while (num--) {
    if (!combines(ordered[num]))
      take_from_parts(r, ordered[num]);
    mlirOperationDestroy(ordered[num]);
  }
}

static void structure(MlirOperation op) {
  MlirValue vector = mlirOperationGetResult(op, 0);
  ts_arena arena = {0};
  ravelled r = {.arena = &arena};
  if (is_vector(vector) && read_vector(&r, op) && list_all(&r, vector)) {
    leave(&r);
    write_parts(&r);
  }
  ts_arena_free(&arena);
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
  if (!is_join(op))
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
