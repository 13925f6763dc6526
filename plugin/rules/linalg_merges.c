/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions that merge: of what was found so far and the next candidate, of as many values each,
 * the body makes one candidate for both (count, mean and squares of differences; a maximum and the
 * exponentials that are added up below it). Whether it may then merge what devices found is tried:
 * on many short rows of numbers, one by one and part by part. It knows scalar code; it must not
 * know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <math.h>

#include "capi/capi.h"
#include "ir/element_types.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/linalg.h"

/* Candidates in a row, rows, operands of an op, and numbers of the body that candidates are tried
 * near. */
enum { MOST_IN_ROW = 8, ROWS = 400, MOST_OPERANDS = 3, MOST_NEAR = 8 };

/* ---- what ops compute ------------------------------------------------------------------------ */

/* Integers are small ones, so that none wraps, and are not compared by size: what holds of them
 * holds of those that wrap. */
typedef enum family { FLOATS, INTEGERS, BITS, ANY } family;

typedef double (*computes)(double a, double b, double c);

#define COMPUTES(name, expression)                                                                 \
  static double name(double a, double b, double c) {                                               \
    (void)a, (void)b, (void)c;                                                                     \
    return expression;                                                                             \
  }
COMPUTES(add, a + b)
COMPUTES(subtract, a - b)
COMPUTES(multiply, a *b)
COMPUTES(divide, a / b)
COMPUTES(multiply_add, a *b + c)
COMPUTES(negate, -a)
COMPUTES(same, a)
COMPUTES(largest, isnan(a) || isnan(b) ? NAN : fmax(a, b))
COMPUTES(least, isnan(a) || isnan(b) ? NAN : fmin(a, b))
COMPUTES(largest_number, fmax(a, b))
COMPUTES(least_number, fmin(a, b))
COMPUTES(magnitude, fabs(a))
COMPUTES(exponential, exp(a))
COMPUTES(exponential_of_2, exp2(a))
COMPUTES(exponential_less_1, expm1(a))
COMPUTES(logarithm, log(a))
COMPUTES(logarithm_of_2, log2(a))
COMPUTES(logarithm_plus_1, log1p(a))
COMPUTES(root, sqrt(a))
COMPUTES(one_by_root, 1 / sqrt(a))
COMPUTES(hyperbolic_tangent, tanh(a))
COMPUTES(both, a != 0 && b != 0)
COMPUTES(either, a != 0 || b != 0)
COMPUTES(one_of_two, (a != 0) != (b != 0))
COMPUTES(select, a != 0 ? b : c)
#undef COMPUTES

static const struct meaning {
  const char *op;
  computes of;
  family takes; /* of its results; of a conversion, of its operand */
} meanings[] = {
    {"arith.addf", add, FLOATS},
    {"arith.addi", add, INTEGERS},
    {"arith.andi", both, BITS},
    {"arith.divf", divide, FLOATS},
    {"arith.extf", same, FLOATS},
    {"arith.maximumf", largest, FLOATS},
    {"arith.maxnumf", largest_number, FLOATS},
    {"arith.minimumf", least, FLOATS},
    {"arith.minnumf", least_number, FLOATS},
    {"arith.mulf", multiply, FLOATS},
    {"arith.muli", multiply, INTEGERS},
    {"arith.negf", negate, FLOATS},
    {"arith.ori", either, BITS},
    {"arith.select", select, ANY},
    {"arith.sitofp", same, INTEGERS},
    {"arith.subf", subtract, FLOATS},
    {"arith.subi", subtract, INTEGERS},
    {"arith.truncf", same, FLOATS},
    {"arith.uitofp", same, BITS},
    {"arith.xori", one_of_two, BITS},
    {"math.absf", magnitude, FLOATS},
    {"math.exp", exponential, FLOATS},
    {"math.exp2", exponential_of_2, FLOATS},
    {"math.expm1", exponential_less_1, FLOATS},
    {"math.fma", multiply_add, FLOATS},
    {"math.log", logarithm, FLOATS},
    {"math.log1p", logarithm_plus_1, FLOATS},
    {"math.log2", logarithm_of_2, FLOATS},
    {"math.rsqrt", one_by_root, FLOATS},
    {"math.sqrt", root, FLOATS},
    {"math.tanh", hyperbolic_tangent, FLOATS},
};

