/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions that choose: of what was found so far and the next candidate, both of several values,
 * one stays as a whole (the largest and its index). What a body chooses is found by trying it on
 * every way in which two candidates can compare. It knows scalar code; it must not know layouts of
 * tensors. */
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>

#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"
#include "support/captured.h"

/* How a value found so far compares with that of the next candidate. */
typedef enum relation {
  LESS,
  EQUAL,
  GREATER,
  NAN_BEFORE,
  NAN_NEXT,
  NAN_BOTH,
  NUM_RELATIONS
} relation;

typedef enum side { UNDECIDED, BEFORE, NEXT, EITHER } side;

typedef struct chooser {
  MlirOperation op;
  MlirBlock block;
  int num;
  MlirValue before[TS_MOST_CHOSEN], next[TS_MOST_CHOSEN];
  bool is_float[TS_MOST_CHOSEN];
  bool is_signed[TS_MOST_CHOSEN], is_unsigned[TS_MOST_CHOSEN]; /* how integers are compared */
  bool keeps_numbers[TS_MOST_CHOSEN];                          /* a NaN is never chosen */
  int stops; /* the value of which a NaN is the last thing that is found, or -1 */
  side bias; /* who stays where nothing tells them apart */
} chooser;

/* ---- what a body compares -------------------------------------------------------------------- */

static int find(const MlirValue *values, int num, MlirValue value) {
  for (int i = 0; i < num; i++)
    if (mlirValueEqual(values[i], value))
      return i;
  return -1;
}

/* The bits of relations under which a predicate holds: 1 equal, 2 greater, 4 less, 8 not ordered.
 */
static int holds_for(MlirOperation compare) {
  static const uint8_t of_integers[] = {1, 6, 4, 5, 2, 3, 4, 5, 2, 3};
  static const uint8_t of_floats[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
  int64_t predicate = ts_op_int(compare, "predicate", 0);
  return ts_op_is(compare, "arith.cmpi") ? of_integers[predicate] : of_floats[predicate];
}

static void note_sign(chooser *c, MlirOperation compare, int k) {
  int64_t predicate = ts_op_int(compare, "predicate", 0);
  if (!ts_op_is(compare, "arith.cmpi") || predicate < 2)
    return;
  c->is_signed[k] |= predicate < 6;
  c->is_unsigned[k] |= predicate >= 6;
}

static int bit_of(relation r) {
  static const uint8_t bits[NUM_RELATIONS] = {4, 1, 2, 8, 8, 8};
  return bits[r];
}

static bool is_nan(relation r, bool next) {
  return r == NAN_BOTH || r == (next ? NAN_NEXT : NAN_BEFORE);
}

/* Whether the comparison holds: 0, 1, or -1 if it is not one of a value with itself in the other
 * candidate or in the same. */
static int compare(chooser *c, MlirOperation op, const relation *state) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  int before_a = find(c->before, c->num, a), before_b = find(c->before, c->num, b);
  int next_a = find(c->next, c->num, a), next_b = find(c->next, c->num, b);
  int mask = holds_for(op), k = before_a >= 0 ? before_a : next_a;
  if (k < 0)
    return -1;
  if (mlirValueEqual(a, b))
    return (mask & (is_nan(state[k], next_a >= 0) ? 8 : 1)) != 0;
  note_sign(c, op, k);
  if (before_a >= 0 && next_b == before_a)
    return (mask & bit_of(state[k])) != 0;
  if (next_a < 0 || before_b != next_a)
    return -1;
  relation turned = state[k] == LESS ? GREATER : state[k] == GREATER ? LESS : state[k];
  return (mask & bit_of(turned)) != 0;
}

/* The truth of a condition, or -1 if it is not made of comparisons. */
static int truth(chooser *c, MlirValue value, const relation *state) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return -1;
  if (ts_op_is(op, "arith.cmpf") || ts_op_is(op, "arith.cmpi"))
    return compare(c, op, state);
  if (ts_op_is(op, "arith.constant"))
    return mlirIntegerAttrGetValueInt(ts_constant_value(op)) != 0;
  bool and = ts_op_is(op, "arith.andi"), or = ts_op_is(op, "arith.ori");
  if (!and && !or && !ts_op_is(op, "arith.xori"))
    return -1;
  int a = truth(c, mlirOperationGetOperand(op, 0), state);
  int b = truth(c, mlirOperationGetOperand(op, 1), state);
  if (a < 0 || b < 0)
    return -1;
  return and ? a & b : or ? a | b : a ^ b;
}

