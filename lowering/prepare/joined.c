/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise ops on what was put together from pieces (concatenated, rolled, padded). It knows
 * structured ops, slices and insertions on tensors; it must not know memory. */
#include "lowering/prepare/joined.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/element_types.h"
#include "lowering/prepare/composition.h"
#include "lowering/prepare/exchanges.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

enum {
  LEAST_BYTES = 1 << 16, /* of a joined operand: below, a copy costs less than more code */
  MOST_PARTS = 32,       /* that one op becomes */
  MOST_CUTS = MOST_PARTS + 1,
  MOST_OPERANDS = 64,
  MOST_LOOPS = TS_BOX_RANK
};

/* ---- where to cut ---------------------------------------------------------------------------- */

/* Places along one loop, ascending, its beginning and its end among them. */
typedef struct cuts {
  int num;
  int64_t at[MOST_CUTS];
} cuts;

typedef struct split {
  const ts_devices *devices;
  MlirOperation op;
  int num_loops, num_operands, num_inputs;
  cuts loops[MOST_LOOPS];
  int loop_of[MOST_LOOPS]; /* by dimension of the operand that is looked at; -1: none */
  bool too_many, saves_copy;
} split;

static void add_cut(void *user, int d, int64_t at) {
  split *s = user;
  cuts *c = &s->loops[s->loop_of[d]];
  int i = c->num;
  while (i > 0 && c->at[i - 1] > at)
    i--;
  if (i > 0 && c->at[i - 1] == at)
    return;
  if (c->num == MOST_CUTS) {
    s->too_many = true;
    return;
  }
  memmove(&c->at[i + 1], &c->at[i], sizeof(c->at[0]) * (size_t)(c->num - i));
  c->at[i] = at;
  c->num++;
}

static bool is_tensor(MlirValue value) {
  return mlirTypeIsARankedTensor(mlirValueGetType(value));
}

static bool is_static(MlirValue value, int rank) {
  MlirType type = mlirValueGetType(value);
  return mlirShapedTypeGetRank(type) == rank && mlirShapedTypeHasStaticShape(type);
}

/* ---- which ops ------------------------------------------------------------------------------- */

static bool is_elementwise(MlirOperation op) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  return true;
}

static MlirWalkResult note_index(MlirOperation op, void *user) {
  bool *found = user;
  *found |= ts_op_is(op, "linalg.index");
  return MlirWalkResultAdvance;
}

static bool asks_for_indices(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, note_index, &found, MlirWalkPreOrder);
  return found;
}

/* The loops that the operand's dimensions follow; false if some follow more than one. */
static bool read_loops(split *s, int operand, int loop_of[MOST_LOOPS]) {
  MlirAffineMap map = ts_linalg_map(s->op, operand);
  if (mlirAffineMapGetNumResults(map) > MOST_LOOPS)
    return false;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsADim(expression))
      loop_of[d] = (int)mlirAffineDimExprGetPosition(expression);
    else if (mlirAffineExprIsAConstant(expression) &&
             mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(s->op, operand)),
                                      d) == 1)
      loop_of[d] = -1;
    else
      return false;
  }
  return true;
}

static bool has_known_form(split *s) {
  int loop_of[MOST_LOOPS];
  s->num_loops = (int)ts_linalg_num_loops(s->op);
  s->num_inputs = (int)ts_linalg_num_inputs(s->op);
  s->num_operands = (int)mlirOperationGetNumOperands(s->op);
  if (s->num_loops > MOST_LOOPS || s->num_operands > MOST_OPERANDS || asks_for_indices(s->op))
    return false;
  for (int i = 0; i < s->num_operands; i++) {
    MlirValue value = mlirOperationGetOperand(s->op, i);
    intptr_t rank = mlirAffineMapGetNumResults(ts_linalg_map(s->op, i));
    if (is_tensor(value) ? !is_static(value, (int)rank) || !read_loops(s, i, loop_of)
                         : i >= s->num_inputs || rank != 0)
      return false;
    if (i >= s->num_inputs && !mlirAffineMapIsPermutation(ts_linalg_map(s->op, i)))
      return false;
  }
  return true;
}