static bool is_of(family family, MlirType type) {
  bool is_bit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  return family == ANY || (family == FLOATS && mlirTypeIsAFloat(type)) ||
         (family == BITS && is_bit) || (family == INTEGERS && mlirTypeIsAInteger(type) && !is_bit);
}

/* ---- a body as steps ------------------------------------------------------------------------- */

typedef struct step {
  computes of; /* NULL: a comparison */
  int holds;   /* its bits: 1 equal, 2 greater, 4 less, 8 not ordered */
  int operands[MOST_OPERANDS];
} step;

/* One value of a candidate. */
typedef struct part {
  double first; /* what the reduction begins with */
  bool is_integer;
  bool is_known; /* each candidate has `known` here */
  double known;
} part;

typedef struct merger {
  ts_arena *arena;
  int num; /* values of a candidate */
  part parts[TS_MOST_CHOSEN];
  /* What was found so far, the next candidate, numbers of the body, and what the steps compute. */
  double *slots;
  int num_slots;
  step *steps;
  int num_steps;
  int first_result;           /* slot of the first step's */
  int yields[TS_MOST_CHOSEN]; /* slots */
  ts_map places;              /* values of the body -> slot + 1 */
  double near[MOST_NEAR];
  int num_near;
  bool in_any_order; /* candidates are merged */
  uint64_t random;
} merger;

static bool read_number(MlirAttribute value, double *number) {
  if (mlirAttributeIsAFloat(value))
    *number = mlirFloatAttrGetValueDouble(value);
  else if (mlirAttributeIsAInteger(value))
    *number = (double)mlirIntegerAttrGetValueInt(value);
  else
    return false;
  return true;
}

static int add_slot(merger *m, MlirValue value) {
  int slot = m->num_slots++;
  ts_map_set(&m->places, m->arena, value.ptr, m->slots + slot);
  return slot;
}

/* The slot of `value`, or -1. */
static int slot_of(merger *m, MlirValue value) {
  const double *found = ts_map_get(&m->places, value.ptr);
  return found ? (int)(found - m->slots) : -1;
}

static void note_near(merger *m, double number) {
  if (m->num_near < MOST_NEAR && number != 0 && isfinite(number))
    m->near[m->num_near++] = fabs(number);
}

/* Numbers of the body come first: steps need their slots. */
static bool add_number(merger *m, MlirValue value) {
  MlirOperation made = ts_defining_op(value);
  double number;
  if (slot_of(m, value) >= 0)
    return true;
  if (!made.ptr || !ts_op_is(made, "arith.constant") ||
      !read_number(ts_constant_value(made), &number))
    return false;
  if (is_of(BITS, mlirValueGetType(value)))
    number = number != 0;
  m->slots[add_slot(m, value)] = number;
  note_near(m, number);
  return true;
}

/* Comparisons of integers only say whether two are the same. */
static int holds_for(MlirOperation compare) {
  static const uint8_t of_integers[] = {1, 6};
  static const uint8_t of_floats[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 8, 15};
  int64_t predicate = ts_op_int(compare, "predicate", 0);
  if (ts_op_is(compare, "arith.cmpf"))
    return of_floats[predicate];
  return ts_op_is(compare, "arith.cmpi") && predicate < 2 ? of_integers[predicate] : -1;
}

static const struct meaning *meaning_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
    if (ts_op_is(op, meanings[i].op) &&
        is_of(meanings[i].takes, mlirValueGetType(mlirOperationGetOperand(op, 0))))
      return &meanings[i];
  return NULL;
}

static bool add_step(merger *m, MlirOperation op) {
  intptr_t num = mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumResults(op) != 1 || num < 1 || num > MOST_OPERANDS)
    return false;
  const struct meaning *meaning = meaning_of(op);
  step *s = &m->steps[m->num_steps++];
  *s = (step){.of = meaning ? meaning->of : NULL, .holds = meaning ? 0 : holds_for(op)};
  for (intptr_t i = 0; i < num; i++) {
    s->operands[i] = slot_of(m, mlirOperationGetOperand(op, i));
    if (s->operands[i] < 0)
      return false;
  }
  add_slot(m, mlirOperationGetResult(op, 0));
  return s->holds >= 0;
}

/* ---- reading a reduction --------------------------------------------------------------------- */

/* The number that all elements of `value` are. */
static bool reads_one_number(MlirValue value, double *number) {
  MlirAttribute element = ts_repeated_element(value);
  return !mlirAttributeIsNull(element) && read_number(element, number);
}

