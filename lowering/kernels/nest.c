/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A structured op on memory as a loop nest. It knows linalg's maps; it must not know code. */
#include "lowering/kernels/nest.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  UNKNOWN = -1, /* extent */
  MOST_ACCESSES = 128
};

/* ---- reading --------------------------------------------------------------------------------- */

/* `expression` as a sum of factors[l] * d_l + *constant; false if it is something else. */
static bool read_linear(MlirAffineExpr expression, int64_t scale, int64_t *factors,
                        int64_t *constant) {
  if (mlirAffineExprIsADim(expression)) {
    factors[mlirAffineDimExprGetPosition(expression)] += scale;
    return true;
  }
  if (mlirAffineExprIsAConstant(expression)) {
    *constant += scale * mlirAffineConstantExprGetValue(expression);
    return true;
  }
  if (!mlirAffineExprIsABinary(expression))
    return false;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expression);
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expression);
  if (mlirAffineExprIsAAdd(expression))
    return read_linear(left, scale, factors, constant) &&
           read_linear(right, scale, factors, constant);
  if (mlirAffineExprIsAMul(expression) && mlirAffineExprIsAConstant(right))
    return read_linear(left, scale * mlirAffineConstantExprGetValue(right), factors, constant);
  return false;
}

/* *sum += factor * stride; false if the sum is no product. */
static bool add_scaled(ts_product *sum, int64_t factor, const ts_product *stride) {
  ts_product scale = ts_product_of_number(factor), term;
  if (factor == 0 || ts_product_is(stride, 0))
    return true;
  if (!ts_product_multiply(&scale, stride, &term))
    return false;
  if (ts_product_is(sum, 0)) {
    *sum = term;
    return true;
  }
  int64_t factors[] = {sum->factor, term.factor};
  sum->factor = term.factor = 1;
  if (!ts_product_equal(sum, &term))
    return false;
  sum->factor = factors[0] + factors[1];
  return true;
}

/* Sizes of several operands say it: one that is known before one that the launch knows. */
static void note_extent(ts_nest_loop *loop, const ts_product *size) {
  if (ts_product_is(&loop->extent, UNKNOWN) ||
      (!ts_product_is_number(&loop->extent) && ts_product_is_number(size)))
    loop->extent = *size;
}

static bool read_access(ts_buffers *memories, ts_nest *nest, int operand, ts_access *access) {
  MlirValue memref = mlirOperationGetOperand(nest->op, operand);
  MlirAffineMap map = ts_linalg_map(nest->op, operand);
  *access = (ts_access){.memory = ts_buffer_of(memories, memref)};
  if (!access->memory || mlirAffineMapGetNumSymbols(map) != 0)
    return false;
  for (int d = 0; d < access->memory->rank; d++) {
    int64_t factors[TS_NEST_LOOPS] = {0}, constant = 0;
    MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
    const ts_product *stride = &access->memory->strides[d];
    if (!read_linear(expression, 1, factors, &constant) ||
        !add_scaled(&access->offset, constant, stride))
      return false;
    for (int l = 0; l < nest->num_loops; l++)
      if (!add_scaled(&access->strides[l], factors[l], stride))
        return false;
    if (mlirAffineExprIsADim(expression))
      note_extent(&nest->loops[mlirAffineDimExprGetPosition(expression)],
                  &access->memory->sizes[d]);
  }
  return true;
}

/* `user` is the set of dimensions that linalg.index asks for. */
static MlirWalkResult note_index(MlirOperation op, void *user) {
  uint32_t *dims = user;
  if (ts_op_is(op, "linalg.index"))
    *dims |= UINT32_C(1) << ts_op_int(op, "dim", 0);
  return MlirWalkResultAdvance;
}

static bool argument_is_used(MlirBlock body, int argument) {
  return argument < mlirBlockGetNumArguments(body) &&
         !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(body, argument)));
}

static void read_indices(ts_nest *nest) {
  uint32_t dims = 0;
  mlirOperationWalk(nest->op, note_index, &dims, MlirWalkPreOrder);
  for (int l = 0; l < nest->num_loops; l++)
    if (dims >> l & 1) {
      ts_access *access = &nest->accesses[nest->num_accesses];
      *access = (ts_access){.reads = true};
      access->strides[l] = ts_product_of_number(1);
      nest->index_loops[nest->num_accesses++] = l;
    }
}

