/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What lies between reversals of one dimension is computed the other way round, of what was not
 * reversed: scans, whether they are reductions that compare indices or trees of slices, and
 * whatever else has no direction of its own. All that is read forwards of each other turns
 * together, or not at all. It knows which dimensions ops keep; it must not know layouts. */
#include "capi/capi.h"
#include "ir/build.h"
#include "ir/merged_dims.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/reversals.h"
#include "structured/structured.h"
#include "support/map.h"

/* A dimension of a value; or of an op: a loop of a structured op, a dimension of the tensor that
 * slices are of, of what is padded, joined or taken element by element, or of the tensor whose
 * dimensions are merged. */
typedef struct node {
  MlirOperation op; /* null: of `value` */
  MlirValue value;
  intptr_t d;
} node;

/* Dimensions of a value or an op: of what turns together, and of what was looked at before. */
typedef struct seen {
  uint64_t here, before;
} seen;

/* Operand `k` of a generic is read in the other direction along `d`; or, with `source`, operand `k`
 * of an op is this. */
typedef struct change {
  MlirOperation op;
  intptr_t k, d;
  MlirValue source;
} change;

typedef struct turning {
  ts_arena *arena;
  ts_map seen;
  node *nodes;
  int num, max;
  change *changes;
  int num_changes, max_changes;
  MlirOperation *generics; /* that read backwards when all began */
  int num_generics, max_generics;
} turning;

static seen *seen_of(turning *t, void *key) {
  seen *found = ts_map_get(&t->seen, key);
  if (!found) {
    found = TS_NEW(t->arena, seen, 1);
    *found = (seen){0, 0};
    ts_map_set(&t->seen, t->arena, key, found);
  }
  return found;
}

static seen *seen_of_node(turning *t, const node *n) {
  return seen_of(t, n->op.ptr ? n->op.ptr : (void *)n->value.ptr);
}

/* False if it was looked at before: it has turned, or something that turns with it cannot. */
static bool visit(turning *t, node n) {
  if (n.d < 0 || n.d >= 64)
    return false;
  seen *s = seen_of_node(t, &n);
  uint64_t bit = (uint64_t)1 << n.d;
  if (s->before & bit)
    return false;
  if (s->here & bit)
    return true;
  s->here |= bit;
  t->nodes = ts_arena_grow(t->arena, t->nodes, t->num, &t->max, sizeof(*t->nodes));
  t->nodes[t->num++] = n;
  return true;
}

/* ---- the dimensions that ops keep ------------------------------------------------------------ */

static bool is_slice(MlirOperation op) {
  return ts_op_is(op, "tensor.extract_slice");
}

static bool is_insertion(MlirOperation op) {
  return ts_op_is(op, "tensor.insert_slice");
}

static bool is_collapse(MlirOperation op) {
  return ts_op_is(op, "tensor.collapse_shape");
}

static bool is_reshape(MlirOperation op) {
  return is_collapse(op) || ts_op_is(op, "tensor.expand_shape");
}

static bool keeps_rank(MlirOperation op) {
  return ts_op_is(op, "tensor.pad") || ts_op_is(op, "tensor.concat") || ts_op_is_elementwise(op);
}

static int64_t number_at(MlirOperation op, const char *list, intptr_t d) {
  return mlirDenseI64ArrayGetElement(ts_attribute(op, list), d);
}

/* Of the dimensions of a slice those that are no single index are, in their order, those of the
 * part. */
static intptr_t num_before(MlirOperation op, intptr_t d) {
  intptr_t num = 0;
  for (intptr_t i = 0; i < d; i++)
    num += number_at(op, "static_sizes", i) != 1;
  return num;
}

/* The dimension of the part that is dimension `d` of the tensor, which is no single index. */
static intptr_t dim_of_part(MlirOperation op, MlirType part, intptr_t d) {
  intptr_t num = num_before(op, d);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(part); i++)
    if (ts_known_extent(part, i) != 1 && num-- == 0)
      return i;
  return -1;
}

static intptr_t dim_of_whole(MlirOperation op, MlirType part, intptr_t d) {
  intptr_t num = 0;
  for (intptr_t i = 0; i < d; i++)
    num += ts_known_extent(part, i) != 1;
  intptr_t rank = mlirDenseArrayGetNumElements(ts_attribute(op, "static_sizes"));
  for (intptr_t i = 0; i < rank; i++)
    if (number_at(op, "static_sizes", i) != 1 && num-- == 0)
      return i;
  return -1;
}

static intptr_t merged_dim(MlirOperation reshape, intptr_t d) {
  ts_merged_dims merged;
  ts_merged_dims_read(reshape, &merged);
  for (int g = 0; g < merged.count; g++)
    if (d >= merged.first[g] && d < merged.first[g] + merged.num[g])
      return g;
  return -1;
}