static bool is_large(MlirValue tensor) {
  MlirType type = mlirValueGetType(tensor);
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d), &bytes))
      return true;
  return bytes >= LEAST_BYTES;
}

/* Otherwise it is there as a whole anyway. */
static bool has_elementwise_uses(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!is_elementwise(user) ||
        mlirOpOperandGetOperandNumber(use) >= (unsigned)ts_linalg_num_inputs(user))
      return false;
  }
  return true;
}

static int64_t num_parts(const split *s) {
  int64_t num = 1;
  for (int l = 0; l < s->num_loops && num <= MOST_PARTS; l++)
    num *= s->loops[l].num - 1;
  return num;
}

static bool read_split(const ts_devices *devices, MlirOperation op, split *s) {
  *s = (split){.devices = devices, .op = op};
  if (!is_elementwise(op) || !has_known_form(s))
    return false;
  ts_box all = ts_box_of(mlirOperationGetOperand(op, s->num_inputs));
  read_loops(s, s->num_inputs, s->loop_of);
  for (int d = 0; d < all.rank; d++) {
    if (all.to[d] == 0)
      return false;
    s->loops[s->loop_of[d]] = (cuts){2, {0, all.to[d]}};
  }
  for (int i = 0; i < s->num_inputs; i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_tensor(value) || !is_large(value) || !has_elementwise_uses(value))
      continue;
    read_loops(s, i, s->loop_of);
    ts_borders borders = {.visit = add_cut, .user = s};
    s->too_many |= !ts_pieces_find(devices, value, &borders);
    s->saves_copy |= borders.copies;
  }
  return s->saves_copy && !s->too_many && num_parts(s) <= MOST_PARTS;
}

/* ---- taking apart ---------------------------------------------------------------------------- */

static ts_box part_of_operand(split *s, int operand, const ts_box *loops) {
  ts_box part = ts_box_of(mlirOperationGetOperand(s->op, operand));
  read_loops(s, operand, s->loop_of);
  for (int d = 0; d < part.rank; d++)
    if (s->loop_of[d] >= 0) {
      part.from[d] = loops->from[s->loop_of[d]];
      part.to[d] = loops->to[s->loop_of[d]];
    }
  return part;
}

/* A copy of the op on other operands; inputs that are scalars have no dimensions. */
static MlirOperation copy_on(const ts_maker *build, split *s, const MlirValue *operands,
                             const MlirType *results) {
  MlirAttribute maps[MOST_OPERANDS];
  for (int i = 0; i < s->num_operands; i++) {
    MlirAffineMap map = ts_linalg_map(s->op, i);
    if (!is_tensor(operands[i]))
      map = mlirAffineMapZeroResultGet(build->context, s->num_loops, 0);
    maps[i] = mlirAffineMapAttrGet(map);
  }
  MlirOperation clone = mlirOperationClone(s->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(clone, 0));
  mlirOperationDestroy(clone);
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "indexing_maps",
               mlirArrayAttrGet(build->context, s->num_operands, maps)),
      ts_named(build->context, "operandSegmentSizes", ts_attribute(s->op, "operandSegmentSizes")),
      ts_named(build->context, "iterator_types", ts_attribute(s->op, "iterator_types"))};
  return ts_make_op(build, &(ts_new_op){.name = "linalg.generic",
                                        .num_operands = s->num_operands,
                                        .operands = operands,
                                        .num_results = s->num_operands - s->num_inputs,
                                        .results = results,
                                        .num_attributes = 3,
                                        .attributes = attributes,
                                        .region = region});
}