/* ---- what it chooses ------------------------------------------------------------------------- */

/* What gives result `r`. */
static MlirOperation chooses(MlirBlock body, int r) {
  return ts_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), r));
}

/* A maximum or minimum. */
static side choose_extreme(chooser *c, ts_reduction kind, int r, relation state) {
  bool most = kind == TS_MAX || kind == TS_UMAX || kind == TS_MAXNUM;
  bool skips_nan = kind == TS_MAXNUM || kind == TS_MINNUM;
  c->is_unsigned[r] |= kind == TS_UMAX || kind == TS_UMIN;
  c->is_signed[r] |= !c->is_float[r] && (kind == TS_MAX || kind == TS_MIN);
  switch (state) {
  case LESS:
    return most ? NEXT : BEFORE;
  case GREATER:
    return most ? BEFORE : NEXT;
  case NAN_BEFORE:
    return skips_nan ? NEXT : BEFORE;
  case NAN_NEXT:
    return skips_nan ? BEFORE : NEXT;
  default:
    return EITHER;
  }
}

static bool is_extreme(ts_reduction kind) {
  return kind == TS_MAX || kind == TS_MIN || kind == TS_UMAX || kind == TS_UMIN ||
         kind == TS_MAXNUM || kind == TS_MINNUM;
}

static side choose_value(chooser *c, int r, const relation *state) {
  MlirOperation op = chooses(c->block, r);
  bool same = state[r] == EQUAL || state[r] == NAN_BOTH;
  if (!ts_op_is(op, "arith.select")) {
    intptr_t position = mlirValueEqual(mlirOperationGetOperand(op, 1), c->before[r]);
    return choose_extreme(c, ts_combiner_of(op, position), r, state[r]);
  }
  int condition = truth(c, mlirOperationGetOperand(op, 0), state);
  if (condition < 0)
    return UNDECIDED;
  bool before = mlirValueEqual(mlirOperationGetOperand(op, condition ? 1 : 2), c->before[r]);
  return same ? EITHER : before ? BEFORE : NEXT;
}

/* The candidate that stays, as a whole; UNDECIDED if not one does. */
static side choose(chooser *c, const relation *state) {
  side all = EITHER;
  for (int r = 0; r < c->num; r++) {
    side one = choose_value(c, r, state);
    if (one == UNDECIDED || (one != EITHER && all != EITHER && one != all))
      return UNDECIDED;
    all = one == EITHER ? all : one;
  }
  return all;
}

/* ---- whether it is an order ------------------------------------------------------------------ */

static bool is_possible(const chooser *c, int k, relation r) {
  if (r <= GREATER)
    return true;
  return c->is_float[k] && k != c->stops && (!c->keeps_numbers[k] || r == NAN_NEXT);
}

/* Who stays in all states that agree with `state` in the values `order` has before `level`;
 * UNDECIDED if that differs or is not one. */
static side choose_all(chooser *c, const int *order, int level, relation *state) {
  if (level == c->num)
    return choose(c, state);
  side all = EITHER;
  for (relation r = LESS; r < NUM_RELATIONS; r++) {
    if (!is_possible(c, order[level], r))
      continue;
    state[order[level]] = r;
    side one = choose_all(c, order, level + 1, state);
    if (one == UNDECIDED || (one != EITHER && all != EITHER && one != all))
      return UNDECIDED;
    all = one == EITHER ? all : one;
  }
  return all;
}

static bool set_bias(chooser *c, side tie) {
  if (tie == EITHER)
    return true;
  c->bias = c->bias == UNDECIDED ? tie : c->bias;
  return tie == BEFORE && c->bias == BEFORE;
}

/* One of two relations, each the other seen from the other candidate: who stays depends on the
 * value alone, or on nothing (a tie). */