ts_nest *ts_nest_read(ts_buffers *memories, MlirOperation op) {
  int num_loops = (int)ts_linalg_num_loops(op);
  int num = (int)mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumResults(op) != 0 || num_loops > TS_NEST_LOOPS - 4 ||
      num + num_loops > MOST_ACCESSES)
    return NULL;
  ts_nest *nest = TS_NEW(memories->arena, ts_nest, 1);
  nest->op = op;
  nest->body = ts_linalg_body(op);
  nest->num_inputs = (int)ts_linalg_num_inputs(op);
  nest->num_outputs = (int)ts_linalg_num_inits(op);
  nest->num_loops = num_loops;
  nest->accesses = TS_NEW(memories->arena, ts_access, num + num_loops);
  nest->index_loops = TS_NEW(memories->arena, int, num + num_loops);
  if (nest->num_inputs + nest->num_outputs != num)
    return NULL;
  for (int l = 0; l < num_loops; l++)
    nest->loops[l] = (ts_nest_loop){.extent = ts_product_of_number(UNKNOWN),
                                    .is_reduction = ts_linalg_iterator(op, l) != 0};
  for (int i = 0; i < num; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand))) {
      /* A scalar that is the same everywhere: linalg.fill's. */
      nest->accesses[i] = (ts_access){.reads = true};
      nest->index_loops[i] = -1;
      continue;
    }
    if (!read_access(memories, nest, i, &nest->accesses[i]))
      return NULL;
    nest->accesses[i].writes = i >= nest->num_inputs;
    nest->accesses[i].reads = argument_is_used(nest->body, i);
  }
  for (int l = 0; l < num_loops; l++)
    if (ts_product_is(&nest->loops[l].extent, UNKNOWN))
      return NULL; /* no dimension is this loop alone */
  nest->num_accesses = num;
  read_indices(nest);
  return nest;
}

bool ts_nest_reads_outputs(const ts_nest *nest) {
  for (int i = 0; i < nest->num_inputs; i++)
    for (int o = nest->num_inputs; o < nest->num_inputs + nest->num_outputs; o++)
      if (nest->accesses[i].memory &&
          ts_buffer_may_alias(nest->accesses[i].memory, nest->accesses[o].memory))
        return true;
  return false;
}