static bool read_part(merger *m, MlirOperation op, int r) {
  part *p = &m->parts[r];
  MlirBlock body = ts_linalg_body(op);
  MlirValue next = mlirBlockGetArgument(body, r);
  MlirValue before = mlirBlockGetArgument(body, m->num + r);
  MlirType type = mlirValueGetType(before);
  if (!mlirTypeEqual(mlirValueGetType(next), type) ||
      !ts_reduction_has_meaning(TS_SUM, ts_dtype(type)) ||
      (!is_of(FLOATS, type) && !is_of(INTEGERS, type)))
    return false;
  p->is_integer = is_of(INTEGERS, type);
  p->is_known = reads_one_number(mlirOperationGetOperand(op, r), &p->known);
  return reads_one_number(mlirOperationGetOperand(op, m->num + r), &p->first);
}

static int count_operands(MlirBlock body, int *ops) {
  int num = 0;
  *ops = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op), ++*ops)
    num += (int)mlirOperationGetNumOperands(op) + 1;
  return num;
}

/* Each value in a slot: of arguments, then numbers, then what the ops compute. */
static bool read_steps(merger *m, MlirBlock body) {
  int num_ops, num = count_operands(body, &num_ops);
  m->slots = TS_NEW(m->arena, double, 2 * m->num + num);
  m->steps = TS_NEW(m->arena, step, num_ops);
  for (int r = 0; r < m->num; r++)
    add_slot(m, mlirBlockGetArgument(body, m->num + r));
  for (int r = 0; r < m->num; r++)
    add_slot(m, mlirBlockGetArgument(body, r));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
      MlirValue operand = mlirOperationGetOperand(op, i);
      MlirOperation made = ts_defining_op(operand);
      if (made.ptr && ts_op_is(made, "arith.constant") && !add_number(m, operand))
        return false;
    }
  m->first_result = m->num_slots;
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op))
    if (!ts_op_is(op, "arith.constant") && !add_step(m, op))
      return false;
  for (int r = 0; r < m->num; r++) {
    m->yields[r] = slot_of(m, mlirOperationGetOperand(yield, r));
    if (m->yields[r] < 0)
      return false;
  }
  return true;
}

static bool read_merger(MlirOperation op, merger *m) {
  m->num = (int)ts_linalg_num_inits(op);
  if (m->num > TS_MOST_CHOSEN || ts_linalg_num_inputs(op) != m->num)
    return false;
  for (int r = 0; r < m->num; r++)
    if (!read_part(m, op, r))
      return false;
  if (!read_steps(m, ts_linalg_body(op)))
    return false;
  for (int r = 0; r < m->num; r++)
    note_near(m, m->parts[r].first);
  return true;
}

/* ---- numbers that are tried ------------------------------------------------------------------ */

/* The same ones each time. */
static uint32_t random_below(merger *m, uint32_t limit) {
  m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((m->random >> 33) % limit);
}

/* From -1 to 1. */
static double random_number(merger *m) {
  return (double)random_below(m, 2000001) / 1e6 - 1;
}

/* One that is easily treated apart, or what the candidate before has. */
static double special_number(merger *m, double before) {
  const double specials[] = {0, 1, -1, INFINITY, -INFINITY, NAN, before, before};
  uint32_t num = (uint32_t)(sizeof(specials) / sizeof(specials[0]));
  uint32_t at = random_below(m, num + 2 * (uint32_t)m->num_near);
  if (at < num)
    return specials[at];
  double near = m->near[(at - num) / 2];
  return (at - num) % 2 ? near : -near;
}

/* Numbers of a row are about as large as `scale`; of every second row some are special. */
static void next_candidate(merger *m, double scale, bool has_special, const double *before,
                           double *candidate) {
  for (int r = 0; r < m->num; r++) {
    const part *p = &m->parts[r];
    if (p->is_known)
      candidate[r] = p->known;
    else if (p->is_integer)
      candidate[r] = (double)random_below(m, 8) - 3;
    else if (has_special && random_below(m, 3) == 0)
      candidate[r] = special_number(m, before[r]);
    else
      candidate[r] = scale * random_number(m);
  }
}