static bool is_decided(chooser *c, const int *order, int level, relation *state, relation a,
                       relation b) {
  state[order[level]] = a;
  side one = choose_all(c, order, level + 1, state);
  state[order[level]] = b;
  side other = choose_all(c, order, level + 1, state);
  if (one == UNDECIDED || other == UNDECIDED)
    return false;
  if (one != other)
    return one != EITHER && other != EITHER;
  return a == LESS && set_bias(c, one);
}

/* Values compared in this order, each where those before are alike, tell candidates apart. */
static bool is_ordered(chooser *c, const int *order, int level, relation *state) {
  if (level == c->num)
    return set_bias(c, choose(c, state));
  int k = order[level];
  if (!is_decided(c, order, level, state, LESS, GREATER))
    return false;
  if (is_possible(c, k, NAN_BEFORE) && !is_decided(c, order, level, state, NAN_BEFORE, NAN_NEXT))
    return false;
  for (relation r = EQUAL; r <= NAN_BOTH; r += NAN_BOTH - EQUAL) {
    if (!is_possible(c, k, r))
      continue;
    state[k] = r;
    side all = choose_all(c, order, level + 1, state);
    state[k] = r;
    if (all != UNDECIDED ? !set_bias(c, all) : !is_ordered(c, order, level + 1, state))
      return false;
  }
  return true;
}

/* Those of fewer values begin with their permutations of what comes first. */
static bool orders(chooser *c) {
  static const int orders[][TS_MOST_CHOSEN] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                               {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const int num_orders[] = {0, 1, 2, 6};
  for (int i = 0; i < num_orders[c->num]; i++) {
    relation state[TS_MOST_CHOSEN] = {EQUAL, EQUAL, EQUAL};
    c->bias = UNDECIDED;
    if (is_ordered(c, orders[i], 0, state))
      return true;
  }
  return false;
}

/* ---- NaNs after which nothing is found ------------------------------------------------------- */

/* Whether a NaN of value `k`, found before or next, leaves the other values as they are. */
static bool others_stay(chooser *c, int k, const relation *state) {
  if (state[k] < NAN_BEFORE)
    return true;
  for (int r = 0; r < c->num; r++)
    if (r != k && !is_possible(c, r, state[r]))
      return true;
  for (int r = 0; r < c->num; r++) {
    side one = r == k ? BEFORE : choose_value(c, r, state);
    if (one != BEFORE && one != EITHER)
      return false;
  }
  return true;
}

/* Value `k` is a maximum or minimum that is a NaN once one is seen, of which the others take no
 * notice but that nothing is better than it: what they are is that of the numbers before. */
static bool stops_at_nan(chooser *c, int k) {
  MlirOperation op = chooses(c->block, k);
  bool is_second = mlirValueEqual(mlirOperationGetOperand(op, 1), c->before[k]);
  ts_reduction kind = ts_combiner_of(op, is_second);
  if (!c->is_float[k] || ts_op_is(op, "arith.select") || (kind != TS_MAX && kind != TS_MIN))
    return false;
  for (int all = 0; all < NUM_RELATIONS * NUM_RELATIONS * NUM_RELATIONS; all++) {
    const relation state[TS_MOST_CHOSEN] = {all % NUM_RELATIONS,
                                            all / NUM_RELATIONS % NUM_RELATIONS,
                                            all / NUM_RELATIONS / NUM_RELATIONS};
    if (!others_stay(c, k, state))
      return false;
  }
  return true;
}

static bool orders_numbers(chooser *c) {
  for (c->stops = 0; c->stops < c->num; c->stops++)
    if (stops_at_nan(c, c->stops) && orders(c))
      return true;
  c->stops = -1;
  return false;
}

/* ---- reading a body -------------------------------------------------------------------------- */

/* Whether `value` depends on what was found so far. */
static bool depends_on_before(const chooser *c, ts_map *seen, ts_arena *arena, MlirValue value) {
  if (find(c->before, c->num, value) >= 0)
    return true;
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || mlirOperationGetBlock(op).ptr != c->block.ptr || ts_map_get(seen, op.ptr))
    return false;
  ts_map_set(seen, arena, op.ptr, op.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (depends_on_before(c, seen, arena, mlirOperationGetOperand(op, i)))
      return true;
  return mlirOperationGetNumRegions(op) > 0;
}

MlirValue ts_choice_before(MlirOperation op, int r) {
  return mlirBlockGetArgument(ts_linalg_body(op), ts_linalg_num_inputs(op) + r);
}

MlirValue ts_choice_next(MlirOperation generic, int r) {
  MlirBlock body = ts_linalg_body(generic);
  MlirOperation op = chooses(body, r);
  MlirValue none = {NULL}, before = ts_choice_before(generic, r);
  if (!op.ptr || mlirOperationGetBlock(op).ptr != body.ptr)
    return none;
  intptr_t first = ts_op_is(op, "arith.select") ? 1 : 0;
  if (mlirOperationGetNumOperands(op) != first + 2)
    return none;
  MlirValue a = mlirOperationGetOperand(op, first), b = mlirOperationGetOperand(op, first + 1);
  bool is_second = mlirValueEqual(b, before);
  if (first == 0 && !is_extreme(ts_combiner_of(op, is_second)))
    return none;
  if (is_second == mlirValueEqual(a, before))
    return none;
  return is_second ? a : b;
}

/* An element that the initial value surely repeats is no NaN. */
static bool starts_with_number(MlirOperation op, int r) {
  intptr_t init = ts_linalg_num_inputs(op) + r;
  MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, init));
  while (made.ptr && (ts_op_is(made, "linalg.fill") || ts_op_is(made, "tensor.splat") ||
                      ts_op_is(made, "shard.shard")))
    made = ts_defining_op(mlirOperationGetOperand(made, 0));
  if (!made.ptr || !ts_op_is(made, "arith.constant"))
    return false;
  MlirAttribute value = ts_constant_value(made);
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  return mlirAttributeIsAFloat(value) && !isnan(mlirFloatAttrGetValueDouble(value));
}