/* The op turns where dimension `d` of operand `k` does. */
static node of_operand(MlirOperation op, intptr_t k, intptr_t d) {
  node n = {.op = op, .d = -1};
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, k));
  if (ts_op_is_linalg(op))
    n.d = ts_reading_of(op, k, d).loop;
  else if ((is_slice(op) && k == 0) || (is_insertion(op) && k == 1) || keeps_rank(op))
    n.d = d;
  else if (is_insertion(op))
    n.d = dim_of_whole(op, type, d);
  else if (is_reshape(op))
    n.d = is_collapse(op) ? merged_dim(op, d) : d;
  return n;
}

/* The same of result `r`. */
static node of_result(MlirOperation op, intptr_t r, intptr_t d) {
  node n = {.op = op, .d = -1};
  if (ts_op_is_linalg(op))
    n.d = ts_reading_of(op, ts_linalg_num_inputs(op) + r, d).loop;
  else if (is_slice(op))
    n.d = dim_of_whole(op, mlirValueGetType(mlirOperationGetResult(op, r)), d);
  else if (is_insertion(op) || keeps_rank(op))
    n.d = d;
  else if (is_reshape(op))
    n.d = is_collapse(op) ? d : merged_dim(op, d);
  return n;
}

/* ---- what turns together --------------------------------------------------------------------- */

static void add_change(turning *t, change c) {
  t->changes =
      ts_arena_grow(t->arena, t->changes, t->num_changes, &t->max_changes, sizeof(*t->changes));
  t->changes[t->num_changes++] = c;
}

static bool visit_value(turning *t, MlirValue value, intptr_t d) {
  return ts_known_extent(mlirValueGetType(value), d) > 0 && ts_defining_op(value).ptr &&
         visit(t, (node){.value = value, .d = d});
}

/* Operand `k` is read turned along `d`: what is its own reversal as it is, and of a reversal what
 * it reverses. */
static bool turn_operand(turning *t, MlirOperation op, intptr_t k, intptr_t d) {
  MlirValue value = mlirOperationGetOperand(op, k);
  if (ts_is_symmetric(value, d))
    return true;
  MlirValue source = ts_reversed_value(value, d);
  if (source.ptr)
    add_change(t, (change){op, k, d, source});
  return source.ptr || visit_value(t, value, d);
}

static bool turn_result(turning *t, MlirOperation op, intptr_t r, intptr_t d) {
  MlirValue value = mlirOperationGetResult(op, r);
  return ts_known_extent(mlirValueGetType(value), d) == 1 || visit_value(t, value, d);
}

static bool turn_generic(turning *t, MlirOperation op, intptr_t loop) {
  intptr_t beside, num_inputs = ts_linalg_num_inputs(op);
  if (!mlirOperationGetNumResults(op) || !ts_may_reverse_loop(op, loop, &beside) ||
      (beside >= 0 && !visit(t, (node){.op = op, .d = beside})))
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    intptr_t rank = mlirAffineMapGetNumResults(ts_linalg_map(op, k));
    for (intptr_t d = 0; d < rank; d++) {
      ts_reading reading = ts_reading_of(op, k, d);
      if (reading.loop != loop)
        continue;
      if (reading.is_backwards)
        add_change(t, (change){.op = op, .k = k, .d = d});
      else if (!turn_operand(t, op, k, d) ||
               (k >= num_inputs && !turn_result(t, op, k - num_inputs, d)))
        return false;
    }
  }
  return true;
}

static bool turn_slice(turning *t, MlirOperation op, intptr_t d) {
  bool is_taken = is_slice(op);
  MlirValue part = is_taken ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  MlirValue whole = mlirOperationGetOperand(op, !is_taken);
  int64_t size = number_at(op, "static_sizes", d);
  if (ts_known_extent(mlirValueGetType(whole), d) < 0 || size < 1 ||
      number_at(op, "static_offsets", d) < 0 || number_at(op, "static_strides", d) < 1)
    return false;
  intptr_t e = size == 1 ? -1 : dim_of_part(op, mlirValueGetType(part), d);
  if (is_taken)
    return turn_operand(t, op, 0, d) && (e < 0 || turn_result(t, op, 0, e));
  return (e < 0 || turn_operand(t, op, 0, e)) && turn_operand(t, op, 1, d) &&
         turn_result(t, op, 0, d);
}

static bool pads_by_known(MlirOperation op, intptr_t d) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (ts_num_uses(mlirBlockGetArgument(body, i)))
      return false;
  return number_at(op, "static_low", d) >= 0 && number_at(op, "static_high", d) >= 0;
}