/* Far enough for bounds that are made of several numbers. */
static double choose_scale(merger *m) {
  static const double scales[] = {1, 1, 1e-3, 30, 1e3, 1e-6, 1e6, 1e9};
  uint32_t num = (uint32_t)(sizeof(scales) / sizeof(scales[0]));
  uint32_t at = random_below(m, num + (uint32_t)m->num_near);
  return at < num ? scales[at] : 2 * m->near[at - num];
}

/* ---- trying ---------------------------------------------------------------------------------- */

typedef struct row {
  int num;
  double candidates[MOST_IN_ROW][TS_MOST_CHOSEN];
  double largest[TS_MOST_CHOSEN]; /* magnitude that each value had on the way */
} row;

static double compare(int holds, double a, double b) {
  int is = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return (holds & is) != 0;
}

/* Makes `found` what the body makes of it and `next`. */
static void merge(merger *m, double *found, const double *next, row *row) {
  double *slots = m->slots;
  for (int r = 0; r < m->num; r++) {
    slots[r] = found[r];
    slots[m->num + r] = next[r];
  }
  for (int i = 0; i < m->num_steps; i++) {
    const step *s = &m->steps[i];
    double a = slots[s->operands[0]], b = slots[s->operands[1]], c = slots[s->operands[2]];
    slots[m->first_result + i] = s->of ? s->of(a, b, c) : compare(s->holds, a, b);
  }
  for (int r = 0; r < m->num; r++) {
    found[r] = slots[m->yields[r]];
    row->largest[r] = isfinite(found[r]) ? fmax(row->largest[r], fabs(found[r])) : row->largest[r];
  }
}

static void reduce(merger *m, row *row, int first, int end, double *found) {
  for (int r = 0; r < m->num; r++)
    found[r] = m->parts[r].first;
  for (int i = first; i < end; i++)
    merge(m, found, row->candidates[i], row);
}

/* Parts of several loops are not one behind the other. */
static void shuffle(merger *m, row *row) {
  for (int i = row->num - 1; i > 0; i--) {
    int other = (int)random_below(m, (uint32_t)i + 1);
    for (int r = 0; r < m->num; r++) {
      double kept = row->candidates[i][r];
      row->candidates[i][r] = row->candidates[other][r];
      row->candidates[other][r] = kept;
    }
  }
}

/* Up to rounding, the number that comes one by one comes part by part, and none where none does. */
static bool is_same(const part *p, double one_by_one, double by_parts, double largest) {
  const double rounding = 1e-9;
  if (!isfinite(one_by_one) || !isfinite(by_parts))
    return !isfinite(one_by_one) && !isfinite(by_parts);
  double most = p->is_integer ? 0 : rounding * largest;
  return fabs(one_by_one - by_parts) <= most;
}

/* `*finite` counts rows of which numbers came. */
static bool merges_row(merger *m, bool has_special, int *finite) {
  double one_by_one[TS_MOST_CHOSEN], by_parts[TS_MOST_CHOSEN], part[TS_MOST_CHOSEN];
  double scale = choose_scale(m);
  row row = {.num = 2 + (int)random_below(m, MOST_IN_ROW - 1)};
  for (int i = 0; i < row.num; i++)
    next_candidate(m, scale, has_special, row.candidates[i ? i - 1 : 0], row.candidates[i]);
  reduce(m, &row, 0, row.num, one_by_one);
  reduce(m, &row, 0, 0, by_parts);
  if (m->in_any_order)
    shuffle(m, &row);
  for (int first = 0, end; first < row.num; first = end) {
    end = first + 1 + (int)random_below(m, (uint32_t)(row.num - first));
    reduce(m, &row, first, end, part);
    merge(m, by_parts, part, &row);
  }
  bool are_finite = true;
  for (int r = 0; r < m->num; r++) {
    are_finite = are_finite && isfinite(one_by_one[r]);
    if (!is_same(&m->parts[r], one_by_one[r], by_parts[r], row.largest[r]))
      return false;
  }
  *finite += are_finite;
  return true;
}

bool ts_linalg_merges(ts_arena *arena, MlirOperation op) {
  int num_loops = ts_op_is(op, "linalg.generic") ? ts_linalg_loops_reduced(op) : 0;
  merger m = {.arena = arena, .in_any_order = num_loops > 1, .random = 1};
  if (!num_loops || !read_merger(op, &m))
    return false;
  int finite = 0;
  for (int i = 0; i < ROWS; i++)
    if (!merges_row(&m, i % 2 == 1, &finite))
      return false;
  return finite >= ROWS / 4; /* else little has been seen */
}