bool ts_nest_keeps_outputs(const ts_nest *nest, int loop) {
  for (int o = 0; o < nest->num_outputs; o++) {
    const ts_access *access = &nest->accesses[nest->num_inputs + o];
    if (!access->reads || !ts_product_is(&access->strides[loop], 0))
      return false;
  }
  return nest->loops[loop].is_reduction;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* Puts loops `order[0]`, `order[1]`, ... first, second, ... */
static void permute(ts_nest *nest, const int *order) {
  ts_nest_loop loops[TS_NEST_LOOPS];
  for (int l = 0; l < nest->num_loops; l++)
    loops[l] = nest->loops[order[l]];
  for (int l = 0; l < nest->num_loops; l++)
    nest->loops[l] = loops[l];
  for (int a = 0; a < nest->num_accesses; a++) {
    ts_product strides[TS_NEST_LOOPS];
    for (int l = 0; l < nest->num_loops; l++)
      strides[l] = nest->accesses[a].strides[order[l]];
    for (int l = 0; l < nest->num_loops; l++)
      nest->accesses[a].strides[l] = strides[l];
  }
}

static void remove_loop(ts_nest *nest, int loop) {
  nest->num_loops--;
  for (int l = loop; l < nest->num_loops; l++)
    nest->loops[l] = nest->loops[l + 1];
  for (int a = 0; a < nest->num_accesses; a++)
    for (int l = loop; l < nest->num_loops; l++)
      nest->accesses[a].strides[l] = nest->accesses[a].strides[l + 1];
}

bool ts_nest_split(ts_nest *nest, int loop, const ts_product *inner) {
  ts_product outer, strides[MOST_ACCESSES];
  if (nest->num_loops == TS_NEST_LOOPS || nest->loops[loop].pick ||
      !ts_product_divide(&nest->loops[loop].extent, inner, &outer))
    return false;
  for (int a = 0; a < nest->num_accesses; a++)
    if (!ts_product_multiply(&nest->accesses[a].strides[loop], inner, &strides[a]))
      return false;
  for (int l = nest->num_loops++; l > loop; l--)
    nest->loops[l] = nest->loops[l - 1];
  nest->loops[loop].extent = outer;
  nest->loops[loop + 1].extent = *inner;
  for (int a = 0; a < nest->num_accesses; a++) {
    ts_access *access = &nest->accesses[a];
    for (int l = nest->num_loops - 1; l > loop; l--)
      access->strides[l] = access->strides[l - 1];
    access->strides[loop] = strides[a];
  }
  return true;
}

static bool may_merge(const ts_nest *nest, int outer) {
  const ts_nest_loop *a = &nest->loops[outer], *b = &nest->loops[outer + 1];
  ts_product extent;
  if (a->is_reduction != b->is_reduction || a->pick || b->pick ||
      !ts_product_multiply(&a->extent, &b->extent, &extent))
    return false;
  for (int i = 0; i < nest->num_accesses; i++) {
    ts_product row;
    const ts_access *access = &nest->accesses[i];
    if (!ts_product_multiply(&access->strides[outer + 1], &b->extent, &row) ||
        !ts_product_equal(&row, &access->strides[outer]))
      return false;
  }
  return true;
}

uint32_t ts_nest_pick_loops(const ts_nest *nest, const ts_pick *pick) {
  uint32_t loops = 0;
  for (int a = 0; a < nest->num_accesses; a++)
    for (int l = 0; l < nest->num_loops && pick->needs[a]; l++)
      if (!ts_product_is(&nest->accesses[a].strides[l], 0))
        loops |= UINT32_C(1) << l;
  return loops;
}

void ts_nest_merge(ts_nest *nest, int first) {
  for (int l = nest->num_loops - 2; l >= first; l--)
    if (may_merge(nest, l)) {
      ts_product extent;
      ts_product_multiply(&nest->loops[l].extent, &nest->loops[l + 1].extent, &extent);
      nest->loops[l + 1].extent = extent;
      remove_loop(nest, l);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

/* How far a step goes, for comparisons; what only the launch knows counts as far. */
static int64_t distance(const ts_product *stride) {
  int64_t far = INT64_MAX / 2;
  int64_t number = ts_product_number(stride, far);
  return number < 0 ? -number : number;
}

/* How much worse than contiguous memory the accesses are if `loop` is innermost. */
static double innermost_cost(const ts_nest *nest, int loop) {
  double cost = 0;
  for (int a = 0; a < nest->num_accesses; a++) {
    const ts_access *access = &nest->accesses[a];
    int64_t step = distance(&access->strides[loop]);
    if (access->memory && step)
      cost += (double)(step < 8 ? step : 8) * (access->writes ? 2 : 1);
  }
  int64_t extent = ts_product_number(&nest->loops[loop].extent, 1024);
  return cost * (1 + 8.0 / (double)(extent > 0 ? extent : 1));
}

/* Parallel loops, picked steps, reductions. */
static int class_of(const ts_nest_loop *loop) {
  if (loop->pick)
    return 1;
  return loop->is_reduction ? 2 : 0;
}

/* Parallel loops before reductions, far steps before near ones. What is combined keeps its order:
 * which of two equal maxima is the first, say, depends on it. */
static bool goes_before(const ts_nest *nest, int a, int b) {
  if (class_of(&nest->loops[a]) != class_of(&nest->loops[b]))
    return class_of(&nest->loops[a]) < class_of(&nest->loops[b]);
  const ts_access *access = &nest->accesses[nest->num_inputs];
  return class_of(&nest->loops[a]) == 0 && nest->num_outputs > 0 &&
         distance(&access->strides[a]) > distance(&access->strides[b]);
}

static bool may_be_innermost(const ts_nest *nest, int loop, ts_nest_order order) {
  if (nest->loops[loop].pick)
    return false;
  if (order == TS_NEST_PARALLEL_FIRST)
    return !nest->loops[loop].is_reduction;
  for (int l = loop + 1; l < nest->num_loops; l++)
    if (nest->loops[loop].is_reduction && nest->loops[l].is_reduction && !nest->loops[l].pick)
      return false;
  return true;
}

/* The loop that goes through memory in order; -1: none may. */
static int find_inner(const ts_nest *nest, ts_nest_order order) {
  int inner = -1;
  for (int l = nest->num_loops - 1; l >= 0; l--)
    if (may_be_innermost(nest, l, order) &&
        (inner < 0 || innermost_cost(nest, l) < innermost_cost(nest, inner)))
      inner = l;
  return inner;
}

static void order_loops(ts_nest *nest, ts_nest_order wish) {
  int order[TS_NEST_LOOPS], inner = find_inner(nest, wish);
  int num = 0;
  for (int l = 0; l < nest->num_loops; l++) {
    if (l == inner)
      continue;
    int at = num++;
    for (; at > 0 && goes_before(nest, l, order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = l;
  }
  if (inner >= 0) {
    int at = num;
    for (; wish == TS_NEST_PARALLEL_FIRST && at > 0 && nest->loops[order[at - 1]].is_reduction;
         at--)
      order[at] = order[at - 1];
    order[at] = inner;
  }
  permute(nest, order);
}

void ts_nest_normalize(ts_nest *nest, ts_nest_order order) {
  for (int l = nest->num_loops - 1; l >= 0; l--)
    if (ts_product_is(&nest->loops[l].extent, 1))
      remove_loop(nest, l);
  /* What is one loop is ordered as one: its length counts. */
  ts_nest_merge(nest, 0);
  order_loops(nest, order);
  ts_nest_merge(nest, 0);
}