/* Computes the part `loops` of all results, and puts it into `values`. */
static void make_part(const ts_maker *build, split *s, const ts_box *loops, MlirValue *values) {
  MlirValue operands[MOST_OPERANDS];
  MlirType results[MOST_OPERANDS];
  for (int i = 0; i < s->num_operands; i++) {
    MlirValue value = mlirOperationGetOperand(s->op, i);
    if (!is_tensor(value)) {
      operands[i] = value;
      continue;
    }
    ts_box part = part_of_operand(s, i, loops);
    operands[i] = i < s->num_inputs ? ts_pieces_take(s->devices, build, value, &part)
                                    : ts_box_slice(build, values[i - s->num_inputs], &part);
    if (i >= s->num_inputs)
      results[i - s->num_inputs] = mlirValueGetType(operands[i]);
  }
  MlirOperation made = copy_on(build, s, operands, results);
  for (int r = 0; r < s->num_operands - s->num_inputs; r++) {
    ts_box part = part_of_operand(s, s->num_inputs + r, loops);
    values[r] = ts_box_insert(build, mlirOperationGetResult(made, r), values[r], &part);
  }
}

/* The next part, the last loop's first; false after the last one. */
static bool advance(const split *s, int *at) {
  for (int l = s->num_loops - 1; l >= 0; l--) {
    if (++at[l] < s->loops[l].num - 1)
      return true;
    at[l] = 0;
  }
  return false;
}

static void take_apart(split *s) {
  ts_maker build = ts_make_before(s->op);
  MlirValue values[MOST_OPERANDS];
  int at[MOST_LOOPS] = {0}, num_results = s->num_operands - s->num_inputs;
  for (int r = 0; r < num_results; r++)
    values[r] = mlirOperationGetOperand(s->op, s->num_inputs + r);
  do {
    ts_box loops = {.rank = s->num_loops};
    for (int l = 0; l < s->num_loops; l++) {
      loops.from[l] = s->loops[l].at[at[l]];
      loops.to[l] = s->loops[l].at[at[l] + 1];
    }
    make_part(&build, s, &loops, values);
  } while (advance(s, at));
  for (int r = 0; r < num_results; r++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(s->op, r), values[r]);
  mlirOperationDestroy(s->op);
}

/* ---- all ops --------------------------------------------------------------------------------- */

typedef struct list {
  int num, max;
  MlirOperation *ops;
} list;

typedef struct found {
  ts_arena arena;
  list elementwise, moves; /* in program order */
} found;

static void add(found *f, list *l, MlirOperation op) {
  l->ops = ts_arena_grow(&f->arena, l->ops, l->num, &l->max, sizeof(MlirOperation));
  l->ops[l->num++] = op;
}

static bool is_move(MlirOperation op) {
  static const char *const names[] = {"tensor.extract_slice", "tensor.insert_slice", "tensor.pad",
                                      "tensor.empty"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* Inside an op that may be taken apart, and goes with what stands in it. */
static bool is_inside(MlirOperation op) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  while (around.ptr && !ts_op_is_linalg(around) && !ts_op_is(around, "tensor.pad"))
    around = mlirOperationGetParentOperation(around);
  return around.ptr != NULL;
}

static void note(MlirOperation op, void *user) {
  found *f = user;
  if (is_inside(op))
    return;
  if (is_elementwise(op))
    add(f, &f->elementwise, op);
  else if (is_move(op))
    add(f, &f->moves, op);
}

/* What was put together and is read by nobody any more; users come behind what they use. */
static void drop_unused(const list *moves) {
  for (int i = moves->num - 1; i >= 0; i--)
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(moves->ops[i], 0))))
      mlirOperationDestroy(moves->ops[i]);
}

void ts_joined_split(MlirOperation module) {
  found f = {.elementwise = {0}};
  ts_devices devices = ts_devices_of(module);
  ts_each_op(module, note, &f);
  /* What that adds, settling removes. */
  ts_exchanges exchanges = ts_exchanges_take_apart(&f.arena, &devices);
  bool any = false;
  for (int i = 0; i < f.elementwise.num; i++) {
    split s;
    if (!read_split(&devices, f.elementwise.ops[i], &s))
      continue;
    take_apart(&s);
    any = true;
  }
  if (any)
    drop_unused(&f.moves);
  ts_exchanges_settle(&devices, &exchanges);
  ts_arena_free(&f.arena);
}