/* Whether no NaN is ever found: as the next one it loses, and the first is none. */
static bool keeps_numbers(chooser *c, int k) {
  if (!c->is_float[k] || !starts_with_number(c->op, k))
    return false;
  int order[TS_MOST_CHOSEN] = {k, k == 0 ? 1 : 0, 2};
  if (c->num == 3)
    order[2] = 3 - k - order[1];
  relation state[TS_MOST_CHOSEN] = {EQUAL, EQUAL, EQUAL};
  state[k] = NAN_NEXT;
  c->keeps_numbers[k] = true;
  side all = choose_all(c, order, 1, state);
  return all == BEFORE;
}

static bool read_chooser(ts_arena *arena, MlirOperation op, chooser *c) {
  *c = (chooser){
      .op = op, .block = ts_linalg_body(op), .num = (int)ts_linalg_num_inits(op), .stops = -1};
  if (c->num > TS_MOST_CHOSEN)
    return false;
  for (int r = 0; r < c->num; r++)
    c->before[r] = ts_choice_before(op, r);
  for (int r = 0; r < c->num; r++) {
    c->next[r] = ts_choice_next(op, r);
    ts_map seen = {0};
    if (mlirValueIsNull(c->next[r]) || depends_on_before(c, &seen, arena, c->next[r]))
      return false;
    MlirType type = mlirValueGetType(c->next[r]);
    c->is_float[r] = mlirTypeIsAFloat(type);
    if (!c->is_float[r] && !mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
      return false;
  }
  return true;
}

/* Results have a dimension for each parallel loop, and no others. */
static bool has_plain_results(MlirOperation op) {
  intptr_t num_parallel = 0, num_inputs = ts_linalg_num_inputs(op);
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    num_parallel += ts_linalg_iterator(op, l) == 0;
  if (ts_linalg_num_loops(op) != num_parallel + 1)
    return false;
  for (intptr_t r = 0; r < ts_linalg_num_inits(op); r++) {
    MlirAffineMap map = ts_linalg_map(op, num_inputs + r);
    if (mlirAffineMapGetNumResults(map) != num_parallel ||
        !mlirAffineMapIsProjectedPermutation(map))
      return false;
  }
  return true;
}

/* ---- where the first is ---------------------------------------------------------------------- */

/* The reduced loop, of which there is one. */
static intptr_t reduced_loop(MlirOperation op) {
  intptr_t loop = 0;
  while (ts_linalg_iterator(op, loop) == 0)
    loop++;
  return loop;
}

/* The dimension of operand `i` that follows the loop, alone and as no other does; or -1. */
static intptr_t dim_along(MlirOperation op, intptr_t i, intptr_t loop) {
  MlirAffineMap map = ts_linalg_map(op, i);
  intptr_t found = -1;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsFunctionOfDim(expr, loop))
      continue;
    if (found >= 0 || !mlirAffineExprIsADim(expr))
      return -1;
    found = d;
  }
  return found;
}