static bool turn_ranked(turning *t, MlirOperation op, intptr_t d) {
  if (ts_op_is(op, "tensor.pad"))
    return pads_by_known(op, d) && turn_operand(t, op, 0, d) && turn_result(t, op, 0, d);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
    if (mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, k))) &&
        !turn_operand(t, op, k, d))
      return false;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    if (!turn_result(t, op, r, d))
      return false;
  return true;
}

static bool turn_reshape(turning *t, MlirOperation op, intptr_t d) {
  bool from_many = is_collapse(op);
  ts_merged_dims merged;
  ts_merged_dims_read(op, &merged);
  if (from_many ? !turn_result(t, op, 0, d) : !turn_operand(t, op, 0, d))
    return false;
  for (int i = merged.first[d]; i < merged.first[d] + merged.num[d]; i++)
    if (from_many ? !turn_operand(t, op, 0, i) : !turn_result(t, op, 0, i))
      return false;
  return true;
}

static bool turn_op(turning *t, MlirOperation op, intptr_t d) {
  if (ts_op_is_linalg(op))
    return turn_generic(t, op, d);
  if (is_slice(op) || is_insertion(op))
    return turn_slice(t, op, d);
  return is_reshape(op) ? turn_reshape(t, op, d) : turn_ranked(t, op, d);
}

static bool is_read_backwards(MlirOperation op, intptr_t k, intptr_t d) {
  return ts_op_is_linalg(op) && ts_reading_of(op, k, d).is_backwards;
}

/* An op that uses a dimension of a value that turns: it turns too, unless it reads it backwards.
 * What it writes to backwards its result goes along, too. */
static bool turn_user(turning *t, MlirOperation op, intptr_t k, intptr_t d) {
  if (!is_read_backwards(op, k, d))
    return visit(t, of_operand(op, k, d));
  add_change(t, (change){.op = op, .k = k, .d = d});
  return k < ts_linalg_num_inputs(op);
}

static bool turn_value(turning *t, MlirValue value, intptr_t d) {
  if (!visit(t, of_result(ts_defining_op(value), mlirOpResultGetResultNumber(value), d)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!turn_user(t, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), d))
      return false;
  return true;
}

/* What is reversed and then turned back, so that its source is taken, turns along the other
 * dimensions as the source does; along this one the source stays. */
static bool sources_fit(turning *t) {
  for (int i = 0; i < t->num_changes; i++) {
    const change *c = &t->changes[i];
    if (!c->source.ptr)
      continue;
    MlirValue reversed = mlirOperationGetOperand(c->op, c->k);
    if (seen_of(t, (void *)c->source.ptr)->here != seen_of(t, (void *)reversed.ptr)->here ||
        (seen_of(t, (void *)c->source.ptr)->here >> c->d & 1))
      return false;
  }
  return true;
}

/* ---- turning --------------------------------------------------------------------------------- */

static void set_number(MlirOperation op, const char *name, intptr_t d, int64_t number) {
  MlirAttribute list = ts_attribute(op, name);
  int64_t numbers[TS_MAX_RANK];
  intptr_t rank = mlirDenseArrayGetNumElements(list);
  for (intptr_t i = 0; i < rank; i++)
    numbers[i] = i == d ? number : mlirDenseI64ArrayGetElement(list, i);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name),
                                  mlirDenseI64ArrayGet(mlirOperationGetContext(op), rank, numbers));
}

static void reverse_joined(MlirOperation op) {
  intptr_t num = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num / 2; i++) {
    MlirValue first = mlirOperationGetOperand(op, i);
    mlirOperationSetOperand(op, i, mlirOperationGetOperand(op, num - 1 - i));
    mlirOperationSetOperand(op, num - 1 - i, first);
  }
}

/* The op itself: what it reads turns where that is made. */
static void reverse_op(MlirOperation op, intptr_t d) {
  intptr_t beside = -1;
  if (is_slice(op) || is_insertion(op)) {
    MlirType whole = mlirValueGetType(mlirOperationGetOperand(op, is_insertion(op)));
    int64_t first = number_at(op, "static_offsets", d);
    int64_t last =
        first + (number_at(op, "static_sizes", d) - 1) * number_at(op, "static_strides", d);
    set_number(op, "static_offsets", d, ts_known_extent(whole, d) - 1 - last);
  } else if (ts_op_is(op, "tensor.pad")) {
    int64_t low = number_at(op, "static_low", d);
    set_number(op, "static_low", d, number_at(op, "static_high", d));
    set_number(op, "static_high", d, low);
  } else if (ts_op_is(op, "tensor.concat") && ts_op_int(op, "dim", -1) == d) {
    reverse_joined(op);
  } else if (ts_op_is_linalg(op) && ts_may_reverse_loop(op, d, &beside) && beside > d) {
    ts_reverse_compared(op, d, beside); /* once for both */
  }
}

static void reverse_all(turning *t) {
  for (int i = 0; i < t->num_changes; i++) {
    const change *c = &t->changes[i];
    if (c->source.ptr)
      mlirOperationSetOperand(c->op, c->k, c->source);
    else
      ts_reverse_reading(t->arena, c->op, c->k, c->d);
  }
  for (int i = 0; i < t->num; i++)
    if (t->nodes[i].op.ptr)
      reverse_op(t->nodes[i].op, t->nodes[i].d);
}

/* Turns what turns with the nodes that were visited, if all of it may. */
static bool turn(turning *t) {
  bool may_turn = true;
  for (int i = 0; i < t->num && may_turn; i++) {
    node n = t->nodes[i];
    may_turn = n.op.ptr ? turn_op(t, n.op, n.d) : turn_value(t, n.value, n.d);
  }
  may_turn = may_turn && sources_fit(t);
  if (may_turn)
    reverse_all(t);
  for (int i = 0; i < t->num; i++) {
    seen *s = seen_of_node(t, &t->nodes[i]);
    s->before |= s->here;
    s->here = 0;
  }
  t->num = t->num_changes = 0;
  return may_turn;
}

/* ---- where to begin -------------------------------------------------------------------------- */

/* Turns what uses a reversal of dimension `d`, but for what reads it backwards, which turns round
 * itself. */
static void turn_users(turning *t, MlirValue reversed, intptr_t d) {
  intptr_t num = ts_num_uses(reversed);
  change *uses = TS_NEW(t->arena, change, num);
  MlirOpOperand use = mlirValueGetFirstUse(reversed);
  for (intptr_t i = 0; i < num; i++, use = mlirOpOperandGetNextUse(use))
    uses[i] = (change){.op = mlirOpOperandGetOwner(use), .k = mlirOpOperandGetOperandNumber(use)};
  for (intptr_t i = 0; i < num; i++)
    if (mlirValueEqual(mlirOperationGetOperand(uses[i].op, uses[i].k), reversed) &&
        !is_read_backwards(uses[i].op, uses[i].k, d) &&
        visit(t, of_operand(uses[i].op, uses[i].k, d)))
      turn(t);
}

/* The generic reads the dimension of its input backwards: turns what that comes from, or else what
 * comes of it. */
static void turn_around(turning *t, MlirOperation op, intptr_t k, intptr_t d) {
  MlirValue value = mlirOperationGetOperand(op, k), source = ts_reversed_value(value, d);
  if (source.ptr || ts_is_symmetric(value, d)) {
    mlirOperationSetOperand(op, k, source.ptr ? source : value);
    ts_reverse_reading(t->arena, op, k, d);
    return;
  }
  if (visit_value(t, value, d) && turn(t))
    return;
  if (ts_reversed_value(mlirOperationGetResult(op, 0), d).ptr)
    turn_users(t, mlirOperationGetResult(op, 0), d);
  else if (visit(t, of_operand(op, k, d)))
    turn(t);
}

static bool only_reverses(MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(mlirValueGetType(result)); d++)
    if (ts_reversed_value(result, d).ptr)
      return true;
  return false;
}

static bool reads_backwards(MlirOperation op) {
  for (intptr_t k = 0; k < ts_linalg_num_inputs(op); k++)
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(ts_linalg_map(op, k)); d++)
      if (ts_reading_of(op, k, d).is_backwards)
        return true;
  return false;
}

static void note_reversal(MlirOperation op, void *user) {
  turning *t = user;
  if (!ts_op_is_linalg(op) || !mlirOperationGetNumResults(op) || !reads_backwards(op))
    return;
  t->generics =
      ts_arena_grow(t->arena, t->generics, t->num_generics, &t->max_generics, sizeof(*t->generics));
  t->generics[t->num_generics++] = op;
}

/* Those that give their input as it is, and those that nobody uses any more. */
static void drop_moves(const turning *t) {
  for (int i = t->num_generics; i-- > 0;) {
    MlirOperation op = t->generics[i];
    if (ts_is_copy(op))
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
    if ((ts_is_copy(op) || only_reverses(op)) && !ts_num_uses(mlirOperationGetResult(op, 0)))
      mlirOperationDestroy(op);
  }
}

void ts_structure_turned(MlirOperation module) {
  ts_arena arena = {0};
  turning t = {.arena = &arena};
  ts_each_op(module, note_reversal, &t);
  for (int i = 0; i < t.num_generics; i++) {
    MlirOperation op = t.generics[i];
    for (intptr_t k = 0; k < ts_linalg_num_inputs(op); k++)
      for (intptr_t d = 0; d < mlirAffineMapGetNumResults(ts_linalg_map(op, k)); d++)
        if (ts_reading_of(op, k, d).is_backwards)
          turn_around(&t, op, k, d);
  }
  drop_moves(&t);
  ts_arena_free(&arena);
}