/* How far the loop runs, TS_DYNAMIC if that is not known. */
static int64_t size_of_loop(MlirOperation op, intptr_t loop) {
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op) + ts_linalg_num_inits(op); i++) {
    intptr_t d = dim_along(op, i, loop);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (d >= 0 && !mlirShapedTypeIsDynamicDim(type, d))
      return mlirShapedTypeGetDimSize(type, d);
  }
  return TS_DYNAMIC;
}

/* `value` of the body of `op` is the index of the loop, in a type that has all of them. */
static bool is_index(MlirOperation op, intptr_t loop, MlirValue value) {
  MlirOperation made = ts_defining_op(value);
  if (!made.ptr || !ts_op_is(made, "arith.index_cast"))
    return made.ptr && ts_op_is(made, "linalg.index") && ts_op_int(made, "dim", -1) == loop;
  MlirType type = mlirValueGetType(value);
  int64_t size = size_of_loop(op, loop);
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return (width >= 64 ||
          (width > 1 && size != TS_DYNAMIC && size - 1 < INT64_C(1) << (width - 1))) &&
         is_index(op, loop, mlirOperationGetOperand(made, 0));
}

/* `value` is what the body sees of a tensor of the indices of the loop. */
static bool is_from_indices(MlirOperation op, intptr_t loop, MlirValue value) {
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), ts_linalg_body(op)))
    return false;
  intptr_t i = mlirBlockArgumentGetArgNumber(value), d = dim_along(op, i, loop);
  MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, i));
  while (made.ptr && ts_op_is(made, "shard.shard"))
    made = ts_defining_op(mlirOperationGetOperand(made, 0));
  return d >= 0 && made.ptr && ts_op_is(made, "linalg.generic") &&
         ts_linalg_num_inputs(made) == 0 && ts_linalg_num_inits(made) == 1 &&
         mlirAffineMapIsIdentity(ts_linalg_map(made, 0)) &&
         is_index(made, d,
                  mlirOperationGetOperand(mlirBlockGetTerminator(ts_linalg_body(made)), 0));
}

/* The initial value may have any index: a candidate that is an element is better than it, for of
 * equal ones the initial value stays. */
int ts_choice_place(MlirOperation op) {
  intptr_t loop = reduced_loop(op);
  for (int r = 0; r < (int)ts_linalg_num_inits(op); r++) {
    MlirValue next = ts_choice_next(op, r);
    if (mlirValueIsABlockArgument(next) ? is_from_indices(op, loop, next)
                                        : is_index(op, loop, next))
      return r;
  }
  return -1;
}

static bool read_choice(ts_arena *arena, MlirOperation op, chooser *c) {
  if (!ts_op_is(op, "linalg.generic") || !has_plain_results(op) || !read_chooser(arena, op, c))
    return false;
  for (int k = 0; k < c->num; k++)
    c->keeps_numbers[k] = keeps_numbers(c, k);
  if (!orders(c) && !orders_numbers(c))
    return false;
  for (int k = 0; k < c->num; k++)
    if (c->is_signed[k] && c->is_unsigned[k])
      return false;
  return c->stops < 0 || ts_captured_tensors(arena, op).num == 0;
}

bool ts_linalg_chooses(ts_arena *arena, MlirOperation op, ts_loop *loop) {
  chooser c;
  if (!read_choice(arena, op, &c))
    return false;
  loop->any_order = c.stops < 0 && (c.bias == UNDECIDED || ts_choice_place(op) >= 0);
  loop->number_of = c.stops + 1;
  return true;
}
